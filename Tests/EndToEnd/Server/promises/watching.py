"""Files that change are read again without a signal, in each way that files are changed; nothing else is."""
import contextlib
import json
import os
import shutil
import time

from harness.faults import injected
from harness.promises import Group, Broken, contains, equal, eventually, holds
from harness.tools import openssl, s_client
from harness.world import DESCRIPTOR, PATH, World, shop

group = Group("Watching")
ACME = "/acme/parrot.html"


def watched(**settings):
    world = World(**{"watch": True, **settings})
    world.tenant("acme", word="first")
    return world


def text(word, **bridge):
    return json.dumps({"bridges": {"parrot": {"settings": {"word": word}, **bridge}}})


def becomes(server, path, status, part=b""):
    def check():
        answers = [server.curl(path) for _ in range(4)]
        return all(answer.status == status and part in answer.body for answer in answers)

    eventually(check, f"{path} becomes {status} {part!r}\n{server.output}", within=10)


def reloads(server):
    counts = server.metrics()
    return {outcome: counts[f'bridgehost_reloads_total{{outcome="{outcome}"}}']
            for outcome in ("applied", "unchanged", "refused")}


def settles(server):
    """The look at the files that follows a start has been taken."""
    eventually(lambda: sum(reloads(server).values()) > 0, "a first look at the files")


def watches(server):
    """How many folders it watches, as the kernel has it."""
    place = f"/proc/{server.process.pid}/fdinfo"
    count = 0
    for number in os.listdir(place):
        # A descriptor may be closed while they are looked at.
        with contextlib.suppress(FileNotFoundError), open(f"{place}/{number}") as facts:
            count += facts.read().count("inotify wd:")
    return count


def readiness(server):
    return json.loads(server.ask_admin("/readyz").body)


# Ways of changing a file

def write_in_place(file, content):
    file.write_text(content)


def rename_over(file, content):
    draft = file.with_name(file.name + "~")
    draft.write_text(content)
    draft.replace(file)


def back_up_then_write(file, content):
    """As vim does with `backupcopy=no`."""
    file.rename(file.with_name(file.name + "~"))
    file.write_text(content)


def remove_then_write(file, content):
    file.unlink()
    file.write_text(content)


def write_piece_by_piece(file, content):
    with open(file, "w") as target:
        for character in content:
            target.write(character)
            target.flush()


def write_with_the_old_times(file, content):
    """As `cp -p` and `rsync -t` do; of the same size, too."""
    status = file.stat()
    file.write_text(content.ljust(status.st_size))
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))



FAR = {"1902": -2_145_916_800, "2105": 4_260_211_200, "2400": 13_569_465_600}


@group.each("a file whose time is in the year {} is read like others", FAR)
def _(time_of_file):
    world = watched()
    with world.start() as server:
        file = world.write("config/tenants/acme.json", text("far"))
        os.utime(file, (time_of_file, time_of_file))
        becomes(server, ACME, 200, b"far")
        world.write("config/tenants/acme.json", text("near"))
        becomes(server, ACME, 200, b"near")

@group.each("a file is served as it is after it was changed by {}", {
    "writing in place": write_in_place, "renaming another over it": rename_over,
    "moving it away and writing it anew": back_up_then_write, "removing and writing it": remove_then_write,
    "writing it piece by piece": write_piece_by_piece,
    "writing as many bytes and setting back its times": write_with_the_old_times})
def _(change):
    world = watched()
    file = world.config / "tenants" / "acme.json"
    with world.start() as server:
        tag = server.curl(PATH).one("ETag")
        for word in ("second", "third"):
            change(file, text(word))
            becomes(server, ACME, 200, word.encode())
        equal(server.curl(PATH).one("ETag"), tag, "another tenant's tag")


@group.promise("a tenant that comes is served, one that goes is gone, and comes back")
def _():
    world = watched()
    with world.start() as server:
        world.tenant("fresh")
        becomes(server, "/fresh/parrot.html", 200)
        world.remove("config/tenants/acme.json")
        becomes(server, ACME, 404)
        world.tenant("acme", word="again")
        becomes(server, ACME, 200, b"again")


@group.promise("a half-written file keeps the last good version, is named once, and is served when it is whole")
def _():
    world = watched()
    file = world.config / "tenants" / "acme.json"
    with world.start() as server:
        tag = server.curl(ACME).one("ETag")
        write_in_place(file, text("second")[:20])
        server.wait_line("tenant acme stays as it was")
        equal(server.curl(ACME).one("ETag"), tag)
        eventually(lambda: readiness(server)["kept"] == ["acme"], "named by /readyz")
        equal(server.ask_admin("/readyz").status, 200)
        contains(readiness(server)["warnings"], "tenant acme is served as it was: its file has errors")
        counts = server.metrics()
        equal([counts[f'bridgehost_tenants{{state="{state}"}}'] for state in ("served", "kept", "left_out")], [1, 1, 0])
        holds(counts['bridgehost_config_problems{severity="error"}'] > 0, "an error is counted")
        world.tenant("polly", word="meanwhile")
        becomes(server, PATH, 200, b"meanwhile")
        equal(server.output.count("tenant acme stays as it was"), 1, "how often it was told")
        write_in_place(file, text("whole"))
        becomes(server, ACME, 200, b"whole")
        equal((readiness(server)["kept"], readiness(server)["warnings"]), ([], []))
        equal(server.metrics()['bridgehost_config_problems{severity="error"}'], 0)


@group.promise("files that are written again with the same bytes change nothing and are not told, but are counted")
def _():
    world = watched()
    with world.start() as server:
        settles(server)
        before, tag, mark = reloads(server), server.curl(ACME).one("ETag"), server.mark()
        for file in (world.config / "tenants").iterdir():
            write_in_place(file, file.read_text())
        rename_over(world.public / "parrot.js", (world.public / "parrot.js").read_text())
        eventually(lambda: reloads(server)["unchanged"] > before["unchanged"], "a look at them")
        equal(reloads(server)["applied"], before["applied"])
        equal(server.curl(ACME).one("ETag"), tag)
        equal(server.lines[mark:], [])


@group.promise("pages, what is put into them, and descriptors are watched; a broken one is refused, named and mended")
def _():
    world = watched()
    with world.start() as server:
        rename_over(world.public / "parrot.js", "window.parrot = 'new';\n")
        becomes(server, ACME, 200, b"window.parrot = 'new';")
        tag = server.curl(ACME).one("ETag")
        write_in_place(world.config / "bridges" / "parrot.json", "{")
        server.wait_line("^reload refused")
        equal(server.curl(ACME).one("ETag"), tag)
        eventually(lambda: reloads(server)["refused"] == 1, "counted")
        contains(readiness(server)["warnings"], "the last reload was refused: everything is served as before")
        settings = {**DESCRIPTOR["settings"], "word": {"type": "string", "default": "mended", "native": True}}
        world.write("config/bridges/parrot.json", {**DESCRIPTOR, "settings": settings})
        becomes(server, PATH, 200, b"mended")
        equal(readiness(server)["warnings"], [])
        holds(time.time() - server.metrics()["bridgehost_reload_last_success_timestamp_seconds"] < 60, "a fresh time")


@group.promise("a folder that is removed keeps all, and is read when it is there again")
def _():
    world = watched()
    tenants = world.config / "tenants"
    with world.start() as server:
        tag = server.curl(ACME).one("ETag")
        shutil.rmtree(tenants)
        server.wait_line("^reload refused")
        equal(server.curl(ACME).one("ETag"), tag)
        tenants.mkdir()
        world.tenant("acme", word="back")
        becomes(server, ACME, 200, b"back")
        becomes(server, PATH, 404)
        world.tenant("acme", word="and watched")
        becomes(server, ACME, 200, b"and watched")


@group.promise("the whole config folder is exchanged for another one")
def _():
    world = watched()
    with world.start() as server:
        shutil.copytree(world.config, world.folder / "next")
        (world.folder / "next" / "tenants" / "acme.json").write_text(text("exchanged"))
        world.config.rename(world.folder / "old")
        (world.folder / "next").rename(world.config)
        becomes(server, ACME, 200, b"exchanged")
        world.tenant("acme", word="and watched")
        becomes(server, ACME, 200, b"and watched")


# Mounts of Kubernetes: every file is a link through `..data`, which is swapped

class Mount:
    """A folder as the kubelet writes it (its AtomicWriter): a new folder with all files, then `..data` renamed over."""

    def __init__(self, folder):
        self.folder, self.number = folder, 0
        folder.mkdir(parents=True, exist_ok=True)

    def put(self, files):
        self.number += 1
        place = self.folder / f"..2026_11_30_{self.number:09}"
        place.mkdir()
        for name, content in files.items():
            (place / name).write_text(content)
        old = (self.folder / "..data").resolve() if self.number > 1 else None
        link = self.folder / "..data_tmp"
        link.symlink_to(place.name)
        link.rename(self.folder / "..data")
        for name in files:
            if not (self.folder / name).is_symlink():
                (self.folder / name).symlink_to(f"..data/{name}")
        for link in self.folder.iterdir():
            if link.is_symlink() and link.name != "..data" and link.name not in files:
                link.unlink()
        if old:
            shutil.rmtree(old)


@group.promise("a ConfigMap at config/tenants: a swap of ..data brings what changed, what came and what went")
def _():
    world = watched()
    shutil.rmtree(world.config / "tenants")
    mount = Mount(world.config / "tenants")
    mount.put({"acme.json": text("first"), "polly.json": text("stays")})
    with world.start() as server:
        tag = server.curl(PATH).one("ETag")
        for word in ("second", "third"):
            mount.put({"acme.json": text(word), "polly.json": text("stays"), f"{word}.json": text("x")})
            becomes(server, ACME, 200, word.encode())
            becomes(server, f"/{word}/parrot.html", 200)
            equal(server.curl(PATH).one("ETag"), tag)
        becomes(server, "/second/parrot.html", 404)
        settles(server)
        applied = reloads(server)["applied"]
        looked = reloads(server)["unchanged"]
        mount.put({"acme.json": text("third"), "polly.json": text("stays"), "third.json": text("x")})
        eventually(lambda: reloads(server)["unchanged"] > looked, "the same contents are looked at")
        equal(reloads(server)["applied"], applied, "and replace nothing")


@group.promise("a ConfigMap as config itself, with folders of its own beside it")
def _():
    world = watched()
    settings = (world.config / "server.json").read_text()
    (world.config / "server.json").unlink()
    mount = Mount(world.config)
    mount.put({"server.json": settings})
    with world.start() as server:
        equal(server.curl(PATH, host="127.0.0.1").status, 200)
        changed = json.loads(settings)
        changed["hosts"] = ["pages.example", "chat.acme.example"]
        equal(server.curl(PATH, host="chat.acme.example").status, 421)
        mount.put({"server.json": json.dumps(changed)})
        eventually(lambda: server.curl(PATH, host="chat.acme.example").status == 200, "the new host", within=10)


def subject(server):
    shown = s_client(server.secure, "-servername", "localhost").out
    return openssl("x509", "-noout", "-subject", stdin=shown.encode()).out.strip()


def shows_edge(server):
    eventually(lambda: all(subject(server) == "subject=CN = edge.example" for _ in range(4)), "the new certificate",
               within=10)


def contents(pair):
    return {f"{name}.pem": open(pair[name]).read() for name in ("chain", "key")}


@group.promise("a Secret with the certificate: a swap of ..data shows the new one")
def _():
    world = watched()
    mount = Mount(world.folder / "tls")
    mount.put(contents(shop().certificates))
    pair = {name: str(world.folder / "tls" / f"{name}.pem") for name in ("chain", "key")}
    world.write("config/server.json", {**world.settings, "certificates": [pair]})
    with world.start() as server:
        equal(subject(server), "subject=CN = localhost")
        mount.put(contents(shop().edge))
        shows_edge(server)


@group.promise("certbot's way: live/NAME links into archive/NAME; links that are renewed show the new certificate")
def _():
    world = watched()
    archive, live = (world.folder / "letsencrypt" / name / "example" for name in ("archive", "live"))
    archive.mkdir(parents=True)
    live.mkdir(parents=True)

    def renew(number, pair):
        for kind, name in (("fullchain", "chain"), ("privkey", "key")):
            shutil.copy(pair[name], archive / f"{kind}{number}.pem")
        for kind in ("fullchain", "privkey"):
            link = live / f"{kind}.pem"
            link.unlink(missing_ok=True)
            link.symlink_to(f"../../archive/example/{kind}{number}.pem")

    renew(1, shop().certificates)
    pair = {"chain": str(live / "fullchain.pem"), "key": str(live / "privkey.pem")}
    world.write("config/server.json", {**world.settings, "certificates": [pair]})
    with world.start() as server:
        equal(subject(server), "subject=CN = localhost")
        renew(2, shop().edge)
        shows_edge(server)
        # Some write over the archived file instead.
        for kind, name in (("fullchain", "chain"), ("privkey", "key")):
            shutil.copy(shop().certificates[name], archive / f"{kind}2.pem")
        eventually(lambda: all(subject(server) == "subject=CN = localhost" for _ in range(4)), "the old one", within=10)


@group.promise("what changes by a restart alone is named by its key, once for each change; the rest is taken over")
def _():
    world = watched()
    with world.start() as server:
        changed = {**world.settings, "workers": 1, "timeouts": {"idleSeconds": 77}, "hosts": ["chat.acme.example"]}
        world.write("config/server.json", changed)
        line = server.wait_line("only by a restart", within=10)
        equal(line, "server.json: workers, timeouts.idleSeconds can change only by a restart; the old values hold")
        eventually(lambda: server.curl(PATH, host="chat.acme.example").status == 200, "the new host")
        contains(readiness(server)["warnings"], "a restart is needed for workers, timeouts.idleSeconds")
        equal(server.metrics()["bridgehost_restart_needed"], 2)
        world.tenant("acme", word="second")
        becomes(server, ACME, 200, b"second")
        equal(server.output.count("only by a restart"), 1, "how often it was told")
        world.write("config/server.json", world.settings)
        eventually(lambda: readiness(server)["warnings"] == [], "taken back", within=10)
        equal(server.output.count("only by a restart"), 1, "how often it was told")


@group.promise("\"watch\": false looks at nothing without a signal; a reload switches it on and off")
def _():
    world = watched(watch=False)
    with world.start() as server:
        equal(watches(server), 0)
        world.write("config/server.json", {**world.settings, "watch": True})
        server.reload()
        world.tenant("acme", word="third")
        becomes(server, ACME, 200, b"third")
        # config, bridges, tenants, public, certificates
        equal(watches(server), 5)
        world.write("config/server.json", world.settings)
        eventually(lambda: watches(server) == 0, "nothing is watched", within=10)


@group.promise("without watches left (ENOSPC) it says so once, and SIGHUP works")
def _():
    world = watched()
    with world.start() as server:
        settles(server)
        with injected(server, "inotify_add_watch:error=ENOSPC"):
            world.tenant("acme", word="second")
            becomes(server, ACME, 200, b"second")
            server.reload()
        told = [line for line in server.lines if line and "changes are not noticed" in line]
        holds(told, server.output)
        equal(len(set(told)), len(told), "each once")
        contains(told[0], "raise fs.inotify.max_user_watches")
        world.tenant("acme", word="third")
        server.reload()
        becomes(server, ACME, 200, b"third")


@group.promise("a crowd of changes is looked at a few times, not once each")
def _():
    world = watched()
    with world.start() as server:
        settles(server)
        before = sum(reloads(server).values())
        begun = time.monotonic()
        for number in range(200):
            world.tenant("acme", word=f"number {number}")
        becomes(server, ACME, 200, b"number 199")
        most = 2 + (time.monotonic() - begun) / 0.2
        if sum(reloads(server).values()) - before > most:
            raise Broken(f"{reloads(server)} looks, at most {most:.0f}")
