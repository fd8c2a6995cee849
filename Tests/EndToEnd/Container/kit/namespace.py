"""Clients in a container's own network, so that the image listens on its real ports and nobody else can reach them."""
import ctypes
import os
import subprocess
import threading

from harness import tools
from harness.wire import Wire

_libc = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNET = 0x40000000


def run(pid, *command, patience=tools.PATIENCE):
    done = subprocess.run(["nsenter", "--target", str(pid), "--net", "--", *map(str, command)], capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=patience + 5)
    return tools.Run(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))


def curl(pid, url, *options):
    done = run(pid, "curl", "--disable", "--silent", "--show-error", "--include", "--http1.1", "--max-time",
               tools.PATIENCE, *options, url)
    if done.status != 0:
        raise AssertionError(f"curl ended with {done.status}: {done.err.strip()}")
    head, _, body = done.out.partition("\r\n\r\n")
    response = tools.parse_head(head.encode())
    response.body = body.encode()
    return response


def wire(pid, port, **options):
    """A connection made by a thread that is in that network; what it made stays there."""
    made = []

    def make():
        try:
            place = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY)
            try:
                if _libc.setns(place, CLONE_NEWNET) != 0:
                    raise OSError(ctypes.get_errno(), "setns")
            finally:
                os.close(place)
            made.append(Wire(port, **options))
        except Exception as error:
            made.append(error)

    thread = threading.Thread(target=make)
    thread.start()
    thread.join()
    if isinstance(made[0], Exception):
        raise made[0]
    return made[0]
