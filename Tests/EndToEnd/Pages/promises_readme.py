"""The calls that README's chapters make of a page, taken from README itself."""

import json
import os
import re

from promises import expect, promise

_README = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../README.md")


def _chapter(title):
    with open(_README, encoding="utf-8") as file:
        return re.search(r"^## %s\n(.*?)^## " % re.escape(title), file.read(), re.S | re.M)[1]


def _scripts(chapter):
    """What is passed to a web view: Swift's texts, of one line or many."""
    start = re.search(r'start = """\n(.*?)"""', chapter, re.S)[1]
    calls = re.findall(r'callJavaScript\("([^"]*)"', chapter)
    return start, calls


@promise("README: the WebPage chapter's scripts start the chat and hand over each event once, in order, without a handler")
def web_page(world):
    start, (next_event, open_chat) = _scripts(_chapter("iOS 26: SwiftUI WebPage"))
    view = world.open("chat")
    view.call(start, {"config": {"languageCode": "pt-BR"}})
    expect(json.loads(view.call(next_event, {}))["type"], "sdkReady", "first event")
    expect(view.value("__sdk.inits[0].configuration.languageCode"), "pt-BR", "the app's setting")
    view.call(open_chat, {})
    view.evaluate("__sdk.chats[0].onConversationStart(); __sdk.chats[0].onCloseWebchat()")
    types = [json.loads(view.call(next_event, {}))["type"] for _ in range(3)]
    expect(types, ["onOpenWebchat", "onConversationStart", "onCloseWebchat"], "events")


@promise("README: an event that comes while the app waits for it is handed over at once")
def waiting(world):
    start, (next_event, _) = _scripts(_chapter("iOS 26: SwiftUI WebPage"))
    view = world.open("chat")
    view.call(start, {"config": {}})
    view.call(next_event, {})
    view.evaluate("setTimeout(() => __sdk.chats[0].onCloseWebchat(), 20); undefined")
    expect(json.loads(view.call(next_event, {}))["type"], "onCloseWebchat", "event")


@promise("README: the WKWebView and Kotlin chapters' calls start and open the chat")
def calls(world):
    for title, native in (("iOS: WKWebView", "ios"), ("Android: Kotlin", "android"), ("Android: Kotlin", "channel")):
        start = re.search(r'"(window\.initTalkdeskChat\([^"]*)"', _chapter(title))[1].replace("$overrides", "config")
        view = world.open("chat", native)
        view.call(start, {"config": {"languageCode": "pt-BR"}})
        view.event("sdkReady")
        view.evaluate(re.search(r'"(window\.openTalkdeskChat\(\))"', _chapter(title))[1])
        view.event("onOpenWebchat")
        expect(view.types(), ["sdkReady", "onOpenWebchat"], "events of " + title)
