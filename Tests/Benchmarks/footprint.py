"""What a server takes beside its work: memory, and time until it answers. Each is started afresh for it."""

import time

import fixture
from exchange import connect, context, read_answer, request

IDLE_CONNECTIONS = 1_000
STARTS = 9
MESSAGE = request(fixture.PATH)


def ask(port, secure, client=None):
    """A connection that has been served a page."""
    connection = connect(port, secure, client)
    connection.sendall(MESSAGE)
    answer, _ = read_answer(connection)
    if answer.status != 200:
        raise RuntimeError(f"status {answer.status} instead of the page")
    return connection


def idle_memory(starts):
    """MiB resident once a page was served in the clear and one over TLS."""
    columns = []
    for start in starts:
        with start() as server:
            server.wait_for_ports()
            for secure, port in zip((True, False), server.ports):
                ask(port, secure).close()
            columns.append([server.resident() / 1024])
    return columns


def connection_memory(starts):
    """KiB of the worker's own memory for each idle TLS connection that has been served once."""
    columns = []
    client = context()
    for start in starts:
        with start() as server:
            server.wait_for_ports()
            held = [ask(server.ports[0], True, client) for _ in range(20)]
            before = server.memory("Anonymous")
            held += [ask(server.ports[0], True, client) for _ in range(IDLE_CONNECTIONS)]
            columns.append([(server.memory("Anonymous") - before) / IDLE_CONNECTIONS])
            for connection in held:
                connection.close()
    return columns


def first_page(starts):
    """Milliseconds from the start of the process to the last byte of a page over TLS, in turns."""
    columns = [[], []]
    client = context()
    for _ in range(STARTS):
        for start, column in zip(starts, columns):
            began = time.monotonic()
            with start() as server:
                wait_for_page(server, client, until=began + 20)
                column.append((time.monotonic() - began) * 1_000)
    return columns


def wait_for_page(server, client, until):
    while True:
        try:
            return ask(server.ports[0], True, client).close()
        except ConnectionRefusedError:
            if time.monotonic() > until or server.process.poll() is not None:
                raise RuntimeError(f"{server.name} did not start:\n{server.log()}") from None
            time.sleep(0.000_3)


# Label, target, and what is measured.
FOOTPRINTS = {
    "memory": ("memory, MiB resident and idle", 16, idle_memory),
    "connections": ("connections, KiB per idle TLS one", 15, connection_memory),
    "start": ("start, ms to the first page (TLS)", 25, first_page),
}
