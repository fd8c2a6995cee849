"""A client of TLS 1.3 (RFC 8446) that sends any record under the right keys, also those that no library would send.

It believes every certificate: what it proves is how the server takes records.
"""
import hashlib
import hmac
import os

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from . import hello
from .hello import ALERT, CHANGE, DATA, HANDSHAKE, KEY_SHARE, TLS12, TLS13, X25519, short, vector

FINISHED, KEY_UPDATE = 20, 24
CLOSE_NOTIFY = b"\1\0"


def expand(secret, label, context, length):
    """HKDF-Expand-Label (RFC 8446 §7.1); all lengths here are one block."""
    info = short(length) + vector(b"tls13 " + label, 1) + vector(context, 1)
    return hmac.digest(secret, info + b"\1", "sha256")[:length]


class Keys:
    """One direction: a secret, its key, and the number of the next record."""

    def __init__(self, secret):
        self.secret, self.number = secret, 0
        self.cipher, self.vector = AESGCM(expand(secret, b"key", b"", 16)), expand(secret, b"iv", b"", 12)

    def _nonce(self):
        number = self.number.to_bytes(12, "big")
        self.number += 1
        return bytes(a ^ b for a, b in zip(self.vector, number))

    def seal(self, content, kind):
        header = bytes([DATA]) + short(TLS12, len(content) + 17)
        return header + self.cipher.encrypt(self._nonce(), content + bytes([kind]), header)

    def open(self, content):
        header = bytes([DATA]) + short(TLS12, len(content))
        plain = self.cipher.decrypt(self._nonce(), content, header).rstrip(b"\0")
        return plain[-1], plain[:-1]

    def next(self):
        return Keys(expand(self.secret, b"traffic upd", b"", 32))


class Client(hello.Peer):
    """A connection after its handshake; `sends_finished=False` stops one step before."""

    def __init__(self, port, sends_finished=True, name="localhost", **changes):
        super().__init__(port)
        self.updates = 0
        try:
            self._shake(sends_finished, name, changes)
        except BaseException:
            self.socket.close()
            raise

    def _shake(self, sends_finished, name, changes):
        private = X25519PrivateKey.generate()
        share = vector(short(X25519) + vector(private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)))
        first = hello.hello(TLS13, [0x1301], name=name, KEY_SHARE=share, session=os.urandom(32), **changes)
        self.send(hello.record(first))
        kind, answer = self.next_record()
        if kind != HANDSHAKE:
            raise AssertionError(f"no ServerHello but {kind}: {answer.hex()}")
        reply = hello.Reply()
        hello.parse_server_hello(answer[4:], reply)
        shared = private.exchange(X25519PublicKey.from_public_bytes(reply.extensions[KEY_SHARE][4:]))
        early = expand(hmac.digest(b"\0" * 32, b"\0" * 32, "sha256"), b"derived", hashlib.sha256().digest(), 32)
        secret = hmac.digest(early, shared, "sha256")
        transcript = first + answer
        self.sending, self.receiving = (
            Keys(expand(secret, side + b" hs traffic", hashlib.sha256(transcript).digest(), 32)) for side in (b"c", b"s"))
        transcript += self._flight()
        mark = hashlib.sha256(transcript).digest()
        master = hmac.digest(expand(secret, b"derived", hashlib.sha256().digest(), 32), b"\0" * 32, "sha256")
        key = expand(self.sending.secret, b"finished", b"", 32)
        self.finished = hello.message(FINISHED, hmac.digest(key, mark, "sha256"))
        self.receiving, self.later = (
            Keys(expand(master, side + b" ap traffic", mark, 32)) for side in (b"s", b"c"))
        if sends_finished:
            self.finish()

    def _flight(self):
        """The server's messages up to its Finished."""
        flight = b""
        while True:
            taken = self.next_record()
            if taken is None:
                raise AssertionError("the server ended in the handshake")
            if taken[0] == CHANGE:
                continue
            flight += self.receiving.open(taken[1])[1]
            at = 0
            while at + 4 <= len(flight):
                kind, size = flight[at], 4 + int.from_bytes(flight[at + 1:at + 4], "big")
                at += size
                if kind == FINISHED and at == len(flight):
                    return flight

    def finish(self):
        self.send(self.sending.seal(self.finished, HANDSHAKE))
        self.sending = self.later
        return self

    # Sending

    def put(self, content, kind=DATA):
        return self.send(self.sending.seal(content, kind))

    def update_keys(self, wants_answer=False):
        """A KeyUpdate, after which the next key is used (RFC 8446 §4.6.3)."""
        self.put(hello.message(KEY_UPDATE, bytes([wants_answer])), HANDSHAKE)
        self.sending = self.sending.next()
        return self

    def sealed_update(self, wants_answer=True):
        """The same as bytes, to send many at once."""
        sealed = self.sending.seal(hello.message(KEY_UPDATE, bytes([wants_answer])), HANDSHAKE)
        self.sending = self.sending.next()
        return sealed

    # Receiving

    def take(self):
        """The next record that is no ticket; its kind and content, None at the end. Follows the server's KeyUpdates."""
        while True:
            taken = self.next_record()
            if taken is None:
                return None
            kind, content = self.receiving.open(taken[1])
            if kind != HANDSHAKE:
                return kind, content
            if content[0] == KEY_UPDATE:
                self.receiving = self.receiving.next()
                self.updates += 1

    def alert(self):
        """The alert that ends it, after what data there may be; empty if it ends without one."""
        while (taken := self.take()) is not None:
            if taken[0] == ALERT:
                return hello.ALERTS.get(taken[1][1], str(taken[1][1]))
        return ""

    def get(self, request):
        """Asks, and the answer's records joined, as long as its head says."""
        self.put(request)
        answer = b""
        while b"\r\n\r\n" not in answer:
            taken = self.take()
            if taken is None or taken[0] != DATA:
                raise AssertionError(f"no answer but {taken}")
            answer += taken[1]
        return answer
