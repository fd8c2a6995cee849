"""How a command refuses: promptly, in lines for a person, without a trace of its inside."""
import re
import time

from .promises import contains, equal, holds

PROMPT = 2.0
PROBLEM = r"[^\n]+: (error|warning): [^\n]+\..*"
NOISE = ("Fatal error", "Backtrace", "Stack dump", "0x", " at /", ".swift")


def refused(ended, *parts, lines=None):
    """Status 1, promptly; every line is a message for a person."""
    equal(ended.status, 1, ended.text)
    for noise in NOISE:
        holds(noise not in ended.text, f"no {noise!r} in {ended.text}")
    for line in ended.err.splitlines():
        holds(re.fullmatch(PROBLEM + r"|bridgehost: [^\n]+", line), line)
    for part in parts:
        contains(ended.err, part)
    if lines is not None:
        equal(len(ended.err.splitlines()), lines, ended.err)


def promptly(function):
    begun = time.monotonic()
    ended = function()
    holds(time.monotonic() - begun < PROMPT, "within 2 s")
    return ended
