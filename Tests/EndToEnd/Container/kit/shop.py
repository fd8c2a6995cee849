"""What one run works with: the image, files to mount, a certificate; all but the cached images is gone afterwards."""
import contextlib
import fcntl
import pathlib
import shutil
import sys
import tempfile
import time

from harness import authority

from . import base
from .store import Store

CHECKOUT = pathlib.Path(__file__).resolve().parents[4]
IMAGE = "localhost/bridgehost:test"
_shop = None


class Shop:
    def __init__(self, store, image, folder):
        self.store, self.image, self.folder = store, image, folder
        maker = authority.Authority(folder / "authority")
        self.ca = maker.root
        self.certificate = maker.leaf("leaf", subjectAltName="DNS:localhost,DNS:chat.acme.example,DNS:chat.example")
        # The container's user reads through these; nothing secret lies here but what has a mode of its own.
        folder.chmod(0o755)


def shop():
    return _shop


@contextlib.contextmanager
def _alone(store):
    """Two runs at once would take each other's containers away."""
    with open(store.folder / "lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"another run works in {store.folder}")
        yield


def _build(store):
    home = base.toolchain()
    begun = time.monotonic()
    base.ensure(store, home)
    between = time.monotonic()
    store.build(IMAGE, CHECKOUT, "--volume", f"{home}:{home}:ro")
    print(f"base {between - begun:.0f} s, image {time.monotonic() - between:.0f} s\n", flush=True)


@contextlib.contextmanager
def opened(image=None):
    global _shop
    store = Store()
    with _alone(store):
        store.clear()
        folder = pathlib.Path(tempfile.mkdtemp(prefix="bridgehost-container-"))
        try:
            if not image:
                _build(store)
            _shop = Shop(store, image or IMAGE, folder)
            yield _shop
        finally:
            store.clear()
            shutil.rmtree(folder, ignore_errors=True)
