"""If-None-Match and Accept-Encoding: RFC 9110 §12.5.3, §13.1.2 and §15.4.5."""
import gzip

from harness.promises import Group, equal, holds
from harness.world import LIST, PATH, REST, serve

group = Group("Revalidation and gzip", serve)

RESOURCES = {"a page": PATH, "REST": REST, "the list": LIST}
# What a 304 must repeat (RFC 9110 §15.4.5), and what must protect the body that it stands for.
REPEATED = ["ETag", "Cache-Control", "Vary", "Content-Security-Policy", "Permissions-Policy", "Reporting-Endpoints",
            "Referrer-Policy", "X-Content-Type-Options", "Strict-Transport-Security", "Cross-Origin-Opener-Policy",
            "Cross-Origin-Resource-Policy"]


def revalidate(server, path, condition, *options):
    return server.curl(path, "--header", f"If-None-Match: {condition}", *options)


@group.each("If-None-Match of {} with its own tag is 304: same ETag, same policy, no content", RESOURCES)
def _(server, path):
    full = server.curl(path)
    same = revalidate(server, path, full.one("ETag"))
    equal((same.status, same.body), (304, b""))
    for name in REPEATED:
        equal(same.all(name), full.all(name), name)
    equal(same.all("Content-Type") + same.all("Content-Encoding"), [])


@group.each("If-None-Match with {} is 304", {
    "a weak tag": "W/{}", "a list": '"a", {}, "b"', "a list of weak ones": 'W/"a",W/{}', "*": "*",
    "a list with empty elements": ', ,{},', "a tag with a comma before it": '"a,b", {}'})
def _(server, form):
    tag = server.curl(PATH).one("ETag")
    equal(revalidate(server, PATH, form.format(tag)).status, 304)


@group.promise("If-None-Match in two fields counts as one list")
def _(server):
    tag = server.curl(PATH).one("ETag")
    equal(revalidate(server, PATH, '"a"', "--header", f"If-None-Match: {tag}").status, 304)


@group.each("If-None-Match with {} is 200", {
    "another tag": '"0123456789abcdef"', "a tag without quotes": "bare", "half a tag": '"half', "nothing": '""',
    "the tag inside another": '"x{}"'})
def _(server, form):
    tag = server.curl(PATH).one("ETag").strip('"')
    condition = form.format(tag) if form != "bare" else tag
    equal(revalidate(server, PATH, condition).status, 200)


@group.promise("HEAD with If-None-Match is 304 too")
def _(server):
    tag = server.curl(PATH).one("ETag")
    equal(server.curl(PATH, "--head", "--header", f"If-None-Match: {tag}").status, 304)


@group.promise("If-None-Match on a wrong path does not hide that it is wrong")
def _(server):
    equal(revalidate(server, "/polly/wrong.html", "*").status, 404)


@group.each("gzip of {} holds the same bytes under a tag of its own", RESOURCES)
def _(server, path):
    plain = server.curl(path)
    packed = server.curl(path, "--header", "Accept-Encoding: gzip")
    equal(packed.one("Content-Encoding"), "gzip")
    equal(int(packed.one("Content-Length")), len(packed.body))
    equal(gzip.decompress(packed.body), plain.body)
    equal(packed.one("ETag"), plain.one("ETag")[:-1] + '-gzip"')
    equal(packed.one("Content-Security-Policy"), plain.one("Content-Security-Policy"))


@group.promise("curl --compressed reads the page")
def _(server):
    equal(server.curl(PATH, "--compressed").body, server.curl(PATH).body)


@group.promise("the gzip tag revalidates the gzip answer, and that one alone")
def _(server):
    packed = server.curl(PATH, "--header", "Accept-Encoding: gzip").one("ETag")
    same = revalidate(server, PATH, packed, "--header", "Accept-Encoding: gzip")
    equal((same.status, same.one("ETag"), same.body), (304, packed, b""))
    equal(revalidate(server, PATH, packed).status, 200)


@group.each("gzip is sent for Accept-Encoding: {}", {text: text for text in (
    "gzip", "GZIP", "x-gzip", "*", "gzip;q=0.001", "br, gzip", "deflate, gzip;q=1.0, *;q=0.5", "gzip;Q=0.5",
    "gzip ; q=0.8", "gzip, identity;q=0", "identity;q=0.5, gzip")})
def _(server, value):
    equal(server.curl(PATH, "--header", f"Accept-Encoding: {value}").one("Content-Encoding"), "gzip")


@group.each("gzip is not sent for Accept-Encoding: {}", {text or "(empty)": text for text in (
    "", "identity", "br", "gzip;q=0", "gzip;q=0.000", "*;q=0", "gzip;q=0, *", "identity, gzip;q=0.5", "gzipped",
    "gzip;q=2", "gzip;level=9")})
def _(server, value):
    # A semicolon instead of the colon is how curl is told to send a field without a value.
    answer = server.curl(PATH, "--header", f"Accept-Encoding: {value}" if value else "Accept-Encoding;")
    equal((answer.status, answer.all("Content-Encoding")), (200, []))


@group.promise("without Accept-Encoding the page comes as it is, and Vary says what it depends on")
def _(server):
    for options in ([], ["--header", "Accept-Encoding: gzip"]):
        equal(server.curl(PATH, *options).one("Vary"), "Accept-Encoding")
    equal(server.curl(PATH).all("Content-Encoding"), [])


@group.promise("an error is never packed")
def _(server):
    answer = server.curl("/wrong", "--header", "Accept-Encoding: gzip")
    equal((answer.status, answer.all("Content-Encoding")), (404, []))
    holds(answer.body.startswith(b"{"), "plain JSON")
