"""A workshop for one run, and worlds in it: folders as an operator has them, with a made-up vendor of our own."""
import contextlib
import itertools
import json
import pathlib
import shutil
import tempfile

from . import process, tools

CHECKOUT = pathlib.Path(__file__).resolve().parents[4]
HOSTS = ["localhost", "127.0.0.1", "pages.example", "chat.acme.example", "other.acme.example", "*.wild.example",
         "chat.example"]
EDGE = ["edge.example", "*.edge.example"]

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Parrot</title>
<link rel="stylesheet" href="parrot.css">
</head>
<body>
<script type="application/json" id="bridge-config">{}</script>
<script src="parrot.js"></script>
</body>
</html>
"""
SCRIPT = "document.body.append(JSON.parse(document.getElementById('bridge-config').textContent).config.word ?? '');\n"
STYLE = "body { margin: 0 }\n"
DESCRIPTOR = {
    "title": "Parrot, the vendor that repeats",
    "page": "parrot.html",
    "settings": {
        "word": {"type": "string", "default": "hello", "native": True},
        "region": {"type": "string", "known": ["east", "west"], "default": "east"},
        "loud": {"type": "boolean", "default": False},
        "times": {"type": "integer", "minimum": 1, "maximum": 9},
        "sound": {"type": "url"},
    },
    "policy": {
        "connect-src": [
            {"when": {"region": ["east"]}, "sources": ["https://east.parrot.example", "wss://east.parrot.example"]},
            {"when": {"region": ["west"]}, "sources": ["https://west.parrot.example"]},
        ],
        "media-src": [{"setting": "sound"}],
    },
    "permissions": {"microphone": {"setting": "loud", "origins": ["https://east.parrot.example"]}},
    "native": {"handler": "parrotEvent", "body": "event"},
}
SILENT = {"title": "Mute, a vendor without a page", "settings": {"word": {"type": "string", "default": "hush"}}}

# Listeners: TLS first, then the same in the clear.
BOTH = [{"address": "127.0.0.1", "port": 0, "tls": True}, {"address": "127.0.0.1", "port": 0, "tls": False}]
PATH = "/polly/parrot.html"
REST = "/api/v1/tenants/polly/bridges/parrot"
LIST = "/api/v1/tenants/polly/bridges"
# An answer of 320 KB, where a world has it.
BULK = "/api/v1/tenants/polly/bridges/bulk"

_shop = None


class Workshop:
    def __init__(self, binary, folder, long):
        self.binary, self.folder, self.long = binary, folder, long
        self.numbers = itertools.count(1)
        self.processes = []
        self.closed = False
        self.certificates = self.certify("certificates", HOSTS)
        self.edge = self.certify("certificates", EDGE, keep="edge")
        self.ca = self.folder / "certificates" / "ca.pem"

    def certify(self, folder, hosts, keep="main"):
        """A certificate of the run's own authority, made by the command under test."""
        out = self.folder / folder
        flags = itertools.chain.from_iterable(("--host", host) for host in hosts)
        made = tools.run(self.binary, "certificate", "--out", out, *flags)
        if made.status != 0:
            raise SystemExit(f"bridgehost certificate failed: {made.text}")
        pair = {"chain": str(out / f"{keep}.chain.pem"), "key": str(out / f"{keep}.key.pem")}
        shutil.copy(out / "chain.pem", pair["chain"])
        shutil.copy(out / "key.pem", pair["key"])
        return pair


@contextlib.contextmanager
def workshop(binary, long=False):
    global _shop
    folder = pathlib.Path(tempfile.mkdtemp(prefix="bridgehost-e2e-"))
    try:
        _shop = Workshop(binary, folder, long)
        yield _shop
    finally:
        if _shop:
            _shop.closed = True
            for one in list(_shop.processes):
                one.kill()
        # What an interrupted promise was writing may come between; it can begin nothing new.
        for _ in range(20):
            shutil.rmtree(folder, ignore_errors=True)
            if not folder.exists():
                break


def shop():
    return _shop


class World:
    """A config and a public folder; listeners on ports that the system chooses."""

    def __init__(self, **settings):
        if _shop.closed:
            raise RuntimeError("the run has ended")
        self.folder = _shop.folder / f"world-{next(_shop.numbers)}"
        self.config, self.public = self.folder / "config", self.folder / "public"
        for place in ("bridges", "tenants"):
            (self.config / place).mkdir(parents=True)
        self.public.mkdir()
        self.write("public/parrot.html", PAGE)
        self.write("public/parrot.js", SCRIPT)
        self.write("public/parrot.css", STYLE)
        self.write("config/bridges/parrot.json", DESCRIPTOR)
        self.write("config/bridges/mute.json", SILENT)
        self.tenant("polly")
        self.settings = {
            "listeners": [{"address": "127.0.0.1", "port": 0, "tls": True}],
            "admin": {"address": "127.0.0.1", "port": 0},
            "certificates": [_shop.certificates],
            "hosts": ["pages.example"],
            "publicBaseURL": "https://pages.example",
            "workers": 2,
            # Reloads come by SIGHUP alone, when a promise wants one.
            "watch": False,
            **settings,
        }
        self.write("config/server.json", {k: v for k, v in self.settings.items() if v is not None})

    def write(self, path, content):
        """Writes a file whole or not at all, as a careful operator's tool does."""
        file = self.folder / path
        text = content if isinstance(content, str) else json.dumps(content, indent=2, ensure_ascii=False)
        draft = file.with_name("." + file.name)
        draft.write_bytes(text.encode())
        draft.replace(file)
        return file

    def tenant(self, name, hosts=None, policy=None, **settings):
        bridge = {"settings": settings}
        if policy:
            bridge["policy"] = policy
        content = {"hosts": hosts} if hosts else {}
        return self.write(f"config/tenants/{name}.json", {**content, "bridges": {"parrot": bridge, "mute": {}}})

    def add_bulk(self):
        """Gives the tenant polly an answer that no socket's buffer takes a few of."""
        text = {"type": "string", "default": "x" * 16_000}
        self.write("config/bridges/bulk.json", {"title": "Bulk", "settings": {f"part{n}": text for n in range(20)}})
        self.write("config/tenants/polly.json", {"bridges": {"parrot": {}, "bulk": {}}})

    def remove(self, path):
        (self.folder / path).unlink()

    def flags(self):
        return ["--config", self.config, "--public", self.public]

    def command(self, *arguments, env=None):
        """A command that ends by itself."""
        return process.command(_shop.binary, [*arguments, *self.flags()], env)

    def begin(self, *arguments, env=None, files=None):
        """A server that may not be ready yet."""
        return process.Server(_shop, ["serve", *self.flags(), *arguments], env, files)

    def start(self, *arguments, env=None, files=None):
        """A server that says that it is ready; it may open no more than so many files."""
        server = self.begin(*arguments, env=env, files=files)
        server.wait_ready()
        return server


def serve(**settings):
    """One server of one world, for a group's setup."""
    with World(**settings).start() as server:
        yield server
