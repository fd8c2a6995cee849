"""Promises: functions that prove one sentence each, in groups that share what they look at."""
import contextlib
import inspect
import random
import sys
import time
import traceback

_groups = []


class Group:
    """Promises about one thing. `setup` is a generator function: it yields what the promises get and then cleans up."""

    def __init__(self, title, setup=None):
        self.title = title
        self.setup = contextlib.contextmanager(setup or (lambda: iter([None])))
        self.promises = []
        _groups.append(self)

    def promise(self, sentence):
        def keep(function):
            self.promises.append((sentence, function))
            return function

        return keep

    def each(self, sentence, cases):
        """One promise a case; `{}` in the sentence is the case's name."""

        def keep(function):
            for name, case in cases.items():
                self.promises.append((sentence.format(name), lambda *given, case=case: function(*given, case)))
            return function

        return keep


def run_all(only, seed):
    """Runs all promises that contain a word; the exit status."""
    started = time.monotonic()
    groups = list(_groups)
    if seed is not None:
        random.Random(seed).shuffle(groups)
    passed = failed = 0
    for group in groups:
        chosen = [p for p in group.promises if only.lower() in (group.title + " " + p[0]).lower()]
        if not chosen:
            continue
        if seed is not None:
            random.Random(seed).shuffle(chosen)
        print(f"\n{group.title}", flush=True)
        begun = time.monotonic()
        kept = _run_group(group, chosen)
        print(f"  {kept} of {len(chosen)} in {time.monotonic() - begun:.1f} s", flush=True)
        passed += kept
        failed += len(chosen) - kept
    print(f"\n{time.monotonic() - started:.1f} s")
    print(f"{passed} passed, {failed} failed", flush=True)
    return 1 if failed or not passed else 0


def _run_group(group, chosen):
    kept = 0
    try:
        with group.setup() as given:
            for sentence, function in chosen:
                kept += _prove(sentence, function, given)
    except Exception as error:
        _tell("FAILED", f"{group.title}: could not be set up or ended", error)
    return kept


def _prove(sentence, function, given):
    try:
        function(*([given] if inspect.signature(function).parameters and given is not None else []))
    except Exception as error:
        _tell("FAILED", sentence, error)
        return False
    print(f"  ok  {sentence}", flush=True)
    return True


def _tell(word, sentence, error):
    print(f"  {word}  {sentence}", flush=True)
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "/promises/" in f.filename]
    place = f" ({frames[-1].filename.rsplit('/', 1)[1]}:{frames[-1].lineno})" if frames else ""
    for number, line in enumerate((str(error) or type(error).__name__).splitlines()[:12]):
        print(f"        {line[:600]}{place if number == 0 else ''}", flush=True)
    sys.stdout.flush()


class Broken(AssertionError):
    """A promise that is not kept."""


def equal(found, expected, what=""):
    if found != expected:
        raise Broken(f"{what + ': ' if what else ''}found {found!r}, expected {expected!r}")


def holds(condition, what):
    if not condition:
        raise Broken(what)


def contains(text, part, what=""):
    if part not in text:
        raise Broken(f"{what + ': ' if what else ''}no {part!r} in {text!r}")


def eventually(check, what, within=5.0):
    """Asks again until the answer is true; the answer. Bounded: a promise never waits for ever."""
    end = time.monotonic() + within
    while True:
        answer = check()
        if answer:
            return answer
        if time.monotonic() > end:
            raise Broken(f"not within {within:g} s: {what}")
        time.sleep(0.01)
