"""Drives Chromium, the engine of Android's web view, over the DevTools pipe."""

import base64
import fcntl
import json
import os
import subprocess
import threading
import time

import app
from certificates import public_key_hash
from view import JavaScriptError, View

_SHELL = ["/usr/lib/chromium/chromium-headless-shell"]
# The shell never delivers what `report-to` asks for; the whole browser does, at once with this flag, but takes twice as
# long for a page.
_WHOLE = ["/usr/lib/chromium/chromium", "--headless=new", "--short-reporting-delay"]


def _place(commands, answers):
    """The browser reads commands from descriptor 3 and answers on 4, where others may stand now."""
    commands, answers = (fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (commands, answers))
    os.dup2(commands, 3)
    os.dup2(answers, 4)


class Chromium:
    def __init__(self, directory, proxy, leaves, is_whole):
        commands, self._commands = os.pipe()
        self._answers, answers = os.pipe()
        pins = ",".join(sorted({public_key_hash(pem) for pem in leaves.values()}))
        self._process = subprocess.Popen(
            [*(_WHOLE if is_whole else _SHELL), "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
             "--user-data-dir=" + os.path.join(directory, "chromium"), "--proxy-server=" + proxy.url,
             "--proxy-bypass-list=<-loopback>", "--ignore-certificate-errors-spki-list=" + pins],
            preexec_fn=lambda: _place(commands, answers), close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self._last = 0
        self._replies = {}
        self._changed = threading.Condition()
        self.notifications = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        with os.fdopen(self._answers, "rb") as stream:
            buffered = b""
            while True:
                chunk = os.read(stream.fileno(), 65536)
                if not chunk:
                    return
                *messages, buffered = (buffered + chunk).split(b"\0")
                with self._changed:
                    for message in map(json.loads, messages):
                        if "id" in message:
                            self._replies[message["id"]] = message
                        else:
                            self.notifications.append(message)
                    self._changed.notify_all()

    def command(self, method, session=None, **parameters):
        self._last += 1
        number = self._last
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        with self._changed:
            if not self._changed.wait_for(lambda: number in self._replies, 20):
                raise AssertionError("Chromium did not answer " + method)
            reply = self._replies.pop(number)
        if "error" in reply:
            raise AssertionError("%s: %s" % (method, reply["error"]["message"]))
        return reply["result"]

    def open(self, url, native=(), wait_for_load=True):
        return _ChromiumView(self, url, native, wait_for_load)

    def close(self):
        self.command("Browser.close")
        self._process.wait(10)


class _ChromiumView(View):
    def __init__(self, browser, url, native, wait_for_load):
        self._browser = browser
        self._context = browser.command("Target.createBrowserContext")["browserContextId"]
        self._target = browser.command(
            "Target.createTarget", url="about:blank", browserContextId=self._context)["targetId"]
        self._session = browser.command("Target.attachToTarget", targetId=self._target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._command(domain + ".enable")
        self._command("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=True)
        self._command("Page.addScriptToEvaluateOnNewDocument", source=app.startup_script(native))
        error = self._command("Page.navigate", url=url).get("errorText")
        if error:
            raise AssertionError("%s: %s" % (url, error))
        self.until("location.href !== 'about:blank' && document.readyState "
                   + ("=== 'complete'" if wait_for_load else "!== 'loading'"), "the page " + url)

    def _command(self, method, **parameters):
        return self._browser.command(method, session=self._session, **parameters)

    def wait(self, seconds):
        time.sleep(seconds)

    def evaluate(self, script):
        return self._result(self._command("Runtime.evaluate", expression=script, returnByValue=True))

    def call(self, body, arguments):
        function = "(async function (%s) { %s })(...%s)" % (", ".join(arguments), body, json.dumps(list(arguments.values())))
        return self._result(self._command(
            "Runtime.evaluate", expression=function, returnByValue=True, awaitPromise=True))

    def _result(self, answer):
        if "exceptionDetails" in answer:
            raise JavaScriptError(answer["exceptionDetails"].get("exception", {}).get("description", "exception"))
        return answer["result"].get("value")

    def _real_calls(self):
        return []

    def console_errors(self):
        self.settle()
        found = []
        for note in list(self._browser.notifications):
            if note.get("sessionId") != self._session:
                continue
            parameters = note["params"]
            if note["method"] == "Runtime.exceptionThrown":
                found.append(parameters["exceptionDetails"]["text"])
            elif note["method"] == "Runtime.consoleAPICalled" and parameters["type"] == "error":
                found.append(json.dumps(parameters["args"]))
            elif note["method"] == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                found.append(parameters["entry"]["text"])
        return found

    def screenshot(self, path, dark=False):
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._command("Emulation.setEmulatedMedia", features=[scheme])
        picture = self._command("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture))

    def close(self):
        self._browser.command("Target.disposeBrowserContext", browserContextId=self._context)
