"""What a promise may do with a loaded page, whichever engine shows it."""

import json
import time

import app


class JavaScriptError(Exception):
    pass


class View:
    """An engine adds `evaluate`, `call`, `_real_calls`, `console_errors`, `screenshot` and `close`."""

    def value(self, expression):
        text = self.evaluate("(value => value === undefined ? 'null' : JSON.stringify(value))(%s)" % expression)
        return json.loads(text)

    def until(self, expression, what, seconds=5):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                if self.value(expression):
                    return
            except JavaScriptError:
                pass  # While a page takes the place of another, there is none to ask.
            self.wait(0.02)
        raise AssertionError("did not come within %s s: %s; the app received %s; the page says %r"
                             % (seconds, what, self.calls(), self.line()))

    def install_late(self, native):
        """Puts an app's object into a page that has been loaded without one."""
        # The value of the last statement would be an object that WebKit cannot hand over.
        self.evaluate(app.OBJECTS[native] + " undefined")

    def calls(self):
        return self._real_calls() + self.value("window.__app ? __app.calls : []")

    def events(self):
        return [call["body"] if isinstance(call["body"], dict) else json.loads(call["body"]) for call in self.calls()]

    def types(self):
        return [event["type"] for event in self.events()]

    def event(self, kind, seconds=5):
        """The first event of a kind, waited for."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            for event in self.events():
                if event["type"] == kind:
                    return event
            self.wait(0.02)
        raise AssertionError("no %s within %s s; the app received %s; the page says %r"
                             % (kind, seconds, self.calls(), self.line()))

    def settle(self):
        """Lets everything already queued in the page run, so that an absence can be asserted."""
        self.evaluate("window.__turns = 0; (function turn() { if (++__turns < 5) setTimeout(turn); })(); undefined")
        self.until("__turns === 5", "five turns of the page's loop")

    def line(self):
        return self.value("document.getElementById('bridge-status').textContent")

    def violations(self):
        return self.value("__app.violations")
