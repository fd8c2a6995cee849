"""One client's silence, haste or greed is no other client's delay."""
import contextlib
import socket

from harness.promises import Group, equal, eventually, holds
from harness.strangers import page_is_prompt
from harness.wire import Wire, client_hello, request, tls_context
from harness.world import PATH, REST, World


def patient():
    world = World(timeouts={"handshakeSeconds": 30, "headSeconds": 30, "idleSeconds": 60})
    world.tenant("big", word="0123456789abcdef" * 1_000)
    with world.start() as server:
        yield server


group = Group("Patience", patient)


@group.promise("a client that only connects delays nobody")
def _(server):
    with Wire(server.secure), Wire(server.secure):
        page_is_prompt(server)


@group.promise("a client that stops in the middle of its ClientHello delays nobody, and may still go on")
def _(server):
    hello = client_hello()
    with Wire(server.secure) as stopped, Wire(server.secure) as other:
        stopped.send(hello[:len(hello) // 2])
        other.send(hello[:3])
        page_is_prompt(server)
        stopped.send(hello[len(hello) // 2:])
        equal(stopped.socket.recv(1), b"\x16", "a ServerHello")


@group.promise("a client that stops in the middle of a request delays nobody")
def _(server):
    with server.wire() as wire:
        wire.send(request(PATH)[:20])
        page_is_prompt(server)
        equal(wire.send(request(PATH)[20:]).response().status, 200)


@group.promise("200 idle TLS connections delay nobody, and all of them still work")
def _(server):
    context = tls_context(server.ca)
    with contextlib.ExitStack() as stack:
        wires = [stack.enter_context(Wire(server.secure, context)) for _ in range(200)]
        page_is_prompt(server)
        for wire in wires:
            wire.send(request(REST))
        for wire in wires:
            equal(wire.response().status, 200)


@group.promise("a client that never reads delays nobody")
def _(server):
    with server.wire(receive_buffer=2_048) as wire:
        wire.socket.setblocking(False)
        with contextlib.suppress(BlockingIOError, OSError):
            for _ in range(2_000):
                wire.send(request("/big/parrot.html"))
        page_is_prompt(server)


@group.promise("a client that resets its connection in the middle of an answer harms nobody")
def _(server):
    for _ in range(20):
        wire = server.wire(receive_buffer=1_024)
        wire.send(request("/big/parrot.html") * 20)
        wire.reset()
    page_is_prompt(server)


@group.promise("a client that half-closes, or says goodbye properly, ends without a trace")
def _(server):
    equal(server.curl(PATH).status, 200)
    with server.wire() as wire:
        equal(wire.get(PATH).status, 200)
        before = server.open_files()
        wires = [server.wire() for _ in range(20)]
        for number, other in enumerate(wires):
            equal(other.get(REST).status, 200)
            if number % 2:
                other.socket.unwrap()
            else:
                other.socket.shutdown(socket.SHUT_WR)
        eventually(lambda: server.open_files() <= before, "the server closes its ends too")
        for other in wires:
            other.socket.close()


@group.promise("an idle server sleeps: no processor time in 2 s, with idle, silent and half-read connections open")
def _(server):
    with server.wire() as idle, Wire(server.secure) as silent, server.wire() as half:
        equal(idle.get(PATH).status, 200)
        half.send(request(PATH)[:20])
        silent.send(client_hello()[:30])
        before = server.cpu_ticks()
        idle.socket.settimeout(2)
        with contextlib.suppress(TimeoutError):
            idle.socket.recv(1)
        used = server.cpu_ticks() - before
        holds(used <= 3, f"{used} ticks of 10 ms")
