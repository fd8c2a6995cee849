"""Who asks: clients at addresses of their own, whom the service knows by how often they were refused."""
from harness.promises import equal
from harness.signing import SigningWorld, door
from harness.tools import curl

# A client that asks for an identity without a token hears so once a minute.
ONCE = {"failuresPerMinutePerAddress": 1, "identitiesPerSecond": 1_000, "identitiesPerSecondPerAddress": 1_000}
TRUSTED = ["127.0.0.1"]


def make_world(listeners, **settings):
    limits = {**ONCE, **settings.pop("limits", {})}
    return SigningWorld(limits=limits, listeners=listeners, trustedProxies=TRUSTED, **settings)


def ask(server, url, client, *options):
    """What a client at that address gets, by curl."""
    return curl(url, "--cacert", server.ca, "--interface", client, *options)


def is_known(server, base, client, *options):
    """Whether the service has refused somebody at that address before; now it has."""
    answer = ask(server, base + door(), client, "--request", "POST", "--data", "{}", *options)
    if answer.status not in (401, 429):
        raise AssertionError(f"{answer.status}: {answer.body[:200]!r}")
    return answer.status == 429


def counts_by_client(server, base, first, second, *options):
    """Each address is a client of its own, however it asks."""
    equal(is_known(server, base, first, *options), False, "the first client, first")
    equal(is_known(server, base, first, *options), True, "the first client, again")
    equal(is_known(server, base, second, *options), False, "another client")
