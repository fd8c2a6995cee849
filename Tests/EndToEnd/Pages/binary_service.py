"""Runs the real `bridgehost serve` on a configuration generated for the run."""

import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time

VENDOR = os.path.join(os.path.dirname(os.path.abspath(__file__)), "vendor")


def write_config(directory, config, tenants, authority, host):
    """Descriptors and schemas as shipped, with the run's own tenants, certificate and host."""
    for part in ("bridges", "schemas"):
        if os.path.isdir(os.path.join(config, part)):
            shutil.copytree(os.path.join(config, part), os.path.join(directory, part))
    os.makedirs(os.path.join(directory, "tenants"))
    # A vendor of the run's own, that no code knows: its two files are all there is of it.
    shutil.copy(os.path.join(VENDOR, "chirp.json"), os.path.join(directory, "bridges"))
    for name, tenant in tenants.items():
        write_tenant(directory, name, tenant)
    server = {
        "listeners": [{"address": "127.0.0.1", "port": 0, "tls": True}],
        "certificates": [{"chain": authority.chain, "key": authority.key}],
        "hosts": [host],
    }
    with open(os.path.join(directory, "server.json"), "w", encoding="utf-8") as file:
        json.dump(server, file, indent=2)


def write_tenant(directory, name, tenant):
    file = os.path.join(directory, "tenants", name + ".json")
    with open(file + ".new", "w", encoding="utf-8") as draft:
        json.dump(tenant, draft, indent=2)
    os.replace(file + ".new", file)


def render_bundle(binary, config, public, tenant, bridge):
    """A page as the one file that an app ships."""
    command = [binary, "render", "--bundle", "--config", config, "--public", public, tenant, bridge]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=20).stdout


class BinaryService:
    def __init__(self, binary, config, public, host):
        self._config = config
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

    def line(self, text, seconds=10):
        """Waits for a line that the service prints; the time covers a browser that reports when it likes."""
        deadline = time.monotonic() + seconds
        while text + "\n" not in self._output:
            assert time.monotonic() < deadline, "the service never said %r:\n%s" % (text, "".join(self._output[-30:]))
            time.sleep(0.02)

    def change(self, name, tenant):
        """Gives a tenant another file, and waits until it is served."""
        write_tenant(self._config, name, tenant)
        before = len(self._output)
        self._process.send_signal(signal.SIGHUP)
        deadline = time.monotonic() + 10
        while not any(line.startswith("reloaded:") for line in self._output[before:]):
            assert time.monotonic() < deadline, "the service did not reload:\n" + "".join(self._output[-30:])
            time.sleep(0.02)

    def close(self):
        self._process.terminate()
        self._process.wait(15)
