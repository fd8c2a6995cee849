"""The promises of run: the API is what its description says, at every kind of listener and host."""

import argparse
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys

import openapi_spec_validator

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Server"))

from harness import tools, world  # noqa: E402

DESCRIPTION = "/api/v1/openapi.json"
TOKEN = "token-of-the-backend"
HOST = "chat.acme.example"
PATIENCE = 180
FAST = {"identitiesPerSecond": 1_000_000, "identitiesPerSecondPerAddress": 1_000_000,
        "failuresPerMinutePerAddress": 1_000_000}


def make_world():
    """The shipped vendors beside the harness's own, a tenant by path and one at a host of its own."""
    listeners = [{"address": "127.0.0.1", "port": 0, "tls": tls, "redirect": redirect}
                 for tls, redirect in ((True, False), (False, False), (False, True))]
    made = world.World(listeners=listeners, limits=FAST, secretsDirectory="../secrets")
    shutil.copytree(world.CHECKOUT / "config/bridges", made.config / "bridges", dirs_exist_ok=True)
    shutil.copytree(world.CHECKOUT / "public", made.public, dirs_exist_ok=True)
    (made.folder / "secrets").mkdir()
    made.write("secrets/inbox", "inbox-secret-A\n").chmod(0o600)
    shipped = json.loads((world.CHECKOUT / "config/tenants/demo.json").read_text())["bridges"]
    shipped["barantum"]["identity"] = {"secrets": [{"kid": "2026-11", "file": "inbox"}]}
    tenant = {
        "bridges": {**shipped, "parrot": {"settings": {"times": 3, "loud": False}}, "mute": {}},
        "access": {"tokens": ["sha256:" + hashlib.sha256(TOKEN.encode()).hexdigest()],
                   "origins": ["capacitor://localhost"]},
    }
    made.write("config/tenants/polly.json", tenant)
    made.write("config/tenants/acme.json", {**tenant, "hosts": [HOST]})
    return made


def ask(server, folder, url, description, *options, tenant=None, examples=2):
    """A run of schemathesis, with the limits of each parameter and so many requests made up; None, or what it found."""
    config = folder / "schemathesis.toml"
    config.write_text(f'[parameters]\n"path.tenant" = "{tenant}"\n' if tenant else "")
    command = [pathlib.Path(sys.executable).with_name("st"), "--config-file", config, "run", description, "--url", url,
               "--checks", "all", "--phases", "coverage,fuzzing", "--max-examples", examples, "--seed", 1,
               "--generation-deterministic", "--tls-verify", server.ca, "--warnings",
               "off", "--no-color", *options]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=PATIENCE, cwd=folder)
    return None if done.returncode == 0 and " passed" in done.stdout else done.stdout + done.stderr


def runs(server, folder):
    """Each promise with what breaks it."""
    secure = f"https://localhost:{server.secure}"
    own, hosted = folder / "openapi.json", folder / "hosted.json"
    own.write_bytes(server.curl(DESCRIPTION).body)
    hosted.write_bytes(server.curl(DESCRIPTION, host=HOST).body)
    authorized = ("--header", f"Authorization: Bearer {TOKEN}")
    for name, file in (("the service's hosts", own), ("a tenant's host", hosted)):
        found = list(openapi_spec_validator.OpenAPIV31SpecValidator(json.loads(file.read_text())).iter_errors())
        yield f"the description at {name} is valid OpenAPI 3.1", found
    yield "and true for a tenant with its token", ask(server, folder, secure, own, *authorized, tenant="polly", examples=6)
    yield "and for whoever has none, whatever tenant is named", ask(server, folder, secure, own)
    yield "and at a tenant's host, behind a proxy", ask(
        server, folder, f"http://127.0.0.1:{server.plain}", hosted, *authorized, "--header", f"Host: {HOST}")
    # There the refusal comes before method and token are looked at.
    early = ("--exclude-checks", "unsupported_method,missing_required_header")
    yield "and where everything leads to https", ask(
        server, folder, f"http://127.0.0.1:{server.redirect}", own, *authorized, *early, tenant="polly")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True, type=pathlib.Path)
    options = parser.parse_args()
    tools.require(options.binary)
    counts = [0, 0]
    with world.workshop(options.binary.resolve()):
        made = make_world()
        with made.start() as server:
            for promise, found in runs(server, made.folder):
                counts[bool(found)] += 1
                print(f"{'FAILED' if found else 'ok':6}  {promise}", flush=True)
                if found:
                    print(found)
    print("%d passed, %d failed" % tuple(counts))
    return 1 if counts[1] or not counts[0] else 0


if __name__ == "__main__":
    sys.exit(main())
