"""What many clients at once need: descriptors of our own, and other clients who judge."""
import resource
import time

from .promises import Broken, equal, holds
from .world import PATH

# What a page may take while others misbehave: far above what it needs, far below any deadline of theirs.
PROMPT = 5.0


def need_files(count):
    """Lets this run open so many files, or says why it can't."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < count:
        raise Broken(f"this needs {count} open files and the machine allows {hard} (ulimit -Hn)")
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def page_is_prompt(server, times=8):
    """A new client on each of many connections, so that every worker is asked."""
    for _ in range(times):
        begun = time.monotonic()
        equal(server.curl(PATH).status, 200)
        took = time.monotonic() - begun
        holds(took < PROMPT, f"a page took {took:.2f} s")
