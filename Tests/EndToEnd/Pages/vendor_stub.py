"""Stands in for the vendors' hosts: scripts that keep their published contracts, and fail on demand.

A script's address says how it fails: `?do=404`, `drop`, `hang`, `404-once`; what the script itself
does wrong (`init-false`, ...) is read by the script from the same place.
"""

import base64
import hashlib
import http.client
import http.server
import os
import socket
import ssl
import struct
import threading
import urllib.parse

# Serves the service's pages with an attacker's markup in them, and their own fields.
TAMPERED = "tampered.example"
# The same without the markup, with other fields if the run says so.
ALTERED = "altered.example"
# The same for engines that know `report-uri` alone.
OLD = "old.example"

HOSTS = [
    "talkdeskchatsdk.talkdeskapp.com",
    "api.talkdeskapp.com",
    "prd-cdn-talkdesk.talkdesk.com",
    "sa-media.usizy.es",
    "chirp.example",
    "extra.example",
    TAMPERED,
    ALTERED,
    OLD,
]

_HERE = os.path.dirname(os.path.abspath(__file__))
_SCRIPTS = {
    "/v2/talkdeskchatsdk.js": "stub_talkdesk_sdk.js",
    "/smart-assistant/launcher.js": "stub_assistant_launcher.js",
    "/chirp.js": "stub_chirp.js",
    "/parts.js": "stub_parts.js",
}
# Silence: the head of a WAV file and four samples.
_SOUND = (b"RIFF" + struct.pack("<I", 40) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 8000, 1, 8)
          + b"data" + struct.pack("<I", 4) + b"\x80" * 4)
_INJECTED = (
    "<script>window.strangers = 1</script>"
    "<script src=\"https://evil.example/script.js\"></script>"
    "<img src=\"https://evil.example/picture.png\" onerror=\"window.strangers = 2\">"
    "<iframe src=\"https://evil.example/frame.html\"></iframe>"
    "<link rel=\"stylesheet\" href=\"https://evil.example/style.css\">"
    "<object data=\"https://evil.example/object\"></object>"
    "<base href=\"https://evil.example/\">")
_PICTURE = b'<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"></svg>'


class VendorStub:
    def __init__(self, authority):
        self.requests = []
        self._finished = threading.Event()
        # A script asked for with `?do=late` is answered once this is set.
        self.late = threading.Event()
        stub = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                if self.headers["Host"] in (TAMPERED, ALTERED, OLD):
                    stub._pass_on(self)
                elif self.headers["Upgrade"] == "websocket":
                    stub._accept_socket(self)
                else:
                    stub._answer(self)

            do_POST = do_GET

            def log_message(self, *arguments):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda request, client: None
        self._server.socket = authority.server_context().wrap_socket(
            self._server.socket, server_side=True, do_handshake_on_connect=False)
        self.address = self._server.server_address
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def script(self, path):
        with open(os.path.join(_HERE, _SCRIPTS[path]), "rb") as file:
            return file.read()

    def close(self):
        self._finished.set()
        self._server.shutdown()

    def stand_before(self, base, address, root, alteration):
        """Serves what a service serves, altered, at hosts of our own."""
        self._service = urllib.parse.urlsplit(base), address, ssl.create_default_context(cafile=root)
        self._alteration = alteration or ("", "")

    def _pass_on(self, handler):
        url, address, context = self._service
        length = int(handler.headers["Content-Length"] or 0)
        with socket.create_connection(address, timeout=10) as plain:
            # The certificate is that of the service's name, which nothing but this connection knows here.
            connection = http.client.HTTPSConnection(url.hostname, context=context)
            connection.sock = context.wrap_socket(plain, server_hostname=url.hostname)
            kept = {name: handler.headers[name] for name in ("Content-Type",) if handler.headers[name]}
            connection.request(handler.command, handler.path, handler.rfile.read(length), {"Host": url.netloc, **kept})
            answer = connection.getresponse()
            body = answer.read()
        if handler.headers["Host"] == TAMPERED:
            body = body.replace(b"</body>", _INJECTED.encode() + b"</body>")
        handler.send_response(answer.status)
        changes = [self._alteration] + [("; report-to bridgehost", "")] * (handler.headers["Host"] == OLD)
        for name, value in answer.getheaders():
            for old, new in changes:
                value = value.replace(old, new)
            if name not in ("Content-Length", "ETag", "Date"):
                handler.send_header(name, value)
        if answer.status != 204:
            handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    def _accept_socket(self, handler):
        """A web socket that opens and says nothing (RFC 6455 §4.2.2)."""
        self.requests.append(handler.path)
        key = handler.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        handler.send_response(101)
        handler.send_header("Upgrade", "websocket")
        handler.send_header("Connection", "Upgrade")
        handler.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        handler.end_headers()
        handler.close_connection = True
        handler.connection.recv(1024)

    def _answer(self, handler):
        url = urllib.parse.urlsplit(handler.path)
        seen = self.requests.count(handler.path)
        self.requests.append(handler.path)
        failure = urllib.parse.parse_qs(url.query).get("do", [""])[0]
        if failure == "drop":
            handler.close_connection = True
        elif failure == "hang":
            self._finished.wait()
        elif failure == "late":
            self.late.wait(20)
            _send(handler, 200, "text/javascript", self.script(url.path))
        elif failure == "404" or (failure == "404-once" and seen == 0):
            _send(handler, 404, "text/plain", b"not here")
        elif url.path in _SCRIPTS:
            _send(handler, 200, "text/javascript", self.script(url.path))
        elif url.path.endswith(".svg"):
            _send(handler, 200, "image/svg+xml", _PICTURE)
        elif url.path.endswith(".css"):
            _send(handler, 200, "text/css", b"")
        elif url.path.endswith(".wav"):
            _send(handler, 200, "audio/wav", _SOUND)
        elif url.path.endswith(".html"):
            _send(handler, 200, "text/html", b"<!doctype html><title>widget</title>")
        else:
            _send(handler, 200, "application/json", b"{}")


def _send(handler, status, media_type, body):
    handler.send_response(status)
    handler.send_header("Content-Type", media_type)
    handler.send_header("Content-Length", str(len(body)))
    handler.send_header("Cache-Control", "no-store")
    # The SDK reads its gateway across origins.
    handler.send_header("Access-Control-Allow-Origin", "*")
    handler.end_headers()
    handler.wfile.write(body)
