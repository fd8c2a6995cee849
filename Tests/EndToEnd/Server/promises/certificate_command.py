"""`bridgehost certificate`: a private CA and leaves that iOS and Android accept once it is trusted."""
import re
import stat

from harness.promises import Group, contains, equal, holds
from harness.tools import openssl, run
from harness.world import PATH, World, shop

group = Group("The certificate command")


def make(name, *arguments):
    out = shop().folder / name
    return out, run(shop().binary, "certificate", "--out", out, *arguments)


def text(file):
    return openssl("x509", "-in", file, "-noout", "-text").out


@group.promise("it makes CA, key and chain, and says where they are and what the CA's fingerprint is")
def _():
    out, made = make("made", "--host", "chat.acme.example", "--host", "*.acme.example", "--host", "192.0.2.7")
    equal(made.status, 0)
    equal(sorted(file.name for file in out.iterdir()), ["ca.key", "ca.pem", "chain.pem", "key.pem"])
    for file in ("ca.pem", "chain.pem", "key.pem"):
        contains(made.out, f"{out}/{file}")
    digest = openssl("x509", "-in", out / "ca.pem", "-noout", "-fingerprint", "-sha256").out.strip().partition("=")[2]
    contains(made.out, digest)


@group.promise("keys are readable by their owner alone, and so is the folder")
def _():
    out, _ = make("modes", "--host", "localhost")
    for name, mode in (("ca.key", 0o600), ("key.pem", 0o600)):
        equal(oct(stat.S_IMODE((out / name).stat().st_mode)), oct(mode), name)
    equal(oct(stat.S_IMODE(out.stat().st_mode)), oct(0o700))
    equal((out / "ca.pem").stat().st_mode & 0o077 & 0o022, 0, "nobody else writes the CA")


@group.promise("openssl verifies the leaf by its CA, for TLS servers, with strict checks")
def _():
    out, _ = make("verified", "--host", "chat.acme.example", "--host", "192.0.2.7")
    for name in (["-verify_hostname", "chat.acme.example"], ["-verify_ip", "192.0.2.7"]):
        seen = openssl("verify", "-x509_strict", "-CAfile", out / "ca.pem", "-purpose", "sslserver", *name, out / "chain.pem")
        equal(seen.status, 0, seen.text)
    other = openssl("verify", "-CAfile", out / "ca.pem", "-verify_hostname", "other.example", out / "chain.pem")
    holds(other.status != 0, "another name is refused")


@group.promise("the leaf is what phones ask for: P-256, serverAuth, names, no CA, at most 825 days")
def _():
    out, _ = make("leaf", "--host", "chat.acme.example", "--host", "*.acme.example", "--host", "192.0.2.7", "--host", "::1",
                  "--days", "825")
    leaf = text(out / "chain.pem")
    contains(leaf, "NIST CURVE: P-256")
    contains(leaf, "TLS Web Server Authentication")
    contains(leaf, "CA:FALSE")
    contains(leaf, "DNS:chat.acme.example, DNS:*.acme.example, IP Address:192.0.2.7, IP Address:0:0:0:0:0:0:0:1")
    contains(leaf, "Signature Algorithm: ecdsa-with-SHA256")
    holds(openssl("x509", "-in", out / "chain.pem", "-noout", "-checkend", str(824 * 86_400)).status == 0, "824 days")
    holds(openssl("x509", "-in", out / "chain.pem", "-noout", "-checkend", str(826 * 86_400)).status != 0, "not 826")


@group.promise("the CA can issue leaves and nothing else")
def _():
    out, _ = make("authority", "--host", "localhost")
    authority = text(out / "ca.pem")
    contains(authority, "CA:TRUE, pathlen:0")
    contains(authority, "Certificate Sign, CRL Sign")


@group.promise("a second call uses the CA that is there, and makes another leaf and key")
def _():
    out, _ = make("again", "--host", "one.example")
    before = {name: (out / name).read_bytes() for name in ("ca.pem", "ca.key", "chain.pem", "key.pem")}
    _, made = make("again", "--host", "two.example")
    equal(made.status, 0)
    for name in ("ca.pem", "ca.key"):
        holds((out / name).read_bytes() == before[name], f"{name} is the same")
    for name in ("chain.pem", "key.pem"):
        holds((out / name).read_bytes() != before[name], f"{name} is another")
    equal(openssl("verify", "-CAfile", out / "ca.pem", "-verify_hostname", "two.example", out / "chain.pem").status, 0)


@group.promise("two CAs have different names and serials")
def _():
    subjects = set()
    for name in ("ca-one", "ca-two"):
        out, _ = make(name, "--host", "localhost")
        subjects.add(openssl("x509", "-in", out / "ca.pem", "-noout", "-subject", "-serial").out)
    equal(len(subjects), 2)


@group.promise("what it makes serves: curl --cacert reaches the page, and by a wildcard's name too")
def _():
    out, _ = make("serving", "--host", "localhost", "--host", "*.pages.example")
    world = World(certificates=[{"chain": str(out / "chain.pem"), "key": str(out / "key.pem")}], hosts=["a.pages.example"])
    with world.start() as server:
        for host in ("localhost", "a.pages.example"):
            equal(server.curl(PATH, "--cacert", out / "ca.pem", host=host).status, 200)


@group.each("wrong usage is status 2 and one clear line: {}", {
    "no --out": ["--host", "localhost"], "no --host": ["--out", "x"], "0 days": ["--out", "x", "--host", "a", "--days", "0"],
    "826 days": ["--out", "x", "--host", "a", "--days", "826"], "days in words": ["--out", "x", "--host", "a", "--days", "many"],
    "an unknown flag": ["--out", "x", "--host", "a", "--bits", "512"]})
def _(arguments):
    ended = run(shop().binary, "certificate", *arguments, cwd=shop().folder)
    equal((ended.status, ended.out), (2, ""))
    holds(re.match(r"bridgehost: [^\n]+\n", ended.err), ended.err)


@group.each("a host name that is none is refused, and no file is left half made: {}", {
    "a comma": "a.example,DNS:evil.example", "a newline": "a.example\nb", "a star alone": "*", "a space": "a b",
    "an empty label": "a..example", "an empty name": "", "a URL": "https://a.example"})
def _(host):
    out, ended = make(f"refused-{host.encode().hex()}", "--host", host)
    equal(ended.status, 1)
    holds(re.fullmatch(r"bridgehost: [^\n]+\n", ended.err), ended.err)
    holds(not (out / "chain.pem").exists() and not (out / "key.pem").exists(), "no certificate")


@group.promise("a CA folder that can't be written is one clear line and status 1")
def _():
    file = shop().folder / "a-file"
    file.write_text("")
    ended = run(shop().binary, "certificate", "--out", file / "inside", "--host", "localhost")
    equal(ended.status, 1)
    holds(re.fullmatch(r"bridgehost: [^\n]+\n", ended.err), ended.err)


@group.promise("a CA of which a half is missing is not replaced in silence")
def _():
    out, _ = make("half", "--host", "localhost")
    (out / "ca.key").unlink()
    before = (out / "ca.pem").read_bytes()
    _, ended = make("half", "--host", "localhost")
    equal(ended.status, 1)
    contains(ended.err, "ca.key")
    holds((out / "ca.pem").read_bytes() == before, "the trusted CA is as it was")
