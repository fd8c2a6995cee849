"""The guides' own native code, call by call, and what else an app may meet."""

import json
import time

from promises import expect, expect_in, promise
from promises_talkdesk_start import GUIDE

_PLATFORMS = ("ios", "android", "channel", "react-native", "inappwebview")


class GuideApp:
    """The chat guide's manager: its evaluations in its order, and what it does on each message."""

    def __init__(self, view, configuration):
        self.view = view
        self.seen = 0
        self.is_shown = self.is_destroyed = False
        # JSONSerialization gives the keys in no order; any does.
        self.view.evaluate("window.initTalkdeskChat(%s)" % json.dumps(configuration))

    def handle_events(self, until):
        """Does what the guide's app does on each message, until one of a kind has come."""
        deadline = time.monotonic() + 5
        while until not in self.view.types()[:self.seen]:
            if time.monotonic() > deadline:
                self.view.event(until, seconds=0)
            for event in self.view.events()[self.seen:]:
                self.seen += 1
                self._handle(event["type"])
            self.view.wait(0.02)

    def _handle(self, kind):
        if kind == "sdkReady":
            self.is_shown = True
            self.view.evaluate("window.openTalkdeskChat()")
        elif kind in ("onCloseWebchat", "error"):
            self.is_shown, self.is_destroyed = False, True


@promise("guide: the chat guide's app shows the chat at sdkReady, opens it, and ends it on close; no evaluation fails")
def chat_guide(world):
    app = GuideApp(world.open("chat", "ios"), GUIDE)
    app.handle_events("sdkReady")
    expect((app.is_shown, app.is_destroyed), (True, False), "shown, destroyed")
    app.handle_events("onOpenWebchat")
    app.view.evaluate("['onConversationStart', 'onConversationEnded', 'onCloseWebchat']"
                      ".forEach(name => __sdk.chats[0][name]())")
    app.handle_events("onCloseWebchat")
    expect((app.is_shown, app.is_destroyed), (False, True), "shown, destroyed")
    expect(app.view.types(), ["sdkReady", "onOpenWebchat", "onConversationStart", "onConversationEnded", "onCloseWebchat"],
           "events")


@promise("guide: without a language, which the guide's app then leaves out, the tenant's is used, silently")
def chat_guide_without_language(world):
    app = GuideApp(world.open("chat-arabic", "ios"), {key: GUIDE[key] for key in GUIDE if key != "languageCode"})
    app.handle_events("onOpenWebchat")
    expect(app.view.types(), ["sdkReady", "onOpenWebchat"], "events")
    expect(app.view.value("__sdk.inits[0].configuration.languageCode"), "ar-SA", "language")


@promise("guide: a failing chat destroys the guide's app's view once, and it never shows it")
def chat_guide_failing(world):
    for tenant in ("chat-404", "chat-init-false", "chat-disabled"):
        app = GuideApp(world.open(tenant, "ios"), GUIDE)
        app.handle_events("error")
        app.view.settle()
        expect((app.is_shown, app.is_destroyed, app.view.types()), (False, True, ["error"]), tenant)


@promise("guide: every platform's object that appears late gets all events once, in order")
def late_everywhere(world):
    for native in _PLATFORMS:
        view = world.open("chat-init-pending")
        view.evaluate("window.initTalkdeskChat({ region: 'other' })")
        view.until("window.__sdk && __sdk.inits.length === 1", "init")
        view.evaluate("__sdk.settle[0](true)")
        view.settle()
        view.install_late(native)
        if native == "inappwebview":
            view.evaluate("dispatchEvent(new Event('flutterInAppWebViewPlatformReady')); undefined")
        view.event("sdkReady")
        view.evaluate("window.openTalkdeskChat()")
        view.event("onOpenWebchat")
        expect(view.types(), ["warning", "sdkReady", "onOpenWebchat"], native)
        expect({call["via"] for call in view.calls()}, {native}, "platform")


@promise("guide: autoStart and then the app's own call start one chat, with one warning")
def auto_start_and_call(world):
    app = GuideApp(world.open("chat-auto", "ios"), GUIDE)
    app.handle_events("onOpenWebchat")
    app.view.settle()
    expect(sorted(app.view.types()), ["onOpenWebchat", "sdkReady", "warning"], "events")
    expect(app.view.value("__sdk.created.length"), 1, "chats made")
    expect(app.is_destroyed, False, "destroyed")


@promise("guide: a script that comes after its time is up changes nothing")
def late_script(world):
    world.vendor.late.clear()
    view = world.open("chat-late", "ios", wait_for_load=False)
    view.evaluate("window.initTalkdeskChat()")
    view.event("error")
    world.vendor.late.set()
    view.until("typeof TalkdeskChatSDK === 'function'", "the late script")
    view.settle()
    expect(view.types(), ["error"], "events")
    expect(view.value("__sdk.created.length"), 0, "chats made")


@promise("guide: an assistant that is defined after its time is up changes nothing")
def late_element(world):
    view = world.open("assistant-undefined", "ios-assistant")
    view.until("document.getElementById('bridge-status').textContent.includes('not available')", "the page's line")
    view.evaluate("customElements.define('smart-assistant', class extends HTMLElement {}); undefined")
    view.settle()
    expect(view.value("document.querySelector('smart-assistant')"), None, "element")
    expect_in("not available", view.line(), "the page's line")
    expect(view.calls(), [], "calls to the app")


@promise("guide: an error inside the vendor's script comes as 'Script error.', after sdkReady as a warning that ends nothing")
def script_error(world):
    app = GuideApp(world.open("chat", "ios"), GUIDE)
    app.handle_events("onOpenWebchat")
    app.view.evaluate("__sdk.crash()")
    app.handle_events("warning")
    expect_in("Script error", app.view.event("warning")["payload"]["message"], "message")
    expect((app.is_shown, app.is_destroyed), (True, False), "shown, destroyed")


@promise("guide: in a plain browser a whole chat runs without a console error")
def plain_browser(world):
    view = world.open("chat")
    view.evaluate("window.initTalkdeskChat()")
    view.until("window.__sdk && __sdk.inits.length === 1", "init")
    view.until("document.getElementById('bridge-status').textContent === ''", "the page's line")
    view.settle()
    view.evaluate("window.openTalkdeskChat()")
    view.settle()
    expect(view.console_errors(), [], "console errors")
    view = world.open("assistant")
    view.until("document.querySelector('smart-assistant:defined') !== null", "the element")
    view.evaluate("document.querySelector('smart-assistant').shadowRoot.querySelector('button').click()")
    view.settle()
    expect(view.console_errors(), [], "console errors")
