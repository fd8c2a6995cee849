"""The kill switch: a bridge that is switched off while apps show it, and before they do."""

from promises import expect, expect_in, promise
from tenants import NOTICE, TENANTS, switched_off


def _reload(view):
    view.evaluate("window.isOld = true; location.reload(); undefined")
    view.until("!window.isOld && document.readyState === 'complete'", "the page again")


@promise("switch: a chat that is open goes on until its page is loaded again; then the notice stands there")
def while_open(world):
    if world.service is None:
        return
    view = world.open("chat-switched", "ios")
    waiting = world.open("chat-switched", "android")
    view.evaluate("window.initTalkdeskChat()")
    view.event("sdkReady")
    world.service.change("chat-switched", switched_off())
    try:
        view.evaluate("window.openTalkdeskChat()")
        view.event("onOpenWebchat")
        waiting.evaluate("window.initTalkdeskChat()")
        waiting.event("sdkReady")
        _reload(view)
        expect(view.line(), NOTICE, "the page's line")
        before = len(view.events())
        expect(view.evaluate("window.initTalkdeskChat({}) || window.openTalkdeskChat()"), None, "the calls' values")
        expect_in("disabled", view.event("error")["payload"]["message"], "message")
        view.settle()
        expect(view.types()[before:] or view.types(), ["error"], "events")
        expect(view.value("document.querySelectorAll('script[src]').length"), 0, "scripts from elsewhere")
    finally:
        world.service.change("chat-switched", TENANTS["chat-switched"])
    _reload(view)
    view.evaluate("window.initTalkdeskChat()")
    view.event("sdkReady")
    expect_in("sdkReady", view.types(), "events after it was switched on again")


@promise("switch: an app that starts while it is off gets 200, the notice and one error; the globals do nothing")
def before_start(world):
    view = world.open("chat-notice", "ios")
    expect(view.value("performance.getEntriesByType('navigation')[0].responseStatus || 200"), 200, "status")
    expect(view.line(), NOTICE, "the page's line")
    view.evaluate("window.openTalkdeskChat()")
    view.evaluate("window.initTalkdeskChat()")
    view.event("error")
    view.settle()
    expect(view.types(), ["error"], "events")
    expect(view.console_errors(), [], "console errors")
