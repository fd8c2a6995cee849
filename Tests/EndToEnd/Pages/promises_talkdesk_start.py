"""The chat page starts as the vendor's guide says, and protects what the tenant decided."""

import base64
from datetime import datetime
import hashlib
import json

from promises import expect, expect_in, promise
from tenants import TOUCHPOINT

# The dictionary that the guide's app always sends.
GUIDE = {
    "touchpointId": TOUCHPOINT, "region": "td-us-1", "languageCode": "en-US", "enableEmoji": True,
    "enableAttachments": True, "enableSoundNotification": True, "enableUserInput": True,
    "enableChatHeader": True, "enableValidation": True,
}


def start(view, configuration=GUIDE):
    view.evaluate("window.initTalkdeskChat(%s)" % json.dumps(configuration))


@promise("chat: the guide's calls, in its order, run without an error and open the chat")
def guide_calls(world):
    view = world.open("chat", "ios")
    expect(view.evaluate("window.initTalkdeskChat(%s)" % json.dumps(GUIDE)), None, "the call's value")
    view.event("sdkReady")
    expect(view.evaluate("window.openTalkdeskChat()"), None, "the call's value")
    view.event("onOpenWebchat")
    expect(view.types(), ["sdkReady", "onOpenWebchat"], "events")
    expect(view.value("__sdk.opened"), 1, "times opened")


@promise("chat: a configuration passed as an argument (SwiftUI's callJavaScript) starts it as well")
def call_with_arguments(world):
    view = world.open("chat", "ios")
    view.call("return window.initTalkdeskChat(config)", {"config": GUIDE})
    view.event("sdkReady")
    expect(view.types(), ["sdkReady"], "events")


@promise("chat: an event is {type, payload: object or null, timestamp: ISO}, sent as one object on iOS")
def event_form(world):
    view = world.open("chat", "ios")
    start(view)
    event = view.event("sdkReady")
    expect(sorted(event), ["payload", "timestamp", "type"], "members")
    expect(event["payload"], None, "payload")
    datetime.strptime(event["timestamp"], "%Y-%m-%dT%H:%M:%S.%fZ")
    call = view.calls()[0]
    expect((call["via"], call["count"], call["type"]), ("ios", 1, "object"), "how it was sent")


@promise("chat: the SDK gets the tenant's values, the responsive layout, its container and its callbacks in time")
def what_the_sdk_gets(world):
    view = world.open("chat", "ios")
    start(view)
    view.event("sdkReady")
    created = view.value("__sdk.created")
    expect(created, [{"node": "tdWebchat", "hasContainer": True, "properties": {
        "touchpointId": TOUCHPOINT, "region": "td-us-1", "accountId": ""}}], "factory call")
    init = view.value("__sdk.inits[0]")
    expect(init["assigned"], "function", "callbacks at init")
    flags = {key: True for key in GUIDE if key.startswith("enable")}
    expect(init["configuration"], dict(flags, enableResponsiveLayout=True, languageCode="en-US"), "init call")


@promise("chat: all five chat events reach the app, in order, without a payload")
def chat_events(world):
    view = world.open("chat", "ios")
    start(view)
    view.event("sdkReady")
    names = ["onOpenWebchat", "onConversationStart", "onConversationEnded", "onConversationClear", "onCloseWebchat"]
    view.evaluate("%s.forEach(name => __sdk.chats[0][name]('ignored'))" % json.dumps(names))
    view.event("onCloseWebchat")
    expect(view.types(), ["sdkReady"] + names, "events")
    expect([event["payload"] for event in view.events()], [None] * 6, "payloads")


@promise("chat: everything the SDK loads passes the policy: style, frame, picture, gateway; no violation")
def policy_allows_the_sdk(world):
    view = world.open("chat", "ios")
    start(view)
    view.event("sdkReady")
    expect(view.value("getComputedStyle(document.getElementById('tdWebchat')).color"), "rgb(1, 2, 3)", "SDK's style")
    expect(view.violations(), [], "violations")
    expect(view.console_errors(), [], "console errors")
    expect_in("/v2/widget/latest/index.html", world.vendor.requests, "frame request")


@promise("chat: a script that is not the page's own does not run")
def policy_blocks_strangers(world):
    view = world.open("chat", "ios")
    view.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=\"data:,\" onerror=\"window.stranger = 1\">')")
    view.until("__app.violations.length > 0", "a violation")
    expect(view.value("typeof window.stranger"), "undefined", "stranger")


@promise("chat: called without an argument it starts with the tenant's settings")
def without_argument(world):
    for argument in ("", "undefined", "null", "{}"):
        view = world.open("chat", "ios")
        expect(view.evaluate("window.initTalkdeskChat(%s)" % argument), None, "the call's value")
        view.event("sdkReady")
        expect(view.types(), ["sdkReady"], "events for (%s)" % argument)


@promise("chat: garbage instead of a configuration is one warning, no exception, and the chat starts")
def garbage(world):
    cyclic = "(() => { const a = {}; a.a = a; return a; })()"
    throwing = "({ get region() { throw new Error('no'); } })"
    for argument in ("'text'", "7", "[1]", "true", "Symbol()", "10n", "() => 1", "document.body.childNodes[0].x || NaN",
                     cyclic, throwing):
        view = world.open("chat", "ios")
        expect(view.evaluate("window.initTalkdeskChat(%s)" % argument), None, "the call's value")
        view.event("sdkReady")
        expect(view.types(), ["warning", "sdkReady"], "events for (%s)" % argument)


@promise("chat: the app's value wins for settings it may override")
def overrides(world):
    view = world.open("chat", "ios")
    start(view, dict(GUIDE, enableEmoji=False, languageCode="de-DE"))
    view.event("sdkReady")
    configuration = view.value("__sdk.inits[0].configuration")
    expect((configuration["enableEmoji"], configuration["languageCode"]), (False, "de-DE"), "init call")
    expect(view.value("document.documentElement.lang"), "de-DE", "lang")
    expect(view.types(), ["sdkReady"], "events")


@promise("chat: a null from the app means that it has no value to give")
def null_setting(world):
    view = world.open("chat", "ios")
    start(view, dict(GUIDE, languageCode=None, region=None))
    view.event("sdkReady")
    expect(view.types(), ["sdkReady"], "events")
    expect(view.value("__sdk.inits[0].configuration.languageCode"), "en-US", "languageCode")


@promise("chat: the tenant's value stays for all others, and one warning names them")
def protected_settings(world):
    view = world.open("chat", "ios")
    start(view, dict(GUIDE, touchpointId="other", region="td-eu-1", scriptURL="https://evil.example/x.js",
                     enableEmoji="no", constructor=1, unheard="of"))
    view.event("sdkReady")
    expect(view.types(), ["warning", "sdkReady"], "events")
    message = view.events()[0]["payload"]["message"]
    for name in ("touchpointId", "region", "scriptURL", "enableEmoji", "constructor", "unheard"):
        expect_in(name, message, "warning")
    expect(view.value("__sdk.created[0].properties.touchpointId"), TOUCHPOINT, "touchpointId")
    expect(view.value("__sdk.inits[0].configuration.enableEmoji"), True, "enableEmoji")
    expect_in("/v2/talkdeskchatsdk.js", world.vendor.requests, "script request")


@promise("chat: a key named like an object's own machinery is ignored with one warning")
def prototype_key(world):
    view = world.open("chat", "ios")
    view.evaluate("""window.initTalkdeskChat(JSON.parse('{"__proto__": {"enableEmoji": false}}'))""")
    view.event("sdkReady")
    expect(view.types(), ["warning", "sdkReady"], "events")
    expect(view.value("__sdk.inits[0].configuration.enableEmoji"), True, "enableEmoji")


@promise("chat: a served page without a list of overridable settings lets the app override none")
def nothing_overridable(world):
    data = {"tenant": "t", "config": {"touchpointId": TOUCHPOINT, "region": "td-us-1"}}
    view = world.open_variant("talkdesk-chat-bridge.html", data, "ios")
    start(view, {"touchpointId": "other", "enableEmoji": False})
    view.event("sdkReady")
    expect(view.types(), ["warning", "sdkReady"], "events")
    expect(view.value("__sdk.created[0].properties.touchpointId"), TOUCHPOINT, "touchpointId")
    expect(view.value("__sdk.inits[0].configuration.enableEmoji"), True, "enableEmoji")


@promise("chat: styles and autoOpen that a tenant sets reach the SDK where it looks for them")
def optional_settings(world):
    config = {"touchpointId": TOUCHPOINT, "region": "td-us-1", "autoOpen": True, "chatLauncherColor": "#123456",
              "receiveMessageAudioURL": "https://audio.example/ding.mp3"}
    view = world.open_variant("talkdesk-chat-bridge.html", {"tenant": "t", "config": config}, "ios")
    start(view, {})
    view.event("sdkReady")
    expect(view.value("__sdk.created[0].properties.autoOpen"), True, "autoOpen")
    expect(view.value("__sdk.inits[0].configuration.styles"),
           {"chatLauncherColor": "#123456", "receiveMessageAudioURL": "https://audio.example/ding.mp3"}, "styles")


@promise("chat: a pinned script starts when it matches its hash and is one error when it does not")
def pinned_script(world):
    for text, wanted in ((world.vendor.script("/v2/talkdeskchatsdk.js"), "sdkReady"), (b"another", "error")):
        pin = "sha256-" + base64.b64encode(hashlib.sha256(text).digest()).decode()
        config = {"touchpointId": TOUCHPOINT, "region": "td-us-1", "scriptIntegrity": pin}
        view = world.open_variant("talkdesk-chat-bridge.html", {"tenant": "t", "config": config}, "ios")
        start(view, {})
        view.event(wanted)
        expect(view.types(), [wanted], "events")


@promise("chat: even the tenant's own scriptURL, sent by the app, is a warning")
def script_url_is_never_the_apps(world):
    view = world.open("chat", "ios")
    view.evaluate("window.initTalkdeskChat({ scriptURL: 'https://talkdeskchatsdk.talkdeskapp.com/v2/talkdeskchatsdk.js' })")
    view.event("sdkReady")
    expect(view.types(), ["warning", "sdkReady"], "events")


@promise("chat: a second start changes nothing and is one warning, while starting and after")
def second_start(world):
    view = world.open("chat", "ios")
    view.evaluate("window.initTalkdeskChat({}); window.initTalkdeskChat({})")
    view.event("sdkReady")
    start(view)
    view.settle()
    expect(view.types(), ["warning", "sdkReady", "warning"], "events")
    expect(len(view.value("__sdk.created")), 1, "chats made")


@promise("chat: autoStart starts without a call")
def auto_start(world):
    view = world.open("chat-auto", "ios")
    view.event("sdkReady")
    expect(view.types(), ["sdkReady"], "events")


@promise("chat: openTalkdeskChat before sdkReady is a warning, not an exception")
def early_open(world):
    view = world.open("chat-init-pending", "ios")
    expect(view.evaluate("window.openTalkdeskChat()"), None, "the call's value")
    view.evaluate("window.initTalkdeskChat()")
    view.until("window.__sdk && __sdk.settle.length === 1", "init")
    expect(view.evaluate("window.openTalkdeskChat()"), None, "the call's value")
    view.settle()
    expect(view.types(), ["warning", "warning"], "events")
    expect(view.value("__sdk.opened"), 0, "times opened")


@promise("chat: an SDK that cannot open is a warning, not an exception")
def failing_open(world):
    view = world.open("chat-open-throw", "ios")
    start(view)
    view.event("sdkReady")
    expect(view.evaluate("window.openTalkdeskChat()"), None, "the call's value")
    expect_in("cannot open", view.event("warning")["payload"]["message"], "warning")
    expect(view.types(), ["sdkReady", "warning"], "events")
