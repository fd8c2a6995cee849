"""Which of several certificates for one name a client is shown: the first whose key it can verify in the version spoken."""
from harness.authority import P256, RSA, Authority
from harness.hello import SUITES13, TLS12, TLS13, ask, hello, record, short, vector
from harness.promises import Group, equal
from harness.tools import s_client
from harness.world import World, shop

EC384 = "EC -pkeyopt ec_paramgen_curve:P-384"
ORDERS = (("ec", "rsa"), ("rsa", "ec"))


def authority():
    yield Authority(shop().folder / f"keys-{next(shop().numbers)}")


group = Group("TLS keys", authority)


def served(*pairs, hosts=("pages.example",)):
    return World(certificates=list(pairs), hosts=list(hosts), publicBaseURL=None).start()


def shown(server, *options):
    """The subject's last word; nothing where the handshake failed."""
    seen = s_client(server.secure, *options)
    return next((line.split()[-1] for line in seen.out.splitlines() if line.startswith("subject=")), None)


def pairs(authority, kinds, key=P256):
    return [authority.leaf(kind, key if kind == "ec" else RSA, subjectAltName="DNS:pages.example") for kind in kinds]


NAME = ("-servername", "pages.example")
# Options of openssl's client, and what it must be shown if both are there.
CLIENTS = {
    "without P-256 on TLS 1.2 gets RSA": (P256, ("-tls1_2", "-curves", "X25519:P-384"), "rsa"),
    "of X25519 alone on TLS 1.2 gets RSA": (P256, ("-tls1_2", "-curves", "X25519"), "rsa"),
    "without P-384 on TLS 1.2 gets RSA instead of P-384": (EC384, ("-tls1_2", "-curves", "X25519:P-256"), "rsa"),
    "of P-384 on TLS 1.2 and ECDSA alone gets P-384": (EC384, ("-tls1_2", "-curves", "P-384", "-sigalgs", "ECDSA+SHA256"), "ec"),
    "of ECDSA over SHA-384 alone on TLS 1.2 gets P-256, since there a scheme is for any curve": (
        P256, ("-tls1_2", "-sigalgs", "ECDSA+SHA384"), "ec"),
    "of ECDSA over SHA-384 and of PSS on TLS 1.3 gets RSA, since there a scheme is for one curve": (
        P256, ("-tls1_3", "-sigalgs", "ECDSA+SHA384:rsa_pss_rsae_sha256"), "rsa"),
    "of PKCS #1 and ECDSA on TLS 1.3 gets ECDSA, since there PKCS #1 signs no handshake": (
        P256, ("-tls1_3", "-sigalgs", "RSA+SHA256:ECDSA+SHA256"), "ec"),
    "of PKCS #1 alone on TLS 1.2 gets RSA": (P256, ("-tls1_2", "-sigalgs", "RSA+SHA256"), "rsa")}


@group.each("a client {}, in whatever order they are", CLIENTS)
def _(authority, case):
    key, options, kind = case
    for order in ORDERS:
        with served(*pairs(authority, order, key)) as server:
            for name in (NAME, ("-noservername",)):
                equal(shown(server, *name, *options), kind, f"{order}: {name}")


@group.promise("on TLS 1.3 the groups say nothing of keys: X25519 alone gets the first, which is ECDSA")
def _(authority):
    with served(*pairs(authority, ORDERS[0])) as server:
        equal(shown(server, *NAME, "-tls1_3", "-curves", "X25519"), "ec")


HELLOS = {
    "of 1.2 that lists a suite of 1.3": (TLS12, [0x1301, 0xC02B], {"SIGNATURE_ALGORITHMS": (0x0403, 0x0401)}, 0xC02B),
    "of 1.2 that lists a suite of 1.3 beside RSA": (
        TLS12, [0x1301, 0xC02F], {"SIGNATURE_ALGORITHMS": (0x0403, 0x0401)}, 0xC02F),
    "of 1.3 with suites of 1.2 and PKCS #1": (
        TLS13, [*SUITES13, 0xC02F], {"SIGNATURE_ALGORITHMS": (0x0401, 0x0403)}, 0x1301),
    "that names 1.2 alone in its versions": (
        TLS12, [0x1301, 0xC02B], {"SIGNATURE_ALGORITHMS": (0x0401, 0x0403), "VERSIONS": b"\2\3\3"}, 0xC02B)}


@group.each("a hello {} is answered, whichever kind is first", HELLOS)
def _(authority, case):
    version, suites, changes, suite = case
    changes = {**changes, "SIGNATURE_ALGORITHMS": vector(short(*changes["SIGNATURE_ALGORITHMS"]))}
    for order in ORDERS:
        with served(*pairs(authority, order)) as server:
            reply = ask(server.secure, record(hello(version, suites, name="pages.example", **changes)))
            equal((reply.is_hello, reply.suite), (True, suite), f"{order}: {reply}")


@group.promise("without a name, or with an unknown one, no host's certificate is shown but the first one, if one fits or not")
def _(authority):
    first = authority.leaf("first", P256, subjectAltName="DNS:first.example,DNS:www.first.example")
    other = authority.leaf("other", RSA, subjectAltName="DNS:other.example,DNS:first.example")
    twin = authority.leaf("twin", RSA, subjectAltName="DNS:*.first.example,DNS:FIRST.example")
    names = ("-noservername",), ("-servername", "stranger.example")
    for chosen, expected in (((first, other), None), ((first, other, twin), "twin")):
        with served(*chosen, hosts=["first.example", "other.example"]) as server:
            for name in names:
                equal(shown(server, *name, "-tls1_2", "-sigalgs", "RSA+SHA256"), expected, f"{name}")
                equal(shown(server, *name, "-tls1_2"), "first")
            equal(shown(server, "-servername", "other.example", "-tls1_2"), "other")
