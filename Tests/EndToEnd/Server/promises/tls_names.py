"""Which certificate a client is shown by the name it asks for, and which hosts it may then ask for."""
from harness.authority import P256, RSA, Authority
from harness.promises import Group, contains, equal, eventually, holds
from harness.tools import s_client
from harness.wire import Wire, tls_context
from harness.world import PATH, World, shop


def pair(order=1, **settings):
    return World(certificates=[shop().certificates, shop().edge][::order],
                 hosts=["pages.example", "edge.example", "a.edge.example"], **settings)


def two_certificates():
    with pair().start() as server:
        yield server


group = Group("TLS names", two_certificates)


def subject(seen):
    return next((line for line in seen.out.splitlines() if line.startswith("subject=")), None)


@group.each("the certificate is chosen by SNI: {}", {
    "an exact name of the first": ("localhost", "localhost"), "an exact name of the second": ("edge.example", "edge.example"),
    "a wildcard of the second": ("a.edge.example", "edge.example"), "a wildcard of the first": ("x.wild.example", "localhost"),
    "capitals": ("EDGE.Example", "edge.example"), "a name that nobody has": ("stranger.example", "localhost"),
    "two labels under a wildcard": ("a.b.edge.example", "localhost")})
def _(server, case):
    name, expected = case
    for version in ("-tls1_2", "-tls1_3"):
        equal(subject(s_client(server.secure, version, "-servername", name)), f"subject=CN = {expected}")


@group.promise("without SNI it is the first certificate")
def _(server):
    equal(subject(s_client(server.secure, "-noservername")), "subject=CN = localhost")


@group.promise("the second certificate comes with its chain, and pages of its hosts are served")
def _(server):
    for name in ("edge.example", "a.edge.example"):
        equal(server.curl(PATH, host=name).status, 200)


@group.promise("the server says that it used the name")
def _(server):
    for version in ("-tls1_2", "-tls1_3"):
        contains(s_client(server.secure, version, "-servername", "localhost", "-tlsextdebug").out,
                 'server extension "server name" (id=0), len=0')


@group.promise("SNI of one certificate and Host of the other is 421")
def _(server):
    with server.wire(name="edge.example") as wire:
        equal(wire.get(PATH, "pages.example").status, 421)
        equal(wire.get(PATH, "edge.example").status, 200)


@group.promise("a resumed session is held to the same, on TLS 1.2 and 1.3")
def _(server):
    for version in (2, 3):
        context = tls_context(server.ca, versions=(0x300 + version + 1,) * 2)
        session = None
        for resumed in (False, True):
            with Wire(server.secure, context, "edge.example", session=session) as wire:
                equal(wire.socket.session_reused, resumed)
                equal(wire.get(PATH, "pages.example").status, 421)
                equal(wire.get(PATH, "edge.example").status, 200)
                session = wire.socket.session


@group.promise("a name that nobody has is held to the first certificate's hosts; without SNI every host is served")
def _(server):
    for name, statuses in {"stranger.example": (200, 421), None: (200, 200)}.items():
        context = tls_context(server.ca)
        context.check_hostname = False
        with Wire(server.secure, context, name) as wire:
            equal((wire.get(PATH, "localhost").status, wire.get(PATH, "edge.example").status), statuses, name)


@group.promise("a kept connection is judged by the certificate it was shown, also when a reload changes their order")
def _():
    world = pair()
    with world.start() as server, server.wire(name="edge.example") as wire:
        def right():
            return (wire.get(PATH, "edge.example").status, wire.get(PATH, "pages.example").status)

        equal(right(), (200, 421))
        world.write("config/server.json", pair(order=-1).settings)
        server.reload()
        eventually(lambda: subject(s_client(server.secure, "-noservername")) == "subject=CN = edge.example", "the new order")
        for _ in range(4):
            equal(right(), (200, 421))


@group.promise("a kept connection is served as before when a reload renews its certificate")
def _():
    world = pair()
    with world.start() as server, server.wire(name="edge.example") as wire:
        renewed = shop().certify("certificates", ["edge.example"], keep="successor")
        settings = {**world.settings, "certificates": [renewed], "hosts": ["edge.example", "a.edge.example"]}
        world.write("config/server.json", settings)
        server.reload()
        eventually(lambda: subject(s_client(server.secure, "-noservername")) == "subject=CN = edge.example", "the new one")
        equal(wire.get(PATH, "a.edge.example").status, 200, "its certificate was for that, too")
        with server.wire(name="edge.example") as other:
            equal(other.get(PATH, "a.edge.example").status, 421, "the new one is not")


@group.promise("where unknown names are refused, they get unrecognized_name, and the known ones and none are served")
def _():
    with pair(unknownServerName="refuse").start() as server:
        for version in ("-tls1_2", "-tls1_3"):
            refused = s_client(server.secure, version, "-servername", "stranger.example")
            contains(refused.text, "unrecognized name")
            holds(refused.status != 0 and subject(refused) is None, "no certificate is shown")
            for name in ("localhost", "a.edge.example", "x.wild.example"):
                equal(s_client(server.secure, version, "-servername", name).status, 0)
            equal(subject(s_client(server.secure, version, "-noservername")), "subject=CN = localhost")


@group.promise("what happens to unknown names changes with a reload")
def _():
    world = pair()
    with world.start() as server:
        def refuses():
            return "unrecognized name" in s_client(server.secure, "-servername", "stranger.example").text

        equal(refuses(), False)
        world.write("config/server.json", {**world.settings, "unknownServerName": "refuse"})
        server.reload()
        eventually(refuses, "refused")


@group.promise("another word for unknown names is an error")
def _():
    told = pair(unknownServerName="reject").command("check").text
    contains(told, '$.unknownServerName: found the string "reject"; expected "default" or "refuse"')


@group.promise("of an ECDSA and an RSA certificate for one name each client is shown the first that it can verify, and resumes under it")
def _(_server):
    kinds = Authority(shop().folder / f"kinds-{next(shop().numbers)}")
    both = "DNS:pages.example,DNS:*.pages.example"
    leaf = {kind: kinds.leaf(kind, key, subjectAltName=both) for kind, key in (("ec", P256), ("rsa", RSA))}
    clients = {"rsa": (("-tls1_2", "-cipher", "ECDHE-RSA-AES128-GCM-SHA256"), ("-tls1_2", "-sigalgs", "RSA+SHA256"),
                       ("-tls1_3", "-sigalgs", "rsa_pss_rsae_sha256"), ("-tls1_3", "-sigalgs", "ECDSA+SHA384:rsa_pss_rsae_sha256")),
               "ec": (("-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-GCM-SHA256"), ("-tls1_2", "-sigalgs", "ECDSA+SHA256"),
                      ("-tls1_3", "-sigalgs", "ECDSA+SHA256"))}
    for order in (("ec", "rsa"), ("rsa", "ec")):
        with World(certificates=[leaf[kind] for kind in order], publicBaseURL=None).start() as server:
            for name in (("-servername", "pages.example"), ("-servername", "x.pages.example"), ("-noservername",)):
                for kind, options in clients.items():
                    for option in options:
                        equal(subject(s_client(server.secure, *name, *option)), f"subject=CN = bridgehost test {kind}",
                              f"{order}: {name} {option}")
                for version in ("-tls1_2", "-tls1_3"):
                    equal(subject(s_client(server.secure, *name, version)), f"subject=CN = bridgehost test {order[0]}")
            context = tls_context(kinds.root, versions=(0x303, 0x303))
            context.set_ciphers("ECDHE-RSA-AES128-GCM-SHA256")
            session = None
            for resumed in (False, True):
                with Wire(server.secure, context, "pages.example", session=session) as wire:
                    equal((wire.socket.session_reused, wire.get(PATH, "pages.example").status), (resumed, 200))
                    session = wire.socket.session


@group.promise("a host's certificate is shown whatever kinds of key it and the first one have")
def _(_server):
    kinds = Authority(shop().folder / f"kinds-{next(shop().numbers)}")
    leaf = {kind: kinds.leaf(kind, key, subjectAltName=f"DNS:{kind}.example") for kind, key in (("ec", P256), ("rsa", RSA))}
    for first, second in (("ec", "rsa"), ("rsa", "ec")):
        world = World(certificates=[leaf[first], leaf[second]], hosts=["ec.example", "rsa.example"], publicBaseURL=None)
        with world.start() as server:
            for version in ("-tls1_2", "-tls1_3"):
                for kind in (first, second):
                    equal(subject(s_client(server.secure, version, "-servername", f"{kind}.example")),
                          f"subject=CN = bridgehost test {kind}", f"{first} first, {version}")
