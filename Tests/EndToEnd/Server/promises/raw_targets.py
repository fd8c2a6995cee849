"""The request target by the byte (RFC 9112 §3.2, RFC 3986), and the paths in it."""
from harness.promises import Group
from harness.raw import Table, answered, of_head, of_line, of_target, place, refused
from harness.world import PATH

group = Group("Raw: targets and paths", place)
table = Table(group)
page = PATH.encode()

table("a page, with any query", answered(200), [
    page, page + b"?", page + b"?a", page + b"?a=b&c=d", page + b"??", page + b"?/../..", page + b"?a=%20%41",
    page + b"?x=%00", page + b"?a={}|\\^`\"<>[]", page + b"?" + b"q" * 4_000, page + b"?" + b"q" * 8_000,
    page + b"?http://other/", page + b"?a=:@!$'()*,;"], of_target)

table("a page with needless escapes: decoded once", answered(200), [
    b"/p%6Flly/parrot.html", b"/p%6flly/parrot.html", b"/%70%6f%6c%6c%79/%70arrot%2Ehtml", b"/polly/parrot%2ehtml"],
    of_target)

table("absolute-form: its authority counts, not Host", answered(200), [
    b"http://localhost" + page, b"HTTP://localhost" + page, b"hTTp://LOCALHOST" + page, b"http://localhost:80" + page,
    b"http://localhost:" + page, b"http://localhost:65535" + page, b"http://127.0.0.1" + page,
    b"http://pages.example" + page + b"?a=b"], lambda target: of_head(b"Host: elsewhere.example\r\n", target=target))

table("absolute-form of an address in brackets", answered(200), [
    b"http://[::1]" + page, b"http://[::1]:8080" + page],
    lambda target: of_head(b"Host: localhost\r\n", target=target), tls=False)

table("https in absolute-form is for TLS alone (RFC 9110 §7.4)", answered(421), [
    b"https://localhost" + page, b"HTTPS://localhost:443" + page, b"https://localhost", b"https://localhost/nowhere"],
    of_target, tls=False)

table("absolute-form without a path is the root", answered(404), [
    b"http://localhost", b"http://localhost/", b"http://localhost?a", b"http://localhost:80"], of_target)

table("absolute-form for a host that is not served", answered(421), [
    b"http://elsewhere.example" + page, b"http://elsewhere.example:80" + page,
    b"http://localhost.evil.example" + page, b"http://xlocalhost" + page, b"http://192.0.2.1" + page,
    b"http://[::2]" + page], of_target)

table("absolute-form that is malformed", refused(400), [
    b"http:/a", b"http:a", b"http:", b"http//localhost/", b"http://" + b"/" + page, b"http://", b"http://?a",
    b"http://#a", b"http://:80/", b"http://:/", b"http://user@localhost" + page, b"http://user:word@localhost" + page,
    b"http://@localhost" + page, b"http://localhost@evil.example/", b"http://localhost:x" + page,
    b"http://localhost:80x" + page, b"http://localhost:-1" + page, b"http://localhost:+1" + page,
    b"http://localhost:65536" + page, b"http://localhost:99999" + page, b"http://localhost:80:80" + page,
    b"http://localhost: 80" + page, b"http://[::1" + page, b"http://::1" + page, b"http://[]" + page,
    b"http://[::1]x" + page, b"http://[::1]]" + page, b"http://[[::1]]" + page, b"http://local%68ost" + page,
    b"http://local%00host" + page, b"http://localhost\\" + page, b"http://localhost" + page + b"#a",
    b"http://local,host" + page, b"http://localh\xc3\xb6st" + page, b"http://local<host" + page,
    b"http://[::1%25lo]" + page, b"http://[fe80::1%lo]" + page, b"ftp://localhost" + page, b"file:///etc/passwd",
    b"ws://localhost" + page, b"javascript://localhost" + page, b"gopher://localhost/", b"httpx://localhost" + page,
    b"://localhost" + page, b"urn:a:b", b"mailto:a@b"], of_target)

table("targets of no form", refused(400), [
    b"*", b"**", b"*/", b"a", b"polly/parrot.html", b"localhost", b"localhost:80", b"?a=b", b"#", b".", b"..",
    b"../a", b"./a", b"\\polly\\parrot.html", b"\\", b"%2f", b"%2Fpolly/parrot.html", b":80", b"[::1]", b"~",
    b"index.html", b";", b"@localhost/", b"C:\\", b"C:/", b"\"/\"", b"</>", b"{}"], of_target)

table("fragments", refused(400), [page + b"#", page + b"#a", b"/#", b"/#/../", page + b"?a#b", b"/a#b?c"], of_target)

table("bytes that no target has", refused(400), {
    **{f"a {name} in the path": b"/a" + byte + b"b" for name,
    byte in { "NUL": b"\0", "bell": b"\7", "escape": b"\x1b", "DEL": b"\x7f", "tab": b"\t", "vertical tab": b"\x0b",
    "form feed": b"\x0c", "CR": b"\r", "backslash": b"\\", "quote": b'"', "<": b"<", ">": b">", "^": b"^", "`": b"`",
    "{": b"{", "|": b"|", "}": b"}", "[": b"[", "]": b"]", "UTF-8 letter": b"\xc3\xa9", "Latin-1 letter": b"\xe9",
    "0x80": b"\x80", "0xFF": b"\xff", "full-width dot": b"\xef\xbc\x8e", "no-break space": b"\xc2\xa0",
    "byte order mark": b"\xef\xbb\xbf"}.items()}, **{f"a {name} in the query": page + b"?a" + byte + b"b" for name,
    byte in { "NUL": b"\0", "escape": b"\x1b", "DEL": b"\x7f", "tab": b"\t", "CR": b"\r", "UTF-8 letter": b"\xc3\xa9",
    "0xFF": b"\xff"}.items()}}, of_target)

table("percent-encoding that is malformed", answered(400), [
    b"/%", b"/%2", b"/%a", b"/%zz", b"/%2x", b"/%x2", b"/%%", b"/%%41", b"/%-1", b"/%+1", b"/%0x41", b"/%u0041",
    b"/%U0041", b"/polly/parrot.html%", b"/polly/parrot.html%2", b"/%4/", b"/a%/b", b"/%?20"], of_target)

table("controls in disguise", answered(400), [
    page + b"%00", b"/polly/%00parrot.html", page + b"%00.txt", b"/%01", page + b"%0a", page + b"%0d%0a", b"/%09",
    b"/%1f", b"/%7f", b"/%1b%5b2J"], of_target)

table("an encoded slash or backslash, or a backslash", answered(400), [
    b"/polly%2fparrot.html", b"/polly%2Fparrot.html", b"/%2fpolly/parrot.html", b"/polly/parrot.html%2f",
    b"/polly%5cparrot.html", b"/polly%5Cparrot.html", b"/%5cpolly", b"/..%2fa", b"/..%5ca", b"/%2e%2e%2fetc%2fpasswd",
    b"/%2e%2e%5cetc"], of_target)

table("dot segments in any form", answered(400), [
    b"/.", b"/..", b"/./", b"/../", b"/./polly/parrot.html", b"/polly/./parrot.html", b"/polly/../polly/parrot.html",
    b"/polly/parrot.html/.", b"/polly/parrot.html/..", b"/../../../../etc/passwd", b"/polly/..", b"/%2e", b"/%2E/",
    b"/%2e%2e", b"/%2e%2e/", b"/.%2e/", b"/%2e./", b"/.%2E/polly/parrot.html", b"/polly/%2e%2e/polly/parrot.html",
    b"/polly/%2e/parrot.html", b"/%2e%2e/%2e%2e/etc/passwd", b"//../", b"/..//", b"/a/..?b", b"/..?"], of_target)

table("bytes in disguise that are not UTF-8", answered(400), {
    "0xFF": b"/%ff", "0xFE": b"/%fe", "a lone continuation": b"/%80", "a lone lead": b"/%c3",
    "a cut sequence": b"/%e2%82", "an overlong slash": b"/%c0%af", "an overlong dot": b"/%c0%ae%c0%ae/",
    "an overlong NUL": b"/%c0%80", "three bytes for a slash": b"/%e0%80%af",
    "four bytes for a slash": b"/%f0%80%80%af", "a surrogate": b"/%ed%a0%80", "beyond Unicode": b"/%f4%90%80%80",
    "five bytes": b"/%f8%88%80%80%80", "Latin-1": b"/caf%e9"}, of_target)

table("paths that are well-formed, and lead nowhere", answered(404), [
    b"/", b"//", b"///", b"/polly", b"/polly/", page + b"/", b"/" + page, b"/polly//parrot.html", page + b"//",
    b"/POLLY/parrot.html", b"/Polly/parrot.html", b"/polly/PARROT.HTML", page + b";a=b", b"/polly;/parrot.html",
    b"/..;/", b"/polly/..;/parrot.html", b"/...", b"/.../", b"/.a", b"/a.", b"/..a", b"/.well-known/",
    b"/.git/config", b"/.env", b"/%252e%252e/", b"/%252fpolly", b"/polly%252fparrot.html", b"/p%256flly/parrot.html",
    b"/%25", b"/%2500", b"/caf%C3%A9", b"/%e2%82%ac", b"/%20", b"/polly/parrot.html%20", b"/a+b", b"/~a", b"/a:b@c",
    b"/!$&'()*+,;=", b"/polly/parrot.js", b"/polly/parrot", b"/parrot.html", b"/config/server.json", b"/etc/passwd",
    b"/http://localhost/", b"/*", b"/livez", b"/metrics", b"/polly/parrot.html.gz", b"/" + b"a" * 4_000,
    b"/" + b"a/" * 2_000], of_target)

table("OPTIONS of the service", answered(204), [
    b"*", b"http://localhost", b"http://localhost:80"], lambda target: of_target(target, b"OPTIONS"))

table("* with any other method, or with more than it", refused(400), [
    b"GET * HTTP/1.1", b"HEAD * HTTP/1.1", b"POST * HTTP/1.1", b"TRACE * HTTP/1.1", b"DELETE * HTTP/1.1",
    b"CONNECT * HTTP/1.1", b"OPTIONS ** HTTP/1.1", b"OPTIONS *?a HTTP/1.1", b"OPTIONS */ HTTP/1.1",
    b"OPTIONS *#a HTTP/1.1", b"OPTIONS %2a HTTP/1.1"], of_line)

table("authority-form of CONNECT is understood, and never allowed", answered(405), [
    b"localhost:443", b"example.com:80", b"[::1]:443", b"127.0.0.1:22"], lambda target: of_target(target, b"CONNECT"))

table("CONNECT with anything else", refused(400), [
    b"/", page, b"*", b"localhost", b"localhost:", b":443", b"http://localhost/", b"u@localhost:443",
    b"localhost:65536", b"[::1]", b"localhost:443/"], lambda target: of_target(target, b"CONNECT"))

table("a target longer than 8 KiB", refused(414), {
    "8,193 bytes": b"/" + b"a" * 8_192, "9,000 bytes": b"/" + b"a" * 9_000, "20,000 bytes": b"/" + b"a" * 20_000,
    "a query": page + b"?" + b"q" * 9_000, "absolute-form": b"http://localhost/" + b"a" * 9_000,
    "percent-encoded": b"/" + b"%61" * 3_000}, of_target)
