"""The promises of run: the image as Dockerfile builds it, and containers of it."""
import argparse
import importlib
import pathlib
import signal
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Kubernetes"), str(HERE.parent / "Server")]

from harness import promises  # noqa: E402
from kit import shop, store  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="")
    parser.add_argument("--image", help="an image of the tests' store, in place of a new one")
    options = parser.parse_args()
    store.require()
    # A stop from outside cleans up like any other end.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with shop.opened(options.image):
        for file in sorted((HERE / "promises").glob("*.py")):
            importlib.import_module(f"promises.{file.stem}")
        return promises.run_all(options.only, None)


if __name__ == "__main__":
    sys.exit(main())
