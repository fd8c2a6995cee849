"""Files that an operator mounts, and the pod as config/ describes it."""
import hashlib
import json
import os
import secrets

import manifests
from harness.promises import Group, contains, equal
from kit import container
from kit.shop import CHECKOUT, shop
from kubelet import Volume

from promises.running import FOLDER, PAGE, certified

group = Group("Mounted files")
TOKEN = "token-of-the-backend"


def folder(name):
    made = shop().folder / name
    made.mkdir()
    return made


def demo():
    return (CHECKOUT / "config/tenants/demo.json").read_bytes()


def start(mounts, *options):
    return container.ready(shop().store, shop().image, [*certified(), *container.mounts(mounts), *options])


@group.promise("tenants as a kubelet mounts them; after its swap and SIGHUP the new ones are served")
def _():
    tenants = Volume(shop().folder / "tenants", {"demo.json": demo()})
    with start({f"{FOLDER}/config/tenants": tenants.folder}) as one:
        contains(one.log, ": 1 tenants")
        tenants.write({"demo.json": demo(), "later.json": demo()})
        one.signal("HUP")
        one.wait_line("^reloaded: 2 tenants")
        page = PAGE.replace("demo", "later")
        equal(one.curl(f"https://localhost:8443{page}", "--cacert", shop().ca).status, 200)


def identity(owner):
    """A container with a tenant whose secret belongs to somebody."""
    place = folder(f"identity-{owner}")
    for name in ("tenants", "secrets"):
        (place / name).mkdir()
    tenant = json.loads(demo())
    tenant["bridges"]["barantum"]["identity"] = {"secrets": [{"kid": "2026-11", "file": "inbox"}]}
    tenant["access"] = {"tokens": ["sha256:" + hashlib.sha256(TOKEN.encode()).hexdigest()]}
    (place / "tenants/demo.json").write_text(json.dumps(tenant))
    (place / "secrets/inbox").write_text("inbox-secret\n")
    (place / "secrets/inbox").chmod(0o400)
    os.chown(place / "secrets/inbox", owner, owner)
    return start({f"{FOLDER}/config/tenants": place / "tenants", f"{FOLDER}/secrets": place / "secrets"})


@group.promise("a secret that only user 10001 may read signs")
def _():
    with identity(container.USER) as one:
        answer = one.curl("https://localhost:8443/api/v1/tenants/demo/bridges/barantum/identity", "--cacert", shop().ca,
                          "--header", f"Authorization: Bearer {TOKEN}", "--json", '{"visitorExternalId":"user-123"}')
        equal(answer.status, 200)
        contains(answer.body.decode(), '"livechatIdentifierHash":"')


@group.promise("a secret that only root may read leaves that tenant out, and says why")
def _():
    with identity(0) as one:
        contains(one.log, "Permission denied")
        contains(one.log, "tenant demo is not served")


@group.promise("the pod of config/ runs: its user, variables, volumes, probes, limits")
def _():
    place = folder("pod")
    (place / "tickets.key").write_bytes(secrets.token_bytes(80))
    cluster = manifests.with_secrets(manifests.rendered(), shop().certificate["chain"], shop().certificate["key"],
                                     {"tickets.key": place / "tickets.key"})
    # A kubelet gives files to root and to the pod's group.
    cluster.lay(place, owner=(0, cluster.pod()["spec"]["securityContext"]["fsGroup"]))
    pod, spec = cluster.container(), cluster.pod()["spec"]["securityContext"]
    paths = {one["mountPath"]: place / one["mountPath"].lstrip("/") for one in pod["volumeMounts"]}
    variables = [part for name, value in cluster.environment().items() for part in ("--env", f"{name}={value}")]
    options = [*container.mounts(paths), *variables, "--user", f"{spec['runAsUser']}:{spec['runAsGroup']}",
               "--cpus", pod["resources"]["limits"]["cpu"], "--memory", pod["resources"]["limits"]["memory"].lower()[:-1]]
    ports = {one["name"]: one["containerPort"] for one in pod["ports"]}
    with container.ready(shop().store, shop().image, options, pod["args"]) as one:
        equal([line for line in one.log.splitlines() if "error" in line or "warning" in line], [])
        for kind in ("startupProbe", "livenessProbe", "readinessProbe"):
            probe = pod[kind]["httpGet"]
            equal(one.curl(f"http://localhost:{ports[probe['port']]}{probe['path']}").status, 200, kind)
        contains(one.log, f"listening http://0.0.0.0:{ports['admin']} (admin)")
        equal(one.curl(f"https://localhost:{ports['https']}{PAGE}", "--cacert", shop().ca).status, 200)
