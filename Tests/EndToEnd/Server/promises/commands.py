"""The command line: subcommands, flags, the environment, and which of them counts."""
import contextlib
import os
import pathlib
import re
import shutil
import subprocess

from harness.process import environment
from harness.promises import Group, contains, equal, eventually, holds
from harness.tools import run
from harness.world import CHECKOUT, PATH, World, shop

group = Group("Commands and settings")


def bridgehost(*arguments, env=None, cwd=None):
    return run(shop().binary, *arguments, env=environment(env), cwd=cwd or shop().folder)


@group.promise("--version says name and version")
def _():
    ended = bridgehost("--version")
    equal((ended.status, ended.err), (0, ""))
    holds(re.fullmatch(r"bridgehost \d+\.\d+\.\d+\n", ended.out), ended.out)


@group.each("{} prints all commands, options, signals and exit codes", {
    "--help": ["--help"], "-h": ["-h"], "help": ["help"], "serve --help": ["serve", "--help"], "check -h": ["check", "-h"]})
def _(arguments):
    ended = bridgehost(*arguments)
    equal((ended.status, ended.err), (0, ""))
    for word in ("serve", "--strict", "check", "render", "--bundle", "policy", "schema", "certificate", "token",
                 "healthcheck", "--config", "--public", "--set", "BRIDGEHOST_", "SIGHUP", "SIGTERM",
                 "0 fine, 1 problems found, 2 wrong usage"):
        contains(ended.out, word)
    holds(max(map(len, ended.out.splitlines())) <= 100, "fits a terminal")


@group.promise("every command that --help lists is there")
def _():
    listed = re.findall(r"^  ([a-z]+) ", bridgehost("--help").out.split("Commands:")[1].split("Options of")[0], re.M)
    equal(len(listed), 8)
    for name in listed:
        holds("unknown command" not in bridgehost(name, "--no-such-flag").err, f"{name} is unknown")


@group.each("wrong usage is status 2 and a clear line: {}", {
    "an unknown command": (["sevre"], 'unknown command "sevre"'), "an unknown flag": (["--port", "1"], "unknown option --port"),
    "an unknown flag of serve": (["serve", "--verbose"], "unknown option --verbose"),
    "a flag without its value": (["check", "--config"], "--config needs a value"),
    "an argument too many": (["check", "x"], 'unexpected argument "x"'), "render alone": (["render"], "missing: TENANT BRIDGE"),
    "render with half": (["render", "polly"], "missing: BRIDGE"), "--version and more": (["--version", "x"], "--version")})
def _(case):
    arguments, words = case
    ended = bridgehost(*arguments)
    equal((ended.status, ended.out), (2, ""))
    contains(ended.err, words)
    equal(ended.err.splitlines()[1:], ["Run bridgehost --help for what there is."])


@group.promise("serve is the default command")
def _():
    world = World()
    from_flags = world.command("--strict", "--set", "workers=0")
    equal(from_flags.status, 1)
    contains(from_flags.err, "not started")


@group.promise("start-up says version, tenants, pages, workers, listeners and page URLs, then ready")
def _():
    world = World(publicBaseURL=None)
    with world.start() as server:
        holds(re.match(r"bridgehost \d+\.\d+\.\d+: 1 tenants, 1 pages, 2 workers$", server.output.splitlines()[-5]),
              server.output)
        contains(server.output, f"page https://localhost:{server.secure}{PATH}")
        equal(server.lines[-1], "ready")
        equal(server.curl(PATH).status, 200, "what it says is true")


@group.promise("of many page URLs a few are shown, and how many more there are")
def _():
    world = World()
    for number in range(20):
        world.tenant(f"t{number}")
    with world.start() as server:
        equal(server.output.count("\npage https://"), 6)
        contains(server.output, "and 15 more pages")


@group.promise("check of good files counts them and exits 0")
def _():
    ended = World().command("check")
    equal((ended.status, ended.out, ended.err), (0, "1 tenants, 0 errors, 0 warnings\n", ""))


@group.promise("render prints head and page as a server sends them")
def _():
    world = World()
    rendered = world.command("render", "polly", "parrot")
    with world.start() as server:
        sent = server.curl(PATH)
    head, _, body = rendered.out.partition("\r\n\r\n")
    equal(body.encode(), sent.body)
    of_now = re.compile(r"\r\n(Date|X-Request-ID): [^\r]*")
    equal(of_now.sub("", head), of_now.sub("", sent.head.decode()))


@group.each("render of {}, also as one file, is one clear line and status 1", {
    "a tenant that is not there": ("nobody", "parrot"), "a bridge that is not there": ("polly", "nothing"),
    "a bridge without a page": ("polly", "mute")})
def _(names):
    for flags in ([], ["--bundle"]):
        ended = World().command("render", *names, *flags)
        equal((ended.status, ended.out), (1, ""))
        equal(ended.err, f"bridgehost: no page of bridge {names[1]} for tenant {names[0]}\n")


@group.promise("healthcheck is 0 with a ready server, 1 in one clear line without one, and 1 without an admin listener")
def _():
    world = World()
    with world.start() as server:
        ended = world.command("healthcheck", "--set", f"admin.port={server.admin}")
        equal((ended.status, ended.out), (0, "ready\n"))
        port = server.admin
    for flags in (["--set", f"admin.port={port}"], ["--set", "admin.port=1"]):
        ended = world.command("healthcheck", *flags)
        equal((ended.status, len(ended.err.splitlines())), (1, 1), ended.text)
    contains(World(admin=None).command("healthcheck").err, "no admin listener")


@group.promise("healthcheck asks a service that runs on when its server.json is broken, or gone")
def _():
    world = World()
    with world.start() as server:
        flags = ["--set", "admin.address=127.0.0.1", "--set", f"admin.port={server.admin}"]
        for text in ('{"admin": {"port": 1}, "nonsense": 1}', "{"):
            world.write("config/server.json", text)
            equal(world.command("healthcheck", *flags).status, 0)
        (world.config / "server.json").unlink()
        equal(world.command("healthcheck", *flags).status, 0)


@group.promise("streams that are closed at the start are not taken by anything that is opened")
def _():
    world = World()
    command = ["sh", "-c", 'exec "$0" "$@" <&- >&- 2>&-', str(shop().binary), "serve",
               "--config", str(world.config), "--public", str(world.public)]
    process = subprocess.Popen(command)
    try:
        place = pathlib.Path(f"/proc/{process.pid}/fd")

        def runs():
            # The shell closes its streams while they are looked at.
            with contextlib.suppress(FileNotFoundError):
                return any("eventpoll" in os.readlink(file) for file in place.iterdir())

        eventually(runs, "it runs")
        equal([os.readlink(place / str(number)) for number in range(3)], ["/dev/null"] * 3)
    finally:
        process.kill()
        process.wait()


# Which value counts. `hosts.0` is visible as the host that is served.

def host_served(server):
    names = ("file.example", "environment.example", "flag.example")
    return [name for name in names if server.curl(PATH, "--header", f"Host: {name}", host="127.0.0.1").status == 200]


@group.promise("the file counts before the default, the environment before the file, a flag before the environment")
def _():
    world = World(hosts=["file.example"])
    variable = {"BRIDGEHOST_HOSTS_0": "environment.example"}
    flag = ["--set", "hosts.0=flag.example"]
    for arguments, env, expected in (([], {}, "file.example"), ([], variable, "environment.example"),
                                     (flag, variable, "flag.example"), (flag, {}, "flag.example")):
        with world.start(*arguments, env=env) as server:
            equal(host_served(server), [expected])


@group.promise("a variable sets a listener's address and port, a number of workers, a key in camel case")
def _():
    env = {"BRIDGEHOST_LISTENERS_0_ADDRESS": "127.0.0.2", "BRIDGEHOST_LISTENERS_0_PORT": "0", "BRIDGEHOST_WORKERS": "3",
           "BRIDGEHOST_PUBLIC_BASE_URL": "https://variable.example", "BRIDGEHOST_LIMITS_CONNECTIONS_PER_ADDRESS": "77",
           "BRIDGEHOST_LISTENERS_1_ADDRESS": "127.0.0.1", "BRIDGEHOST_LISTENERS_1_PORT": "0"}
    with World().start(env=env) as server:
        contains(server.output, "listening https://127.0.0.2:")
        contains(server.output, "listening https://127.0.0.1:")
        contains(server.output, "3 workers")
        contains(server.output, f"page https://variable.example{PATH}")


@group.each("an unknown variable is one clear line with the nearest name: {}", {
    name: (name, nearest) for name, nearest in (
        ("BRIDGEHOST_LISTNERS_0_PORT", "LISTENERS"), ("BRIDGEHOST_WORKER", "WORKERS"), ("BRIDGEHOST_HOST", "HOSTS"),
        ("BRIDGEHOST_LISTENERS_0_PROT", "PORT"))})
def _(case):
    name, nearest = case
    ended = World().command("serve", env={name: "1"})
    equal(ended.status, 1)
    contains(ended.err, f"environment variable {name}: error: ")
    holds(re.search(rf"Did you mean [A-Z0-9_]*{nearest}\b", ended.err), ended.err)
    equal(len(ended.err.splitlines()), 2)


@group.promise("a variable that is like none is one clear line too")
def _():
    ended = World().command("serve", env={"BRIDGEHOST_XYZZY": "1"})
    equal((ended.status, len(ended.err.splitlines())), (1, 2))
    contains(ended.err, "environment variable BRIDGEHOST_XYZZY: error: ")


@group.promise("a wrong value names the variable or flag that it came from, not the file")
def _():
    ended = World().command("serve", env={"BRIDGEHOST_WORKERS": "many"})
    equal(ended.status, 1)
    contains(ended.err, "environment variable BRIDGEHOST_WORKERS: error: $.workers: ")
    ended = World().command("serve", "--set", "listeners.0.port=99999")
    contains(ended.err, "--set listeners.0.port: error: $.listeners[0].port: ")
    contains(World().command("serve", "--set", "workers").err, "PATH=VALUE")
    contains(World().command("serve", "--set", "wrokers=1").err, 'Did you mean "workers"?')


@group.promise("--config and --public count before BRIDGEHOST_CONFIG and BRIDGEHOST_PUBLIC, those before ./config and ./public")
def _():
    world, other = World(), World()
    other.tenant("second")
    env = {"BRIDGEHOST_CONFIG": str(world.config), "BRIDGEHOST_PUBLIC": str(world.public)}
    contains(bridgehost("check", env=env).out, "1 tenants")
    contains(bridgehost("check", "--config", other.config, env=env).out, "2 tenants")
    contains(bridgehost("check", cwd=other.folder).out, "2 tenants")


@group.promise("other variables of the environment are nobody's business")
def _():
    equal(World().command("check", env={"BRIDGEHOSTESS": "1", "PATH_TO_BRIDGEHOST_X": "2"}).status, 0)


@group.promise("what the checkout ships, served as a newcomer would, has no problem and a page for each tenant")
def _():
    if not (CHECKOUT / "config" / "server.json").exists():
        holds(not (CHECKOUT / "config").exists() or not os.listdir(CHECKOUT / "config"), "config/ without server.json")
        return
    place = shop().folder / "shipped"
    for name in ("config", "public"):
        shutil.copytree(CHECKOUT / name, place / name)
    checked = bridgehost("check", cwd=place)
    equal(checked.status, 0, checked.text)
    world = World()
    shutil.rmtree(world.folder)
    place.rename(world.folder)
    with world.start("--set", "listeners.0.port=0", "--set", "admin.port=0") as server:
        urls = re.findall(r"^page https://[^/]+(/demo/\S+)$", server.output, re.M)
        holds(urls, server.output)
        for path in urls:
            page = server.curl(path, "--insecure")
            equal(page.status, 200, path)
            contains(page.one("Content-Security-Policy"), "'strict-dynamic'")
