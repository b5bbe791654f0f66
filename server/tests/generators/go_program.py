"""Makes clients in Go with openapi-generator, compiles a program that uses them, and runs it.

Arguments: the address of the service, an empty folder, and the address of the stand-in. What the program prints is
printed.
"""

import os
import subprocess
import sys
from pathlib import Path

from generating import PROGRAMS, openapi_generator, run

address, folder, stand_in = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
openapi_generator(
    address,
    folder,
    lambda area: {
        "generatorName": "go",
        "outputDir": str(folder / area),
        "packageName": area,
        "additionalProperties": {
            "withGoMod": False,
            # Constants of two enumerations may have one name.
            "enumClassPrefix": True,
            # Without it a client needs a package beyond Go's own.
            "useOneOfDiscriminatorLookup": True,
        },
    },
)
(folder / "go.mod").write_text("module accord\n\ngo 1.24\n")
(folder / "main.go").write_text((Path(__file__).parent / "openapi_generator.go").read_text())
# What Go has compiled of its own packages is kept beside the tools.
cache = PROGRAMS.parent / "go-cache"
settings = {"GOCACHE": str(cache), "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local"}
program = folder / "program"
run(
    [str(PROGRAMS / "go"), "build", "-o", str(program), "."],
    cwd=folder,
    env=os.environ | settings,
)
sys.exit(subprocess.run([str(program), stand_in]).returncode)
