"""Events find the app on every platform, wait for it a while, and survive whatever it does."""

import json

from app import OBJECTS
from promises import expect, expect_in, promise

_START = "window.initTalkdeskChat()"


def _received(world, *native):
    view = world.open("chat", *native)
    view.evaluate(_START)
    view.event("sdkReady")
    return view.calls()


@promise("channel: Android, React Native and a channel object get the event as one JSON text")
def text_platforms(world):
    for native in ("android", "react-native", "channel"):
        calls = _received(world, native)
        expect([(call["via"], call["count"], call["type"]) for call in calls], [(native, 1, "string")], "calls")
        expect(json.loads(calls[0]["body"])["type"], "sdkReady", "type")


@promise("channel: flutter_inappwebview gets handler name and event, not before it says it is ready")
def inappwebview(world):
    view = world.open("chat-init-pending", "inappwebview")
    view.evaluate(_START)
    view.until("window.__sdk && __sdk.inits.length === 1", "init")
    view.evaluate("__sdk.settle[0](true)")
    view.settle()
    expect(view.calls(), [], "calls before")
    view.evaluate("dispatchEvent(new Event('flutterInAppWebViewPlatformReady')); undefined")
    view.event("sdkReady")
    calls = view.calls()
    expect([(call["via"], call["count"]) for call in calls], [("inappwebview", 2)], "calls")


@promise("channel: the first that exists gets it: iOS, Android, React Native, channel")
def order(world):
    names = ["ios", "android", "react-native", "channel"]
    for first in range(len(names) - 1):
        calls = _received(world, *names[first:])
        expect([call["via"] for call in calls], [names[first]], "calls")


@promise("channel: an iOS app without the named handler does not hide React Native")
def other_ios_handler(world):
    calls = _received(world, "ios-assistant", "react-native")
    expect([call["via"] for call in calls], ["react-native"], "calls")


def _start_without_app(world, configuration):
    view = world.open("chat-init-pending")
    view.evaluate("window.initTalkdeskChat(%s)" % configuration)
    view.until("window.__sdk && __sdk.settle.length === 1", "init")
    return view


@promise("channel: events sent before the app's object exists arrive once, in order, when it does")
def late_app(world):
    view = _start_without_app(world, "{ region: 'other' }")
    view.evaluate("__sdk.settle[0](true)")
    view.evaluate("__sdk.chats[0].onConversationStart()")
    view.settle()
    view.evaluate(OBJECTS["android"] + " __sdk.chats[0].onConversationEnded(); undefined")
    view.evaluate("dispatchEvent(new Event('flutterInAppWebViewPlatformReady')); undefined")
    view.settle()
    expect(view.types(), ["warning", "sdkReady", "onConversationStart", "onConversationEnded"], "events")
    times = [event["timestamp"] for event in view.events()]
    expect(times, sorted(times), "times")


@promise("channel: the waiting queue holds 100 events and gives up warnings first")
def bounded_queue(world):
    view = _start_without_app(world, "")
    view.evaluate("__sdk.settle[0](true)")
    view.settle()
    view.evaluate("for (let i = 0; i < 150; i += 1) window.initTalkdeskChat()")
    view.evaluate("for (let i = 0; i < 3; i += 1) __sdk.chats[0].onConversationStart()")
    view.install_late("android")
    view.event("onConversationStart")
    expect(view.types(), ["sdkReady"] + ["warning"] * 96 + ["onConversationStart"] * 3, "events")


@promise("channel: after 10 s without an app the waiting events are gone; a later event still finds it")
def lookout_ends(world):
    view = _start_without_app(world, "{ region: 'other' }")
    # The page's clock is moved, so that nobody waits ten seconds.
    view.evaluate("Date.now = (now => () => now() + 10000)(Date.now); undefined")
    view.evaluate("window.__ticks = 0; setInterval(() => { __ticks += 1; }, 100); undefined")
    view.until("__ticks >= 3", "a look for the app")
    view.install_late("android")
    view.evaluate("__sdk.settle[0](true)")
    view.event("sdkReady")
    expect(view.types(), ["sdkReady"], "events")


@promise("channel: an app's object that throws or rejects breaks nothing and is not asked in a loop")
def failing_app(world):
    for native in ("android-throwing", "android-rejecting"):
        view = world.open("chat", native)
        view.evaluate(_START)
        view.event("sdkReady")
        view.evaluate("window.openTalkdeskChat()")
        view.event("onOpenWebchat")
        view.settle()
        expect(view.types(), ["sdkReady", "onOpenWebchat"], "events")
        expect(view.console_errors(), [], "console errors")


@promise("channel: a bare string or number thrown by the SDK still arrives as {message}")
def odd_reasons(world):
    odd = ["'text'", "42", "null", "undefined", "10n", "Symbol('s')", "() => 1", "Object.create(null)", "document.body",
           "({ get message() { throw 1; } })", "(() => { const a = {}; a.a = a; return a; })()"]
    view = world.open("chat", "ios")
    view.evaluate(_START)
    view.event("sdkReady")
    for count, reason in enumerate(odd, 1):
        view.evaluate("Promise.reject(%s); undefined" % reason)
        view.until("true", "the page")
        view.settle()
        payload = view.events()[-1]["payload"]
        expect((len(view.events()), list(payload), type(payload["message"])), (count + 1, ["message"], str), reason)


@promise("channel: whatever is given as a payload arrives as plain data or as {message}")
def payloads(world):
    kinds = {
        "{ a: [1, { b: null }] }": {"a": [1, {"b": None}]},
        "undefined": None,
        "null": None,
        "'text'": {"message": "text"},
        "0": {"message": "0"},
        "false": {"message": "false"},
        "[1, 2]": {"message": "[1,2]"},
        "new Error('broke')": {"message": "broke"},
        "10n": {"message": "10"},
        "{ big: 10n }": {"message": "[object Object]"},
        "(() => { const a = {}; a.a = a; return a; })()": {"message": "[object Object]"},
        "{ get bad() { throw new Error('no'); } }": {"message": "[object Object]"},
        "{ toJSON() { throw new Error('no'); } }": {"message": "[object Object]"},
        "{ toJSON() { return 'short'; } }": {"message": "short"},
        "document.body": {"message": "[object HTMLBodyElement]"},
        "{ when: new Date(0), f() {} }": {"when": "1970-01-01T00:00:00.000Z"},
    }
    view = world.open_from_disk("talkdesk-chat-bridge.html", "ios")
    view.evaluate("window.__bridge = bridgehost.mount({ name: 'Probe', config: {}, overridable: [], required: [],"
                  "native: { handler: 'sdkEvent', body: 'event' } }); undefined")
    for count, (payload, wanted) in enumerate(kinds.items(), 1):
        view.evaluate("__bridge.send('probe', %s)" % payload)
        view.settle()
        expect(len(view.events()), count, "events")
        expect(view.events()[-1]["payload"], wanted, payload)


@promise("channel: a vendor with names of its own is served by the same script, for every body")
def another_vendor(world):
    names = "handler: 'otherEvent', flutter: 'sdkEvent', android: { object: 'Android', method: 'postMessage' }"
    for native in ("android", "channel"):
        view = world.open_from_disk("talkdesk-chat-bridge.html", native)
        view.evaluate("bridgehost.mount({ name: 'Other', config: {}, overridable: [], required: [],"
                      "native: { %s, body: 'text' } }).send('over'); undefined" % names)
        expect([(call["via"], call["count"], call["body"]) for call in view.calls()], [(native, 1, "over")], "calls")
