"""PROXY headers by the byte, before TLS and before a request in the clear; the client is known by what it was refused."""
import contextlib
import ipaddress
import itertools
import socket
import ssl
import struct

from harness import raw
from harness.promises import Broken, Group, equal, eventually, holds
from harness.signing import SigningWorld, door
from harness.tools import PATIENCE
from harness.wire import Wire, request, tls_context
from harness.world import PATH

LISTENERS = [{"address": "127.0.0.1", "port": 0, "proxyProtocol": True},
             {"address": "127.0.0.1", "port": 0, "tls": False, "proxyProtocol": True}]
SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"
_addresses = itertools.count(1)


def listening():
    # A client that asks for an identity without a token hears so once a minute.
    world = SigningWorld(limits={"failuresPerMinutePerAddress": 1}, listeners=LISTENERS, trustedProxies=["127.0.0.1"],
                         timeouts={"handshakeSeconds": 1})
    with world.start() as server:
        yield server


group = Group("PROXY headers", listening)


def binary(family, block, command=0x21):
    return SIGNATURE + struct.pack("!BBH", command, family, len(block)) + block


def vector(kind, value):
    return struct.pack("!BH", kind, len(value)) + value


def crc32c(data):
    remainder = 0xFFFFFFFF
    for byte in data:
        remainder ^= byte
        for _ in range(8):
            remainder = remainder >> 1 ^ (0x82F63B78 if remainder & 1 else 0)
    return remainder ^ 0xFFFFFFFF


def line(source):
    return f"PROXY TCP{source.version} {source} {source} 4711 443\r\n".encode()


def announced(source, more=b""):
    return binary(0x11 if source.version == 4 else 0x21, source.packed * 2 + struct.pack("!HH", 4_711, 443) + more)


def checked(source):
    empty = announced(source, vector(3, bytes(4)) + vector(4, b"pad"))
    return announced(source, vector(3, struct.pack("!I", crc32c(empty))) + vector(4, b"pad"))


HEADERS = {
    "version 1": line, "version 2": announced, "version 2 with a checksum": checked,
    "version 2 with 3 KiB of vectors": lambda source: announced(source, vector(4, bytes(3_000)) + vector(0xEA, b"x")),
}
OWN = {
    "version 1, UNKNOWN": b"PROXY UNKNOWN\r\n", "version 1, UNKNOWN and more": b"PROXY UNKNOWN 1 2 3 4\r\n",
    "version 2, LOCAL": binary(0, b"", 0x20), "version 2, LOCAL with an address": binary(0x11, bytes(12), 0x20),
    "version 2 of a UNIX socket": binary(0x31, b"/" * 216), "version 2 of nothing that it can tell": binary(0, b"")}
BAD = {
    "a request without a header": request(PATH), "a ClientHello's beginning": b"\x16\x03\x01\x02\x00\x01\x00",
    "a line with LF alone": b"PROXY TCP4 192.0.2.1 192.0.2.1 1 2\n", "a line without an end": b"PROXY UNKNOWN" + b" " * 100,
    "a line with another family": b"PROXY TCP6 192.0.2.1 192.0.2.1 1 2\r\n", "a small proxy": b"proxy UNKNOWN\r\n",
    "version 2 that is shorter than its addresses": binary(0x11, bytes(11)), "version 3": binary(0x11, bytes(12), 0x31),
    "version 2 with a vector beyond its end": binary(0x11, bytes(12) + b"\x04\x00\x09"),
    "version 2 with a wrong checksum": binary(0x11, bytes(12) + vector(3, b"1234")),
    "version 2 of 64 KiB": SIGNATURE + b"\x21\x11\xff\xff", "version 2 of a datagram": binary(0x12, bytes(12)),
    "half of a signature and a request": SIGNATURE[:6] + request(PATH)}


def fresh(version=4):
    """An address that nobody has asked from."""
    number = next(_addresses)
    text = f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}" if version == 4 else f"2001:db8:{number:x}::7"
    return ipaddress.ip_address(text)


class Glued:
    """A TLS client that sends a header and its ClientHello in the same pieces."""

    def __init__(self, server, before, split):
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = tls_context(server.ca).wrap_bio(self.incoming, self.outgoing, server_hostname="localhost")
        self.socket = socket.create_connection(("127.0.0.1", server.secure), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.before, self.split = before, split

    def exchange(self, text):
        """All that the server answers until it closes."""
        with self.socket:
            self._until(self.tls.do_handshake)
            self._until(lambda: self.tls.write(text))
            answer = b""
            with contextlib.suppress(ssl.SSLZeroReturnError, EOFError):
                while part := self._until(lambda: self.tls.read(65_536)):
                    answer += part
            return answer

    def _until(self, step):
        while True:
            try:
                result = step()
            except ssl.SSLWantReadError:
                self._send()
                data = self.socket.recv(65_536)
                if not data:
                    raise EOFError
                self.incoming.write(data)
                continue
            self._send()
            return result

    def _send(self):
        data, self.before = self.before + self.outgoing.read(), b""
        if self.split:
            self.socket.sendall(data[:self.split])
            data, self.split = data[self.split:], 0
        self.socket.sendall(data)


def in_the_clear(server, header, text, split=0):
    with Wire(server.plain) as wire:
        if split:
            wire.send(header[:split])
        return wire.send(header[split:] + text).rest()


def over_tls(server, header, text, split=0):
    return Glued(server, header, split).exchange(text)


KINDS = {"in the clear": in_the_clear, "TLS": over_tls}
# What a client gets that was not refused before, and one that was.
FIRST, AGAIN = b"HTTP/1.1 401 ", b"HTTP/1.1 429 "
ASKED = request(door(), "localhost", "Content-Length: 2", "Connection: close", method="POST") + b"{}"


def forwarded(client):
    return ASKED.replace(b"Connection: ", f"X-Forwarded-For: {client}\r\nConnection: ".encode())


def places(header):
    """Where a header is split: where something ends or begins, and in the long run everywhere but amid long vectors."""
    last = len(header)
    if raw.every_split:
        return [*range(1, min(last, raw.SPLITS)), *range(max(raw.SPLITS, last - 40), last + 2)]
    return sorted({n for n in (1, 5, 6, 12, 13, 15, 16, 17, 27, 28, last - 1, last) if n <= last})


def newcomer(ask, server, begin):
    """What introduces a client that the service has not refused before; addresses of one bucket count together."""
    for _ in range(3):
        one = begin()
        if ask(server, *one)[:13] == FIRST:
            return one
    raise Broken("clients at different addresses count as one")


@group.each("the client that is announced is the one who asks, {}",
            {f"{header}, {kind}": (HEADERS[header], KINDS[kind]) for header in HEADERS for kind in KINDS})
def _(server, case):
    make, ask = case
    for version in (4, 6):
        header, _ = newcomer(ask, server, lambda: (make(fresh(version)), ASKED))
        for place in (0, *places(header)):
            equal(ask(server, header, ASKED, place)[:13], AGAIN, f"IPv{version}, split at {place}")
        newcomer(ask, server, lambda: (make(fresh(version)), ASKED))


@group.each("where nobody is announced it is the proxy who asks, whoever it is said to ask for, {}", OWN)
def _(server, header):
    for ask in KINDS.values():
        # From here on the proxy itself has asked too often.
        ask(server, header, ASKED)
        for place in (0, *places(header)):
            equal(ask(server, header, forwarded(fresh()), place)[:13], AGAIN, f"split at {place}")


@group.each("anything else is closed without a word, {}: malformed_proxy_header", BAD)
def _(server, text):
    before = server.closes("malformed_proxy_header")
    for port in (server.plain, server.secure):
        with Wire(port) as wire:
            wire.send(text)
            holds(wire.ends(), "closed without an answer")
    equal(server.closes("malformed_proxy_header"), before + 2)


@group.each("a header that does not end is given up like a handshake, {}: handshake_timeout",
            {"nothing of it": b"", "half a line": b"PROXY TCP4 19", "half of version 2": announced(fresh())[:20],
             "a header and then silence": line(fresh())})
def _(server, text):
    with Wire(server.secure) as wire:
        before = server.closes("handshake_timeout")
        wire.send(text)
        holds(wire.ends(), "closed")
        equal(server.closes("handshake_timeout"), before + 1)


@group.promise("after a header in the clear a connection may wait for its first request as any may")
def _(server):
    with Wire(server.plain) as wire, Wire(server.plain) as silent:
        wire.send(line(fresh()))
        # The time of handshakes has passed when the other one is closed.
        holds(silent.ends(), "closed")
        equal(wire.get(PATH).status, 200)


@group.promise("no header keeps a place among handshakes or connections once it has ended")
def _(server):
    def rests():
        metrics = server.metrics()
        return metrics["bridgehost_handshakes"] == 0 and metrics["bridgehost_connections"] == 1

    eventually(rests, "only the connection that asks is open")
