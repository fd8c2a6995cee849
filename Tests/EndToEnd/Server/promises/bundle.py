"""A page as one file, for teams that ship it in the app: nothing but the file on stdout, its policy inside."""
import base64
import hashlib

from harness.markup import Markup
from harness.promises import Group, contains, equal, holds
from harness.world import PATH, PAGE, World

group = Group("render --bundle", lambda: iter([World()]))
LEFT_OUT = "bridgehost: left out, since a file can't carry it: "


def bundle(world, *arguments):
    ended = world.command("render", "--bundle", *arguments)
    equal(ended.status, 0, ended.text)
    return ended


def policy_element(markup):
    """The index and the content of the only policy of a file."""
    found = [(index, dict(attributes)) for index, (tag, attributes) in enumerate(markup.tags)
             if tag == "meta" and dict(attributes).get("http-equiv") == "Content-Security-Policy"]
    equal(len(found), 1, "policies")
    index, attributes = found[0]
    return index, attributes["content"]


@group.promise("the file is the page that a server sends, and its policy right after the charset")
def _(world):
    file = bundle(world, "polly", "parrot").out
    with world.start() as server:
        sent = server.curl(PATH)
    index, policy = policy_element(Markup(file))
    equal(Markup(file).tags[index - 1], ("meta", (("charset", "utf-8"),)))
    equal([tag for tag, _ in Markup(file).tags[:index]], ["html", "head", "meta"])
    line = f'\n<meta http-equiv="Content-Security-Policy" content="{policy}">'
    equal(file.replace(line, "").encode(), sent.body)
    carried = [part for part in sent.one("Content-Security-Policy").split("; ")
               if part.split(" ")[0] not in ("frame-ancestors", "report-uri", "report-to")]
    equal(policy, "; ".join(carried))


@group.promise("the hash of each script is in the file's own policy, and nothing in it names another file")
def _(world):
    markup = Markup(bundle(world, "polly", "parrot").out)
    _, policy = policy_element(markup)
    scripts = [part for part in policy.split("; ") if part.startswith("script-src ")][0].split(" ")
    inline = [text for attributes, text in markup.scripts if "type" not in attributes]
    equal(len(inline), 1)
    for text in inline:
        holds(f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" in scripts, text)
    for tag, attributes in markup.tags:
        holds(not {"src", "href"} & set(dict(attributes)), f"<{tag}> names a file: {attributes}")
    holds("'self'" not in policy, policy)


@group.promise("what a file can't carry is said on stderr, on one line")
def _(world):
    ended = bundle(world, "polly", "parrot")
    equal(ended.err, LEFT_OUT + "frame-ancestors, report-uri, report-to, Permissions-Policy\n")


@group.promise("a page without a charset gets one, since a file has no Content-Type")
def _(_):
    world = World()
    world.write("public/parrot.html", PAGE.replace('<meta charset="utf-8">\n', ""))
    index, _ = policy_element(Markup(bundle(world, "polly", "parrot").out))
    equal(Markup(bundle(world, "polly", "parrot").out).tags[index - 1], ("meta", (("charset", "utf-8"),)))


@group.promise("of a tenant whose file is broken it says what is wrong")
def _(_):
    world = World()
    world.write("config/tenants/polly.json", "{")
    ended = world.command("render", "--bundle", "polly", "parrot")
    equal((ended.status, ended.out), (1, ""))
    contains(ended.err, "polly.json:1:2: error: ")
    contains(ended.err, "no page of bridge parrot for tenant polly")
