"""Where a request ends, by the byte: Content-Length and Transfer-Encoding (RFC 9110 §8.6, RFC 9112 §6)."""
from harness.promises import Group
from harness.raw import CANARY, Table, answered, of_field, of_head, place, refused

group = Group("Raw: content and its length", place)
table = Table(group)
CHUNKS = b"5\r\nhello\r\n0\r\n\r\n"


def of_length(value):
    """POST with this Content-Length, and a content of five bytes."""
    return of_field(b"Content-Length: " + value, b"POST") + b"hello"


def of_coding(value):
    """POST with this Transfer-Encoding, and a good chunk behind it."""
    return of_field(b"Transfer-Encoding: " + value, b"POST") + CHUNKS


table("content is read past on a resource that takes none, and the next request is in step", answered(405), [
    b"5", b" 5", b"5 ", b"\t5\t", b"05", b"0005", b"0000000000000000000000005"], of_length)

table("so is content of GET and HEAD", answered(200), {
    "none of it": of_field(b"Content-Length: 0"), "five bytes": of_field(b"Content-Length: 5") + b"hello",
    "a request as content": of_field(b"Content-Length: %d" % len(CANARY)) + CANARY,
    "chunks": of_field(b"Transfer-Encoding: chunked") + CHUNKS,
    "HEAD with content": of_field(b"Content-Length: 5", b"HEAD") + b"hello",
    "HEAD with chunks": of_field(b"Transfer-Encoding: chunked", b"HEAD") + CHUNKS,
    "a request in a chunk": of_field(b"Transfer-Encoding: chunked") + b"%x\r\n%b\r\n0\r\n\r\n" % (len(CANARY),
    CANARY), "an empty line behind it": of_field(b"Content-Length: 5") + b"hello\r\n"})

table("other methods with content, and without", answered(405), {
    **{f"{name.decode()} with content": of_field(b"Content-Length: 5", name) + b"hello"
    for name in (b"POST", b"PUT", b"PATCH", b"DELETE", b"TRACE")},
    **{f"{name.decode()} without": of_head(b"Host: localhost\r\n", name)
    for name in (b"POST", b"PUT", b"PATCH", b"DELETE", b"TRACE")}})

table("Content-Length that is no number", refused(400), [
    b"", b" ", b"+5", b"-5", b"-0", b"+0", b"0x5", b"0X5", b"5x", b"x5", b"5h", b"0b101", b"0o5", b"5.0", b"5.",
    b".5", b"5e0", b"1e1", b"5_0", b"1_0", b"5 0", b"5 5", b"5\t5", b"\"5\"", b"'5'", b"(5)", b"5;", b"5;a=b", b"=5",
    b"five", b"NaN", b"inf", b"null", b"5,", b",5", b",", b"5 bytes", b"\xd9\xa5", b"\xef\xbc\x95", b"5\xc2\xa0",
    b"5\xa0", b"\xb2", b"5\x00", b"\x005", b"5\x0b", b"\x0c5", b"5\x7f", b"0x", b"--5", b"5-", b"5%00", b"$5"],
    of_length)

table("Content-Length twice, or as a list, equal or not", refused(400), [
    b"5,5", b"5, 5", b"5,6", b"6, 5", b"5,5,5", b"0,5", b"5\r\nContent-Length: 5", b"5\r\nContent-Length: 6",
    b"6\r\nContent-Length: 5", b"5\r\ncontent-length: 5", b"0\r\nContent-Length: 5", b"5\r\nContent-Length: 0",
    b"5\r\nContent-Length:", b"\r\nContent-Length: 5", b"5\r\nX: a\r\nContent-Length: 5", b"5\r\nContent-Length: +5",
    b"05\r\nContent-Length: 5", b"0\r\nContent-Length: 0", b"5\r\nContent-Length : 5", b"5\r\nContent-Length: 5, 5"],
    of_length)

table("Content-Length beyond any machine's numbers", refused(400, 413), [
    b"2147483648", b"4294967296", b"4294967301", b"9223372036854775807", b"9223372036854775808",
    b"18446744073709551615", b"18446744073709551616", b"18446744073709551621",
    b"340282366920938463463374607431768211461", b"9" * 100], of_length)

table("content of more than 64 KiB", refused(413), [b"65537", b"100000", b"99999999", b"4294967295"], of_length)

table("Content-Length beside Transfer-Encoding", refused(400), {
    "before it": b"Content-Length: 5\r\nTransfer-Encoding: chunked",
    "behind it": b"Transfer-Encoding: chunked\r\nContent-Length: 5",
    "0 before it": b"Content-Length: 0\r\nTransfer-Encoding: chunked",
    "0 behind it": b"Transfer-Encoding: chunked\r\nContent-Length: 0",
    "the right one": b"Content-Length: 15\r\nTransfer-Encoding: chunked",
    "in other letters": b"CONTENT-LENGTH: 5\r\nTRANSFER-ENCODING: CHUNKED",
    "beside identity": b"Content-Length: 5\r\nTransfer-Encoding: identity",
    "beside nothing": b"Content-Length: 5\r\nTransfer-Encoding:",
    "beside a wrong one": b"Content-Length: 5\r\nTransfer-Encoding: xchunked",
    "a bad one": b"Content-Length: x\r\nTransfer-Encoding: chunked"},
    lambda fields: of_field(fields, b"POST") + CHUNKS)

table("chunked in any letters", answered(405), [
    b"chunked", b"Chunked", b"CHUNKED", b"cHuNkEd", b" chunked", b"chunked ", b"\tchunked\t"], of_coding)

table("codings of which chunked is not the last, or not alone, or misspelt", refused(400), [
    b"", b" ", b"identity", b"chunked, identity", b"chunked, gzip", b"chunked, chunked", b"chunked,chunked",
    b"chunked,", b",chunked", b", chunked", b"chunked, ,", b"chunked\r\nTransfer-Encoding: chunked",
    b"chunked\r\nTransfer-Encoding: identity", b"chunked\r\nTransfer-Encoding: gzip",
    b"identity\r\nTransfer-Encoding: chunked", b"\r\nTransfer-Encoding: chunked", b"chunked\r\nTransfer-Encoding:",
    b"xchunked", b"chunkedx", b"chunke", b"chunkedchunked", b"chunked chunked", b"chunked;a=b", b"chunked;",
    b"chunked; q=1", b"\"chunked\"", b"'chunked'", b"(chunked)", b"chunked\xa0", b"\xa0chunked", b"chunked\xc2\xa0",
    b"chun\xe2\x84\xaaed", b"chunked\\", b"[chunked]", b"chunked=", b"chunked/", b"chunked:", b"chunked?",
    b"chunked.", b"chunked-", b"x chunked", b"gzip;a=\"b, chunked\"", b"gzip, chunked, chunked", b"gzip chunked",
    b"nothing", b"0", b"deflate", b"gzip"], of_coding)

table("controls in Transfer-Encoding", refused(400), [
    b"\x0bchunked", b"\x0cchunked", b"\rchunked", b"chunked\x00", b"\x00chunked", b"chu\x00nked", b"chunked\x0b",
    b"chunked\x0c", b"chunked\r", b"chunked\x01", b"chunked\x7f", b"\nchunked", b"chunked\n", b"chunked\x1f",
    b"\x1bchunked"], of_coding)

table("codings that are not known, before chunked", refused(501), [
    b"gzip, chunked", b"deflate, chunked", b"compress, chunked", b"x-gzip, chunked", b"identity, chunked",
    b"br,chunked", b"gzip, deflate, chunked", b"GZIP, Chunked", b"made-up, chunked", b"made-up;a=b, chunked"],
    of_coding)

table("Transfer-Encoding in HTTP/1.0", refused(400), [
    b"chunked", b"identity", b"gzip", b"", b"gzip, chunked", b"chunked\r\nConnection: keep-alive",
    b"chunked\r\nContent-Length: 5"], lambda value: of_field(b"Transfer-Encoding: " + value, b"POST",
    b"HTTP/1.0") + CHUNKS)

table("names that only look like Transfer-Encoding", answered(405), [
    b"Transfer_Encoding: chunked", b"X-Transfer-Encoding: chunked", b"Transfer-Encodin: chunked",
    b"Transfer-Encoding-: chunked", b"TransferEncoding: chunked", b"TE: chunked", b"Content-Encoding: chunked"],
    lambda field: of_field(field + b"\r\nContent-Length: 5", b"POST") + b"hello")
