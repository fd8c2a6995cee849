"""ClientHellos made by the byte (RFC 5246 §7.4.1.2, RFC 8446 §4.1.2), and what a server answers to them."""
import os
import socket
from dataclasses import dataclass, field

from .tools import PATIENCE

HANDSHAKE, ALERT, DATA, CHANGE = 22, 21, 23, 20
TLS12, TLS13 = 0x0303, 0x0304
X25519, P256, P384 = 0x001D, 0x0017, 0x0018
SUITES12 = [0xC02B, 0xC02F, 0xC02C, 0xC030, 0xCCA9, 0xCCA8]
SUITES13 = [0x1301, 0x1302, 0x1303]
SIGNATURES = [0x0403, 0x0503, 0x0603, 0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601]
RETRY = bytes.fromhex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c")
ALERTS = {
    0: "close_notify", 10: "unexpected_message", 20: "bad_record_mac", 22: "record_overflow", 40: "handshake_failure",
    47: "illegal_parameter", 50: "decode_error", 51: "decrypt_error", 70: "protocol_version", 80: "internal_error",
    86: "inappropriate_fallback", 100: "no_renegotiation", 109: "missing_extension", 110: "unsupported_extension",
    112: "unrecognized_name", 120: "no_application_protocol"}
SERVER_NAME, STATUS_REQUEST, GROUPS, POINT_FORMATS, SIGNATURE_ALGORITHMS = 0, 5, 10, 11, 13
HEARTBEAT, ALPN, ENCRYPT_THEN_MAC, MASTER_SECRET, TICKET, EARLY_DATA = 15, 16, 22, 23, 35, 42
VERSIONS, PSK_MODES, KEY_SHARE, RENEGOTIATION = 43, 45, 51, 0xFF01


def short(*numbers):
    return b"".join(number.to_bytes(2, "big") for number in numbers)


def vector(content, width=2):
    return len(content).to_bytes(width, "big") + content


def server_name(name):
    return vector(b"\0" + vector(name.encode()))


def protocols(*names):
    return vector(b"".join(vector(name.encode(), 1) for name in names))


def extensions(version=TLS12, name="localhost", **changes):
    """Those of a usual client. A change's name is that of the constant; None leaves an extension out."""
    usual = {
        SERVER_NAME: server_name(name), GROUPS: vector(short(X25519, P256)), POINT_FORMATS: vector(b"\0", 1),
        SIGNATURE_ALGORITHMS: vector(short(*SIGNATURES)), MASTER_SECRET: b"", RENEGOTIATION: vector(b"", 1)}
    if version == TLS13:
        usual |= {VERSIONS: vector(short(TLS13), 1), PSK_MODES: vector(b"\1", 1),
                  KEY_SHARE: vector(short(X25519) + vector(os.urandom(32)))}
    usual |= {globals()[key]: value for key, value in changes.items()}
    return {kind: value for kind, value in usual.items() if value is not None}


def hello(version=TLS12, suites=None, legacy=None, session=b"", compression=b"\0", raw=None, **changes):
    """The handshake message. `raw` are more extensions by number, in order, after the usual ones."""
    suites = suites or (SUITES13 if version == TLS13 else SUITES12)
    listed = list(extensions(version, **changes).items()) + list(raw or [])
    body = (short(legacy or min(version, TLS12)) + os.urandom(32) + vector(session, 1) + vector(short(*suites))
            + vector(compression, 1) + vector(b"".join(short(kind) + vector(content) for kind, content in listed)))
    return message(1, body)


def message(kind, body):
    return bytes([kind]) + vector(body, 3)


def record(content, kind=HANDSHAKE, version=0x0301):
    return bytes([kind]) + short(version) + vector(content)


def records(content, size, **options):
    """The content over several records of a size."""
    return b"".join(record(content[at:at + size], **options) for at in range(0, len(content), size))


@dataclass
class Reply:
    """What the server said up to its ServerHello, an alert, or its end."""

    version: int = 0
    random: bytes = b""
    suite: int = 0
    session: bytes = b""
    compression: int = 0
    extensions: dict = field(default_factory=dict)
    is_retry: bool = False
    alert: str = ""
    ended: bool = False
    group: int = 0

    @property
    def is_hello(self):
        return self.suite != 0

    def __repr__(self):
        return f"{'ServerHello' if self.is_hello else 'no ServerHello'}, alert {self.alert!r}, ended {self.ended}"


class Peer:
    """A connection that speaks records in the clear."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, *pieces):
        """Each piece in a packet of its own; a server that has ended already is no fault."""
        try:
            for piece in pieces:
                self.socket.sendall(piece)
        except (BrokenPipeError, ConnectionResetError):
            pass
        return self

    def more(self):
        try:
            data = self.socket.recv(65_536)
        except ConnectionResetError:
            data = b""
        self.buffer += data
        return bool(data)

    def rest(self):
        """All that comes until the end; waiting for ever is a failure."""
        while self.more():
            pass
        return self.buffer

    def next_record(self):
        """Kind and content; None at the end."""
        while len(self.buffer) < 5 or len(self.buffer) < 5 + int.from_bytes(self.buffer[3:5], "big"):
            if not self.more():
                return None
        size = 5 + int.from_bytes(self.buffer[3:5], "big")
        taken, self.buffer = self.buffer[:size], self.buffer[size:]
        return taken[0], taken[5:]

    def reply(self):
        reply, handshake = Reply(), b""
        while True:
            taken = self.next_record()
            if taken is None:
                reply.ended = True
                return reply
            kind, content = taken
            if kind == ALERT:
                reply.alert = ALERTS.get(content[1], str(content[1]))
                if content[0] == 2:
                    reply.ended = self.rest() == b""
                return reply
            handshake += content if kind == HANDSHAKE else b""
            length = 4 + int.from_bytes(handshake[1:4], "big")
            if kind == HANDSHAKE and len(handshake) >= length:
                parse_server_hello(handshake[4:length], reply)
                return reply


def parse_server_hello(body, reply):
    reply.random = body[2:34]
    reply.is_retry = reply.random == RETRY
    at = 35 + body[34]
    reply.session = body[35:at]
    reply.version, reply.suite, reply.compression = (int.from_bytes(body[:2], "big"),
                                                    int.from_bytes(body[at:at + 2], "big"), body[at + 2])
    rest = body[at + 5:]
    while rest:
        kind, size = int.from_bytes(rest[:2], "big"), int.from_bytes(rest[2:4], "big")
        reply.extensions[kind], rest = rest[4:4 + size], rest[4 + size:]
    if VERSIONS in reply.extensions:
        reply.version = int.from_bytes(reply.extensions[VERSIONS], "big")
    reply.group = int.from_bytes(reply.extensions.get(KEY_SHARE, b"")[:2], "big")


def ask(port, *pieces):
    """One connection: sends, and what the server says to it."""
    with Peer(port) as peer:
        return peer.send(*pieces).reply()
