"""The promises of run: what config/ says to Kubernetes is valid, holds together, and starts."""
import argparse
import importlib
import pathlib
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "Server")]

from harness import promises, tools, world  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True, type=pathlib.Path)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    tools.require(options.binary)
    with world.workshop(options.binary.resolve()):
        for file in sorted((HERE / "promises").glob("*.py")):
            importlib.import_module(f"promises.{file.stem}")
        return promises.run_all(options.only, None)


if __name__ == "__main__":
    sys.exit(main())
