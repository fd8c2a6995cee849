"""Images and containers in a store of our own, by buildah and podman: nobody else's are seen or touched."""
import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys

CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "bridgehost-tests"
TOOLS = ("buildah", "podman", "runc", "mmdebstrap", "nsenter", "curl", "openssl")
# The machine may not be allowed to raise limits, so none is asked for that it can't have; there is no systemd to ask.
CONFIG = """[containers]
default_ulimits = ["nofile=8192:8192", "nproc=8192:8192"]
log_driver = "k8s-file"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
"""
BUILD_PATIENCE, PATIENCE, ENDING = 1_500, 60, 20


def require():
    """Ends the run where images can't be built and run: a test that did not run has not passed."""
    missing = [name for name in TOOLS if not shutil.which(name)]
    if missing:
        sys.exit(f"these tests need {' and '.join(missing)}")
    if os.geteuid() != 0:
        sys.exit("these tests need root: they mount file systems and make control groups")


def run_whole(command, patience, environment):
    """Runs a command; when it is interrupted or takes too long, all that it started ends before this does."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="replace", env=environment, start_new_session=True) as process:
        try:
            out, err = process.communicate(timeout=patience)
        except BaseException:
            for how in (signal.SIGTERM, signal.SIGKILL):
                os.killpg(process.pid, how)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(ENDING)
                    break
            raise
    return subprocess.CompletedProcess(command, process.returncode, out, err)


class Store:
    def __init__(self, folder=CACHE):
        self.folder = folder
        self.run_folder = folder / "run"
        for made in (folder, self.run_folder):
            made.mkdir(parents=True, exist_ok=True)
        (folder / "containers.conf").write_text(CONFIG)
        self.place = ["--root", str(folder / "images"), "--runroot", str(self.run_folder)]
        self.environment = {**os.environ, "CONTAINERS_CONF": str(folder / "containers.conf"), "DISABLE_HC_SYSTEMD": "true"}

    def _run(self, command, patience, check):
        done = run_whole([str(part) for part in command], patience, self.environment)
        if check and done.returncode != 0:
            told = "\n".join((done.stdout + done.stderr).splitlines()[-60:])
            raise AssertionError(f"{' '.join(map(str, command[:1] + command[len(self.place) + 1:]))[:200]} ended with "
                                 f"{done.returncode}:\n{told}")
        return done

    def podman(self, *arguments, check=True):
        return self._run(["podman", *self.place, *arguments], PATIENCE, check)

    def build(self, tag, folder, *options):
        """Builds a folder's Dockerfile, with nothing fetched but what its own steps fetch."""
        return self._run(["buildah", *self.place, "bud", "--isolation", "chroot", "--pull-never", "--format", "docker",
                          *options, "-t", tag, folder], BUILD_PATIENCE, True)

    def has(self, image):
        return self.podman("image", "exists", image, check=False).returncode == 0

    def inspect(self, subject, form):
        return self.podman("inspect", subject, "--format", form).stdout.strip()

    def clear(self):
        """Ends and removes what an earlier run could have left, so that nothing of it is mistaken for this one's."""
        self.podman("rm", "--all", "--force", "--time", "0", "--volumes")
        self._run(["buildah", *self.place, "rm", "--all"], PATIENCE, True)
        self.podman("image", "prune", "--force")
