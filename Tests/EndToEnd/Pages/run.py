#!/usr/bin/env python3
"""Keeps the pages' promises in the engines of iOS (WebKit) and Android (Chromium).

    run.py                       pages rendered by the tests' own stand-in for the service
    run.py --binary PATH         pages served by `PATH serve` with a generated configuration
    run.py --base URL --ca FILE  pages served by a running service; its tenants come from
    run.py --write-config DIR    which writes them, with a certificate, and ends
    --engine webkit|chromium     one engine only
    --only TEXT                  promises whose text holds TEXT
    --screenshots DIR            pictures of the pages' lines instead of promises
"""

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.parse

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
ENGINES = ["webkit", "chromium"]
PAGES_HOST = "pages.example"
# The only Python that Debian's gi serves.
SYSTEM_PYTHON = "/usr/bin/python3"


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--public", default=os.path.join(ROOT, "public"))
    parser.add_argument("--config", default=os.path.join(ROOT, "config"))
    parser.add_argument("--binary")
    parser.add_argument("--base")
    parser.add_argument("--ca")
    parser.add_argument("--write-config", metavar="DIR")
    parser.add_argument("--engine", choices=ENGINES)
    parser.add_argument("--only", default="")
    parser.add_argument("--screenshots", metavar="DIR")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def make_authority(directory):
    from certificates import Authority
    from vendor_stub import HOSTS
    return Authority(directory, [PAGES_HOST, "localhost"] + HOSTS)


def start_service(options, directory, authority):
    from binary_service import BinaryService, write_config
    from static_service import StaticService
    from tenants import TENANTS
    if not options.binary:
        return StaticService(options.public, TENANTS, authority, PAGES_HOST)
    config = os.path.join(directory, "config")
    os.makedirs(config)
    write_config(config, options.config, TENANTS, authority, PAGES_HOST)
    return BinaryService(options.binary, config, options.public, PAGES_HOST)


class Stage:
    """Everything one engine needs around it, taken down in the opposite order."""

    def __init__(self, options):
        self._cleanup = contextlib.ExitStack()
        try:
            self._set_up(options)
        except BaseException:
            self.close()
            raise

    def _set_up(self, options):
        from certificates import verified_leaf
        from promises import World
        from proxy import Proxy
        from vendor_stub import HOSTS, VendorStub
        directory = tempfile.mkdtemp(prefix="bridge-pages-")
        self._cleanup.callback(shutil.rmtree, directory, ignore_errors=True)
        authority = make_authority(directory)
        vendor = self._owned(VendorStub(authority))
        addresses = {(host, 443): vendor.address for host in HOSTS}
        roots = dict.fromkeys(HOSTS, authority.root)
        service = None if options.base else self._owned(start_service(options, directory, authority))
        base = options.base or service.base
        url = urllib.parse.urlsplit(base)
        port = url.port or 443
        addresses[url.hostname, port] = service.address if service else (url.hostname, port)
        roots[url.hostname] = options.ca or authority.root
        proxy = self._owned(Proxy({"%s:%d" % place: address for place, address in addresses.items()}))
        leaves = {host: verified_leaf(host, address, roots[host]) for (host, _), address in addresses.items()}
        engine = self._owned(start_engine(options.engine, directory, proxy, leaves))
        public = os.path.join(directory, "public")
        shutil.copytree(options.public, public)
        self.world = World(engine, base.rstrip("/"), public, vendor, proxy)
        self._cleanup.callback(self.world.close_views)

    def _owned(self, part):
        self._cleanup.callback(part.close)
        return part

    def close(self):
        self._cleanup.close()


def start_engine(name, directory, proxy, leaves):
    # Each engine has its own needs (GTK, a display), so only the one that runs is imported.
    if name == "webkit":
        from webkit import WebKit
        return WebKit(directory, proxy, leaves)
    from chromium import Chromium
    return Chromium(directory, proxy, leaves)


def keep_promises(options, report):
    from promises import PROMISES
    import promises_talkdesk_start, promises_talkdesk_failure, promises_assistant, promises_channel, promises_page
    stage = Stage(options)
    failures = 0
    try:
        for text, check in PROMISES:
            if options.only not in text:
                continue
            problem = attempt(check, stage.world)
            failures += problem is not None
            report("%s  %-8s  %s" % ("FAIL" if problem else "pass", options.engine, text))
            if problem:
                report("      " + problem)
    finally:
        stage.close()
    return failures


def attempt(check, world):
    from view import JavaScriptError
    try:
        check(world)
    except (AssertionError, JavaScriptError) as error:
        return "%s: %s" % (type(error).__name__, error)
    finally:
        world.close_views()
    return None


def take_screenshots(options, report):
    stage = Stage(options)
    os.makedirs(options.screenshots, exist_ok=True)
    try:
        for tenant in ("chat", "chat-notice", "assistant-disabled"):
            for dark in (False, True):
                name = "%s-%s%s.png" % (options.engine, tenant, "-dark" if dark else "")
                view = stage.world.open(tenant)
                view.screenshot(os.path.join(options.screenshots, name), dark)
                stage.world.close_views()
                report("pass  %-8s  picture %s" % (options.engine, name))
    finally:
        stage.close()
    return 0


def work(options):
    # WebKit's console comes over descriptors 1 and 2, so the report gets one of its own.
    out = os.fdopen(os.dup(1), "w", buffering=1)

    def report(line):
        out.write(line + "\n")

    do = take_screenshots if options.screenshots else keep_promises
    try:
        return 1 if do(options, report) else 0
    except Exception:
        report(traceback.format_exc())
        return 1


def main(arguments):
    options = parse(arguments)
    sys.path.insert(0, HERE)
    if options.write_config:
        from binary_service import write_config
        from tenants import TENANTS
        os.makedirs(options.write_config, exist_ok=True)
        write_config(options.write_config, options.config, TENANTS, make_authority(options.write_config), PAGES_HOST)
        return 0
    if options.worker:
        return work(options)
    return run_engines([options.engine] if options.engine else ENGINES, arguments)


def run_engines(engines, arguments):
    started = time.monotonic()
    workers = [subprocess.Popen(
        [SYSTEM_PYTHON, os.path.abspath(__file__), "--worker", *arguments, "--engine", engine],
        stdout=subprocess.PIPE, text=True) for engine in engines]
    passed = failed = 0
    for engine, worker in zip(engines, workers):
        for line in worker.stdout:
            print(line, end="", flush=True)
            passed += line.startswith("pass")
            failed += line.startswith("FAIL")
        if worker.wait() != 0 and failed == 0:
            print("FAIL  %-8s  the run itself broke" % engine)
            failed += 1
    print("%d passed, %d failed in %.0f s" % (passed, failed, time.monotonic() - started))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
