"""Tenants of a made-up vendor that wants identities signed, each with keys and tokens of its own."""
import hashlib
import hmac
import json
import subprocess

from . import tools
from .world import World, shop

VENDOR = {
    "title": "Signer, a vendor that wants to know whom it talks to",
    "settings": {"inbox": {"type": "string", "required": True}},
    "identity": {"algorithm": "hmac-sha256-hex", "request": "visitor", "answers": {"id": "visitor", "hash": "proof"}},
}
KEYS = {"polly-new": "inbox-secret-A", "polly-old": "inbox-secret-B", "rival": "inbox-secret-C", "hosted": "inbox-secret-D"}
HOST = "chat.acme.example"
PLENTY = {"identitiesPerSecond": 1_000_000, "identitiesPerSecondPerAddress": 1_000_000,
          "failuresPerMinutePerAddress": 1_000_000}


def door(tenant="polly", bridge="signer"):
    return f"/api/v1/tenants/{tenant}/bridges/{bridge}/identity"


OWN_DOOR = "/api/v1/bridges/signer/identity"


def make_token():
    """A token and its line for access.tokens, made by the command under test."""
    made = subprocess.run([shop().binary, "token"], capture_output=True, text=True, timeout=tools.PATIENCE, check=True)
    token, line = made.stdout.splitlines()
    return token, json.loads(line)


def code(text, key):
    return hmac.new(key.encode(), text if isinstance(text, bytes) else text.encode(), hashlib.sha256).hexdigest()


class SigningWorld(World):
    """polly has two keys and two tokens, rival one of each, keyless no key, hosted a host of its own."""

    def __init__(self, limits=PLENTY, origins=(), **settings):
        listeners = [{"address": "127.0.0.1", "port": 0}, {"address": "127.0.0.1", "port": 0, "tls": False},
                     {"address": "127.0.0.1", "port": 0, "redirect": True}]
        super().__init__(**{"listeners": listeners, "limits": limits, "secretsDirectory": "../secrets", **settings})
        (self.folder / "secrets").mkdir()
        for name, key in KEYS.items():
            self.secret(name, key + "\n")
        self.write("config/bridges/signer.json", VENDOR)
        made = {name: make_token() for name in ("polly", "polly-second", "rival", "keyless", "hosted")}
        self.tokens = {name: token for name, (token, _) in made.items()}
        self.digests = {name: digest for name, (_, digest) in made.items()}
        self.signer("polly", ["polly-new", "polly-old"], ["polly", "polly-second"], origins=origins)
        self.signer("rival", ["rival"], ["rival"])
        self.signer("keyless", [], ["keyless"])
        self.signer("hosted", ["hosted"], ["hosted"], hosts=[HOST], origins=origins)

    def secret(self, name, content, mode=0o600):
        file = self.write(f"secrets/{name}", content)
        file.chmod(mode)
        return file

    def signer(self, name, keys, tokens, hosts=(), origins=()):
        bridge = {"settings": {"inbox": f"inbox-of-{name}"}}
        if keys:
            bridge["identity"] = {"secrets": [{"kid": key, "file": key} for key in keys]}
        return self.write(f"config/tenants/{name}.json", {
            "hosts": list(hosts), "bridges": {"signer": bridge, "parrot": {}},
            "access": {"tokens": [self.digests[one] for one in tokens], "origins": list(origins)}})


def sign(server, content, token=None, *options, path=door(), host="localhost", kind="application/json"):
    """What a backend gets; `content` is the id's object, or bytes as they are."""
    body = content if isinstance(content, bytes) else json.dumps(content, ensure_ascii=False).encode()
    fields = ["--header", f"Content-Type: {kind}"] if kind else ["--header", "Content-Type:"]
    if token:
        fields += ["--header", f"Authorization: Bearer {token}"]
    return server.curl(path, "--data-binary", body.decode("utf-8", "surrogateescape"), *fields, *options, host=host)
