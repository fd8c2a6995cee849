"""Connections by the byte, for what curl can't be made to do."""
import functools
import re
import socket
import ssl

from .tools import PATIENCE, parse_head


def tls_context(ca, versions=None, alpn=("http/1.1",)):
    context = ssl.create_default_context(cafile=str(ca))
    if versions:
        context.minimum_version, context.maximum_version = versions
    if alpn:
        context.set_alpn_protocols(list(alpn))
    return context


class Wire:
    """One connection; reads whole responses, one after another."""

    def __init__(self, port, context=None, name="localhost", receive_buffer=None, session=None, source=None,
                 address="127.0.0.1"):
        self.socket = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET)
        self.socket.settimeout(PATIENCE)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        if source:
            self.socket.bind((source, 0))
        self.socket.connect((address, port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        if context:
            try:
                self.socket = context.wrap_socket(self.socket, server_hostname=name, session=session,
                                                  suppress_ragged_eofs=False)
            except BaseException:
                self.socket.close()
                raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, text):
        self.socket.sendall(text if isinstance(text, bytes) else text.encode())
        return self

    def _more(self, size=65_536):
        try:
            data = self.socket.recv(size)
        except (ConnectionResetError, ssl.SSLEOFError):
            data = b""
        self.buffer += data
        return bool(data)

    def response(self, has_body=True, size=65_536):
        """The next response, with as much content as its length says."""
        while b"\r\n\r\n" not in self.buffer:
            if not self._more(size):
                raise AssertionError(f"the connection ended instead of an answer: {self.buffer[:200]!r}")
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        response = parse_head(head)
        length = int(response.get("Content-Length") or 0)
        if not has_body or response.status in (204, 304):
            length = 0
        while len(self.buffer) < length:
            if not self._more(size):
                raise AssertionError(f"the connection ended {length - len(self.buffer)} bytes early")
        response.body, self.buffer = self.buffer[:length], self.buffer[length:]
        return response

    def reset(self):
        """Ends it by a reset, as a phone does that has lost its way."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.socket.close()

    def get(self, path, host="localhost", *fields):
        return self.send(request(path, host, *fields)).response()

    def rest(self):
        """All that comes until the server closes."""
        while self._more():
            pass
        return self.buffer

    def ends(self):
        """Whether the server closes with nothing more to say."""
        return self.rest() == b""


def request(path, host="localhost", *fields, method="GET", version="HTTP/1.1"):
    lines = [f"{method} {path} {version}", f"Host: {host}", *fields, "", ""]
    return "\r\n".join(lines).encode()


@functools.cache
def client_hello(name="localhost"):
    """The bytes of a ClientHello, as a real client sends it."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = ssl.create_default_context().wrap_bio(incoming, outgoing, server_hostname=name)
    try:
        client.do_handshake()
    except ssl.SSLWantReadError:
        pass
    hello = outgoing.read()
    assert re.match(rb"\x16\x03[\x01\x03]", hello)
    return hello
