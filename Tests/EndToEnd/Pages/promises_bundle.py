"""A page that is shipped in the app does what the served one does, under its own policy."""

from promises import expect, promise
from promises_talkdesk_start import GUIDE, start


@promise("bundle: from disk the chat starts with the tenant's settings, all that the SDK loads passes the file's policy")
def chat_starts(world):
    view = world.open_bundle("chat-arabic", "ios")
    expect(view.value("[location.protocol, document.documentElement.lang]"), ["file:", "ar-SA"], "document")
    start(view, dict(GUIDE, languageCode=None))
    view.event("sdkReady")
    expect(view.types(), ["sdkReady"], "events")
    expect(view.value("__sdk.inits[0].configuration.languageCode"), "ar-SA", "language")
    expect(view.value("getComputedStyle(document.getElementById('tdWebchat')).color"), "rgb(1, 2, 3)", "SDK's style")
    expect(view.violations(), [], "violations")
    expect(view.console_errors(), [], "console errors")


@promise("bundle: from disk the assistant starts by itself and tells the app when it closes")
def assistant_starts(world):
    view = world.open_bundle("assistant", "ios-assistant")
    view.until("document.querySelector('smart-assistant').shadowRoot !== null", "the assistant")
    view.evaluate("document.querySelector('smart-assistant').shadowRoot.querySelector('button').click()")
    view.settle()
    expect([call["body"] for call in view.calls()], ["close"], "calls to the app")
    expect(view.violations() + view.console_errors(), [], "violations and console errors")


@promise("bundle: the file's policy stops scripts and requests that are not the page's")
def policy_holds(world):
    view = world.open_bundle("chat", "ios")
    view.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=\"data:,\" onerror=\"window.stranger = 1\">')")
    view.evaluate("fetch('https://stranger.example/').catch(() => {}); undefined")
    view.until("__app.violations.length === 2", "two violations")
    expect(view.value("typeof window.stranger"), "undefined", "stranger")
    expect([text.split(" ")[0] for text in sorted(view.violations())], ["connect-src", "script-src-attr"], "violations")
