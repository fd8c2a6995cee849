"""Promises: functions that prove one sentence each, in groups that share what they look at."""
import contextlib
import inspect
import queue
import random
import threading
import time
import traceback

# Groups that run side by side: most of a promise's time is waiting for processes to start and end.
AT_ONCE = 3
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
    runs = [_Run(group, only, seed) for group in groups]
    runs = [one for one in runs if one.chosen]
    waiting = queue.SimpleQueue()
    for one in runs:
        waiting.put(one)
    # Daemons: an interrupted run does not wait for what they do.
    for _ in range(AT_ONCE):
        threading.Thread(target=_work, args=(waiting,), daemon=True).start()
    for one in runs:
        one.ended.wait()
        print(one.text(), flush=True)
    passed = sum(one.kept for one in runs)
    failed = sum(len(one.chosen) for one in runs) - passed
    print(f"{time.monotonic() - started:.1f} s")
    print(f"{passed} passed, {failed} failed", flush=True)
    return 1 if failed or not passed else 0


def _work(waiting):
    while True:
        try:
            one = waiting.get_nowait()
        except queue.Empty:
            return
        one.run()


class _Run:
    """A group's run; its lines are shown together when it has ended."""

    def __init__(self, group, only, seed):
        self.group = group
        self.chosen = [p for p in group.promises if only.lower() in (group.title + " " + p[0]).lower()]
        if seed is not None:
            random.Random(seed).shuffle(self.chosen)
        self.kept, self.lines, self.ended = 0, [], threading.Event()

    def run(self):
        begun = time.monotonic()
        try:
            with self.group.setup() as given:
                for sentence, function in self.chosen:
                    self.kept += self._prove(sentence, function, given)
        except BaseException as error:
            self._tell("could not be set up or ended", error)
        self.seconds = time.monotonic() - begun
        self.ended.set()

    def text(self):
        return "\n".join([f"{self.group.title} ({self.seconds:.1f} s)", *self.lines, ""])

    def _prove(self, sentence, function, given):
        try:
            function(*([given] if inspect.signature(function).parameters and given is not None else []))
        except Exception as error:
            self._tell(sentence, error)
            return False
        self.lines.append(f"  ok  {sentence}")
        return True

    def _tell(self, sentence, error):
        self.lines.append(f"  FAILED  {sentence}")
        frames = [f for f in traceback.extract_tb(error.__traceback__) if "/promises/" in f.filename]
        place = f" ({frames[-1].filename.rsplit('/', 1)[1]}:{frames[-1].lineno})" if frames else ""
        for number, line in enumerate((str(error) or type(error).__name__).splitlines()[:12]):
            self.lines.append(f"        {line[:600]}{place if number == 0 else ''}")


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
