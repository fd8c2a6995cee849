"""What a person sees: the waiting line, the language, the layout; and what a plain browser does not see."""

import re

from promises import expect, expect_in, promise
from promises_talkdesk_start import GUIDE, start


@promise("page: a plain browser shows what the chat waits for, and no console error")
def plain_browser(world):
    view = world.open("chat")
    expect_in("waiting for the app", view.line(), "the page's line")
    expect(view.value("document.getElementById('bridge-status').getAttribute('role')"), "status", "role")
    expect(view.console_errors(), [], "console errors")
    expect(view.violations(), [], "violations")


@promise("page: the line goes when the chat starts")
def line_goes(world):
    view = world.open("chat", "ios")
    start(view)
    view.event("sdkReady")
    expect(view.value("getComputedStyle(document.getElementById('bridge-status')).display"), "none", "display")


@promise("page: an Arabic tenant's page is ar-SA and right to left, its English line is neither")
def right_to_left(world):
    view = world.open("chat-arabic", "ios")
    expect(view.value("[document.documentElement.lang, document.documentElement.dir]"), ["ar-SA", "rtl"], "document")
    expect(view.value("document.getElementById('bridge-status').lang"), "en", "line")
    expect(view.value("getComputedStyle(document.getElementById('bridge-status')).direction"), "ltr", "direction")


@promise("page: direction follows the language and its script")
def directions(world):
    wanted = {"en": "ltr", "he-IL": "rtl", "fa": "rtl", "ur_PK": "rtl", "arn": "ltr", "az-Arab-IR": "rtl", "ar-Latn": "ltr",
              "": "ltr"}
    view = world.open_from_disk("talkdesk-chat-bridge.html")
    for language, direction in wanted.items():
        view.evaluate("bridgehost.mount({ name: 'Probe', config: { tongue: '%s' }, overridable: [], required: [],"
                      "languageSetting: 'tongue', native: { body: 'text' } }); undefined" % language)
        found = view.value("[document.documentElement.lang, document.documentElement.dir]")
        expect(found, [language.replace("_", "-") or "en", direction], language)


@promise("page: nothing scrolls sideways and the line fills the view")
def layout(world):
    for tenant in ("chat", "chat-notice", "assistant-disabled"):
        view = world.open(tenant)
        expect(view.value("document.documentElement.scrollWidth <= innerWidth"), True, "width of " + tenant)
        expect(view.value("document.getElementById('bridge-status').getBoundingClientRect().height === innerHeight"),
               True, "height of " + tenant)


@promise("page: from disk the chat says what it waits for, and an app can start it")
def from_disk(world):
    view = world.open_from_disk("talkdesk-chat-bridge.html", "ios")
    expect_in("waiting for the app", view.line(), "the page's line")
    expect(view.console_errors(), [], "console errors")
    start(view)
    view.event("sdkReady")
    expect(view.types(), ["sdkReady"], "events")
    expect(view.value("__sdk.created[0].properties.region"), GUIDE["region"], "region")


@promise("page: from disk a start without a touchpoint is one error that names it")
def from_disk_without_touchpoint(world):
    view = world.open_from_disk("talkdesk-chat-bridge.html", "ios")
    view.evaluate("window.initTalkdeskChat()")
    expect_in("touchpointId", view.event("error")["payload"]["message"], "message")


@promise("page: the page adds three globals and no more, and the shared one is frozen")
def few_globals(world):
    view = world.open_from_disk("talkdesk-chat-bridge.html")
    view.evaluate("document.body.appendChild(document.createElement('iframe')); undefined")
    added = view.value("Object.keys(window).filter(name => !(name in frames[0]) && !/^(0|__app)$/.test(name)).sort()")
    expect(added, ["bridgehost", "initTalkdeskChat", "openTalkdeskChat"], "globals")
    expect(view.value("Object.isFrozen(bridgehost)"), True, "frozen")


@promise("page: the shared script names no vendor, and no script needs more than ES2018")
def plain_source(world):
    with open(world.public + "/bridge.js", encoding="utf-8") as file:
        shared = file.read()
    expect(re.findall(r"talkdesk|usizy|barantum|smart.?assistant", shared, re.IGNORECASE), [], "vendors")
    for page in world.pages.values():
        with open(world.public + "/" + page, encoding="utf-8") as file:
            shared += file.read()
    newer = re.findall(r"\?\.[\w\[(]|\?\?|\|\|=|&&=|\.replaceAll|\.flat\(|fromEntries|globalThis|catch \{|\.at\(|\bthis\.#", shared)
    expect(newer, [], "newer syntax")


@promise("page: no other host was asked for anything")
def no_other_host(world):
    expect(world.proxy.refused, [], "refused hosts")
