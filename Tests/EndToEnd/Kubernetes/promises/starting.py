"""The binary, started as the rendered pod says: its variables, its files as a kubelet lays them, its probes."""
import json
import secrets
import shutil
import string

import manifests
from harness import process
from harness.promises import Group, contains, equal, holds
from harness.world import shop

group = Group("Kubernetes pod")
MIB = 1 << 20
PER_MAP = 40
# Where the image has its files; here that is a folder.
IMAGE = "/etc/bridgehost"
LOOPBACK = {"listeners.0.address": "127.0.0.1", "listeners.0.port": 0, "listeners.1.address": "127.0.0.1",
            "listeners.1.port": 0, "admin.address": "127.0.0.1", "admin.port": 0}


class Pod:
    """A pod's folder and command, on ports that the system chooses."""

    def __init__(self, name, cluster, variables=None):
        self.root = shop().folder / name
        keys = self.root / "keys"
        keys.mkdir(parents=True)
        (keys / "tickets.key").write_bytes(secrets.token_bytes(80))
        certificate = shop().certificates
        self.cluster = manifests.with_secrets(cluster, certificate["chain"], certificate["key"],
                                              {"tickets.key": keys / "tickets.key"})
        inside = self.root / IMAGE.lstrip("/")
        inside.mkdir(parents=True)
        shutil.copytree(manifests.CHECKOUT / "public", inside / "public")
        shutil.copytree(manifests.CONFIG / "bridges", inside / "config/bridges")
        shutil.copy(manifests.CONFIG / "server.json", inside / "config/server.json")
        self.volumes = self.cluster.lay(self.root)
        self.variables = {"BRIDGEHOST_CONFIG": f"{inside}/config", "BRIDGEHOST_PUBLIC": f"{inside}/public",
                          **{name: value.replace(IMAGE, str(inside)) for name, value in self.cluster.environment().items()},
                          **(variables or {})}

    def start(self):
        flags = [part for path, value in LOOPBACK.items() for part in ("--set", f"{path}={value}")]
        return process.Server(shop(), [*self.cluster.container()["args"], *flags], self.variables)


@group.promise("it starts without a problem and serves over TLS, with the certificate and the ticket key of the Secrets")
def _():
    with Pod("plain", manifests.rendered()).start() as server:
        server.wait_ready()
        equal([line for line in server.lines if "error" in line or "warning" in line], [])
        equal(server.curl("/demo/talkdesk-chat-bridge.html", host="localhost").status, 200)
        equal(server.curl("/talkdesk-chat-bridge.html", host="chat.acme.example").status, 200)


@group.promise("every probe is answered at its path and port, and metrics where Prometheus asks")
def _():
    pod = Pod("probed", manifests.rendered())
    container = pod.cluster.container()
    probes = [container[kind]["httpGet"] for kind in ("startupProbe", "livenessProbe", "readinessProbe")]
    with pod.start() as server:
        server.wait_ready()
        for probe in probes:
            equal(probe["port"], "admin")
            equal(server.ask_admin(probe["path"]).status, 200, probe["path"])
        equal(server.ask_admin("/metrics").status, 200)


@group.promise("the kubelet's swap of all files at once, then SIGHUP: the new files are served")
def _():
    pod = Pod("swapped", manifests.rendered())
    tenants = pod.volumes["tenants"]
    demo = (manifests.CONFIG / "tenants/demo.json").read_bytes()
    with pod.start() as server:
        server.wait_ready()
        tenants.write({"demo.json": demo, "later.json": demo})
        line, text = server.reload()
        contains(line, "reloaded: 2 tenants", text)
        equal(server.curl("/later/talkdesk-chat-bridge.html").status, 200)
        equal(server.curl("/talkdesk-chat-bridge.html", host="chat.acme.example").status, 421)


@group.promise("a replica with a broken tenant does not start, so the rollout stops while the old ones serve")
def _():
    folder = manifests.overlay(shop().folder / "broken-overlay")
    (folder / "tenants/demo.json").write_text('{"bridges": {"talkdesk": {"settings": {"region": 1}}}}')
    with Pod("broken", manifests.rendered(folder)).start() as server:
        equal(server.wait_end(60), 1)
        contains(server.output, "demo.json:1:")


@group.promise("the variables of a Service named as ours would be refused, so the pod asks for none")
def _():
    pod = Pod("linked", manifests.rendered(), {"BRIDGEHOST_SERVICE_HOST": "10.0.0.1"})
    with pod.start() as server:
        equal(server.wait_end(60), 1)
        contains(server.output, "BRIDGEHOST_SERVICE_HOST")
    equal(pod.cluster.pod()["spec"]["enableServiceLinks"], False)


@group.promise("more tenants than one ConfigMap holds come from several, in one folder")
def _():
    # Spaces make a few tenants as large as thousands, which would take long to load.
    demo = (manifests.CONFIG / "tenants/demo.json").read_text() + " " * 8_192
    letters = string.ascii_lowercase[:4]
    folder = manifests.overlay(shop().folder / "many")
    for letter in letters:
        (folder / letter).mkdir()
        for number in range(PER_MAP):
            (folder / letter / f"{letter}-{number}.json").write_text(demo)
    # README's two steps: an object of each folder, and each as a source of the volume.
    made = [manifests.kubectl("create", "configmap", f"bridgehost-tenants-{letter}", f"--from-file={folder / letter}",
                              "--dry-run=client", "--output=yaml") for letter in letters]
    (folder / "many.yaml").write_text("---\n".join(json.dumps(one) + "\n" for (one,) in made))
    patch = [{"op": "add", "path": "/spec/template/spec/volumes/0/projected/sources/-",
              "value": {"configMap": {"name": f"bridgehost-tenants-{letter}"}}} for letter in letters]
    kustomization = {**manifests.kustomization(), "resources": ["kubernetes", "many.yaml"],
                     "patches": [{"target": {"kind": "Deployment"}, "patch": json.dumps(patch)}]}
    (folder / "kustomization.yaml").write_text(json.dumps(kustomization))
    cluster = manifests.rendered(folder)
    sizes = [sum(map(len, one["data"].values())) for one in cluster.all("ConfigMap")]
    holds(sum(sizes) > MIB > max(sizes), f"each below what one may hold, together above: {sizes}")
    with Pod("numerous", cluster).start() as server:
        server.wait_ready()
        contains(server.output, f"{PER_MAP * len(letters) + 2} tenants")
        for letter in letters:
            equal(server.curl(f"/{letter}-{PER_MAP - 1}/talkdesk-chat-bridge.html").status, 200)
