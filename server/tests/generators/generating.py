"""What the scripts of this folder have in common."""

import json
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

AREAS = ["accounts", "identity", "inference", "patterns"]
DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code"
SCOPE = "accounts.read apikeys.read apikeys.write patterns.read"

# Where the virtual environment has its programs.
PROGRAMS = Path(sys.executable).parent


def document(address, area, folder):
    """Fetches a document from the service, and returns its file."""
    file = folder / f"{area}.json"
    with urllib.request.urlopen(f"{address}/openapi/{area}.json") as answer:
        file.write_bytes(answer.read())
    return file


def openapi_generator(address, folder, options):
    """Runs openapi-generator for all areas in one process. It must not complain of a document."""
    files = []
    for area in AREAS:
        config = {"inputSpec": str(document(address, area, folder)), **options(area)}
        file = folder / f"{area}.config.json"
        file.write_text(json.dumps(config))
        files.append(str(file))
    program = PROGRAMS / "openapi-generator-cli"
    printed = run([str(program), "batch", "--fail-fast", "--threads", "2", *files])
    complaints = [line for line in printed.splitlines() if "ERROR" in line]
    assert not complaints, "\n".join(complaints)


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
