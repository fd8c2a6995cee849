"""The assistant's page makes the vendor's element from the tenant's settings and closes the screen."""

from promises import expect, expect_in, promise
from tenants import LAUNCHER, NOTICE

_ATTRIBUTES = ("Object.fromEntries([...document.querySelector('smart-assistant').attributes]"
               ".map(attribute => [attribute.name, attribute.value]))")
_IS_DEFINED = "document.querySelector('smart-assistant:defined') !== null"
_CLOSE = "document.querySelector('smart-assistant').shadowRoot.querySelector('button').click()"


@promise("assistant: the element carries the tenant's settings; everything passes the policy")
def attributes(world):
    view = world.open("assistant", "ios-assistant")
    view.until(_IS_DEFINED, "the element")
    expect(view.value(_ATTRIBUTES), {"language": "en", "api-key": "key-1", "opened": "", "hide-minimize": ""}, "attributes")
    expect(view.violations(), [], "violations")
    expect(view.console_errors(), [], "console errors")
    expect(view.line(), "", "the page's line")


@promise("assistant: presence attributes are left out when false; lang follows the setting")
def presence(world):
    view = world.open("assistant-bare", "ios-assistant")
    view.until(_IS_DEFINED, "the element")
    expect(view.value(_ATTRIBUTES), {"language": "es", "api-key": "key-1"}, "attributes")
    expect(view.value("document.documentElement.lang"), "es", "lang")


@promise("assistant: close posts the text 'close' to smartAssistantClose, once")
def close_ios(world):
    view = world.open("assistant", "ios-assistant")
    view.until(_IS_DEFINED, "the element")
    view.evaluate(_CLOSE)
    view.settle()
    expect(view.calls(), [{"via": "ios", "count": 1, "type": "string", "body": "close"}], "calls")


@promise("assistant: close calls Android.close() without an argument")
def close_android(world):
    view = world.open("assistant", "android-assistant")
    view.until(_IS_DEFINED, "the element")
    view.evaluate(_CLOSE)
    view.settle()
    expect(view.calls(), [{"via": "android", "count": 0, "type": "undefined", "body": None}], "calls")


@promise("assistant: close posts the text 'close' to a channel and to React Native")
def close_elsewhere(world):
    for native, via in (("channel-assistant", "channel"), ("react-native", "react-native")):
        view = world.open("assistant", native)
        view.until(_IS_DEFINED, "the element")
        view.evaluate(_CLOSE)
        view.settle()
        expect(view.calls(), [{"via": via, "count": 1, "type": "string", "body": "close"}], "calls")


def _fails_on_the_page(world, tenant):
    view = world.open(tenant, "ios-assistant", wait_for_load=False)
    view.until("document.getElementById('bridge-status').textContent.includes('not available')", "the page's line")
    expect(view.value("document.querySelector('smart-assistant')"), None, "left-over element")
    expect(view.calls(), [], "calls to the app")


@promise("assistant: a launcher that cannot be loaded shows on the page and never closes the screen")
def launcher_fails(world):
    for tenant in ("assistant-404", "assistant-drop"):
        _fails_on_the_page(world, tenant)


@promise("assistant: a launcher that never answers, throws or defines nothing shows after startTimeoutSeconds")
def launcher_times_out(world):
    for tenant in ("assistant-hang", "assistant-throw", "assistant-undefined"):
        _fails_on_the_page(world, tenant)


@promise("assistant: an uncaught error or rejection leaves the assistant and the app alone")
def uncaught(world):
    view = world.open("assistant", "ios-assistant")
    view.until(_IS_DEFINED, "the element")
    view.evaluate("setTimeout(() => { throw new Error('late'); }); Promise.reject(new Error('left alone')); undefined")
    view.settle()
    expect(view.calls(), [], "calls to the app")
    expect(view.line(), "", "the page's line")


@promise("assistant: an uncaught error while the launcher is awaited does not end the start")
def uncaught_early(world):
    data = {"tenant": "t", "config": {"apiKey": "key-1", "scriptURL": LAUNCHER + "?do=throw"}}
    view = world.open_variant("smart_assistant.html", data, "ios-assistant")
    view.settle()
    expect(view.line(), "", "the page's line")
    view.evaluate("customElements.define('smart-assistant', class extends HTMLElement {})")
    view.until(_IS_DEFINED, "the element")
    expect(view.calls(), [], "calls to the app")


@promise("assistant: disabled, the page shows the notice and loads nothing")
def disabled(world):
    view = world.open("assistant-disabled", "ios-assistant")
    view.settle()
    expect(view.line(), NOTICE, "the page's line")
    expect(view.value("document.querySelector('smart-assistant')"), None, "element")
    expect(view.calls(), [], "calls to the app")
    expect(view.value("document.querySelectorAll('script[src]').length"), 0, "scripts from elsewhere")


@promise("assistant: from disk, without settings, it says what it waits for; no console error")
def from_disk(world):
    view = world.open_from_disk("smart_assistant.html", "ios-assistant")
    expect_in("waiting for the settings", view.line(), "the page's line")
    expect(view.console_errors(), [], "console errors")
