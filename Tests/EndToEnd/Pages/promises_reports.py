"""What engines really report reaches the service, which tells it once."""

from promises import promise
from promises_policy import INJECTED


def _told(world, tenant, directive, origin, verb="blocked"):
    world.service.line("policy violation: %s: %s %s %s" % (tenant, directive, verb, origin))


@promise("reports: each part of injected markup is reported and told, with directive and origin", True)
def injected(world):
    world.open_tampered("chat", "ios")
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
