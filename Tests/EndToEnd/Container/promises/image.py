"""What is in the image, and what is not."""
import io
import json
import pathlib
import re
import struct
import subprocess
import sys
import tarfile

from harness.promises import Group, contains, equal, holds
from kit.shop import CHECKOUT, shop

MOST_BYTES = 30_000_000
BINARY = "usr/local/bin/bridgehost"
PACKAGES = {"libc6", "libgcc-s1", "libssl3", "libstdc++6", "zlib1g"}
# Beside what lies in etc/bridgehost, usr/share/doc and var/lib/dpkg.
OTHERS = {BINARY, "etc/group", "etc/os-release", "etc/passwd"}
LIBRARY = re.compile(r"(usr/)?lib(64)?/([a-z0-9_]+-linux-gnu/)?(lib[a-z_+]+|ld-linux[a-z0-9_-]*)\.so\.[0-9]+")


class Image:
    """The image as saved to a file: its files by path, links and folders left out."""

    def __init__(self):
        self.archive = shop().folder / "image.tar"
        shop().store.podman("save", "--format", "docker-archive", "--output", self.archive, shop().image)
        self.members, self.bytes = {}, {}
        with tarfile.open(self.archive) as archive:
            (manifest,) = json.load(archive.extractfile("manifest.json"))
            self.settings = json.load(archive.extractfile(manifest["Config"]))["config"]
            for layer in manifest["Layers"]:
                self._read(archive.extractfile(layer).read())

    def _read(self, layer):
        with tarfile.open(fileobj=io.BytesIO(layer)) as files:
            for member in files:
                self.members[member.name] = member
                if member.isfile():
                    self.bytes[member.name] = files.extractfile(member).read()


def setup():
    yield Image()


group = Group("Image", setup)


@group.promise("at most 30 MB")
def _(_):
    size = int(shop().store.inspect(shop().image, "{{.Size}}"))
    holds(0 < size <= MOST_BYTES, f"{size} bytes")


@group.promise("one program and its libraries: no shell, no package manager, nothing that no one needs")
def _(image):
    folders = ("etc/bridgehost/", "usr/share/doc/", "var/lib/dpkg/status.d/")
    found = {path for path in image.bytes if not path.startswith(folders) and not LIBRARY.fullmatch(path)}
    equal(found, OTHERS)
    programs = {path for path, member in image.members.items()
                if member.isfile() and member.mode & 0o111 and not LIBRARY.fullmatch(path)}
    equal(programs, {BINARY})


@group.promise("of config/ only what the service reads")
def _(image):
    inside = {path.split("/")[2:][1] for path in image.bytes if path.startswith("etc/bridgehost/config/")}
    equal(inside, {"bridges", "server.json", "tenants"})
    for path in (CHECKOUT / "public").iterdir():
        equal(image.bytes[f"etc/bridgehost/public/{path.name}"], path.read_bytes(), path.name)


@group.promise("every file belongs to root, and nobody else may write to it or become another by it")
def _(image):
    for path, member in image.members.items():
        equal((member.uid, member.gid), (0, 0), path)
        holds(member.issym() or not member.mode & 0o6022, f"{path} has mode {member.mode:o}")


@group.promise("the program is position-independent, bound at start, and looks for libraries nowhere else")
def _(image):
    binary = image.bytes[BINARY]
    equal(struct.unpack_from("<H", binary, 16), (3,), "the kind of ELF file; 3 is ET_DYN")
    file = shop().folder / "bridgehost"
    file.write_bytes(binary)
    dynamic = subprocess.run(["readelf", "--dynamic", "--wide", file], capture_output=True, text=True, check=True).stdout
    contains(dynamic, "NOW")
    holds("RUNPATH" not in dynamic and "RPATH" not in dynamic, dynamic)


@group.promise("user 10001, no volume that a run would leave behind, a health check that needs no shell")
def _(image):
    equal((image.settings["User"], image.settings.get("Volumes") or {}), ("10001:10001", {}))
    contains(image.bytes["etc/passwd"].decode(), ":10001:10001:")
    contains((None, "", "SIGTERM"), image.settings.get("StopSignal"))
    equal(image.settings["Entrypoint"], [f"/{BINARY}"])
    equal(image.settings["Healthcheck"]["Test"], ["CMD", f"/{BINARY}", "healthcheck"])
    equal(set(image.settings["ExposedPorts"]), {"8443/tcp", "8080/tcp"})


@group.promise("its label names the version that the program has")
def _(image):
    said = shop().store.podman("run", "--rm", "--network", "none", shop().image, "--version").stdout
    equal(f"bridgehost {image.settings['Labels']['org.opencontainers.image.version']}\n", said)


@group.promise("a scanner finds Debian, and each package with the version and licence that it came with")
def _(image):
    syft = pathlib.Path(sys.executable).with_name("syft")
    bill = shop().folder / "bill.json"
    quiet = {"SYFT_CHECK_FOR_APP_UPDATE": "false", "HOME": str(shop().folder), "PATH": "/usr/bin"}
    done = subprocess.run([syft, "scan", f"docker-archive:{image.archive}", "--quiet", "--output", f"cyclonedx-json={bill}"],
                          capture_output=True, text=True, timeout=120, env=quiet)
    equal(done.returncode, 0, done.stderr)
    components = json.loads(bill.read_text())["components"]
    packages = {one["name"]: one for one in components if one.get("purl", "").startswith("pkg:deb/debian/")}
    equal(set(packages), PACKAGES)
    for name, package in packages.items():
        status = image.bytes[f"var/lib/dpkg/status.d/{name}"].decode()
        contains(status, f"\nVersion: {package['version']}\n")
        contains(package["purl"], "distro=debian-12")
        holds(package.get("licenses"), f"{name} has no licence")
