"""Drives WebKitGTK, which has the same `window.webkit.messageHandlers` as the web view of iOS."""

import json
import os
import select
import subprocess
import time

import app
from view import JavaScriptError, View


def _start_display():
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "800x900x24", "-nolisten", "tcp"],
                              pass_fds=(write,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)
    # The number and the newline come apart, and a pipe closed between them ends the server.
    number = b""
    while not number.endswith(b"\n"):
        number += os.read(read, 16)
    os.environ["DISPLAY"] = ":" + number.decode().strip()
    return server


class WebKit:
    def __init__(self, directory, proxy, leaves):
        self._display = _start_display()
        # Set before GTK is loaded: no session bus, no accelerated drawing.
        os.environ.update(NO_AT_BRIDGE="1", DBUS_SESSION_BUS_ADDRESS="disabled:", LIBGL_ALWAYS_SOFTWARE="1",
                          WEBKIT_DISABLE_COMPOSITING_MODE="1", WEBKIT_DISABLE_DMABUF_RENDERER="1", GDK_BACKEND="x11")
        self._capture_console()
        global Gdk, Gio, GLib, Gtk, WebKit2
        import gi
        gi.require_version("Gtk", "3.0")
        gi.require_version("WebKit2", "4.1")
        from gi.repository import Gdk, Gio, GLib, Gtk, WebKit2
        # An ephemeral data manager would print nothing to the console.
        storage = os.path.join(directory, "webkit")
        manager = WebKit2.WebsiteDataManager(base_data_directory=storage, base_cache_directory=storage)
        manager.set_tls_errors_policy(WebKit2.TLSErrorsPolicy.FAIL)
        manager.set_network_proxy_settings(
            WebKit2.NetworkProxyMode.CUSTOM, WebKit2.NetworkProxySettings.new(proxy.url, None))
        self.context = WebKit2.WebContext.new_with_website_data_manager(manager)
        for host, pem in leaves.items():
            self.context.allow_tls_certificate_for_host(Gio.TlsCertificate.new_from_pem(pem, -1), host)

    def _capture_console(self):
        # Console lines are written by the web process to the descriptors it inherits.
        self._console, write = os.pipe()
        os.dup2(write, 1)
        os.dup2(write, 2)
        os.close(write)
        self.console_text = ""

    def read_console(self):
        while select.select([self._console], [], [], 0)[0]:
            self.console_text += os.read(self._console, 65536).decode("utf-8", "replace")
        return self.console_text

    def open(self, url, native=(), wait_for_load=True):
        return _WebKitView(self, url, native, wait_for_load)

    def close(self):
        self._display.terminate()
        self._display.wait(10)


class _WebKitView(View):
    def __init__(self, engine, url, native, wait_for_load):
        self._engine = engine
        self._received = []
        self._failure = None
        self._loaded = False
        self._markers = 0
        engine.read_console()
        self._console_start = len(engine.console_text)
        content = WebKit2.UserContentManager()
        self._add_handlers(content, native)
        emulated = [name for name in native if not name.startswith("ios")]
        content.add_script(WebKit2.UserScript.new(
            app.startup_script(emulated), WebKit2.UserContentInjectedFrames.TOP_FRAME,
            WebKit2.UserScriptInjectionTime.START, None, None))
        self.view = WebKit2.WebView(web_context=engine.context, user_content_manager=content)
        self.view.get_settings().set_enable_write_console_messages_to_stdout(True)
        self.view.connect("load-changed", self._on_load_changed)
        self.view.connect("load-failed", self._on_load_failed)
        self._window = Gtk.Window(type=Gtk.WindowType.POPUP)
        self._window.set_default_size(390, 844)
        self._window.add(self.view)
        self._window.show_all()
        self.view.load_uri(url)
        self._spin_until(lambda: self._loaded or self._failure or not wait_for_load, "the page " + url)
        if self._failure:
            raise AssertionError("%s: %s" % (url, self._failure))
        self.until("location.href !== 'about:blank' && document.readyState !== 'loading'", "the page " + url)

    def _add_handlers(self, content, native):
        self._content = content
        for name in (app.IOS_HANDLERS[kind] for kind in native if kind in app.IOS_HANDLERS):
            self._add_handler(name)

    def _add_handler(self, name):
        self._content.connect("script-message-received::" + name, self._on_message)
        self._content.register_script_message_handler(name)

    def install_late(self, native):
        if native in app.IOS_HANDLERS:
            self._add_handler(app.IOS_HANDLERS[native])
        else:
            super().install_late(native)

    def _on_message(self, _, result):
        value = result.get_js_value()
        self._received.append({"via": "ios", "count": 1, "type": "string" if value.is_string() else "object",
                               "body": json.loads(value.to_json(0))})

    def _on_load_changed(self, _, event):
        self._loaded = self._loaded or event == WebKit2.LoadEvent.FINISHED

    def _on_load_failed(self, _view, _event, _url, error):
        self._failure = error.message
        return True

    def _spin_until(self, condition, what, seconds=20):
        deadline = time.monotonic() + seconds
        loop = GLib.MainContext.default()
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError("did not come within %s s: %s" % (seconds, what))
            if not loop.iteration(False):
                time.sleep(0.001)

    def wait(self, seconds):
        end = time.monotonic() + seconds
        self._spin_until(lambda: time.monotonic() >= end, "the clock")

    def evaluate(self, script):
        return self._outcome(lambda done: self.view.evaluate_javascript(script, -1, None, None, None, done),
                             self.view.evaluate_javascript_finish)

    def call(self, body, arguments):
        # This port takes scalars only, so that dictionaries go in as text and are read before the body.
        texts = {name + "JSON": GLib.Variant("s", json.dumps(value)) for name, value in arguments.items()}
        values = GLib.Variant("a{sv}", texts)
        body = "".join("const %s = JSON.parse(%sJSON); " % (name, name) for name in arguments) + body
        return self._outcome(
            lambda done: self.view.call_async_javascript_function(body, -1, values, None, None, None, done),
            self.view.call_async_javascript_function_finish)

    def _outcome(self, start, finish):
        outcome = []
        start(lambda _, result: outcome.append(result))
        self._spin_until(lambda: outcome, "an answer from the page")
        try:
            value = finish(outcome[0])
        except GLib.Error as error:
            raise JavaScriptError(error.message)
        return None if value.is_undefined() or value.is_null() else value.to_string()

    def _real_calls(self):
        return list(self._received)

    def console_errors(self):
        self._markers += 1
        marker = "marker-%d-%d" % (id(self), self._markers)
        self.evaluate("console.log('%s')" % marker)
        self._spin_until(lambda: marker in self._engine.read_console(), "the console")
        lines = self._engine.console_text[self._console_start:].splitlines()
        return [line for line in lines if "ERROR" in line]

    def screenshot(self, path, dark=False):
        self._window.get_settings().set_property("gtk-application-prefer-dark-theme", dark)
        self.wait(0.3)
        picture = Gdk.pixbuf_get_from_window(self.view.get_window(), 0, 0, 390, 844)
        picture.savev(path, "png", [], [])

    def close(self):
        self.view.try_close()
        self._window.destroy()
