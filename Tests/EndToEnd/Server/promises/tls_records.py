"""After the handshake: records of every kind under the right keys, KeyUpdate, alerts and the end, renegotiation, 0-RTT."""
import contextlib
import socket
import struct

from harness.hello import ALERT, CHANGE, DATA, HANDSHAKE, TLS13, hello, message, record
from harness.promises import Group, contains, equal, eventually, holds
from harness.tls13 import CLOSE_NOTIFY, KEY_UPDATE, Client
from harness.tools import s_client
from harness.wire import request
from harness.world import BULK, PATH, World, serve, shop

group = Group("TLS records", serve)
ASK, LAST = request(PATH), request(PATH, "localhost", "Connection: close")
OK = b"HTTP/1.1 200 OK\r\n"
TOO_MUCH = 64 * 1024


def client(server, **options):
    return Client(server.secure, **options)


def served(peer):
    holds(peer.get(ASK).startswith(OK), "a page")


# The end

@group.promise("a close_notify is answered by one, and then the stream ends")
def _(server):
    with client(server) as peer:
        equal((peer.put(CLOSE_NOTIFY, ALERT).alert(), peer.rest()), ("close_notify", b""))


@group.promise("a close_notify behind a request comes after the answer, one in the middle of a request is answered, too")
def _(server):
    with client(server) as peer:
        holds(peer.put(ASK).put(CLOSE_NOTIFY, ALERT).take()[1].startswith(OK), "a page")
        equal((peer.alert(), peer.rest()), ("close_notify", b""))
    with client(server) as peer:
        equal((peer.put(ASK[:20]).put(CLOSE_NOTIFY, ALERT).alert(), peer.rest()), ("close_notify", b""))


@group.promise("a close_notify comes before our end of the stream: after Connection: close, a bad request and a time-out")
def _(server):
    for sent in (LAST, b"nonsense\r\n\r\n"):
        with client(server) as peer:
            equal((peer.put(sent).alert(), peer.rest()), ("close_notify", b""))
    with World(timeouts={"idleSeconds": 1}).start() as impatient, client(impatient) as peer:
        equal((peer.alert(), peer.rest()), ("close_notify", b""))


@group.promise("what comes behind a close_notify is not read")
def _(server):
    with client(server) as peer:
        peer.send(peer.sending.seal(CLOSE_NOTIFY, ALERT) + peer.sending.seal(ASK, DATA))
        equal((peer.take(), peer.take(), peer.rest()), ((ALERT, CLOSE_NOTIFY), None, b""))


@group.promise("a fatal alert ends the connection without a word")
def _(server):
    with client(server) as peer:
        equal((peer.put(b"\2\x28", ALERT).take(), peer.rest()), (None, b""))


# Records

@group.promise("a request in records of one byte is served, and so is one behind a few empty records")
def _(server):
    with client(server) as peer:
        peer.send(*(peer.sending.seal(bytes([byte]), DATA) for byte in ASK[:-1]))
        holds(peer.get(ASK[-1:]).startswith(OK), "a page")
    with client(server) as peer:
        peer.send(b"".join(peer.sending.seal(b"", DATA) for _ in range(16)))
        served(peer)


@group.promise("a request in a padded record is served")
def _(server):
    with client(server) as peer:
        # What pads a record stands behind its kind (RFC 8446 §5.4).
        peer.send(peer.sending.seal(ASK + bytes([DATA]) + b"\0" * 299, 0))
        holds(peer.take()[1].startswith(OK), "a page")


@group.promise("forty requests, each padded to a record of 16,384 bytes, are served on one connection")
def _(server):
    with client(server) as peer:
        for _ in range(40):
            peer.send(peer.sending.seal(ASK + bytes([DATA]) + b"\0" * (16_384 - len(ASK)), 0))
            holds(peer.take()[1].startswith(OK), "a page")


@group.promise("a part of a record, its header alone too, is counted as kept, and has the time of a head: head_timeout")
def _():
    with World(timeouts={"headSeconds": 1, "idleSeconds": 60}).start() as server:
        for count in (1, 5, 6, 16_000):
            closed = server.closes("head_timeout")
            with client(server) as peer:
                peer.send(record(b"x" * 16_000, DATA, 0x0303)[:count])
                eventually(lambda: server.metrics()["bridgehost_kept_bytes"] > 16_384, f"{count} bytes are kept")
                eventually(lambda: server.closes("head_timeout") == closed + 1, f"{count} bytes have a time")
            eventually(lambda: server.metrics()["bridgehost_kept_bytes"] == 0, "nothing is kept any more")


@group.promise("a part of a message of the handshake's, behind it, is counted as kept, and has the time of a head: head_timeout")
def _():
    with World(timeouts={"headSeconds": 1, "idleSeconds": 60}).start() as server, client(server) as peer:
        served(peer)
        closed = server.closes("head_timeout")
        peer.send(peer.sending.seal(message(KEY_UPDATE, b"\0")[:4], HANDSHAKE))
        eventually(lambda: server.metrics()["bridgehost_kept_bytes"] > 0, "it is kept")
        eventually(lambda: server.closes("head_timeout") == closed + 1, "it has a time")


@group.promise("a flood of KeyUpdates with a byte of a request between ends its connection all the same")
def _():
    with World(timeouts={"headSeconds": 60}).start() as server, client(server) as peer:
        asked = iter(request(PATH, "localhost", "X-Long: " + "a" * 2_000))
        closed = server.closes("tls_failed")
        with contextlib.suppress(OSError):
            for _ in range(2 * TOO_MUCH // (100 * 27)):
                peer.send(b"".join(peer.sealed_update(wants_answer=False) for _ in range(100)))
                peer.send(peer.sending.seal(bytes([next(asked)]), DATA))
        eventually(lambda: server.closes("tls_failed") == closed + 1, "it is closed")


@group.promise("what is kept of a client that resets amid its answers, with a part of a record behind, is given back")
def _():
    world = World(workers=1)
    world.add_bulk()
    with world.start() as server:
        for _ in range(20):
            with client(server) as peer:
                ask = peer.sending.seal(request(BULK) * 100, DATA)
                peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                peer.send(ask + record(b"x" * 100, DATA, 0x0303)[:5])
        eventually(lambda: server.metrics()["bridgehost_connections"] == 1, "all are closed")
        equal(server.metrics()["bridgehost_kept_bytes"], 0)


BROKEN = {
    "a record that was tampered with": (lambda peer: record(b"x" * 50, DATA, 0x0303), "bad_record_mac"),
    "a record shorter than its tag": (lambda peer: record(b"x" * 5, DATA, 0x0303), "bad_record_mac"),
    "a record twice": (lambda peer: (lambda one: one + one)(peer.sending.seal(ASK, DATA)), "bad_record_mac"),
    "a record of more than 16,640 bytes": (lambda peer: record(b"x" * 16_641, DATA, 0x0303), "record_overflow"),
    "a record with more than 16,384 bytes in it": (lambda peer: peer.sending.seal(b"x" * 16_385, DATA), "record_overflow"),
    "a record without a kind": (lambda peer: peer.sending.seal(b"\0\0", 0), "unexpected_message"),
    "a flood of empty records": (
        lambda peer: b"".join(peer.sending.seal(b"", DATA) for _ in range(100)), "unexpected_message"),
    "an empty handshake record": (lambda peer: peer.sending.seal(b"", HANDSHAKE), "unexpected_message"),
    "an empty alert": (lambda peer: peer.sending.seal(b"", ALERT), "unexpected_message"),
    "a flood of warnings": (
        lambda peer: b"".join(peer.sending.seal(b"\1\x5a", ALERT) for _ in range(100)), "unexpected_message"),
    "a handshake in the clear": (lambda peer: record(hello()), "unexpected_message"),
    "a change of cipher": (lambda peer: record(b"\1", CHANGE, 0x0303), "unexpected_message"),
    "an alert in the clear": (lambda peer: record(CLOSE_NOTIFY, ALERT, 0x0303), "unexpected_message"),
    "another hello": (lambda peer: peer.sending.seal(hello(TLS13), HANDSHAKE), "unexpected_message"),
    "a second Finished": (lambda peer: peer.sending.seal(peer.finished, HANDSHAKE), "unexpected_message"),
    "a ticket from the client": (lambda peer: peer.sending.seal(message(4, b"\0" * 20), HANDSHAKE), "unexpected_message"),
    "a certificate that nobody asked for": (
        lambda peer: peer.sending.seal(message(11, b"\0" * 4), HANDSHAKE), "unexpected_message"),
    "a message in two records with data between": (
        lambda peer: peer.sending.seal(b"\x18\0", HANDSHAKE) + peer.sending.seal(ASK, DATA), "unexpected_message"),
    "a KeyUpdate with something behind it": (
        lambda peer: peer.sending.seal(message(KEY_UPDATE, b"\0") + b"\x18\0", HANDSHAKE), "unexpected_message"),
    "a KeyUpdate of no known request": (
        lambda peer: peer.sending.seal(message(KEY_UPDATE, b"\2"), HANDSHAKE), "illegal_parameter"),
    "an empty KeyUpdate": (lambda peer: peer.sending.seal(message(KEY_UPDATE, b""), HANDSHAKE), "decode_error")}


@group.each("{} is refused with the right alert, and the end", BROKEN)
def _(server, case):
    make, alert = case
    with client(server) as peer:
        equal((peer.send(make(peer)).alert(), peer.take()), (alert, None))


# KeyUpdate

@group.promise("a KeyUpdate is followed, and answered by one where that is asked for")
def _(server):
    with client(server) as peer:
        for _ in range(5):
            served(peer.update_keys())
        equal(peer.updates, 0)
        for number in range(1, 6):
            served(peer.update_keys(wants_answer=True))
            equal(peer.updates, number)


@group.promise("a thousand KeyUpdates are followed, a flood of them ends its connection; others are served meanwhile")
def _(server):
    def flood(peer):
        peer.send(b"".join(peer.sealed_update(wants_answer=False) for _ in range(100)))

    with client(server) as peer, server.wire() as other:
        for _ in range(10):
            flood(peer)
        served(peer)
        for _ in range(TOO_MUCH // (100 * 27) + 1):
            flood(peer)
            equal(other.get(PATH).status, 200)
        equal((peer.alert(), peer.take()), ("close_notify", None))


# The handshake's end

@group.promise("a wrong Finished is refused with decrypt_error, data instead of a Finished is never read as a request")
def _(server):
    with client(server, sends_finished=False) as peer:
        peer.finished = peer.finished[:-1] + bytes([peer.finished[-1] ^ 1])
        equal(peer.finish().alert(), "decrypt_error")
    with client(server, sends_finished=False) as peer:
        equal(peer.send(peer.later.seal(ASK, DATA)).alert(), "bad_record_mac")


@group.promise("early data is refused and the page served after the handshake")
def _(server):
    file, early = shop().folder / "early.pem", shop().folder / "early.txt"
    early.write_bytes(ASK)
    s_client(server.secure, "-sess_out", file, "-ign_eof", stdin=LAST)
    seen = s_client(server.secure, "-sess_in", file, "-early_data", early, "-ign_eof", stdin=LAST)
    holds("Max Early Data: 0" in seen.out and "Early data was accepted" not in seen.out, seen.out)
    with Client(server.secure, EARLY_DATA=b"") as peer:
        served(peer)


@group.promise("no client is asked for a certificate")
def _(server):
    for version in ("-tls1_2", "-tls1_3"):
        contains(s_client(server.secure, version).out, "No client certificate CA names sent")


@group.promise("TLS 1.2: renegotiation is refused with a warning, secure renegotiation is known, compression is off")
def _(server):
    seen = s_client(server.secure, "-tls1_2", stdin=b"R\n")
    contains(seen.text, "no renegotiation")
    contains(seen.out, "Compression: NONE")
    contains(seen.out, "Secure Renegotiation IS supported")
