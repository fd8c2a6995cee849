"""Stands in for the vendors' hosts: scripts that keep their published contracts, and fail on demand.

A script's address says how it fails: `?do=404`, `drop`, `hang`, `404-once`; what the script itself
does wrong (`init-false`, ...) is read by the script from the same place.
"""

import http.server
import os
import threading
import urllib.parse

HOSTS = [
    "talkdeskchatsdk.talkdeskapp.com",
    "api.talkdeskapp.com",
    "prd-cdn-talkdesk.talkdesk.com",
    "sa-media.usizy.es",
]

_HERE = os.path.dirname(os.path.abspath(__file__))
_SCRIPTS = {
    "/v2/talkdeskchatsdk.js": "stub_talkdesk_sdk.js",
    "/smart-assistant/launcher.js": "stub_assistant_launcher.js",
}
_PICTURE = b'<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"></svg>'


class VendorStub:
    def __init__(self, authority):
        self.requests = []
        self._finished = threading.Event()
        stub = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                stub._answer(self)

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

    def _answer(self, handler):
        url = urllib.parse.urlsplit(handler.path)
        seen = self.requests.count(handler.path)
        self.requests.append(handler.path)
        failure = urllib.parse.parse_qs(url.query).get("do", [""])[0]
        if failure == "drop":
            handler.close_connection = True
        elif failure == "hang":
            self._finished.wait()
        elif failure == "404" or (failure == "404-once" and seen == 0):
            _send(handler, 404, "text/plain", b"not here")
        elif url.path in _SCRIPTS:
            _send(handler, 200, "text/javascript", self.script(url.path))
        elif url.path.endswith(".svg"):
            _send(handler, 200, "image/svg+xml", _PICTURE)
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
