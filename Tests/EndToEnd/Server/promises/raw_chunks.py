"""Chunked content by the byte (RFC 9112 §7.1, RFC 9110 §6.5)."""
from harness.promises import Group
from harness.raw import CANARY, Table, answered, of_chunks, place, refused

group = Group("Raw: chunks", place)
table = Table(group)


def of_size(size):
    """A size line without its end, five bytes, and the last chunk."""
    return of_chunks(size + b"\r\nhello\r\n0\r\n\r\n")


def of_trailers(lines):
    return of_chunks(b"5\r\nhello\r\n0\r\n" + lines + b"\r\n")


table("chunks that are well-formed; the next request is in step", answered(405), {
    "none": b"0\r\n\r\n", "one": b"5\r\nhello\r\n0\r\n\r\n", "two": b"2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
    "one byte each": b"1\r\nh\r\n" * 20 + b"0\r\n\r\n", "CR LF as content": b"2\r\n\r\n\r\n0\r\n\r\n",
    "chunks as content": b"f\r\n5\r\nhello\r\n0\r\n\r\n\r\n0\r\n\r\n",
    "hexadecimal digits": b"a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n",
    "leading zeros": b"00005\r\nhello\r\n0000\r\n\r\n",
    "many zeros": b"0" * 40 + b"5\r\nhello\r\n" + b"0" * 40 + b"\r\n\r\n",
    "any bytes": b"100\r\n" + bytes(range(256)) + b"\r\n0\r\n\r\n",
    "a request as content": b"%x\r\n%b\r\n0\r\n\r\n" % (len(CANARY), CANARY)}, of_chunks)

table("extensions that are well-formed", answered(405), [
    b"5;a", b"5;a=b", b"5;a=\"b\"", b"5;a=\"\"", b"5;a=b;c=d", b"5;a;b;c", b"5 ;a", b"5\t;a", b"5 ; a = b",
    b"5;a=\"b;c\"", b"5;a=\"b\\\"c\"", b"5;a=\"\\\\\"", b"5;a=\" \t\"", b"5;a=\"\xff\"", b"5;!#$=%&'",
    b"5;" + b"a" * 1_000, b"5;a=" + b"b" * 4_000], of_size)

table("trailers that are well-formed", answered(405), [
    b"X: a\r\n", b"X:\r\n", b"X: a\r\nY: b\r\n", b"X: \xff\r\n", b"!#$%&'*+-.^_`|~: a\r\n", b"X:a\tb\r\n",
    b"X: " + b"a" * 4_000 + b"\r\n", b"Digest: a\r\nServer-Timing: b\r\n"], of_trailers)

table("trailers of fields that mean nothing behind the content", answered(405), [
    b"X-Request-ID: a\r\n", b"User-Agent: a\r\n", b"Referer: https://a.example/\r\n", b"Origin: null\r\n",
    b"Forwarded: for=192.0.2.1\r\n", b"X-Forwarded-For: 192.0.2.1\r\n", b"X-Forwarded-Proto: http\r\n",
    b"Accept-Encoding: gzip\r\n", b"If-None-Match: *\r\n", b"If-Match: \"a\"\r\n", b"Cookie: a=b\r\n",
    b"Access-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: a\r\n", b"Content-Length-: 5\r\n"],
    of_trailers)

table("sizes that are none", refused(400), [
    b"", b" ", b"x", b"g", b"G", b"5g", b"5x", b"x5", b"0x5", b"0X5", b"5h", b"\\x5", b"+5", b"-5", b"-0", b"+0",
    b"--5", b"5.", b"5.0", b"0_5", b"5_0", b"5,", b"5 5", b" 5", b"\t5", b"5 ", b"5\t", b"5  ", b"\"5\"", b"'5'",
    b"5=", b"5:", b"5\x00", b"\x005", b"5\x0b", b"5\x0c", b"\xef\xbc\x95", b"5\xa0", b"hello", b"5hello", b"5 a",
    b"5a=b;", b"5\x7f", b"-1", b"{5}", b"\xff", b"5\xc2\xa0", b"5/"], of_size)

table("sizes beyond any machine's numbers", refused(400, 413), [
    b"80000000", b"ffffffff", b"100000000", b"100000005", b"7fffffffffffffff", b"8000000000000000",
    b"ffffffffffffffff", b"10000000000000000", b"10000000000000005", b"fffffffffffffffb", b"1" + b"0" * 31 + b"5",
    b"f" * 100], of_size)

table("content of more than 64 KiB in chunks", refused(413), {
    "in one": b"10001\r\n" + b"a" * 65_537 + b"\r\n0\r\n\r\n", "in its size": b"fffff\r\n",
    "in two": b"ffff\r\n" + b"a" * 65_535 + b"\r\n2\r\naa\r\n0\r\n\r\n"}, of_chunks)

table("line ends that are not CR LF", refused(400), {
    "LF behind a size": b"5\nhello\r\n0\r\n\r\n", "CR behind a size": b"5\rhello\r\n0\r\n\r\n",
    "CR CR LF behind a size": b"5\r\r\nhello\r\n0\r\n\r\n", "LF CR behind a size": b"5\n\rhello\r\n0\r\n\r\n",
    "LF behind data": b"5\r\nhello\n0\r\n\r\n", "CR behind data": b"5\r\nhello\r0\r\n\r\n",
    "nothing behind data": b"5\r\nhello0\r\n\r\n", "more data than said": b"5\r\nhello!\r\n0\r\n\r\n",
    "less data than said": b"5\r\nhell\r\n0\r\n\r\n", "two bytes for CR LF": b"5\r\nhelloXX0\r\n\r\n",
    "a space behind data": b"5\r\nhello \r\n0\r\n\r\n", "LF behind the last size": b"5\r\nhello\r\n0\n\r\n",
    "LF at the end": b"5\r\nhello\r\n0\r\n\n", "LF alone": b"5\nhello\n0\n\n",
    "CR at the end": b"5\r\nhello\r\n0\r\n\rX", "an empty line before a size": b"\r\n5\r\nhello\r\n0\r\n\r\n",
    "an empty line between": b"5\r\nhello\r\n\r\n0\r\n\r\n", "CR LF missing at the end": b"5\r\nhello\r\n0\r\nX",
    "NUL behind data": b"5\r\nhello\0\n0\r\n\r\n"}, of_chunks)

table("extensions that are none", refused(400), [
    b"5;", b"5; ", b"5;;", b"5;a=", b"5;=b", b"5;a==b", b"5;a b", b"5;a=b c", b"5;a=\"b", b"5;a=\"b\"c", b"5;a=b\"",
    b"5;a,b", b"5;a=\"b\x00\"", b"5;\x00", b"5;a\x00", b"5;a=\x7f", b"5;a=\"\x1b\"", b"5;(a)", b"5;a=b;", b"5;a;",
    b"5,a=b", b"5 a=b", b"5:a", b"5;a=@", b"5;\xc3\xa9", b"5;a=\xc3\xa9", b"5;a=[b]", b"5;a=\"\\\x00\""], of_size)

table("line ends inside an extension", refused(400), [
    b"5;\n", b"5;a\n", b"5;a\nb", b"5;a\r", b"5;a\rb", b"5\r;a", b"5\r\r;a", b"5;\ra", b"5\n;a", b"5;a=\"\n\"",
    b"5;a=\"\r\n\"", b"5;a=\"\r\"", b"5;a=b\n0\r\n\r\nGET /wrong HTTP/1.1\r\n"], of_size)

table("extensions and trailers without end", refused(431), {
    "an extension": b"5;" + b"a" * 20_000, "a quoted one": b"5;a=\"" + b"b" * 20_000 + b"\"",
    "many": b"5" + b";a" * 10_000, "white space": b"5" + b" " * 20_000 + b";a"}, of_size)

table("trailers without end", refused(431), {
    "a long value": b"X: " + b"a" * 20_000 + b"\r\n", "a long name": b"X" * 20_000 + b": a\r\n",
    "many": b"X: a\r\n" * 4_000}, of_trailers)

table("extensions of many chunks without end", refused(431), {
    "1 byte each": b"1;aaaaaaaaaaaaaaaa\r\na\r\n" * 1_000 + b"0\r\n\r\n"}, of_chunks)

table("trailers that are malformed", refused(400), [
    b" X: a\r\n", b"X : a\r\n", b"X\r\n", b": a\r\n", b"X: a\r\n b\r\n", b"X: a\r\n\tb\r\n", b"X: \0\r\n",
    b"X: a\rb\r\n", b"X: a\n", b"X\0: a\r\n", b"X(: a\r\n", b"X\xe9: a\r\n", b"X: \x1b\r\n", b"X: a\r\r\n",
    b"\tX: a\r\n", b"GET /wrong HTTP/1.1\r\n", b"X:POST / HTTP/1.1\n", b" \r\n", b"X: a\x7f\r\n"], of_trailers)

table("trailers that would change how the request was read", refused(400), [
    b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n", b"Host: elsewhere.example\r\n",
    b"Connection: close\r\n", b"Expect: 100-continue\r\n", b"Authorization: Basic YTpi\r\n", b"content-length: 5\r\n",
    b"X: a\r\nTransfer-Encoding: identity\r\n", b"Content-Type: text/plain\r\n", b"Content-Encoding: gzip\r\n",
    b"Content-Range: bytes 0-4/5\r\n", b"Trailer: X\r\n"], of_trailers)
