"""Preconditions, ranges and content codings by the byte (RFC 9110 §8.8, §12.5.3, §13, §14)."""
from harness.promises import Group
from harness.raw import Table, answered, of_field, place
from harness.world import PATH

group = Group("Raw: conditions and codings", place)
table = Table(group)


def is_packed(answer):
    return answer.get("Content-Encoding") == "gzip"


def if_none_match(value):
    return of_field(b"If-None-Match: " + value)


def if_match(value):
    return of_field(b"If-Match: " + value)


table("If-None-Match that has the tag", answered(304), [
    b"<tag>", b"W/<tag>", b"*", b"\"a\", <tag>", b"<tag>, \"a\"", b"\"a\",<tag>,\"b\"", b"W/\"a\", W/<tag>",
    b",<tag>", b"<tag>,", b", ,<tag> , ,", b"\"a,b\", <tag>", b"\"\", <tag>", b"\"\xff\", <tag>",
    b"\"a\"\r\nIf-None-Match: <tag>", b"<tag>\r\nIf-None-Match: \"a\"", b"\t<tag>\t"], if_none_match)

table("If-None-Match that has it not, or is malformed", answered(200), [
    b"\"a\"", b"W/\"a\"", b"\"\"", b"", b",", b"a", b"\"a", b"a\"", b"\"", b"**", b"W/", b"W/*", b"w/<tag>",
    b"W/ <tag>", b"W<tag>", b"\"a\" <tag>x", b"x<tag>", b"'<tag>'", b"\"a\"; <tag>", b"{<tag>}", b"\"*\"",
    b"*, \"a\""], if_none_match)

table("If-Match that has the tag", answered(200), [
    b"<tag>", b"*", b"\"a\", <tag>", b"<tag>,\"a\"", b"W/<tag>, <tag>", b", ,<tag>", b"\"a\"\r\nIf-Match: <tag>",
    b"<tag>\r\nIf-None-Match: \"a\""], if_match)

table("If-Match that has it not, or weakly, or is malformed", answered(412), [
    b"\"a\"", b"W/<tag>", b"\"a\", W/<tag>", b"\"\"", b"", b"a", b"\"a", b"**", b"\"a\"\r\nIf-None-Match: *",
    b"\"a\"\r\nIf-None-Match: <tag>", b"W/\"a\"", b"\"*\""], if_match)

table("If-Match, then If-None-Match", answered(304), [
    b"<tag>\r\nIf-None-Match: <tag>", b"*\r\nIf-None-Match: W/<tag>", b"*\r\nIf-None-Match: *"], if_match)

table("dates are ignored, since nothing here has one", answered(200), [
    b"If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT", b"If-Modified-Since: Fri, 31 Dec 2100 23:59:59 GMT",
    b"If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT", b"If-Modified-Since: Sun Nov  6 08:49:37 1994",
    b"If-Modified-Since: yesterday", b"If-Modified-Since:", b"If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT",
    b"If-Modified-Since: Fri, 31 Dec 2100 23:59:59 GMT\r\nIf-None-Match: \"a\""], of_field)

table("a date beside the tag", answered(304), [
    b"If-None-Match: <tag>\r\nIf-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT",
    b"If-Modified-Since: yesterday\r\nIf-None-Match: <tag>"], of_field)

table("ranges are ignored: the whole is sent", answered(200), [
    b"bytes=0-0", b"bytes=0-", b"bytes=-1", b"bytes=1-2,4-5", b"bytes=99999999-", b"bytes=5-1", b"bytes=", b"bytes",
    b"", b"x=0-1", b"bytes=0-18446744073709551616", b"bytes=-0", b"bytes=0-0\r\nIf-Range: <tag>",
    b"bytes=0-0\r\nIf-Range: \"a\"", b"bytes=" + b"0-0," * 1_000], lambda value: of_field(b"Range: " + value),
    check=lambda answer: not answer.get("Content-Range"))

table("conditions on a path that leads nowhere", answered(404), [
    b"If-None-Match: *", b"If-Match: *", b"If-Match: \"a\"", b"If-None-Match: <tag>"],
    lambda field: of_field(field).replace(PATH.encode(), b"/wrong"))

table("conditions on a method that is not allowed", answered(405), [
    b"If-None-Match: *", b"If-Match: \"a\"", b"If-Match: *"], lambda field: of_field(field, b"DELETE"))

table("Accept-Encoding that wants gzip", answered(200), [
    b"gzip", b"GZIP", b"gZip", b"x-gzip", b"X-GZIP", b"*", b"gzip, deflate, br, zstd", b"br,gzip", b"deflate , gzip",
    b"gzip;q=1", b"gzip;q=1.0", b"gzip;q=1.000", b"gzip;q=1.", b"gzip;q=0.001", b"gzip;q=0.5", b"gzip;Q=0.5",
    b"gzip ;q=0.5", b"gzip; q=0.5", b"gzip\t;\tq=0.5", b"identity;q=0.5, gzip;q=0.5", b"identity;q=0, gzip",
    b"identity;q=0, *", b"*;q=0.1", b"br;q=1, *;q=0.5", b"*;q=0, gzip", b", gzip", b"gzip,", b",,gzip,,",
    b"br\r\nAccept-Encoding: gzip", b"made-up;a=b, gzip"], lambda value: of_field(b"Accept-Encoding: " + value),
    check=is_packed)

table("Accept-Encoding that does not", answered(200), [
    b"", b"identity", b"br", b"deflate", b"gzip;q=0", b"gzip;q=0.0", b"gzip;q=0.000", b"gzip;q=0.", b"*;q=0",
    b"gzip;q=0, *", b"*, gzip;q=0", b"identity, gzip;q=0.5", b"identity;q=1, gzip;q=0.999", b"gzipped", b"xgzip",
    b"gzip2", b"g zip", b"gzip;q=2", b"gzip;q=1.1", b"gzip;q=1.001", b"gzip;q=-1", b"gzip;q=+1", b"gzip;q=.5",
    b"gzip;q=0.0001", b"gzip;q=0.1234", b"gzip;q=x", b"gzip;q=", b"gzip;q", b"gzip;", b"gzip;q=0,5", b"gzip;q=\"1\"",
    b"gzip;level=9", b"gzip;q=1;q=0", b"gzip q=1", b"gzip=1", b"\"gzip\"", b"gzip/1", b",", b"; q=1",
    b"compress, x-compress", b"gzip;q=1 0", b"gzip;q =1", b"gzip;q= 1", b"gzip;q=0x1", b"\xff", b"gzip\xa0"],
    lambda value: of_field(b"Accept-Encoding: " + value), check=lambda answer: not answer.get("Content-Encoding"))
