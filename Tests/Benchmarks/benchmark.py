"""Measures bridgehost beside nginx: server CPU per request, memory, and time to the first page."""

import argparse
import os
import resource
import statistics
import sys
import tempfile
from contextlib import ExitStack

import fixture
from exchange import fetch, request, suite
from footprint import FOOTPRINTS
from scenarios import SCENARIOS, WrongAnswer
from servers import Bridgehost, Nginx, free_port

REPOSITORY = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))


def options():
    names = [scenario.name for scenario in SCENARIOS] + list(FOOTPRINTS)
    parser = argparse.ArgumentParser(prog="Tests/Benchmarks/run", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="times that both are measured, in turns (7)")
    parser.add_argument("--seconds", type=int, default=2, help="seconds of load on each (2)")
    parser.add_argument("--quick", action="store_true", help="3 rounds of 1 second: about a minute")
    parser.add_argument("--only", nargs="+", choices=names, default=names, metavar="SCENARIO",
                        help="any of: " + ", ".join(names))
    parser.add_argument("--page-size", choices=["real", "small"], default="real",
                        help="the shipped page, or one of some 3 KB")
    parser.add_argument("--binary", default=os.path.join(REPOSITORY, ".build/release/bridgehost"))
    parser.add_argument("--spread", action="store_true", help="let the system choose the processors")
    chosen = parser.parse_args()
    if chosen.quick:
        chosen.rounds, chosen.seconds = 3, 1
    return chosen


class Bench:
    """Both servers with the same site; bridgehost twice, for one tenant and for many."""

    def __init__(self, chosen, folder):
        self.chosen, self.folder = chosen, folder
        self.chain, self.key = fixture.certificate(folder)
        self.nginx_ports = (free_port(), free_port())

    def start_bridgehost(self, tenants):
        folder = os.path.join(self.folder, f"tenants-{tenants}")
        if not os.path.exists(folder):
            fixture.bridgehost_files(
                REPOSITORY, folder, tenants, self.chain, self.key, self.chosen.page_size)
        return Bridgehost(self.chosen.binary, f"{folder}/config", f"{folder}/public", f"{folder}/log")

    def start_nginx(self):
        return Nginx(f"{self.folder}/nginx.conf", self.nginx_ports, f"{self.folder}/nginx.log")

    def start_bridgehost_again(self):
        """With one tenant, on ports that are known before it says them."""
        server_ports = (free_port(), free_port())
        folder = os.path.join(self.folder, "tenants-1")
        server = Bridgehost(
            self.chosen.binary, f"{folder}/config", f"{folder}/public", f"{folder}/log",
            *(f"--set=listeners.{index}.port={port}" for index, port in enumerate(server_ports)))
        server.ports = server_ports
        return server

    def prepare_nginx(self, one, many):
        """Gives nginx the bytes and fields that bridgehost answers with."""
        root = os.path.join(self.folder, "root")
        for server, tenants in ((one, 1), (many, fixture.TENANTS)):
            names = fixture.names(tenants)
            for start in range(0, len(names), 20):
                paths = [f"/{name}/{fixture.PAGE}" for name in names[start:start + 20]]
                for path, answer in zip(paths, fetch(server.ports[1], False, *map(request, paths))):
                    fixture.write(root + path, answer.body)
        path = fixture.PATH
        zipped = fetch(one.ports[0], True, request(path, ("Accept-Encoding", "gzip")))[0]
        fixture.write(root + path + ".gz", zipped.body)
        faces = [fetch(one.ports[index], index == 0, request(path))[0] for index in (0, 1)]
        fixture.nginx_config(self.folder, root, self.nginx_ports, faces, self.chain, self.key)
        os.chmod(self.folder, 0o755)
        page = faces[0]
        print(f"page: {len(page.body)} bytes, {len(zipped.body)} with gzip, head {page.length - len(page.body)}")


def verify(scenario, nginx, bridgehost):
    """Both give the same right answers; how long nginx's and bridgehost's are."""
    port = 0 if scenario.secure else 1
    suites = {suite(server.ports[port]) for server in (nginx, bridgehost)} if scenario.secure else {None}
    if len(suites) != 1:
        raise WrongAnswer(f"{scenario.name}: several cipher suites, {suites}")
    answers = [scenario.answers(server.ports[port]) for server in (nginx, bridgehost)]
    for one, other in zip(*answers, strict=True):
        scenario.verify(one, other)
    lengths = [{answer.length for answer in group} for group in answers]
    if any(len(group) != 1 for group in lengths):
        raise WrongAnswer(f"{scenario.name}: answers of several lengths")
    return [group.pop() for group in lengths]


def measure(scenario, servers, lengths, chosen, turn):
    """Microseconds of CPU per answer of each server, the first of them changing from turn to turn."""
    costs = [0.0, 0.0]
    for index in (0, 1) if turn % 2 == 0 else (1, 0):
        server = servers[index]
        before = server.nanoseconds()
        count = scenario.load(server.ports[0 if scenario.secure else 1], lengths[index], chosen.seconds)
        costs[index] = (server.nanoseconds() - before) / count / 1_000
    return costs


HEADING = f"{'':<34}{'nginx':>9}{'bridgehost':>12}{'ratio':>8}{'spread':>14}{'target':>9}"


def row(label, nginx, bridgehost, ratio, spread, target):
    print(f"{label:<34}{nginx:>9.1f}{bridgehost:>12.1f}{ratio:>8.2f}{spread:>14}{target:>9}", flush=True)


def run_scenarios(bench, one, many, nginx):
    chosen = bench.chosen
    table = []
    for scenario in SCENARIOS:
        if scenario.name in chosen.only:
            servers = (nginx, many if scenario.script[:1] == ["tenants"] else one)
            table.append((scenario, servers, verify(scenario, *servers), []))
    for turn in range(chosen.rounds):
        for scenario, servers, lengths, costs in table:
            costs.append(measure(scenario, servers, lengths, chosen, turn))
        if sys.stderr.isatty():
            print(f"round {turn + 1} of {chosen.rounds}", file=sys.stderr)
    for scenario, _, _, costs in table:
        ratios = [bridgehost / nginx for nginx, bridgehost in costs]
        medians = [statistics.median(column) for column in zip(*costs)]
        row(f"{scenario.name}, µs", *medians, statistics.median(ratios),
            f"{min(ratios):.2f}–{max(ratios):.2f}", f"≤ {scenario.target:.2f}")


def run_footprints(bench):
    starts = (bench.start_nginx, bench.start_bridgehost_again)
    for name in filter(bench.chosen.only.__contains__, FOOTPRINTS):
        label, target, measurement = FOOTPRINTS[name]
        medians = [statistics.median(column) for column in measurement(starts)]
        row(label, *medians, medians[1] / medians[0], "", f"≤ {target}")


def take_turns():
    """Puts servers and clients, which inherit it, on one processor, where none interrupts another.

    Left alone, the scheduler lets the cheaper server interrupt the client after each request that it sends; so that
    server finds one request where the dearer finds sixteen, and pays for a sleep and a poll with each.
    """
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def main():
    chosen = options()
    if not chosen.spread:
        take_turns()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(chosen, folder)
        with ExitStack() as stack:
            one = stack.enter_context(bench.start_bridgehost(1)).wait_for_ports()
            many = stack.enter_context(bench.start_bridgehost(fixture.TENANTS)).wait_for_ports()
            bench.prepare_nginx(one, many)
            nginx = stack.enter_context(bench.start_nginx()).wait_for_ports()
            print(HEADING)
            run_scenarios(bench, one, many, nginx)
        run_footprints(bench)


if __name__ == "__main__":
    try:
        main()
    except (WrongAnswer, RuntimeError) as error:
        sys.exit(f"benchmark: {error}")
