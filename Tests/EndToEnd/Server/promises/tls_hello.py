"""ClientHellos by the byte: what is agreed on, in however many pieces it comes, and the alert for each that is refused."""
import contextlib
import os

from harness.hello import (ALERT, CHANGE, DATA, ENCRYPT_THEN_MAC, HEARTBEAT, MASTER_SECRET, P256, P384, POINT_FORMATS,
                           RENEGOTIATION, SERVER_NAME, STATUS_REQUEST, SUITES12, SUITES13, TLS12, TLS13, VERSIONS,
                           X25519, Peer, ask, hello, message, protocols, record, records, server_name, short, vector)
from harness.promises import Group, equal, eventually, holds
from harness.wire import Wire, request
from harness.world import PATH, serve

group = Group("TLS hellos", serve)
BOTH = {"TLS 1.2": TLS12, "TLS 1.3": TLS13}
FALLBACK, RENEGOTIATES = 0x5600, 0x00FF


def cases(table):
    """Each case on both versions."""
    return {f"{case} ({name})": (version, *(given if isinstance(given, tuple) else (given,)))
            for case, given in table.items() for name, version in BOTH.items()}


# What is agreed on

PIECES = {
    "in one record": lambda one: [record(one)], "in records of one byte": lambda one: [records(one, 1)],
    "in packets of one byte": lambda one: [bytes([byte]) for byte in record(one)],
    "in records of seven bytes, each in a packet": lambda one: [record(one[at:at + 7]) for at in range(0, len(one), 7)],
    "after empty records": lambda one: [record(b"") * 8 + record(one)]}


@group.each("a hello {} is answered", cases(PIECES))
def _(server, case):
    version, cut = case
    reply = ask(server.secure, *cut(hello(version)))
    equal((reply.is_hello, reply.version), (True, version), reply)


UNUSUAL = {
    "without a server name": {"SERVER_NAME": None}, "with an address as the name": {"name": "127.0.0.1"},
    "with GREASE": {"raw": [(0x1A1A, b""), (0xAAAA, b"\0")]}, "with a ticket of nobody": {"TICKET": b"t" * 200},
    "with 15,000 bytes of padding": {"raw": [(21, b"\0" * 15_000)]}, "with a session id": {"session": b"s" * 32},
    "that asks for OCSP": {"STATUS_REQUEST": b"\1\0\0\0\0"}, "that offers heartbeats": {"HEARTBEAT": b"\1"},
    "that offers encrypt-then-MAC": {"ENCRYPT_THEN_MAC": b""}, "of http/1.1 and h2": {"ALPN": protocols("h2", "http/1.1")},
    "of http/1.0 alone": {"ALPN": protocols("http/1.0")}, "without ALPN": {}}


@group.each("a hello {} is answered", cases(UNUSUAL))
def _(server, case):
    version, changes = case
    reply = ask(server.secure, records(hello(version, **changes), 16_000))
    equal((reply.is_hello, reply.version), (True, version), reply)
    for refused in (STATUS_REQUEST, HEARTBEAT, ENCRYPT_THEN_MAC):
        holds(refused not in reply.extensions, f"no extension {refused} in the answer")
    equal(reply.compression, 0)


@group.promise("TLS 1.2: extended master secret, secure renegotiation and the name are confirmed, and no session id is kept")
def _(server):
    reply = ask(server.secure, record(hello(session=b"s" * 32)))
    equal([reply.extensions.get(kind) for kind in (MASTER_SECRET, RENEGOTIATION, SERVER_NAME)], [b"", b"\0", b""])
    equal(reply.session, b"")
    signalled = ask(server.secure, record(hello(RENEGOTIATION=None, suites=[*SUITES12, RENEGOTIATES])))
    equal(signalled.extensions.get(RENEGOTIATION), b"\0")
    holds(MASTER_SECRET not in ask(server.secure, record(hello(MASTER_SECRET=None))).extensions, "only where offered")
    equal(reply.extensions.get(POINT_FORMATS, b"\1\0")[1:2], b"\0")


@group.promise("TLS 1.3: the session id is sent back, and early data is never accepted")
def _(server):
    reply = ask(server.secure, record(hello(TLS13, session=b"0123456789", EARLY_DATA=b"")))
    equal((reply.session, reply.version), (b"0123456789", TLS13))
    equal(sorted(reply.extensions), [VERSIONS, 51])


@group.promise("a version above 1.3 is answered with the best that both have")
def _(server):
    for legacy in (0x0304, 0x03FF):
        equal(ask(server.secure, record(hello(legacy=legacy))).version, TLS12)
    for known in (TLS12, TLS13):
        versions = vector(short(0x0A0A, 0x7F1C, known), 1)
        equal(ask(server.secure, record(hello(TLS13, SUITES13 + SUITES12, VERSIONS=versions))).version, known)


@group.promise("a TLS 1.2 that was agreed on says that the server knows 1.3, so that nobody can force it down")
def _(server):
    equal(ask(server.secure, record(hello())).random[-8:], b"DOWNGRD\1")
    holds(not ask(server.secure, record(hello(TLS13))).random.endswith(b"DOWNGRD\1"), "only then")


@group.promise("AES-128 is preferred, or ChaCha20 where the client puts it first")
def _(server):
    equal(ask(server.secure, record(hello(TLS13, [0x1302, 0x1301, 0x1303]))).suite, 0x1301)
    equal(ask(server.secure, record(hello(TLS13, [0x1303, 0x1302, 0x1301]))).suite, 0x1303)
    equal(ask(server.secure, record(hello(TLS12, [0xC02C, 0xC02B, 0xCCA9]))).suite, 0xC02B)
    equal(ask(server.secure, record(hello(TLS12, [0xCCA9, 0xC02C, 0xC02B]))).suite, 0xCCA9)


@group.promise("keys are agreed on X25519, else P-256, else P-384, with a HelloRetryRequest where no share fits")
def _(server):
    for groups, chosen in (((P384, P256, X25519), X25519), ((P384, P256), P256), ((P384, 0x0100), P384)):
        reply = ask(server.secure, record(hello(TLS13, GROUPS=vector(short(*groups)), KEY_SHARE=short(0))))
        equal((reply.is_retry, reply.group), (True, chosen))
    with Peer(server.secure) as peer:
        first = peer.send(record(hello(TLS13, KEY_SHARE=short(0), session=b"s" * 32))).reply()
        equal(first.is_retry, True)
        peer.next_record()
        second = peer.send(record(hello(TLS13, session=b"s" * 32))).reply()
        equal((second.is_hello, second.is_retry, second.group), (True, False, X25519))


@group.promise("a second hello without the share that was asked for is refused, not asked again")
def _(server):
    with Peer(server.secure) as peer:
        one = hello(TLS13, KEY_SHARE=short(0))
        equal(peer.send(record(one)).reply().is_retry, True)
        peer.next_record()
        equal(peer.send(record(one)).reply().alert, "illegal_parameter")


# What is refused

BAD = {
    "ALPN of h2 alone": ({"ALPN": protocols("h2")}, "no_application_protocol"),
    "ALPN of an unknown protocol": ({"ALPN": protocols("spdy/3", "http/0.9")}, "no_application_protocol"),
    "an empty list of protocols": ({"ALPN": short(0)}, "decode_error"),
    "an empty protocol": ({"ALPN": protocols("", "http/1.1")}, "decode_error"),
    "an empty list of names": ({"SERVER_NAME": short(0)}, "decode_error"),
    "a name that is cut short": ({"SERVER_NAME": b"\0\5\0\0\x09a"}, "decode_error"),
    "two names": ({"SERVER_NAME": vector((b"\0" + vector(b"localhost")) * 2)}, "decode_error"),
    "a NUL in the name": ({"SERVER_NAME": server_name("localhost\0.example")}, "unrecognized_name"),
    "a name of 256 bytes": ({"SERVER_NAME": server_name("a" * 256)}, "unrecognized_name"),
    "an extension twice": ({"raw": [(SERVER_NAME, server_name("localhost"))]}, "illegal_parameter"),
    "SHA-1 as the only hash": ({"SIGNATURE_ALGORITHMS": vector(short(0x0203, 0x0201))}, "handshake_failure"),
    "SHA-224 as the only hash": ({"SIGNATURE_ALGORITHMS": vector(short(0x0303, 0x0301))}, "handshake_failure"),
    "an empty list of signatures": ({"SIGNATURE_ALGORITHMS": short(0)}, "decode_error"),
    "half a group": ({"GROUPS": vector(b"\0\x1d\0")}, "decode_error"),
    "compression other than none": ({"compression": b"\1"}, "decode_error"),
    "no compression method": ({"compression": b""}, "decode_error"),
    "a session id of 33 bytes": ({"session": b"s" * 33}, "decode_error"),
    "suites of NULL": ({"suites": [0x0001, 0x0002, 0xC006, 0xC010]}, "handshake_failure"),
    "suites of CBC": ({"suites": [0xC023, 0xC009, 0xC027, 0xC013, 0xC024, 0xC00A]}, "handshake_failure"),
    "suites of RSA key exchange": ({"suites": [0x009C, 0x009D, 0x002F, 0x0035, 0x003C]}, "handshake_failure"),
    "suites of DHE": ({"suites": [0x009E, 0x009F, 0x0033, 0xCCAA]}, "handshake_failure"),
    "suites without authentication": ({"suites": [0xC018, 0x0034, 0x00A6, 0xC019]}, "handshake_failure"),
    "suites of export": ({"suites": [0x0003, 0x0006, 0x0008, 0x0062]}, "handshake_failure"),
    "suites of 3DES and RC4": ({"suites": [0xC008, 0xC007, 0x0005, 0x000A]}, "handshake_failure"),
    "suites of static ECDH": ({"suites": [0xC02D, 0xC031, 0xC004, 0xC00E]}, "handshake_failure"),
    "suites of shared keys": ({"suites": [0x00A8, 0x008C]}, "handshake_failure")}


@group.each("{} is refused with the right alert, and the end", cases(BAD))
def _(server, case):
    version, changes, alert = case
    reply = ask(server.secure, record(hello(version, **changes)))
    equal((reply.alert, reply.ended, reply.is_hello), (alert, True, False))


def sslv2(version):
    body = b"\1" + short(version, 9, 0, 16) + bytes.fromhex("0700c0030080010080") + b"c" * 16
    return short(0x8000 | len(body)) + body


OLD = {
    "TLS 1.1": record(hello(legacy=0x0302, suites=[0xC009, 0xC013, 0x2F])),
    "TLS 1.0": record(hello(legacy=0x0301, suites=[0xC009, 0xC013, 0x2F])),
    "TLS 1.1 named in the extension": record(hello(VERSIONS=vector(short(0x0302), 1))),
    "only a version to come": record(hello(VERSIONS=vector(short(0x7F1C), 1))),
    "SSL 2": sslv2(0x0002), "TLS 1.0 in a hello of SSL 2": sslv2(0x0301)}


@group.each("{} is refused with protocol_version", OLD)
def _(server, sent):
    reply = ask(server.secure, sent)
    equal((reply.alert, reply.ended), ("protocol_version", True))


@group.promise("SSL 3 is refused, with the alert that it has for that: it knows no protocol_version")
def _(server):
    reply = ask(server.secure, record(hello(legacy=0x0300, suites=[0xC009, 0x2F]), version=0x0300))
    equal((reply.alert, reply.ended), ("handshake_failure", True))


@group.promise("TLS_FALLBACK_SCSV is honoured: a needless fallback is refused, the best version is not")
def _(server):
    equal(ask(server.secure, record(hello(suites=[*SUITES12, FALLBACK]))).alert, "inappropriate_fallback")
    equal(ask(server.secure, record(hello(TLS13, [*SUITES13, FALLBACK]))).version, TLS13)


NO_COMMON = {
    "TLS 1.2 without signature algorithms, which means SHA-1": (TLS12, {"SIGNATURE_ALGORITHMS": None}, "handshake_failure"),
    "TLS 1.2 without a group in common": (TLS12, {"GROUPS": vector(short(0x1234))}, "handshake_failure"),
    "TLS 1.2 with old data in the renegotiation field": (TLS12, {"RENEGOTIATION": vector(b"abc", 1)}, "handshake_failure"),
    "TLS 1.3 without signature algorithms": (TLS13, {"SIGNATURE_ALGORITHMS": None}, "missing_extension"),
    "TLS 1.3 without groups": (TLS13, {"GROUPS": None}, "missing_extension"),
    "TLS 1.3 without shares": (TLS13, {"KEY_SHARE": None}, "missing_extension"),
    "TLS 1.3 with suites of 1.2 alone": (TLS13, {"suites": SUITES12}, "handshake_failure"),
    "TLS 1.3 with compression": (TLS13, {"compression": b"\1\0"}, "illegal_parameter"),
    "TLS 1.3 with a share of zeros": (TLS13, {"KEY_SHARE": vector(short(X25519) + vector(b"\0" * 32))}, "illegal_parameter"),
    "TLS 1.3 with a share cut short": (TLS13, {"KEY_SHARE": vector(short(X25519) + vector(b"\1" * 31))}, "illegal_parameter"),
    "TLS 1.3 with a share that is no point": (TLS13, {"KEY_SHARE": vector(short(P256) + vector(b"\4" * 65))}, "illegal_parameter"),
    "TLS 1.3 with a shared key that is not last": (
        TLS13, {"raw": [(41, vector(vector(b"id") + b"\0" * 4) + vector(vector(b"b" * 32, 1))), (0x1234, b"")]},
        "illegal_parameter")}


@group.each("{} is refused", NO_COMMON)
def _(server, case):
    version, changes, alert = case
    reply = ask(server.secure, record(hello(version, **changes)))
    equal((reply.alert, reply.ended), (alert, True))


ORDER = {
    "a record of 16,385 bytes or more": (record(hello(raw=[(21, b"\0" * 20_000)])), "record_overflow"),
    "a record that says 65,535 bytes": (b"\x16\x03\x01\xff\xff" + b"a" * 1_000, "record_overflow"),
    "a hello that says 16 MiB": (record(b"\1\xff\xff\xff" + b"a" * 100), "illegal_parameter"),
    "an empty hello": (record(message(1, b"")), "decode_error"),
    "a hello in pieces of nothing": (record(b"") * 100, "unexpected_message"),
    "data before a hello": (record(b"hello", DATA), "unexpected_message"),
    "a change of cipher before a hello": (record(b"\1", CHANGE), "unexpected_message"),
    "an alert before a hello": (record(b"\1\0", ALERT), "unexpected_message"),
    "a heartbeat": (record(b"\1\x40\0", 24), "unexpected_message"),
    "a record of no known kind": (record(b"xxxx", 25), "unexpected_message"),
    "a Finished before a hello": (record(message(20, b"f" * 12)), "unexpected_message"),
    "a key exchange before a hello": (record(message(16, b"k" * 33)), "unexpected_message"),
    "a message behind a hello of TLS 1.3": (record(hello(TLS13) + message(1, b"")), "unexpected_message")}


@group.each("{} is refused with the right alert, and the end", ORDER)
def _(server, case):
    sent, alert = case
    reply = ask(server.secure, sent)
    equal((reply.alert, reply.ended), (alert, True))


NOISE = {"zeros": b"\0" * 64, "ones": b"\xff" * 64, "random bytes": b"\x17" + os.urandom(500),
         "a strange version": record(hello(), version=0x0400), "SMTP": b"EHLO client.example\r\n", "SSH": b"SSH-2.0-client\r\n", "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
         "the PROXY protocol": b"PROXY TCP4 192.0.2.1 192.0.2.2 1 443\r\n"}


@group.each("{} on the TLS port end that connection, and no other", NOISE)
def _(server, noise):
    with server.wire() as kept:
        with Peer(server.secure) as peer:
            peer.send(noise).rest()
        equal(kept.get(PATH).status, 200)


@group.promise("a hello of 120,000 bytes is answered, a longer one refused with an alert, and what goes on is ended")
def _(server):
    large = hello(TLS13, [0x1301] * 30_000, raw=[(0x7777, b"x" * 58_000)])
    holds(ask(server.secure, records(large, 16_000)).is_hello, "answered")
    # More than its lists can hold.
    larger = message(1, b"\3\3" + b"x" * 140_000)
    equal(ask(server.secure, records(larger, 16_000)).alert, "illegal_parameter")
    failed = server.closes("handshake_failed")
    with Peer(server.secure) as peer:
        with contextlib.suppress(OSError):
            # In pieces of one byte, 256 KiB of records are far less of a hello.
            peer.send(records(large, 1)[:300_000])
        eventually(lambda: server.closes("handshake_failed") == failed + 1, "it is ended")


@group.promise("plain HTTP on the TLS port gets one clear 400 in the clear, and the end, whatever its method's case is")
def _(server):
    for sent in (request(PATH), request(PATH, method="post"), b"\r\n" + request(PATH), b"G", request(PATH) * 50):
        with Wire(server.secure) as wire:
            answer = wire.send(sent).response()
            equal((answer.status, answer.one("Connection")), (400, "close"))
            holds(b"https" in answer.body, answer.body)
            equal((answer.all("Strict-Transport-Security"), len(answer.all("Content-Security-Policy"))), ([], 1))
            holds(wire.ends(), "nothing more")


@group.promise("a handshake that failed keeps no place while its connection waits for the client to go")
def _(server):
    with contextlib.ExitStack() as stack:
        for _ in range(3):
            peer = stack.enter_context(Peer(server.secure))
            peer.send(record(message(1, b""))).rest()

        def are_free():
            counted = server.metrics()
            return counted["bridgehost_handshakes"] == 0 and counted["bridgehost_connections"] > 3

        eventually(are_free, "no place is kept while they are there", within=2)


@group.promise("clients that end in the middle of their hello or behind it leave no descriptor open")
def _(server):
    one = record(hello(TLS13))
    before = server.open_files()
    for cut in [*range(0, len(one), 9), len(one)]:
        with Peer(server.secure) as peer:
            peer.send(one[:cut])
    eventually(lambda: server.open_files() <= before, "all are closed")
