"""What a server takes of memory and of time to its first page."""
import http.client
import shutil
import socket
import ssl
import tempfile
import time

from servers import Bridgehost, make_certificate

IDLE_CONNECTIONS = 1000


def idle_connection_kibibytes(server):
    """Resident memory that each of a thousand idle TLS connections takes."""
    context = ssl._create_unverified_context()
    before = server.resident_kibibytes()
    connections = []
    for _ in range(IDLE_CONNECTIONS):
        connection = context.wrap_socket(socket.create_connection(("127.0.0.1", server.secure)))
        connection.sendall(b"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        connection.recv(4096)
        connections.append(connection)
    taken = server.resident_kibibytes() - before
    for connection in connections:
        connection.close()
    return taken / IDLE_CONNECTIONS


def first_page_milliseconds(binary, root, tries=9):
    """The least of several: from starting the process to the first page, with a configured certificate."""
    return min(_with_two_tenants(binary, root, _ask_once) for _ in range(tries))


def idle_mebibytes(binary, root):
    return _with_two_tenants(binary, root, lambda server: server.resident_kibibytes() / 1024)


def _ask_once(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.plain)
    connection.request("GET", "/t0/talkdesk-chat-bridge.html", headers={"Host": "localhost"})
    connection.getresponse().read()
    return (time.monotonic() - server.started) * 1000


def _with_two_tenants(binary, root, measure):
    directory = tempfile.mkdtemp(prefix="bridgehost-benchmark-")
    try:
        make_certificate(directory)
        server = Bridgehost(binary, directory, root, tenants=["t0", "t1"])
        try:
            return measure(server)
        finally:
            server.stop()
    finally:
        shutil.rmtree(directory)
