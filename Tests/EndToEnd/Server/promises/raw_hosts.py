"""Host by the byte (RFC 9110 §7.2, RFC 9112 §3.2, RFC 3986 §3.2)."""
from harness.promises import Group
from harness.raw import Table, answered, ended, of_head, of_host, place, refused
from harness.world import PATH

group = Group("Raw: Host", place)
table = Table(group)
absolute = b"http://localhost" + PATH.encode()

table("a host that is served, in any letters, with any port", answered(200), [
    b"localhost", b"LOCALHOST", b"LocalHost:80", b"localhost:", b"localhost:1", b"localhost:65535",
    b"localhost:00080", b"127.0.0.1", b"127.0.0.1:8080", b"pages.example", b" localhost", b"localhost ",
    b"\tlocalhost\t ", b"  localhost:80  "], of_host)

table("an address in brackets that is served", answered(200), [
    b"[::1]", b"[::1]:8080", b"[::1]:"], of_host, tls=False)

table("a host that is well-formed, and not served", answered(421), [
    b"elsewhere.example", b"localhost.example", b"xlocalhost", b"local_host", b"a-b.example", b"sub.localhost",
    b"localhost.evil.example:80", b"192.0.2.1", b"127.1", b"0", b"1.2.3", b"256.1.1.1", b"[::]", b"[::2]", b"[1::]",
    b"[2001:db8::1]", b"[2001:DB8:0:0:0:0:0:1]:443", b"[1:2:3:4:5:6:7:8]", b"[::ffff:127.0.0.1]",
    b"[64:ff9b::192.0.2.1]", b"[1:2:3:4:5:6:192.0.2.1]", b"a~b", b"xn--bcher-kva.example", b"a" * 200], of_host)

table("no Host, and more than one", refused(400), {
    "none": b"", "another field": b"X: localhost\r\n", "two": b"Host: localhost\r\nHost: localhost\r\n",
    "two that differ": b"Host: localhost\r\nHost: elsewhere.example\r\n",
    "two that differ, the other way": b"Host: elsewhere.example\r\nHost: localhost\r\n",
    "two in other letters": b"Host: localhost\r\nhost: localhost\r\n",
    "an empty one behind": b"Host: localhost\r\nHost:\r\n", "an empty one before": b"Host:\r\nHost: localhost\r\n",
    "three": b"Host: localhost\r\n" * 3,
    "two with a field between": b"Host: localhost\r\nX: a\r\nHost: localhost\r\n",
    "a space in the name": b"Ho st: localhost\r\n", "a space before the colon": b"Host : localhost\r\n",
    "a folded one": b"Host:\r\n localhost\r\n", "continued": b"Host: localhost\r\n .evil.example\r\n",
    "X-Forwarded-Host is none": b"X-Forwarded-Host: localhost\r\n", "X-Host is none": b"X-Host: localhost\r\n"},
    of_head)

table("a value that is no host", refused(400), [
    b"", b" ", b"\t", b":", b":80", b"a b", b"localhost localhost", b"localhost, localhost", b"localhost,localhost",
    b"localhost,", b",localhost", b"localhost/", b"localhost/a", b"/localhost", b"http://localhost",
    b"http://localhost/", b"//localhost", b"localhost?", b"localhost?a", b"localhost#", b"localhost#a",
    b"user@localhost", b"user:word@localhost", b"@localhost", b"localhost@", b"localhost\\", b"\\localhost",
    b"\"localhost\"", b"'localhost'\"", b"<localhost>", b"{localhost}", b"local|host", b"local^host", b"local`host",
    b"*@", b"local%68ost", b"localhost%00", b"%", b"localhost%2f", b"l\xc3\xb6calhost", b"localhost\xff",
    b"\xe2\x84\xaa", b"localhost\xa0"], of_host)

table("a port that is none", refused(400), [
    b"localhost:x", b"localhost:80x", b"localhost:x80", b"localhost:-1", b"localhost:-80", b"localhost:+80",
    b"localhost:65536", b"localhost:99999", b"localhost:123456", b"localhost:4294967376", b"localhost:80:80",
    b"localhost::80", b"localhost::", b"localhost: 80", b"localhost :80", b"localhost:0x50", b"localhost:8_0",
    b"localhost:80,81", b"localhost:80.0", b"localhost:80/", b"localhost:\xd9\xa8\xd9\xa0"], of_host)

table("an address in brackets that is none", refused(400), [
    b"[", b"]", b"[]", b"[]:80", b"[::1", b"::1]", b"::1", b"::1:80", b"[::1]80", b"[::1]x", b"[::1]]", b"[[::1]]",
    b"[:]", b"[:::]", b"[1]", b"[1:2]", b"[1::2::3]", b"[::g]", b"[12345::]", b"[1:2:3:4:5:6:7]",
    b"[1:2:3:4:5:6:7:8:9]", b"[1:2:3:4:5:6:7:8::]", b"[:1:2:3:4:5:6:7]", b"[1:2:3:4:5:6:7:]", b"[127.0.0.1]",
    b"[::127.0.0]", b"[::127.0.0.256]", b"[::127.0.0.1.1]", b"[::1.2.3.04]", b"[127.0.0.1::]", b"[::1%lo]",
    b"[::1%25lo]", b"[fe80::1%25eth0]", b"[localhost]", b"[::1 ]", b"[ ::1]", b"[v1]", b"[v.a]", b"[x1.a]",
    b"[::1]:x", b"[::1]:65536", b"[::1]@a", b"a[::1]"], of_host)

table("control bytes", refused(400), [
    b"local\0host", b"\0", b"localhost\0", b"localhost\x01", b"local\x7fhost", b"local\x0bhost", b"localhost\r",
    b"\rlocalhost", b"local\x1bhost", b"local\thost"], of_host)

table("a bad Host beside a good authority", refused(400), {
    "none": b"", "two": b"Host: localhost\r\nHost: localhost\r\n", "a space in it": b"Host: a b\r\n",
    "user information": b"Host: u@localhost\r\n", "a bad port": b"Host: localhost:x\r\n"},
    lambda fields: of_head(fields, target=absolute))

table("HTTP/1.0 needs no Host: the service's own is meant", ended(200), {
    "none": b"", "its own": b"Host: localhost\r\n", "a field that is none": b"X: y\r\n"},
    lambda fields: of_head(fields, version=b"HTTP/1.0"))

table("a bad Host in HTTP/1.0", refused(400), {
    "two": b"Host: localhost\r\nHost: localhost\r\n", "an empty one": b"Host:\r\n", "a list": b"Host: a, b\r\n",
    "user information": b"Host: u@localhost\r\n"}, lambda fields: of_head(fields, version=b"HTTP/1.0"))
