"""The only way out of a browser under test: named hosts lead to local servers, all others nowhere."""

import socket
import threading


class Proxy:
    """A CONNECT proxy. `routes` maps "host:port" to a local address."""

    def __init__(self, routes):
        self.routes = routes
        self.refused = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        with client:
            words = _read_head(client).split()
            target = words[1].decode("latin-1") if len(words) > 1 else "nothing"
            address = self.routes.get(target) if words[:1] == [b"CONNECT"] else None
            # Hanging up, not answering: WebKit shows a proxy's error answer as if it were the page.
            if address is None:
                self.refused.append(target)
                return
            with socket.create_connection(address) as server:
                client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                back = threading.Thread(target=_copy, args=(server, client), daemon=True)
                back.start()
                _copy(client, server)
                back.join()

    def close(self):
        self._listener.close()


def _read_head(connection):
    head = b""
    while b"\r\n\r\n" not in head and len(head) < 8192:
        chunk = connection.recv(1024)
        if not chunk:
            break
        head += chunk
    return head


def _copy(source, target):
    try:
        while True:
            chunk = source.recv(65536)
            if not chunk:
                break
            target.sendall(chunk)
    except OSError:
        pass
    try:
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass
