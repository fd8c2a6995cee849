"""What is wrong in a file is said at once, in one line each, with its place; the other tenants serve."""
import json
import re
import shutil

from harness.promises import Group, contains, equal, holds
from harness.refusal import promptly, refused
from harness.world import DESCRIPTOR, PATH, World

group = Group("Broken files")
THREE_MISTAKES = """{
  "bridges": {
    "parrot": {
      "settings": { "loud": 1, "wrod": "hello",
        "times": 10 }
    }
  }
}
"""


@group.promise("a tenant's file with three mistakes gives three problems, each with line and column; others serve")
def _():
    world = World()
    world.write("config/tenants/acme.json", THREE_MISTAKES)
    with world.start() as server:
        told = [line for line in server.output.splitlines() if "acme.json" in line]
        equal(len(told), 3, "\n".join(told))
        for start, words in (("4:29: error: $.bridges.parrot.settings.loud", "expected true or false"),
                             ("4:32: error: $.bridges.parrot.settings.wrod", 'Did you mean "word"?'),
                             ("5:18: error: $.bridges.parrot.settings.times", "an integer from 1 to 9")):
            holds(any(f"{start}: found " in line and words in line for line in told), f"{start}, {words} in {told}")
        contains(server.output, "tenant acme is not served")
        equal(server.curl(PATH).status, 200)
        equal(server.curl("/acme/parrot.html").status, 404)
        equal(json.loads(server.ask_admin("/readyz").body)["leftOut"], ["acme"])


@group.promise("--strict refuses to start with the same file")
def _():
    world = World()
    world.write("config/tenants/acme.json", THREE_MISTAKES)
    ended = promptly(lambda: world.command("serve", "--strict"))
    refused(ended, "acme.json:4:29", "acme.json:4:32", "acme.json:5:18", "not started")
    equal(ended.out, "", "nothing was served")


@group.promise("check prints the same problems, counts them, and exits 1")
def _():
    world = World()
    world.write("config/tenants/acme.json", THREE_MISTAKES)
    checked = world.command("check")
    equal(checked.status, 1)
    contains(checked.out, "1 tenants, 3 errors, 0 warnings")


TENANT_MISTAKES = {
    "a trailing comma": ('{"bridges": {},}', "1:16"), "a comment": ('{ // no\n}', "1:3"),
    "a duplicate key": ('{"bridges": {}, "bridges": {}}', "1:17"), "a syntax error in line 3": ('{\n"bridges":\n}', "3:1"),
    "a byte order mark": ('\ufeff{"bridges": {}}', "1:1"), "an unknown bridge": ('{"bridges": {"parot": {}}}', "1:14"),
    "an integer with a point": ('{"bridges": {"parrot": {"settings": {"times": 1.0}}}}', "1:47"),
    "no bridges": ('{\n  "hosts": []}', "1:1"), "an array": ("[]", "1:1"), "100 levels of arrays": ("[" * 100_000, "1:"),
    "a lone surrogate": ('{"bridges": {"parrot": {"settings": {"word": "\\ud800"}}}}', "1:"),
    "a wrong host": ('{"hosts": ["Chat.Acme.Example"], "bridges": {}}', "1:12"),
    "a service host": ('{"hosts": ["pages.example"], "bridges": {}}', "1:12"),
    "a token in the clear": ('{"bridges": {}, "access": {"tokens": ["s3cret-token"]}}', "1:39")}


@group.each("a tenant's file with {} is one line with its place, and no other tenant's business", TENANT_MISTAKES)
def _(case):
    content, place = case
    world = World()
    world.write("config/tenants/acme.json", content)
    checked = promptly(lambda: world.command("check"))
    equal(checked.status, 1)
    told = [line for line in checked.out.splitlines() if ": error: " in line]
    equal(len(told), 1, checked.out)
    contains(told[0], f"tenants/acme.json:{place}")
    contains(checked.out, "1 tenants, 1 errors")
    holds("s3cret" not in checked.text, "a secret is never repeated")


@group.each("a tenant's file that is called {} is refused by name", {name: name for name in (
    "api", "reports", "inspect", "Acme", "a_b", "-a", "a" * 64)})
def _(name):
    world = World()
    world.tenant(name)
    checked = world.command("check")
    equal(checked.status, 1)
    contains(checked.out, f"tenants/{name}.json: error: ")
    contains(checked.out, "1 tenants, 1 errors")


@group.promise("problems of many files are all told at once, in the order of the files")
def _():
    world = World()
    for name in ("one", "two", "six"):
        world.write(f"config/tenants/{name}.json", THREE_MISTAKES)
    checked = world.command("check")
    contains(checked.out, "1 tenants, 9 errors")
    places = re.findall(r"tenants/(\w+)\.json", checked.out)
    equal(places, sorted(places))


@group.promise("a missing page is one clear line")
def _():
    world = World()
    world.remove("public/parrot.html")
    refused(promptly(lambda: world.command("serve")), "public/parrot.html", "No such file", "not started", lines=2)


@group.promise("a broken descriptor is one clear line with its place")
def _():
    world = World()
    world.write("config/bridges/parrot.json", json.dumps({**DESCRIPTOR, "pagee": "x"}))
    refused(promptly(lambda: world.command("serve")), 'the unknown key "pagee"', 'Did you mean "page"?', lines=2)


@group.promise("200 tenants of which one is broken start, and 199 are served")
def _():
    world = World()
    shutil.rmtree(world.config / "tenants")
    (world.config / "tenants").mkdir()
    for number in range(200):
        (world.config / "tenants" / f"t{number}.json").write_text('{"bridges": {"mute": {}}}' if number else "{")
    with world.start() as server:
        contains(server.output, "199 tenants")
        contains(server.output, "tenants/t0.json:1:2: error")
        for number in (1, 100, 199):
            equal(server.curl(f"/api/v1/tenants/t{number}/bridges/mute").status, 200)
