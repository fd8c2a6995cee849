"""Field lines by the byte (RFC 9110 §5, RFC 9112 §5)."""
from harness.promises import Group
from harness.raw import Table, answered, of_field, of_head, place, refused

group = Group("Raw: field lines", place)
table = Table(group)
TOKEN = b"!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

table("names of all that a token may have", answered(200), {
    **{f"X{chr(one)}Y": b"X%cY: a" % one for one in TOKEN[:15]}, "all of them at once": TOKEN + b": a",
    "one letter": b"X: a", "one sign": b"!: a", "a digit first": b"1: a", "an underscore first": b"_a: b",
    "200 letters": b"X" * 200 + b": a", "Transfer_Encoding is another name": b"Transfer_Encoding: chunked",
    "Content_Length is another name": b"Content_Length: 5", "Host- is another name": b"Host-: a b"}, of_field)

table("values: empty, of any visible or foreign byte, with white space about and inside", answered(200), [
    b"X:", b"X: ", b"X:\t", b"X: \t \t ", b"X:a", b"X: a", b"X:\ta", b"X: a\t", b"X:   a b\tc   ", b"X: a:b", b"X::",
    b"X: :", b"X: \"quoted, string\"", b"X: \"half", b"X: (comment (nested))", b"X: {}[]<>@,;:\\\"/?=",
    b"X: \xc3\xa9", b"X: \xe9", b"X: \x80\xff", b"X: \xe2\x84\xaa", b"X: \xc2\x85", b"X: \xc2\xa0",
    b"X: " + b"a" * 8_000, b"X: ,,,", b"X: a\r\nX: b", b"Accept:", b"Accept-Encoding:", b"Connection:",
    b"Cookie: a=b; c=\"d\"", b"User-Agent: \xff"], of_field)

table("fields that every client sends, and odd ones", answered(200), [
    b"Accept: */*;q=0.8", b"Referer: http://[::1", b"Content-Type: ", b"Range: bytes=0-0", b"Range: bytes=x",
    b"If-Range: \"a\"\r\nRange: bytes=0-1", b"If-Modified-Since: yesterday", b"Date: never", b"Via: 1.1 a, 1.1 b",
    b"Forwarded: for=\"[::1]\"", b"X-Forwarded-For: 1.2.3.4\x80", b"X-Forwarded-Host: elsewhere.example",
    b"X-Forwarded-Proto: gopher", b"X-Original-URL: /wrong", b"X-Rewrite-URL: /wrong",
    b"X-HTTP-Method-Override: DELETE", b"Max-Forwards: 0", b"TE: trailers, gzip;q=0.5", b"Trailer: X",
    b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13",
    b"Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__",
    b"Upgrade: TLS/1.0, HTTP/9.9\r\nConnection: upgrade", b"Upgrade:", b"Authorization: Basic !!!",
    b"Proxy-Connection: close", b"Keep-Alive: timeout=0", b"Origin: null"], of_field)

table("white space before the colon, or no colon", refused(400), [
    b"X : a", b"X\t: a", b"X  : a", b"X \t : a", b"Content-Length : 0", b"Transfer-Encoding : chunked",
    b"Content-Length\t: 0", b"X", b"X a", b"X=a", b"X;a", b"Host", b"-", b"X\xc2\xa0: a", b"X\xa0: a", b"X\x0b: a",
    b"X\x0c: a"], of_field)

table("names that are no token", refused(400), {
    "empty": b": a", "a colon alone": b":", "two colons first": b":: a", "a space inside": b"X Y: a",
    "a tab inside": b"X\tY: a", **{f"X{sign}Y": b"X%bY: a" % sign.encode() for sign in "\"(),/;<=>?@[\\]{}"},
    "NUL inside": b"X\0Y: a", "NUL at the end": b"X\0: a", "DEL": b"X\x7f: a", "escape": b"\x1bX: a",
    "bell": b"X\7: a", "CR": b"X\rY: a", "CR before the colon": b"X\r: a", "UTF-8": b"X\xc3\xa9: a",
    "Latin-1": b"X\xe9: a", "0x80": b"X\x80: a", "0xFF": b"\xffX: a", "a Kelvin sign": b"\xe2\x84\xaaeep-Alive: a",
    "a next-line control": b"X\x85: a", "a byte order mark": b"\xef\xbb\xbfX: a",
    "a long s": b"Tran\xc5\xbffer-Encoding: chunked", "Content-Length with NUL": b"Content-Length\0: 5",
    "Transfer-Encoding with a control": b"Transfer-Encoding\x01: chunked"}, of_field)

table("folded lines and white space first", refused(400), {
    "folded by a space": b"X: a\r\n b", "folded by a tab": b"X: a\r\n\tb", "folded by several": b"X: a\r\n   b",
    "folded into nothing": b"X: a\r\n ", "folded twice": b"X: a\r\n b\r\n c", "an empty value folded": b"X:\r\n a",
    "a name folded": b"X\r\n : a", "a name in two lines": b"Transfer-\r\nEncoding: chunked",
    "Transfer-Encoding folded": b"Transfer-Encoding:\r\n chunked", "Content-Length folded": b"Content-Length:\r\n 5",
    "Host folded behind it": b" Host: elsewhere.example", "a line of a space": b" ", "a line of a tab": b"\t",
    "a space first": b" X: a", "a tab first": b"\tX: a",
    "a smuggled Transfer-Encoding": b"X: a\r\n Transfer-Encoding: chunked"}, of_field)

table("white space, or a folded line, as the first field line", refused(400), [
    b" Host: localhost\r\n\r\n", b"\tHost: localhost\r\n\r\n", b" X: a\r\nHost: localhost\r\n\r\n",
    b" \r\nHost: localhost\r\n\r\n", b" a\r\nHost: localhost\r\n\r\n"], lambda fields: of_head(fields[:-2]))

table("controls in values", refused(400), {
    f"0x{byte:02x}": b"X: a" + bytes([byte]) + b"b" for byte in [*range(9), *range(11, 32), 127]}, of_field)

table("bare CR in and about values", refused(400), [
    b"X: a\rb", b"X: \ra", b"X:\ra", b"X: a\r", b"X: a\r\r", b"X: a\rY: b", b"X: a\r\rY: b", b"\rX: a",
    b"X: a\r Y: b", b"Transfer-Encoding: \rchunked", b"Content-Length: 0\r", b"Content-Length: \r5",
    b"Host:\rlocalhost", b"X: a\rGET /wrong HTTP/1.1"], of_field)

table("more than 100 fields, or a head of more than 16 KiB", refused(431), {
    "101 fields": b"X: a\r\n" * 99 + b"X: a", "1,000 fields": b"X: a\r\n" * 999 + b"X: a",
    "empty values": b"X:\r\n" * 200 + b"X:", "a value of 17,000 bytes": b"X: " + b"a" * 17_000,
    "a name of 17,000 bytes": b"X" * 17_000 + b": a", "a value of 60,000 bytes": b"X: " + b"a" * 60_000,
    "many long ones": (b"X: " + b"a" * 1_000 + b"\r\n") * 20 + b"X: a",
    "a long cookie": b"Cookie: a=" + b"b" * 17_000}, of_field)

table("as much as there may be", answered(200), {
    "100 fields": b"X: a\r\n" * 98 + b"X: a", "a value of 15,000 bytes": b"X: " + b"a" * 15_000,
    "a name of 15,000 bytes": b"X" * 15_000 + b": a"}, of_field)
