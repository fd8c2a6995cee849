"""A stand-in for the image that Swift's own project publishes: Debian's packages, with this machine's toolchain lent to it."""
import os
import pathlib
import shutil
import subprocess
import sys
import time

from .store import run_whole

SWIFT_IMAGE = "docker.io/library/swift:6.3-bookworm"
# After a week it is made again, so that what is tested is what Debian has now.
LIFETIME = 7 * 86_400
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
# What the toolchain runs and links with; the project's own needs are for its Dockerfile to name.
PACKAGES = ("usr-is-merged", "ca-certificates", "binutils", "gcc", "git", "libc6-dev", "libcurl4", "libedit2",
            "libncurses6", "libsqlite3-0", "libstdc++-12-dev", "libxml2", "pkg-config", "tzdata")
LEFT_OUT = ("/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*", "/usr/share/doc/*")
PATIENCE = 600


def toolchain():
    """The folder that holds the toolchain's `usr`."""
    swift = shutil.which("swift")
    if not swift:
        sys.exit("these tests need swift")
    home = pathlib.Path(swift).resolve().parents[2]
    if home == pathlib.Path("/"):
        sys.exit(f"{swift} is no folder of its own, so it can't be lent to a build; these tests can't run here")
    return home


def sources():
    """Debian's own sources among those that this machine's apt has."""
    listed = ["apt-get", "indextargets", "--format", f"deb [signed-by={KEYRING}] $(REPO_URI) $(RELEASE) $(COMPONENT)",
              "Identifier: Packages", "Origin: Debian"]

    def ask():
        return sorted(set(subprocess.run(listed, capture_output=True, text=True, check=True).stdout.splitlines()))

    found = ask()
    if not found:
        subprocess.run(["apt-get", "update", "-qq"], check=True, timeout=PATIENCE)
        found = ask()
    return "\n".join(found) + "\n"


def make(store, home):
    folder = store.folder / "base"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "sources.list").write_text(sources())
    excluded = [f"--dpkgopt=path-exclude={path}" for path in LEFT_OUT]
    command = ["mmdebstrap", "--quiet", "--variant=minbase", "--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr",
               f"--include={','.join(PACKAGES)}", *excluded, "--dpkgopt=path-include=/usr/share/doc/*/copyright",
               "bookworm", str(folder / "root.tar"), str(folder / "sources.list")]
    done = run_whole(command, PATIENCE, os.environ)
    if done.returncode != 0:
        sys.exit(f"mmdebstrap ended with {done.returncode}:\n{done.stderr[-4_000:]}")
    path = f"{home}/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    (folder / "Dockerfile").write_text(f'FROM scratch\nADD root.tar /\nENV PATH={path}\nCMD ["bash"]\n')
    store.build(SWIFT_IMAGE, folder)
    shutil.rmtree(folder)


def ensure(store, home):
    made = store.folder / "base.made"
    if store.has(SWIFT_IMAGE) and made.exists() and time.time() - made.stat().st_mtime < LIFETIME:
        return
    make(store, home)
    made.touch()
