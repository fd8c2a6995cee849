"""Many connections of every kind, good, broken and aborted: run as a program, since one Python is too slow for all.

    mixed.py PLAIN SECURE CA COUNT SEED
"""
import pathlib
import random
import socket
import ssl
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from harness.wire import client_hello, request, tls_context  # noqa: E402
from harness.world import BULK, PATH, REST  # noqa: E402

RESET = b"\1\0\0\0\0\0\0\0"


class Client:
    def __init__(self, plain, secure, ca):
        self.plain, self.secure, self.context = plain, secure, tls_context(ca)
        self.session = None

    def connect(self, port):
        connection = socket.create_connection(("127.0.0.1", port), 10)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def tls(self):
        connection = self.context.wrap_socket(self.connect(self.secure), server_hostname="localhost", session=self.session)
        return connection

    def good(self):
        with self.connect(self.plain) as one:
            one.sendall(request(PATH, "localhost", "Connection: close"))
            while one.recv(65_536):
                pass

    def kept(self):
        with self.connect(self.plain) as one:
            for path in (PATH, REST, "/wrong"):
                one.sendall(request(path))
                one.recv(65_536)

    def secured(self):
        with self.tls() as one:
            one.sendall(request(PATH))
            one.recv(65_536)
            self.session = one.session

    def secured_and_reset(self):
        with self.tls() as one:
            one.sendall(request(BULK) * 4)
            one.recv(100)
            reset(one)

    def refused(self):
        with self.connect(self.plain) as one:
            one.sendall(b"no request\r\n\r\n")
            while one.recv(65_536):
                pass

    def half(self, port, text, ends_with_reset):
        with self.connect(port) as one:
            one.sendall(text)
            if ends_with_reset:
                reset(one)

    def greedy(self):
        with self.connect(self.plain) as one:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            one.sendall(request(BULK) * 4)
            one.recv(100)
            reset(one)

    def kinds(self):
        """Each kind with its weight; most are of the cheap ones."""
        head, body = request(PATH)[:25], request(PATH, "localhost", "Content-Length: 9", method="POST") + b"abc"
        hello = client_hello()
        cheap = [(self.plain, b""), (self.plain, head), (self.plain, body), (self.plain, request(PATH)),
                 (self.secure, b""), (self.secure, hello[:40]), (self.secure, b"\x16\x03\x01\x00\x05nonsense"),
                 (self.secure, request(PATH))]
        halves = [lambda case=case, ends=ends: self.half(*case, ends) for case in cheap for ends in (False, True)]
        return [self.good] * 8 + [self.kept] * 4 + [self.refused] * 2 + halves + [self.greedy] + [
            self.secured, self.secured, self.secured_and_reset]


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)


def main():
    plain, secure, ca, count, seed = sys.argv[1:]
    chance = random.Random(int(seed))
    kinds = Client(int(plain), int(secure), ca).kinds()
    for _ in range(int(count)):
        try:
            chance.choice(kinds)()
        except (ConnectionError, ssl.SSLError):
            # A refusal that comes while we still send.
            pass


if __name__ == "__main__":
    main()
