"""Who asks: clients at addresses of their own, whom the service knows by how often they were refused."""
import itertools

from harness.promises import Broken, holds
from harness.signing import SigningWorld, door
from harness.tools import curl

# A client that asks for an identity without a token hears so once a minute.
ONCE = {"failuresPerMinutePerAddress": 1, "identitiesPerSecond": 1_000, "identitiesPerSecondPerAddress": 1_000}
TRUSTED = ["127.0.0.1"]
_addresses = itertools.count(10)


def make_world(listeners, **settings):
    limits = {**ONCE, **settings.pop("limits", {})}
    return SigningWorld(limits=limits, listeners=listeners, trustedProxies=TRUSTED, **settings)


def fresh():
    """An address of loopback that nobody has asked from."""
    return "127.0.{1}.{0}".format(*reversed(divmod(256 + next(_addresses), 256)))


def ask(server, url, client, *options):
    """What a client at that address gets, by curl."""
    return curl(url, "--cacert", server.ca, "--interface", client, *options)


def is_known(server, base, client, *options):
    """Whether the service has refused somebody at that address before; now it has."""
    answer = ask(server, base + door(), client, "--request", "POST", "--data", "{}", *options)
    if answer.status not in (401, 429):
        raise AssertionError(f"{answer.status}: {answer.body[:200]!r}")
    return answer.status == 429


def newcomer(server, base, *options):
    """An address that the service has now refused for the first time.

    Addresses that fall into one of its 4,096 buckets count together, so one may be taken for another; hardly three.
    """
    for _ in range(3):
        client = fresh()
        if not is_known(server, base, client, *options):
            return client
    raise Broken("clients at different addresses count as one")


def counts_by_client(server, base, *options):
    """Each address is a client of its own, however it asks."""
    holds(is_known(server, base, newcomer(server, base, *options), *options), "the same client, again")
    newcomer(server, base, *options)
