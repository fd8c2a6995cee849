"""Every way in which a start can fail ends in one `error` that says what did not happen."""

from promises import expect, expect_in, promise
from tenants import NOTICE


def _one_error(world, tenant, words, wait_for_load=True):
    view = world.open(tenant, "ios", wait_for_load=wait_for_load)
    expect(view.evaluate("window.initTalkdeskChat()"), None, "the call's value")
    message = view.event("error")["payload"]["message"]
    expect_in(words, message, "message")
    view.settle()
    expect(view.types(), ["error"], "events")
    expect_in("not available", view.line(), "the page's line")
    expect(view.value("document.getElementById('tdWebchat')"), None, "left-over container")
    return view


@promise("chat: a script answered by 404 is one error")
def script_404(world):
    _one_error(world, "chat-404", "script could not be loaded")


@promise("chat: a dropped connection is one error")
def script_drop(world):
    _one_error(world, "chat-drop", "script could not be loaded")


@promise("chat: a script that never answers is one error after startTimeoutSeconds, and says so")
def script_hang(world):
    _one_error(world, "chat-hang", "the script did not load within 1 s")


@promise("chat: a script without its global is one error, and says so")
def no_global(world):
    _one_error(world, "chat-no-global", "TalkdeskChatSDK is missing")


@promise("chat: a script that throws is one error")
def script_throws(world):
    _one_error(world, "chat-script-throw", "Script error")


@promise("chat: init resolving false is one error")
def init_false(world):
    _one_error(world, "chat-init-false", "returned false")


@promise("chat: init rejecting is one error with its reason")
def init_reject(world):
    _one_error(world, "chat-init-reject", "touchpoint unknown")


@promise("chat: init throwing is one error with its reason")
def init_throw(world):
    _one_error(world, "chat-init-throw", "init broke")


@promise("chat: init that never settles is one error after startTimeoutSeconds; a late answer sends no sdkReady")
def init_never_settles(world):
    view = _one_error(world, "chat-init-timeout", "init did not settle within 1 s")
    expect(view.value("__sdk.destroyed"), 1, "chats destroyed")
    view.evaluate("__sdk.settle[0](true); __sdk.chats[0].onOpenWebchat()")
    view.settle()
    expect(view.types(), ["error"], "events")


@promise("chat: a start that failed is not told again when startTimeoutSeconds are over")
def failure_is_told_once(world):
    view = world.open("chat-quick-404", "ios")
    view.evaluate("setTimeout(() => { window.isOver = true; }, 1100); window.initTalkdeskChat()")
    view.until("window.isOver", "the time")
    view.settle()
    expect(view.types(), ["error"], "events")


@promise("chat: a chat that is ready stays ready when startTimeoutSeconds are over")
def ready_stays(world):
    view = world.open("chat-quick", "ios")
    view.evaluate("setTimeout(() => { window.isOver = true; }, 1100); window.initTalkdeskChat()")
    view.event("sdkReady")
    view.until("window.isOver", "the time")
    view.settle()
    expect(view.types(), ["sdkReady"], "events")


@promise("chat: after a failed load the app can start again")
def retry_after_load(world):
    view = world.open("chat-404-once", "ios")
    view.evaluate("window.initTalkdeskChat()")
    view.event("error")
    view.evaluate("window.initTalkdeskChat()")
    view.event("sdkReady")
    expect(view.types(), ["error", "sdkReady"], "events")
    expect(view.line(), "", "the page's line")


@promise("chat: after a failed init the app can start again; the first try's late answer changes nothing")
def retry_after_init(world):
    view = world.open("chat-init-timeout", "ios")
    view.evaluate("window.initTalkdeskChat()")
    view.event("error")
    view.evaluate("window.initTalkdeskChat()")
    view.until("__sdk.settle.length === 2", "the second init")
    view.evaluate("__sdk.settle[0](Promise.reject(new Error('late'))); __sdk.chats[0].onCloseWebchat()")
    view.settle()
    expect(view.types(), ["error"], "events after the late answer")
    view.evaluate("__sdk.settle[1](true)")
    view.event("sdkReady")
    expect(view.types(), ["error", "sdkReady"], "events")
    expect(view.value("document.querySelectorAll('#tdWebchat').length"), 1, "containers")


@promise("chat: an uncaught error before sdkReady ends the start: one error, no late sdkReady")
def crash_early(world):
    view = _one_error(world, "chat-crash-early", "")
    view.evaluate("__sdk.settle[0](true)")
    view.settle()
    expect(view.types(), ["error"], "events")


@promise("chat: an uncaught error of the page itself is an error with its message and line")
def crash_of_the_page(world):
    view = world.open("chat", "ios")
    view.evaluate("setTimeout(() => { throw new Error('nobody caught this'); })")
    payload = view.event("error")["payload"]
    expect_in("nobody caught this", payload["message"], "message")
    expect(sorted(payload), ["line", "message", "url"], "payload")


@promise("chat: an uncaught error after sdkReady is a warning and the chat stays")
def crash_late(world):
    view = world.open("chat", "ios")
    view.evaluate("window.initTalkdeskChat()")
    view.event("sdkReady")
    view.evaluate("__sdk.crash()")
    view.event("warning")
    expect(view.types(), ["sdkReady", "warning"], "events")
    expect(view.value("document.querySelectorAll('#tdWebchat').length"), 1, "containers")


@promise("chat: an unhandled rejection is a warning, also before sdkReady")
def unhandled_rejection(world):
    view = world.open("chat-init-pending", "ios")
    view.evaluate("window.initTalkdeskChat()")
    view.until("window.__sdk && __sdk.settle.length === 1", "init")
    view.evaluate("Promise.reject(new Error('left alone')); undefined")
    expect(view.event("warning")["payload"], {"message": "left alone"}, "payload")
    view.evaluate("__sdk.settle[0](true)")
    view.event("sdkReady")
    expect(view.types(), ["warning", "sdkReady"], "events")


@promise("chat: a postponed resize notification before sdkReady is only a warning")
def resize_observer(world):
    view = world.open("chat-init-pending", "ios")
    view.evaluate("window.initTalkdeskChat()")
    view.evaluate("dispatchEvent(new ErrorEvent('error', "
                  "{ message: 'ResizeObserver loop completed with undelivered notifications.' })); undefined")
    view.event("warning")
    expect(view.types(), ["warning"], "events")


@promise("chat: disabled, the page says so, a start is one error and nothing is loaded")
def disabled(world):
    view = world.open("chat-disabled", "ios")
    expect_in("switched off", view.line(), "the page's line")
    expect(view.evaluate("window.openTalkdeskChat()"), None, "the call's value")
    expect(view.evaluate("window.initTalkdeskChat({})"), None, "the call's value")
    expect_in("disabled", view.event("error")["payload"]["message"], "message")
    view.settle()
    expect(view.types(), ["error"], "events")
    expect(view.value("document.querySelectorAll('script[src]').length"), 0, "scripts from elsewhere")


@promise("chat: the tenant's notice is shown as text, never as markup")
def notice(world):
    view = world.open("chat-notice")
    expect(view.line(), NOTICE, "the page's line")
    expect(view.value("document.querySelectorAll('#bridge-status *').length"), 0, "elements in the line")
