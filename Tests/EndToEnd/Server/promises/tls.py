"""TLS as clients see it: versions, suites, ALPN, chains."""
import re

from harness.promises import Group, contains, equal, holds
from harness.tools import curl, openssl, s_client
from harness.wire import Wire, tls_context
from harness.world import PATH, World, serve


group = Group("TLS", serve)


@group.promise("curl trusts the certificate through the CA alone, without -k")
def _(server):
    equal(server.curl(PATH).status, 200)
    curl(f"https://localhost:{server.secure}{PATH}", expect=60)


@group.promise("openssl s_client verifies chain and name")
def _(server):
    seen = s_client(server.secure, "-CAfile", server.ca, "-verify_return_error", "-servername", "localhost",
                    "-verify_hostname", "localhost")
    contains(seen.out, "Verify return code: 0 (ok)")
    contains(seen.out, "Verified peername: localhost")


@group.promise("the full chain is sent, leaf first")
def _(server):
    seen = s_client(server.secure, "-showcerts", "-servername", "localhost")
    equal(seen.out.count("-----BEGIN CERTIFICATE-----"), 2)
    contains(seen.out, " 0 s:CN = localhost")
    holds(re.search(r" 1 s:CN = bridgehost development CA", seen.out), seen.out)


@group.each("{} is spoken", {"TLS 1.2": ("-tls1_2", "TLSv1.2"), "TLS 1.3": ("-tls1_3", "TLSv1.3")})
def _(server, case):
    flag, name = case
    contains(s_client(server.secure, flag).out, f"New, {name}, Cipher is")


@group.each("{} is refused with an alert", {"TLS 1.0": "-tls1", "TLS 1.1": "-tls1_1"})
def _(server, flag):
    seen = s_client(server.secure, flag, "-cipher", "ALL:@SECLEVEL=0")
    holds(seen.status != 0, "the handshake fails")
    contains(seen.text, "alert protocol version")


@group.promise("of TLS 1.2's suites only those with forward secrecy and AEAD are spoken")
def _(server):
    for suite in ("ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305"):
        contains(s_client(server.secure, "-tls1_2", "-cipher", suite).out, f"Cipher is {suite}")
    for suites in ("ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-AES128-SHA", "AES128-GCM-SHA256", "DHE-RSA-AES128-GCM-SHA256"):
        contains(s_client(server.secure, "-tls1_2", "-cipher", f"{suites}:@SECLEVEL=0").text, "alert handshake failure")


@group.promise("keys are agreed on X25519 with a client that has it first, on P-256 with one that has only that")
def _(server):
    for version in ("-tls1_2", "-tls1_3"):
        contains(s_client(server.secure, version).out, "Server Temp Key: X25519")
        contains(s_client(server.secure, version, "-groups", "P-256").out, "Server Temp Key: ECDH, prime256v1")


@group.promise("ALPN chooses http/1.1, also beside h2")
def _(server):
    for offered in ("http/1.1", "h2,http/1.1"):
        contains(s_client(server.secure, "-alpn", offered).out, "ALPN protocol: http/1.1")


@group.promise("a client without ALPN is served")
def _(server):
    with Wire(server.secure, tls_context(server.ca, alpn=None)) as wire:
        equal(wire.socket.selected_alpn_protocol(), None)
        equal(wire.get(PATH).status, 200)


@group.promise("a failed handshake of one client leaves others' connections as they were")
def _(server):
    with server.wire() as wire:
        for _ in range(20):
            equal(s_client(server.secure, "-alpn", "h2").status != 0, True)
            equal(wire.get(PATH).status, 200)


@group.promise("with no certificate configured, the printed fingerprint is that of the certificate that is shown")
def _():
    with World(certificates=None).start() as server:
        server.wait_line("self-signed")
        printed = re.search(r"SHA-256 fingerprint ([0-9A-F:]{95})", server.output)
        holds(printed, server.output)
        shown = s_client(server.secure, "-servername", "localhost").out
        digest = openssl("x509", "-noout", "-fingerprint", "-sha256", stdin=shown.encode()).out
        equal(digest.strip().partition("=")[2], printed[1])
        text = openssl("x509", "-noout", "-text", stdin=shown.encode()).out
        contains(text, "DNS:localhost, IP Address:127.0.0.1")
        equal(curl(f"https://localhost:{server.secure}{PATH}", "--insecure").status, 200)
        curl(f"https://localhost:{server.secure}{PATH}", expect=60)


@group.promise("the self-signed certificate outlives a reload")
def _():
    with World(certificates=None).start() as server:
        def shown():
            text = s_client(server.secure, "-servername", "localhost").out
            return openssl("x509", "-noout", "-fingerprint", "-sha256", stdin=text.encode()).out

        before = shown()
        server.reload()
        equal(shown(), before)
