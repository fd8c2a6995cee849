"""A small HTTP client that shows an answer byte by byte: the benchmark trusts no library to hide a difference."""

import socket
import ssl

TIMEOUT = 10


class Answer:
    """A status, fields in order, a body, and how many bytes it took in all."""

    def __init__(self, head, body):
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split(" ")[1])
        self.fields = [tuple(part.strip() for part in line.split(":", 1)) for line in lines[1:] if line]
        self.body = body
        self.length = len(head) + 4 + len(body)

    def field(self, name):
        return next((value for key, value in self.fields if key.lower() == name), None)


def context():
    """A client that takes any certificate."""
    client = ssl.create_default_context()
    client.check_hostname = False
    client.verify_mode = ssl.CERT_NONE
    return client


def connect(port, secure, client=None):
    plain = socket.create_connection(("127.0.0.1", port), TIMEOUT)
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if not secure:
        return plain
    return (client or context()).wrap_socket(plain, server_hostname="localhost")


def suite(port):
    """Version and cipher suite that a server chooses."""
    with connect(port, secure=True) as connection:
        return connection.version(), connection.cipher()[0]


def request(path, *fields, method="GET"):
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *(f"{name}: {value}" for name, value in fields)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def read_answer(connection, rest=b""):
    """The next answer, and the bytes that came after it."""
    data = rest
    while b"\r\n\r\n" not in data:
        data += receive(connection)
    head, data = data.split(b"\r\n\r\n", 1)
    length = int(Answer(head, b"").field("content-length") or 0)
    while len(data) < length:
        data += receive(connection)
    return Answer(head, data[:length]), data[length:]


def receive(connection):
    data = connection.recv(1 << 18)
    if not data:
        raise ConnectionError("the server closed in the middle of an answer")
    return data


def fetch(port, secure, *requests):
    """The answers to requests that are sent at once on one connection."""
    answers, rest = [], b""
    with connect(port, secure) as connection:
        connection.sendall(b"".join(requests))
        for _ in requests:
            answer, rest = read_answer(connection, rest)
            answers.append(answer)
    return answers
