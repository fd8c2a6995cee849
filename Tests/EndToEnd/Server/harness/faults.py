"""Faults of the system, made by strace in the running binary: a call fails as it does once in a year."""
import contextlib
import os
import re
import subprocess
import tempfile
import time

from .promises import Broken


@contextlib.contextmanager
def injected(server, *faults):
    """Makes calls of all threads fail, each fault as `call:error=NAME:when=FIRST+STEP`; a list of what was injected.

    The list is complete on the way out. A machine that forbids tracing breaks the promise: it was not proven there.
    """
    with tempfile.NamedTemporaryFile("r") as log:
        calls = ",".join(fault.split(":")[0] for fault in faults)
        command = ["strace", "-f", "-qq", "-o", log.name, "-e", f"trace={calls}", "-e", "signal=none"]
        for fault in faults:
            command += ["-e", f"inject={fault}"]
        tracer = subprocess.Popen([*command, "-p", str(server.process.pid)], stderr=subprocess.PIPE, text=True)
        struck = []
        try:
            _wait_attached(server, tracer)
            yield struck
        finally:
            tracer.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                tracer.wait(10)
            tracer.kill()
            _, told = tracer.communicate()
        struck += re.findall(r"(\w+)\(.*\(INJECTED\)", log.read())
        if not struck:
            raise Broken(f"nothing was injected: {told}")


def _wait_attached(server, tracer):
    """Until every thread is traced."""
    end = time.monotonic() + 10
    tasks = f"/proc/{server.process.pid}/task"
    while time.monotonic() < end:
        if tracer.poll() is not None:
            raise Broken(f"strace may not trace here, so this is not proven: {tracer.stderr.read()}")
        if all(_tracer_of(f"{tasks}/{task}") != "0" for task in os.listdir(tasks)):
            return
        time.sleep(0.01)
    raise Broken("strace did not attach to every thread")


def _tracer_of(task):
    with open(f"{task}/status") as file:
        return re.search(r"TracerPid:\s+(\d+)", file.read())[1]
