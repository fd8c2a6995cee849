"""The promises of run: each case of Tests/BridgesTests/Cases/tenants is judged alike by schema and service."""

import argparse
import json
import os
import shutil
import subprocess
import tempfile

import jsonschema

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))
CASES = os.path.join(ROOT, "Tests/BridgesTests/Cases/tenants")
# What a schema can't say, only the service finds: repeated keys, names claimed twice, the service's own hosts.
EXPECTED = {"good": (True, True), "bad-schema": (False, False), "bad-semantics": (True, False)}


def schema_accepts(validator, path):
    with open(path) as file:
        return validator.is_valid(json.load(file))


def service_accepts(binary, path):
    with tempfile.TemporaryDirectory() as directory:
        shutil.copytree(os.path.join(ROOT, "config/bridges"), os.path.join(directory, "bridges"))
        write_settings(directory)
        os.mkdir(os.path.join(directory, "tenants"))
        shutil.copy(path, os.path.join(directory, "tenants/case.json"))
        command = [binary, "check", "--config", directory, "--public", os.path.join(ROOT, "public")]
        return subprocess.run(command, capture_output=True).returncode == 0


def write_settings(directory):
    """The shipped settings without a folder of keys, which are no part of what schemas judge."""
    with open(os.path.join(ROOT, "config/server.json")) as file:
        settings = json.load(file)
    del settings["secretsDirectory"]
    with open(os.path.join(directory, "server.json"), "w") as file:
        json.dump(settings, file)


def shipped_files():
    """Each file that a person edits, with the schema that it names."""
    for folder, schema in (("tenants", "tenant"), ("bridges", "bridge")):
        for name in sorted(os.listdir(os.path.join(ROOT, "config", folder))):
            yield os.path.join("config", folder, name), schema
    yield "config/server.json", "server"


def validator(name):
    with open(os.path.join(ROOT, "config/schemas/%s.schema.json" % name)) as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True)
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    counts = [0, 0]

    def promise(holds, text):
        counts[not holds] += 1
        print("%-6s  %s" % ("ok" if holds else "FAILED", text))

    tenant = validator("tenant")
    for kind, (by_schema, by_service) in EXPECTED.items():
        for name in sorted(os.listdir(os.path.join(CASES, kind))):
            path = os.path.join(CASES, kind, name)
            promise(schema_accepts(tenant, path) == by_schema, "%s/%s by the schema" % (kind, name))
            promise(service_accepts(binary, path) == by_service, "%s/%s by the service" % (kind, name))
    for path, schema in shipped_files():
        promise(schema_accepts(validator(schema), os.path.join(ROOT, path)), "%s by its schema" % path)
    print("%d passed, %d failed" % tuple(counts))
    raise SystemExit(1 if counts[1] or not counts[0] else 0)


main()
