"""Answers to ACME's challenges (RFC 8555 §8.3): at redirect listeners alone, and nothing else of the disk."""
import os
import socket
import threading

from harness.promises import Group, contains, equal, eventually, holds
from harness.raw import LISTENERS
from harness.tools import PATIENCE
from harness.wire import Wire, request
from harness.world import PATH, REST, World

PREFIX = "/.well-known/acme-challenge/"
TOKEN = "evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr_oA"
ANSWER = TOKEN + ".9jg46WB3rR_AHD-EBXdN7cBkH1WOu0tA3M9fm21mqTI"
SECRET = "this is nobody's to read"


def challenges():
    world = World(listeners=LISTENERS, challengeDirectory="../challenges")
    folder = world.folder / "challenges"
    (folder / "folder").mkdir(parents=True)
    world.write(f"challenges/{TOKEN}", ANSWER)
    world.write("challenges/key.pem", SECRET)
    world.write("challenges/-", "dash")
    world.write("challenges/folder/inner", SECRET)
    world.write("challenges/long", "x" * 4_097)
    world.write("secret", SECRET)
    (folder / "link").symlink_to("../secret")
    (folder / "inside").symlink_to(TOKEN)
    (folder / "folderlink").symlink_to("..")
    os.mkfifo(folder / "pipe")
    with socket.socket(socket.AF_UNIX) as lively, world.start() as server:
        lively.bind(str(folder / "socket"))
        server.world = world
        yield server


group = Group("Challenges", challenges)


def ask(server, path, host="localhost", port=None, method="GET", *fields):
    with Wire(port or server.redirect) as wire:
        return wire.send(request(path, host, *fields, method=method)).response(has_body=method != "HEAD")


@group.each("a token's file is sent whatever the host is: {}", {host: host for host in (
    "localhost", "pages.example", "nobody.example", "nobody.example:80", "203.0.113.9", "[2001:db8::1]", "a.edge.example")})
def _(server, host):
    answer = ask(server, PREFIX + TOKEN, host)
    equal((answer.status, answer.body.decode()), (200, ANSWER))
    equal(answer.one("Content-Type"), "application/octet-stream")
    equal(answer.one("Cache-Control"), "no-store")
    equal(answer.one("X-Content-Type-Options"), "nosniff")
    contains(answer.one("Content-Security-Policy"), "default-src 'none'")


@group.promise("it is the file of now: a new one is there, one that went is 404, and so with the folder itself")
def _(server):
    world, fresh = server.world, PREFIX + "fresh"
    equal(ask(server, fresh).status, 404)
    world.write("challenges/fresh", "now")
    equal(ask(server, fresh).body, b"now")
    (world.folder / "challenges").rename(world.folder / "gone")
    equal(ask(server, fresh).status, 404)
    (world.folder / "gone").rename(world.folder / "challenges")
    equal(ask(server, fresh).body, b"now")
    world.remove("challenges/fresh")
    equal(ask(server, fresh).status, 404)


@group.promise("HEAD is answered without the file, OPTIONS says what there is, all else is 405")
def _(server):
    with Wire(server.redirect) as wire:
        head = wire.send(request(PREFIX + TOKEN, method="HEAD")).response(has_body=False)
        equal((head.status, head.one("Content-Length")), (200, str(len(ANSWER))))
        equal(wire.get(PREFIX + TOKEN).body.decode(), ANSWER, "the connection goes on")
    for method in ("POST", "PUT", "DELETE", "PATCH", "TRACE"):
        answer = ask(server, PREFIX + TOKEN, "nobody.example", None, method, "Content-Length: 0")
        equal((answer.status, answer.one("Allow")), (405, "GET, HEAD, OPTIONS"), method)
    equal(ask(server, PREFIX + TOKEN, method="OPTIONS").status, 204)


@group.promise("at no other listener is there a challenge")
def _(server):
    for port in (server.plain, server.admin):
        equal(ask(server, PREFIX + TOKEN, port=port).status, 404)
    equal(server.curl(PREFIX + TOKEN).status, 404)


EVASIONS = [
    "", ".", "..", "./", "../", "../secret", "../../etc/passwd", "/etc/passwd", "//etc/passwd", "folder", "folder/",
    "folder/inner", "folder%2finner", "folder%2Finner", "folder\\inner", "folderlink/secret", "link", "inside", "pipe",
    "socket", "key.pem", "key%2epem", "long", "%2e%2e/secret", "%2e%2e%2fsecret", "..%2fsecret", "..%5csecret",
    "..;/secret", "%252e%252e%252fsecret", "%c0%ae%c0%ae/secret", "%00", TOKEN + "%00", TOKEN + "%00.txt", TOKEN + "/",
    TOKEN + "/.", TOKEN + "/../key.pem", TOKEN + ".", TOKEN + "%20", TOKEN + ";a", TOKEN + "%0a", TOKEN + "~",
    "%65" + TOKEN[1:], "." + TOKEN, "~root", "-/", "*", "$(id)", "a" * 129, "a" * 255, "a" * 256, "a" * 4_000]


@group.each("nothing but a token's own regular file is sent: {}", {(path or "nothing")[:40]: path for path in EVASIONS})
def _(server, path):
    for host in ("localhost", "nobody.example"):
        answer = ask(server, PREFIX + path, host)
        holds(answer.status == 404 or "\\" in path and answer.status == 400, f"{answer.status}")
        holds(SECRET.encode() not in answer.body and ANSWER.encode() not in answer.body, "what is in a file is told")


@group.each("nor by other ways to write the folder: {}", {path: path for path in (
    "/.well-known/acme-challenge", "/.well-known//acme-challenge/" + TOKEN, "//.well-known/acme-challenge/" + TOKEN,
    "/.Well-Known/acme-challenge/" + TOKEN, "/.well-known/ACME-challenge/" + TOKEN, "/x/../.well-known/acme-challenge/" + TOKEN,
    "/%2ewell-known/acme-challenge/" + TOKEN, "/./.well-known/acme-challenge/" + TOKEN, "/acme/.well-known/acme-challenge/" + TOKEN)})
def _(server, path):
    holds(ask(server, path).status in (400, 404), "no file")
    holds(ask(server, path, "nobody.example").status in (400, 421), "no file")


@group.promise("a query says nothing, absolute-form and HTTP/1.0 without Host are understood, https in absolute-form is refused")
def _(server):
    equal(ask(server, PREFIX + TOKEN + "?../secret").body.decode(), ANSWER)
    equal(ask(server, "http://nobody.example" + PREFIX + TOKEN).body.decode(), ANSWER)
    with Wire(server.redirect) as wire:
        equal(wire.send(f"GET {PREFIX}{TOKEN} HTTP/1.0\r\n\r\n").response().body.decode(), ANSWER)
    equal(ask(server, "https://localhost" + PREFIX + TOKEN).status, 421)
    equal(ask(server, PREFIX + "-").body, b"dash")


@group.promise("a pipe that nobody writes to delays nobody")
def _(server):
    asked = [threading.Thread(target=ask, args=(server, PREFIX + "pipe"), daemon=True) for _ in range(8)]
    for one in asked:
        one.start()
    for one in asked:
        one.join(PATIENCE)
        holds(not one.is_alive(), "answered")


@group.promise("2,000 of them, there or not, leave no file open")
def _(server):
    with Wire(server.redirect) as wire:
        for number in range(2_000):
            equal(wire.get(PREFIX + (TOKEN if number % 2 else "none")).status, 200 if number % 2 else 404)
    eventually(lambda: server.open_files() == server.idle_files, "nothing stays open")


@group.promise("beside them the listener redirects pages with their query and refuses data, strangers and what is not there")
def _(server):
    for method in ("GET", "HEAD"):
        answer = ask(server, PATH + "?a=b&c=%20", "pages.example", None, method)
        equal((answer.status, answer.one("Location")), (308, f"https://pages.example{PATH}?a=b&c=%20"))
    equal(ask(server, PATH, method="POST").status, 405)
    for method in ("GET", "HEAD", "POST"):
        equal(ask(server, REST, method=method).status, 403, method)
        equal(ask(server, PATH, "nobody.example", None, method).status, 421, method)
    equal(ask(server, "/.well-known/security.txt").status, 404)
    equal(ask(server, "/.well-known/security.txt", "nobody.example").status, 421)


@group.promise("without the setting there are none, and a reload brings them")
def _(_server):
    world = World(listeners=LISTENERS)
    (world.folder / "challenges").mkdir()
    world.write(f"challenges/{TOKEN}", ANSWER)
    with world.start() as server:
        equal(ask(server, PREFIX + TOKEN).status, 404)
        equal(ask(server, PREFIX + TOKEN, "nobody.example").status, 421)
        world.write("config/server.json", {**world.settings, "challengeDirectory": str(world.folder / "challenges")})
        server.reload()
        with Wire(server.redirect) as wire:
            equal(wire.get(PREFIX + TOKEN).status, 200)


@group.promise("a folder that is not there refuses the start, not a reload; without a listener that redirects it is warned of")
def _(_server):
    world = World(listeners=LISTENERS, challengeDirectory="../challenges")
    for command in ("check", "serve"):
        ended = world.command(command)
        equal(ended.status, 1)
        contains(ended.text, "config/../challenges: error: found no folder that can be opened: No such file or directory")
        contains(ended.text, "server.json names it as challengeDirectory")
    (world.folder / "challenges").mkdir()
    with world.start() as server:
        (world.folder / "challenges").rmdir()
        line, told = server.reload()
        contains(line, "reloaded: ")
        contains(told, "challenges: error: found no folder")
        equal(server.curl(PATH).status, 200)
    alone = World(challengeDirectory=".")
    told = alone.command("check")
    equal(told.status, 0)
    contains(told.text, 'warning: found challengeDirectory, and no listener with "redirect": true')
