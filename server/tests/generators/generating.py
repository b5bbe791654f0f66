"""What the scripts of this folder have in common."""

import json
import os
import subprocess
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

AREAS = ["accounts", "identity", "inference", "patterns"]
# The accelerator that each of them makes a pattern from.
ACCELERATOR = "3f1c2a9e-6d0b-4f6e-9c64-0a4c8c0d7b01"
DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code"
SCOPE = "accounts.read accounts.write apikeys.read apikeys.write patterns.read patterns.write"

# What openapi-generator complains of without a reason in the documents.
FAULTS = [
    # It looks for the names of schemas that are written in place, and have none.
    "Failed to get the schema name: null",
    # A map of any values is meant as one.
    "Codegen property is null (e.g. map/dict of undefined type). Default to typing.Any.",
    # It names an alternative of `oneOf` by its type, and renames it.
    "string (reserved word) cannot be used as model name. Renamed to model_string",
]

# A run takes seconds: optimizing its code and collecting garbage in parallel would take longer than they save.
SHORT_RUN = {"JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}

# Where the virtual environment has its programs.
PROGRAMS = Path(sys.executable).parent


def document(address, area, folder):
    """Fetches a document from the service, and returns its file."""
    file = folder / f"{area}.json"
    with urllib.request.urlopen(f"{address}/openapi/{area}.json") as answer:
        file.write_bytes(answer.read())
    return file


def openapi_generator(address, folder, options):
    """Runs openapi-generator for all areas. It must not complain of a document."""

    def generate(area):
        config = {"inputSpec": str(document(address, area, folder)), **options(area)}
        file = folder / f"{area}.config.json"
        file.write_text(json.dumps(config))
        command = [str(PROGRAMS / "openapi-generator-cli"), "generate", "-c", str(file)]
        printed = run(command, env=os.environ | SHORT_RUN)
        return [f"{area}: {line}" for line in printed.splitlines() if is_complaint(line)]

    # Each is a process of its own: several in one process print no warnings.
    with ThreadPoolExecutor(2) as pool:
        complaints = [line for lines in pool.map(generate, AREAS) for line in lines]
    assert not complaints, "\n".join(complaints)


def is_complaint(line):
    """Whether openapi-generator complains of a document."""
    is_logged = "WARN" in line or "ERROR" in line
    return is_logged and not any(fault in line for fault in FAULTS)


def run(command, **options):
    """Runs a program, and returns what it printed."""
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        **options,
    )
    if done.returncode:
        raise SystemExit(f"{command} failed:\n{done.stdout}")
    return done.stdout


def approved(user_code):
    """Asks whoever runs the script to approve the device."""
    print("approve", user_code, flush=True)


def polled(poll, interval):
    """Polls until there is a token."""
    for _ in range(20):
        token = poll()
        if token is not None:
            return token
        time.sleep(interval)
    raise SystemExit("the device was not approved")
