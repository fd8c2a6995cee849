"""The request line by the byte (RFC 9112 §2.2, §2.3, §3)."""
from harness.promises import Group
from harness.raw import Table, answered, ended, of_line, place, refused
from harness.world import PATH

group = Group("Raw: the request line", place)
table = Table(group)
page = PATH.encode()

table("a line that is a request", answered(200), [
    b"GET %s HTTP/1.1" % page, b"GET %s?a=b HTTP/1.1" % page, b"GET %s HTTP/1.2" % page, b"GET %s HTTP/1.9" % page,
    b"\r\nGET %s HTTP/1.1" % page], of_line)

table("HTTP/1.0", ended(200), [b"GET %s HTTP/1.0" % page], of_line)

table("spaces and tabs out of place", refused(400), [
    b" GET / HTTP/1.1", b"\tGET / HTTP/1.1", b"GET  / HTTP/1.1", b"GET /  HTTP/1.1", b"GET / HTTP/1.1 ",
    b"GET / HTTP/1.1\t", b"GET\t/ HTTP/1.1", b"GET /\tHTTP/1.1", b"GET\t/\tHTTP/1.1", b"GET / a HTTP/1.1",
    b"GET / HTTP/1.1 HTTP/1.1", b"GET / HTTP/1.1 x", b"GET / HTTP/ 1.1", b"GET / HTTP /1.1", b"GET / HTTP/1 .1",
    b"GET / HTTP/1. 1", b"GET  HTTP/1.1", b"GET / ", b"GET ", b"\r\n GET / HTTP/1.1", b"GET /\x0bHTTP/1.1",
    b"GET\x0c/ HTTP/1.1", b"GET\xa0/ HTTP/1.1", b"GET\xc2\xa0/ HTTP/1.1"], of_line)

table("parts that are missing", refused(400), [
    b"GET", b"GET /", b"GET HTTP/1.1", b"/ HTTP/1.1", b"HTTP/1.1", b" / HTTP/1.1", b"GET /HTTP/1.1",
    b"Host: localhost"], of_line)

table("a request of HTTP/0.9 is refused as soon as its line ends", refused(400), [
    b"GET /\r\n", b"GET %s\r\n" % page, b"HEAD /\r\n", b"get /\r\n", b"\r\nGET /\r\n"])

table("line ends that are not CR LF", refused(400), [
    b"GET / HTTP/1.1\nHost: localhost\n\n", b"GET / HTTP/1.1\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\n\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\n\n",
    b"GET / HTTP/1.1\n\rHost: localhost\r\n\r\n", b"GET / HTTP/1.1\r\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\rHost: localhost\r\n\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\n\rZ: a\r\n\r\n",
    b"GET /\nHTTP/1.1\r\nHost: localhost\r\n\r\n", b"GET /\rHTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET\r/ HTTP/1.1\r\nHost: localhost\r\n\r\n", b"GET /\r\nHTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\r\n\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\nY: b\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\rY: b\r\n\r\n", b"GET / HTTP/1.1\x85Host: localhost\r\n\r\n",
    b"GET / HTTP/1.1\xe2\x80\xa8Host: localhost\r\n\r\n"])

table("what stands before the line", refused(400), [
    b"\nGET / HTTP/1.1", b"\n\nGET / HTTP/1.1", b"\rGET / HTTP/1.1", b"\r\r\nGET / HTTP/1.1", b"\r\n\nGET / HTTP/1.1",
    b"\r\n\r\nGET / HTTP/1.1", b"\r\n\r\n\r\nGET / HTTP/1.1", b"\x00GET / HTTP/1.1", b"\xef\xbb\xbfGET / HTTP/1.1",
    b"\xffGET / HTTP/1.1", b"\x7fGET / HTTP/1.1", b"\x1bGET / HTTP/1.1"], of_line)

table("methods that are no token", refused(400), [
    b"G\x00T / HTTP/1.1", b"G(T / HTTP/1.1", b"G\"T / HTTP/1.1", b"G/T / HTTP/1.1", b"GET: / HTTP/1.1",
    b"GET, / HTTP/1.1", b"G[T] / HTTP/1.1", b"{GET} / HTTP/1.1", b"GET; / HTTP/1.1", b"G=T / HTTP/1.1",
    b"G@T / HTTP/1.1", b"G\\T / HTTP/1.1", b"G<T> / HTTP/1.1", b"GET? / HTTP/1.1", b"G\xc3\x89T / HTTP/1.1",
    b"GET\x7f / HTTP/1.1", b"GET\x00 / HTTP/1.1", b"\xe2\x84\xaaGET / HTTP/1.1"], of_line)

table("methods that nobody defines, or in other letters", refused(501), [
    b"get / HTTP/1.1", b"Get / HTTP/1.1", b"gET / HTTP/1.1", b"head / HTTP/1.1", b"post / HTTP/1.1",
    b"GETT / HTTP/1.1", b"GE / HTTP/1.1", b"G / HTTP/1.1", b"BREW / HTTP/1.1", b"PROPFIND / HTTP/1.1",
    b"M-SEARCH / HTTP/1.1", b"PURGE / HTTP/1.1", b"GET.POST / HTTP/1.1", b"!#$%&'*+-.^_`|~ / HTTP/1.1",
    b"0 / HTTP/1.1", b"X" * 200 + b" / HTTP/1.1", b"X" * 9_000 + b" / HTTP/1.1"], of_line)

table("versions with another major number", refused(505), [
    b"GET / HTTP/2.0", b"GET / HTTP/3.0", b"GET / HTTP/0.9", b"GET / HTTP/0.1", b"GET / HTTP/9.9", b"GET / HTTP/0.0",
    b"get / HTTP/2.0", b"GET /a#b HTTP/2.0"], of_line)

table("the preface of HTTP/2", refused(400, 505), [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\n"])

table("versions of another form", refused(400, 505), [
    b"GET / HTTP/1", b"GET / HTTP/1.", b"GET / HTTP/.1", b"GET / HTTP/", b"GET / HTTP", b"GET / HTTP/11",
    b"GET / HTTP/1.10", b"GET / HTTP/1.01", b"GET / HTTP/01.1", b"GET / HTTP/10.1", b"GET / HTTP/1.1.1",
    b"GET / HTTP/1,1", b"GET / HTTP/1:1", b"GET / HTTP/-1.1", b"GET / HTTP/+1.1", b"GET / HTTP/1.-1",
    b"GET / HTTP/1.+1", b"GET / HTTP/1.x", b"GET / HTTP/x.1", b"GET / http/1.1", b"GET / Http/1.1",
    b"GET / HTTPS/1.1", b"GET / XHTTP/1.1", b"GET / HTTP//1.1", b"GET / HTTP\\1.1", b"GET / HTTP-1.1",
    b"GET / HTTP1.1", b"GET / ICY/1.0", b"GET / SIP/2.0", b"GET / RTSP/1.0", b"GET / HTTP/1.1\x00",
    b"GET / HTTP/\x001.1", b"GET / HTTP/4294967297.1", b"GET / HTTP/1.4294967297", b"GET / HTTP/1.1\xc2\xb9",
    b"GET / HTTP/\xd9\xa1.1", b"GET / FTP/1.1", b"GET / HTTP/1.1/1.1", b"GET / \"HTTP/1.1\""], of_line)

table("what is no HTTP at all", refused(400), {
    "a ClientHello": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "SSH": b"SSH-2.0-OpenSSH_9.9\r\n",
    "SMTP": b"EHLO localhost\r\n", "zeros": b"\x00" * 64,
    "a response": b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "PROXY": b"PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n",
    "JSON": b"{\"a\": 1}\r\n", "a field line": b"Host: localhost\r\n\r\n"})
