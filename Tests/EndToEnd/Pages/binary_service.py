"""Runs the real `bridgehost serve` on a configuration generated for the run."""

import json
import os
import re
import shutil
import subprocess
import threading


def write_config(directory, config, tenants, authority, host):
    """Descriptors and schemas as shipped, with the run's own tenants, certificate and host."""
    for part in ("bridges", "schemas"):
        if os.path.isdir(os.path.join(config, part)):
            shutil.copytree(os.path.join(config, part), os.path.join(directory, part))
    os.makedirs(os.path.join(directory, "tenants"))
    for name, tenant in tenants.items():
        with open(os.path.join(directory, "tenants", name + ".json"), "w", encoding="utf-8") as file:
            json.dump(tenant, file, indent=2)
    server = {
        "listeners": [{"address": "127.0.0.1", "port": 0, "tls": True}],
        "certificates": [{"chain": authority.chain, "key": authority.key}],
        "hosts": [host],
    }
    with open(os.path.join(directory, "server.json"), "w", encoding="utf-8") as file:
        json.dump(server, file, indent=2)


def render_bundle(binary, config, public, tenant, bridge):
    """A page as the one file that an app ships."""
    command = [binary, "render", "--bundle", "--config", config, "--public", public, tenant, bridge]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=20).stdout


class BinaryService:
    def __init__(self, binary, config, public, host):
        self._output = []
        self._announced = threading.Event()
        self._process = subprocess.Popen(
            [binary, "serve", "--config", config, "--public", public],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.address = None
        threading.Thread(target=self._read, daemon=True).start()
        self._announced.wait(20)
        if self.address is None:
            self.close()
            raise RuntimeError("the service did not start:\n" + "".join(self._output))
        self.base = "https://" + host

    def _read(self):
        for line in self._process.stdout:
            self._output.append(line)
            match = re.search(r"listening.*https://127\.0\.0\.1:(\d+)", line)
            if match and self.address is None:
                self.address = ("127.0.0.1", int(match.group(1)))
                self._announced.set()
        self._announced.set()

    def close(self):
        self._process.terminate()
        self._process.wait(15)
