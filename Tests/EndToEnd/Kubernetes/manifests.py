"""config/ as kubectl renders it, which needs no cluster for that."""
import pathlib
import shutil
import sys

import yaml

from harness import tools
from kubelet import Cluster

CHECKOUT = pathlib.Path(__file__).resolve().parents[3]
CONFIG = CHECKOUT / "config"
PATIENCE = 60
IGNORED = shutil.ignore_patterns("schemas")


def kubectl(*arguments):
    beside = pathlib.Path(sys.executable).with_name("kubectl")
    done = tools.run(beside, *arguments, patience=PATIENCE)
    if done.status != 0:
        raise AssertionError(f"kubectl {arguments[0]}: {done.text}")
    return list(yaml.safe_load_all(done.out))


def rendered(folder=CONFIG):
    return Cluster(kubectl("kustomize", folder))


def with_secrets(cluster, chain, key, secrets):
    """The same with the Secrets that README's commands make."""
    create = ("create", "secret", "--dry-run=client", "--output=yaml", "--namespace=bridgehost")
    files = [f"--from-file={name}={path}" for name, path in secrets.items()]
    return Cluster([*cluster.documents, *kubectl(*create, "tls", "bridgehost-certificate", f"--cert={chain}", f"--key={key}"),
                    *kubectl(*create, "generic", "bridgehost-secrets", *files)])


def overlay(folder, **changes):
    """A copy of config/ with changes to its kustomization; the folder."""
    shutil.copytree(CONFIG, folder, ignore=IGNORED)
    file = folder / "kustomization.yaml"
    file.write_text(yaml.safe_dump({**yaml.safe_load(file.read_text()), **changes}))
    return folder


def kustomization():
    return yaml.safe_load((CONFIG / "kustomization.yaml").read_text())
