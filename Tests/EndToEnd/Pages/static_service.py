"""Renders the pages as the service does, so that they can be tested before and without its binary."""

import base64
import hashlib
import html
import http.server
import json
import os
import re
import threading

from tenants import LAUNCHER, TALKDESK_SDK

_FLAGS = ["enableEmoji", "enableAttachments", "enableValidation", "enableSoundNotification",
          "enableUserInput", "enableChatHeader"]
_BRIDGES = {
    "talkdesk": {
        "page": "talkdesk-chat-bridge.html",
        "config": dict({"scriptURL": TALKDESK_SDK, "languageCode": ""}, **dict.fromkeys(_FLAGS, True)),
        "overridable": _FLAGS + ["languageCode"],
        "native": {"handler": "sdkEvent", "android": {"object": "Android", "method": "postMessage"},
                   "flutter": "sdkEvent", "body": "event"},
        "policy": "script-src {scripts} 'strict-dynamic' https://talkdeskchatsdk.talkdeskapp.com; "
                  "style-src 'unsafe-inline'; frame-src https://talkdeskchatsdk.talkdeskapp.com; "
                  "connect-src https://talkdeskchatsdk.talkdeskapp.com https://api.talkdeskapp.com; "
                  "img-src data: blob: https://talkdeskchatsdk.talkdeskapp.com https://prd-cdn-talkdesk.talkdesk.com; "
                  "media-src https://talkdeskchatsdk.talkdeskapp.com; "
                  "font-src data: https://talkdeskchatsdk.talkdeskapp.com",
    },
    "smart-assistant": {
        "page": "smart_assistant.html",
        "config": {"scriptURL": LAUNCHER, "opened": False, "hideMinimize": False},
        "overridable": [],
        "native": {"handler": "smartAssistantClose", "android": {"object": "Android", "method": "close"},
                   "flutter": "smartAssistantClose", "body": "text"},
        "policy": "script-src {scripts} 'strict-dynamic' https://sa-media.usizy.es; style-src 'unsafe-inline'; "
                  "connect-src https://*.usizy.es; img-src https://*.usizy.es; media-src https://*.usizy.es; "
                  "font-src https://*.usizy.es; frame-src https://*.usizy.es",
    },
}
_ALWAYS = "default-src 'none'; base-uri 'none'; object-src 'none'; form-action 'none'; frame-ancestors 'none'; "
_DATA_BLOCK = '<script type="application/json" id="bridge-config">{}</script>'
_SHARED_SCRIPT = '<script src="bridge.js"></script>'


class StaticService:
    def __init__(self, public, tenants, authority, host):
        pages = _render_all(public, tenants)

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                body, policy = pages.get(self.path, (b"no such page", "default-src 'none'"))
                self.send_response(200 if self.path in pages else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Content-Security-Policy", policy)
                self.send_header("Cache-Control", "no-cache")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda request, client: None
        self._server.socket = authority.server_context().wrap_socket(
            self._server.socket, server_side=True, do_handshake_on_connect=False)
        self.address = self._server.server_address
        self.base = "https://" + host
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()


def _render_all(public, tenants):
    pages = {}
    for tenant, file in tenants.items():
        for name, entry in file["bridges"].items():
            path = "/%s/%s" % (tenant, _BRIDGES[name]["page"])
            pages[path] = _render(public, tenant, name, entry)
    return pages


def _render(public, tenant, name, entry):
    bridge = _BRIDGES[name]
    data = {
        "tenant": tenant, "bridge": name, "revision": "0", "native": bridge["native"],
        "enabled": entry.get("enabled", True), "autoStart": entry.get("autoStart", False),
        "startTimeoutSeconds": entry.get("startTimeoutSeconds", 30), "overridable": bridge["overridable"],
        "config": dict(bridge["config"], **entry["settings"]),
    }
    if "notice" in entry:
        data["notice"] = entry["notice"]
    page = _read(public, bridge["page"])
    page = _replace_once(page, _SHARED_SCRIPT, "<script>" + _read(public, "bridge.js") + "</script>")
    page = _replace_once(page, _DATA_BLOCK, _DATA_BLOCK.replace("{}", _inert(data)))
    return page.encode(), _ALWAYS + bridge["policy"].format(scripts=_hashes(page))


def _read(public, name):
    with open(os.path.join(public, name), encoding="utf-8", newline="") as file:
        text = file.read()
    if name.endswith(".js"):
        refused = re.search(r"</script|</style|<!--", text, re.IGNORECASE)
    else:
        refused = re.search(r"<[^>]*\s(on\w+|style)\s*=|\r|\ufeff", text.split("<script", 1)[0], re.IGNORECASE)
    if refused:
        raise ValueError("%s: the service refuses %r" % (name, html.escape(refused.group(0))))
    return text


def _replace_once(page, old, new):
    if page.count(old) != 1:
        raise ValueError("the page must hold exactly one " + old)
    return page.replace(old, new)


def _inert(data):
    text = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return re.sub("[<>&\u2028\u2029]", lambda match: "\\u%04x" % ord(match.group(0)), text)


def _hashes(page):
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    return " ".join("'sha256-%s'" % base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts)
