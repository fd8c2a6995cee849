"""What the process tells of itself: by levels, for people or as JSON, and never at the cost of those who are served."""
import json
import signal

from harness.process import Server
from harness.promises import Group, contains, equal, eventually, holds
from harness.world import PATH, World, shop

group = Group("Lines of the log")


def started(world, *flags):
    """A server whose lines may be other than those that say where it listens."""
    return Server(shop(), ["serve", *world.flags(), *flags], raw=True)


@group.promise("in JSON each line is an object with time, level and message")
def _():
    world = World(log={"format": "json"})
    world.write("config/tenants/broken.json", "{")
    with started(world) as server:
        server.wait_line('"message":"ready"', within=60)
        server.signal(signal.SIGTERM)
        equal(server.wait_end(), 0)
        server.reader.join(5)
        told = [json.loads(line) for line in server.lines if line]
        holds(all(set(line) == {"time", "level", "message"} for line in told), "three members each")
        levels = {line["message"].split(" ")[0]: line["level"] for line in told}
        equal((levels["ready"], levels["stopped"], levels["tenant"]), ("info", "info", "error"))


@group.promise("a level leaves out what matters less, and a reload changes it")
def _():
    world = World(log={"level": "error"})
    world.write("config/tenants/broken.json", "{")
    with started(world) as server:
        server.wait_line("tenant broken is not served", within=60)
        world.write("config/server.json", {**world.settings, "log": {"level": "info"}})

        def tells():
            server.signal(signal.SIGHUP)
            server.wait_line("^reloaded: ", within=1)
            return True

        def told():
            try:
                return tells()
            except AssertionError:
                return False

        eventually(told, "it tells of the reload")
        holds("ready" not in server.lines, "ready was left out")


@group.promise("debug tells more than info")
def _():
    for level, count in (("info", 0), ("debug", 1)):
        with World(log={"level": level}).start() as server:
            server.signal(signal.SIGUSR1)
            server.reload()
            # Signals that wait together are taken by their numbers, and the reload's is the lower.
            for _ in range(3):
                server.reload()
            if count:
                server.wait_line("SIGUSR1")
            equal(sum("SIGUSR1" in line for line in server.lines), count)


@group.promise("a terminal or collector that hangs keeps neither a reload nor a stop from being done")
def _():
    world = World()
    with world.start() as server:
        server.hold_reading()
        for number in range(24):
            world.tenant(f"t{number}", word="x", region="never-heard-of-" + "x" * 500)
        server.signal(signal.SIGHUP)
        eventually(lambda: server.curl("/t23/parrot.html").status == 200, "the reload is done", within=20)
        holds(server.metrics()["bridgehost_log_lines_dropped_total"] > 0, "lines were dropped")
        equal(server.curl(PATH).status, 200)
        server.signal(signal.SIGTERM)
        equal(server.wait_end(), 0)


@group.promise("a wrong setting is told with what could stand there")
def _():
    for setting, told in (({"level": "loud"}, 'one of "error", "warning", "info", "debug"'),
                          ({"access": "access.log"}, '"off", "stdout" or the absolute path of a file'),
                          ({"acess": "off"}, 'Did you mean "access"?')):
        checked = World(log=setting).command("check")
        equal(checked.status, 1)
        contains(checked.text, told)
