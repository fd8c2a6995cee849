"""Requests made to be read differently by two servers, as published research names them.

Behind each waits a canary that must not be answered; `/wrong` inside of one must not be answered either.
"""
from harness.promises import Group
from harness.raw import Table, answered, of_field, place, refused
from harness.world import REST

group = Group("Raw: request smuggling", place)
table = Table(group)
HIDDEN = f"GET {REST} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


def with_fields(fields, body):
    return of_field(fields, b"POST") + body


LAST = b"0\r\n\r\n"
CHUNK = b"%x\r\n%b\r\n" % (len(HIDDEN), HIDDEN)
BOTH = b"Content-Length: %d\r\nTransfer-Encoding: chunked"

table("length against chunks", refused(400), {
    "CL.TE": with_fields(BOTH % (len(LAST) + len(HIDDEN)), LAST + HIDDEN),
    "TE.CL": with_fields(BOTH % 4, CHUNK + LAST),
    "TE.CL, the other way round": with_fields(b"Transfer-Encoding: chunked\r\nContent-Length: 4", CHUNK + LAST),
    "CL.CL": with_fields(b"Content-Length: 0\r\nContent-Length: %d" % len(HIDDEN), HIDDEN),
    "CL.CL in a list": with_fields(b"Content-Length: 0, %d" % len(HIDDEN), HIDDEN),
    "TE.TE": with_fields(b"Transfer-Encoding: chunked\r\nTransfer-Encoding: x", LAST + HIDDEN),
    "TE.0 by identity": with_fields(b"Transfer-Encoding: identity", HIDDEN),
    "a signed length": with_fields(b"Content-Length: +0", HIDDEN),
    "a negative length": with_fields(b"Content-Length: -1", HIDDEN),
    "an empty length": with_fields(b"Content-Length:", HIDDEN),
    "a length of words": with_fields(b"Content-Length abcde: 0", HIDDEN),
    "HTTP/1.0 with chunks": of_field(b"Transfer-Encoding: chunked", b"POST", b"HTTP/1.0") + LAST + HIDDEN})

table("Transfer-Encoding in disguise beside a length", refused(400), {
    "a space before the colon": b"Transfer-Encoding : chunked",
    "a tab before the colon": b"Transfer-Encoding\t: chunked",
    "a space before the name": b" Transfer-Encoding: chunked", "folded": b"Transfer-Encoding:\r\n chunked",
    "behind a bare LF": b"X: X\nTransfer-Encoding: chunked", "behind a bare CR": b"X: X\rTransfer-Encoding: chunked",
    "behind CR CR": b"X: X\r\rTransfer-Encoding: chunked", "NUL before the colon": b"Transfer-Encoding\0: chunked",
    "NUL in the value": b"Transfer-Encoding: chunked\0", "a vertical tab": b"Transfer-Encoding:\x0bchunked",
    "quoted": b"Transfer-Encoding: \"chunked\"", "a comma first": b"Transfer-Encoding: ,chunked",
    "with a parameter": b"Transfer-Encoding: chunked;q=1", "xchunked": b"Transfer-Encoding: xchunked",
    "no-break space": b"Transfer-Encoding:\xa0chunked", "in brackets": b"[Transfer-Encoding]: chunked",
    "an equals sign": b"Transfer-Encoding= chunked", "a tab": b"Transfer-Encoding:\tchunked",
    "a long s": b"Tran\xc5\xbffer-Encoding: chunked"},
    lambda field: with_fields(b"Content-Length: %d\r\n%b" % (len(LAST), field), LAST + HIDDEN))

table("a request as content of a request that has a length, or none", answered(405), {
    "CL.0": with_fields(b"Content-Length: %d" % len(HIDDEN), HIDDEN),
    "in a chunk": with_fields(b"Transfer-Encoding: chunked", CHUNK + LAST),
    "an underscore is no hyphen":
        with_fields(b"Transfer_Encoding: chunked\r\nContent-Length: %d" % len(HIDDEN), HIDDEN)})


def chunks(body):
    return with_fields(b"Transfer-Encoding: chunked", body)


table("chunks whose lines end in two ways", refused(400), {
    "TERM.EXT": chunks(b"2;\nxx\r\n%x\r\n%b\r\n" % (len(HIDDEN), HIDDEN) + LAST),
    "EXT.TERM": chunks(b"2;\rxx\r\n" + LAST + HIDDEN), "TERM.SPILL": chunks(b"5\r\nhello\n%b" % LAST + HIDDEN),
    "SPILL.TERM": chunks(b"5\r\nhelloXX%b" % LAST + HIDDEN), "ONE.TWO": chunks(b"2\r\nxx\n0\n\n" + HIDDEN),
    "ZERO.TWO": chunks(b"2\r\nxx0\r\n\r\n" + HIDDEN), "TWO.ZERO": chunks(b"2\r\nxx\r\n\r\n" + LAST + HIDDEN),
    "a bare LF behind the size": chunks(b"2\nxx\r\n" + LAST + HIDDEN),
    "CR CR LF behind the size": chunks(b"2\r\r\nxx\r\n" + LAST + HIDDEN),
    "an extension with CR": chunks(b"2\r\r;a\r\nxx\r\n" + LAST + HIDDEN),
    "0x": chunks(b"0x2\r\nxx\r\n" + LAST + HIDDEN),
    "a size that wraps at 32 bits": chunks(b"100000000000000000000002\r\nxx\r\n" + LAST + HIDDEN),
    "a size that wraps at 64": chunks(b"10000000000000002\r\nxx\r\n" + LAST + HIDDEN),
    "a signed size": chunks(b"+2\r\nxx\r\n" + LAST + HIDDEN),
    "a size with an underscore": chunks(b"0_2\r\nxx\r\n" + LAST + HIDDEN), "an empty size": chunks(b"\r\n" + HIDDEN),
    "a blank size": chunks(b" \r\n\r\n" + HIDDEN), "a request as a trailer": chunks(b"0\r\n" + HIDDEN),
    "a request behind half an end": chunks(b"0\r\nX:" + HIDDEN[:-2].replace(b"\r\n", b"\n") + b"\r\n\r\n")})

table("expectations in disguise", refused(400, 417), {
    "y 100-continue": with_fields(b"Expect: y 100-continue\r\nContent-Length: %d" % len(HIDDEN), HIDDEN),
    "folded": with_fields(b"Expect:\r\n 100-continue\r\nContent-Length: %d" % len(HIDDEN), HIDDEN),
    "a space before the colon": with_fields(b"Expect : 100-continue\r\nContent-Length: %d" % len(HIDDEN), HIDDEN),
    "with a control": with_fields(b"Expect: 100-continue\x01\r\nContent-Length: %d" % len(HIDDEN), HIDDEN)})

table("a second request in a line, a target or a value", refused(400, 501), [
    b"GET / HTTP/1.1 GET /wrong HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /%0d%0aHost: x HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET http://localhost/\nGET /wrong HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\n\nGET /wrong HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX: a\r\rGET /wrong HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\nGET /wrong HTTP/1.1\r\n\r\n", b"XGET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"0\r\n\r\nGET /wrong HTTP/1.1\r\nHost: localhost\r\n\r\n"])
