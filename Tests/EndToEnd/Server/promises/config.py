"""Config by REST as the tenant wrote it: what is absent stays absent, false stays false, an integer stays one."""
import json
import shutil

from harness.promises import Group, contains, equal, holds
from harness.world import CHECKOUT, World

LOOKS = {"locale": "en", "title": "Hi <b>&</b>", "subtitle": "\u0645\u0631\u062d\u0628\u0627", "color": "#2563eb",
         "logoURL": "https://static.acme.example/logo.png", "preChat": False, "visitorName": "", "visitorPhone": "+62"}


def shipped():
    world = World()
    shutil.copytree(CHECKOUT / "config/bridges", world.config / "bridges", dirs_exist_ok=True)
    shutil.copytree(CHECKOUT / "public", world.public, dirs_exist_ok=True)
    bare = {"inboxIdentifier": "inbox-1"}
    chat = {"touchpointId": "t", "region": "td-us-1"}
    world.write("config/tenants/bare.json", {"bridges": {
        "barantum": {"settings": bare}, "talkdesk": {"settings": chat}, "smart-assistant": {"settings": {"apiKey": "k"}}}})
    world.write("config/tenants/full.json", {"bridges": {
        "barantum": {"settings": {**bare, **LOOKS}},
        "talkdesk": {"settings": {**chat, "enableEmoji": False, "autoOpen": False, "triggerButtonWidth": 64,
                                  "triggerButtonPositionRight": 0}},
        "smart-assistant": {"settings": {"apiKey": "k", "opened": False, "hideMinimize": False}}}})
    with world.start() as server:
        yield server


group = Group("Config", shipped)


def config(server, tenant, bridge):
    answer = server.curl(f"/api/v1/tenants/{tenant}/bridges/{bridge}")
    equal(answer.status, 200)
    return json.loads(answer.body)["config"], answer.body.decode()


@group.promise("what a tenant leaves out is absent, unless the vendor's page needs a value")
def _(server):
    equal(config(server, "bare", "barantum")[0], {
        "inboxIdentifier": "inbox-1", "livechatBaseURL": "https://livechat.barantum.com",
        "widgetURL": "https://livechat.barantum.com/widget/"})
    for name in ("autoOpen", "triggerButtonWidth", "receiveMessageAudioURL"):
        holds(name not in config(server, "bare", "talkdesk")[0], name)


@group.promise("false is false, an empty text is empty, and what HTML would read is the same text")
def _(server):
    found, _ = config(server, "full", "barantum")
    equal({name: found[name] for name in LOOKS}, LOOKS)
    found, _ = config(server, "full", "smart-assistant")
    equal((found["opened"], found["hideMinimize"]), (False, False))


@group.promise("an integer has no point and no exponent, and 0 is no false")
def _(server):
    found, text = config(server, "full", "talkdesk")
    contains(text, '"triggerButtonWidth":64')
    contains(text, '"triggerButtonPositionRight":0')
    equal((found["enableEmoji"], found["autoOpen"]), (False, False))
