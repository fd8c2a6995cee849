"""The inspector tells within a minute why a chat does not appear."""

import re

from promises import expect, expect_in, promise

_SHOWN = "document.querySelector('#timeline li[data-kind=%s]') !== null"
_EVENTS = "[...document.querySelectorAll('#timeline li[data-kind=event] .headline')].map(one => one.textContent)"
_FRAME = "document.querySelector('iframe').contentWindow"


def _promise(text):
    """A service that runs already may be without the inspector."""
    def register(check):
        return promise("inspector: " + text)(lambda world: world.service is None or check(world))
    return register


def _inspect(world, tenant):
    view = world.open_inspector(tenant)
    view.until(_SHOWN % "document", "the page in the frame")
    return view


def _press(view, text):
    view.evaluate("[...document.querySelectorAll('#buttons button')].find(one => one.textContent === '%s').click()" % text)


def _event(view, kind, seconds=5):
    view.until("%s.includes('%s')" % (_EVENTS, kind), "the event %s in the timeline" % kind, seconds)


def _choose(view, menu, value):
    view.evaluate("document.getElementById('timeline').replaceChildren()")
    view.evaluate("(menu => { menu.value = '%s'; menu.dispatchEvent(new Event('change', { bubbles: true })); })"
                  "(document.getElementById('%s'))" % (value, menu))
    view.until(_SHOWN % "document", "the page again")


def _text(view, element):
    return view.value("document.getElementById('%s').textContent" % element)


@_promise("a chat that waits for its app says which call it waits for; the button makes it")
def waits_and_starts(world):
    view = _inspect(world, "chat")
    expect(_text(view, "verdict-title"), "The page waits for initTalkdeskChat", "verdict")
    _press(view, "initTalkdeskChat(config)")
    _event(view, "sdkReady")
    expect(view.value(_EVENTS), ["sdkReady"], "events")
    expect(view.value(_FRAME + ".__sdk.created[0].properties.region"), "td-us-1", "region that the vendor got")
    expect_in("runs", _text(view, "verdict-title"), "verdict")
    _press(view, "openTalkdeskChat()")
    _event(view, "onOpenWebchat")
    expect(view.value("document.querySelector('#timeline time').textContent.match(/^[0-9]+[.][0-9]{3} s$/) !== null"), True, "time")
    expect(view.console_errors(), [], "console errors")


@_promise("events arrive by the bridge of every platform, one that comes late included")
def platforms(world):
    view = _inspect(world, "chat")
    for platform in ("android", "androidx", "react-native", "flutter", "inappwebview"):
        _choose(view, "platform", platform)
        _press(view, "initTalkdeskChat()")
        _event(view, "sdkReady")
    _choose(view, "delay", "3000")
    _press(view, "initTalkdeskChat()")
    _event(view, "sdkReady", seconds=15)
    kinds = view.value("[...document.querySelectorAll('#timeline li')].map(one => one.dataset.kind)")
    expect([kind for kind in kinds if kind in ("bridge-later", "bridge", "event")], ["bridge-later", "bridge", "event"], "order")


@_promise("while the app's bridge is not there it says so, and that events wait for it")
def late_bridge(world):
    view = _inspect(world, "chat")
    _choose(view, "delay", "12000")
    _press(view, "initTalkdeskChat()")
    view.until("document.getElementById('verdict-title').textContent === 'The app’s bridge is not there yet'", "the verdict")
    expect(view.value(_EVENTS), [], "events before the bridge")


@_promise("a plain browser is told apart from an app")
def no_app(world):
    view = _inspect(world, "chat-auto")
    _choose(view, "platform", "none")
    view.until("document.getElementById('verdict-title').textContent.includes('no app to tell')", "the verdict")
    expect(view.value(_EVENTS), [], "events")


@_promise("each failure has its cause: no script, no answer, refused by the vendor, switched off")
def failures(world):
    wanted = {
        "chat-404": "The vendor’s script could not be loaded",
        "chat-hang": "The vendor’s script did not answer",
        "chat-init-false": "The start failed: Talkdesk Chat SDK: init returned false",
        "chat-notice": "This bridge is switched off",
    }
    for tenant, title in wanted.items():
        view = _inspect(world, tenant)
        _press(view, "initTalkdeskChat(config)")
        _event(view, "error")
        view.until("document.getElementById('verdict-title').textContent === '%s'" % title, title)
        world.close_views()


@_promise("an assistant that fails without an error channel is explained too")
def silent_failures(world):
    for tenant, title in {"assistant": "runs", "assistant-404": "could not be loaded", "assistant-undefined": "start failed"}.items():
        view = _inspect(world, tenant)
        view.until("document.getElementById('verdict-title').textContent.includes('%s')" % title, title)
        world.close_views()


@_promise("a violation is shown as it happens, with what can be done about it")
def violations(world):
    view = _inspect(world, "chat")
    expect(_text(view, "violation-count"), "0", "violations before")
    view.evaluate(_FRAME + ".fetch('https://elsewhere.example/x').catch(() => {}); undefined")
    view.until("document.getElementById('violation-count').textContent === '1'", "the violation")
    shown = _text(view, "violations")
    for part in ("connect-src", "https://elsewhere.example", 'policy["connect-src"] in config/tenants/chat.json'):
        expect_in(part, shown, "violation")
    expect(view.value(_SHOWN % "violation"), True, "violation in the timeline")


@_promise("free arguments reach the page as JSON, and what is no JSON is said")
def free_arguments(world):
    view = _inspect(world, "chat")
    send = "document.getElementById('arguments').value = %r; document.getElementById('free').requestSubmit()"
    for wrong in ("[{", "{}"):
        view.evaluate(send % wrong)
        expect(_text(view, "free-problem") != "", True, "a problem is shown for " + wrong)
    view.evaluate(send % '[{"region": "elsewhere", "languageCode": "pt-BR"}]')
    _event(view, "warning")
    _event(view, "sdkReady")
    expect(_text(view, "free-problem"), "", "problem")
    expect(view.value(_FRAME + ".__sdk.inits[0].configuration.languageCode"), "pt-BR", "language that the vendor got")
    expect_in("region", view.value("document.querySelector('#timeline .odd pre').textContent"), "payload of the warning")


@_promise("every field, directive and source of the page has its words, and the config is whole")
def explains(world):
    view = _inspect(world, "chat")
    unexplained = view.value(
        "[...document.querySelectorAll('#fields section')].filter(one => !one.querySelector('p').textContent)"
        ".map(one => one.querySelector('h3').textContent)")
    expect(unexplained, [], "fields without words")
    silent = view.value(
        "[...document.querySelectorAll('#fields section:first-child :is(dt, dd)')]"
        ".filter(one => !one.querySelector('.quiet').textContent).map(one => one.querySelector('code').textContent)")
    expect(silent, ["/reports/chat/talkdesk", "bridgehost"], "parts of the policy without words")
    whole = _text(view, "fields")
    for part in ("the descriptor, by region = \"td-us-1\"", "every page", "the page's file", "microphone", "Safari from 15.4"):
        expect_in(part, whole, "words")
    names = view.value("[...document.querySelectorAll('#config th')].map(one => one.textContent)")
    for name in ("touchpointId", "region", "scriptURL", "native", "startTimeoutSeconds"):
        expect_in(name, names, "config")


@_promise("it fits a laptop's screen, names the variant that it shows, and names no vendor itself")
def appearance(world):
    view = _inspect(world, "chat")
    expect(view.value("document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight"),
           True, "nothing has to be scrolled")
    expect_in("frame-ancestors 'self'", _text(view, "device"), "label")
    sources = ""
    for file in ("inspect.html", "inspect.css", "inspect.js", "inspect-app.js", "inspect-words.js", "inspect-verdict.js"):
        with open(world.public + "/" + file, encoding="utf-8") as text:
            sources += text.read()
    expect(re.findall(r"talkdesk|usizy|barantum|smart.?assistant", sources, re.IGNORECASE), [], "vendors")


@_promise("outside of a frame the variant is the page of a plain browser")
def unframed(world):
    view = world.open_inspector("chat")
    view.evaluate("location.href = location.pathname + '/page'")
    view.until("(document.getElementById('bridge-status') || {}).textContent", "the variant's line")
    expect_in("waiting for the app", view.line(), "the page's line")
    expect(view.value("'webkit' in window && 'messageHandlers' in window.webkit && 'sdkEvent' in webkit.messageHandlers"),
           False, "a bridge that plays the app")
    expect(view.console_errors(), [], "console errors")
