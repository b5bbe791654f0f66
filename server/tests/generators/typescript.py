"""Makes clients in TypeScript, compiles a program that uses them, and runs it.

Arguments: the address of the service, an empty folder, the address of the stand-in, the program,
and the folder of Node's packages. The program is `openapi_generator` or `hey_api`, whose generator
it names. What it prints is printed.
"""

import json
import subprocess
import sys
from pathlib import Path

from generating import AREAS, document, openapi_generator, run

address, folder, stand_in = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
program, modules = sys.argv[4], Path(sys.argv[5])
if program == "openapi_generator":
    openapi_generator(
        address,
        folder,
        lambda area: {"generatorName": "typescript-fetch", "outputDir": str(folder / area)},
    )
else:
    for area in AREAS:
        file = document(address, area, folder)
        printed = run(
            ["node", str(modules / ".bin/openapi-ts"), "--no-log-file"]
            + ["-i", str(file), "-o", str(folder / area)],
            cwd=folder,
        )
        assert "warning" not in printed.lower(), printed

source = folder / "program.ts"
source.write_text((Path(__file__).parent / f"{program}.ts").read_text())
(folder / "node_modules").symlink_to(modules)
options = {
    "strict": True,
    "skipLibCheck": True,
    "target": "es2022",
    "lib": ["es2022", "dom", "dom.iterable"],
    "types": ["node"],
    "module": "commonjs",
    "moduleResolution": "node10",
    "outDir": "compiled",
}
(folder / "tsconfig.json").write_text(
    json.dumps({"compilerOptions": options, "files": ["program.ts"]})
)
run(["node", str(modules / "typescript/bin/tsc"), "--project", str(folder)])
sys.exit(subprocess.run(["node", str(folder / "compiled/program.js"), stand_in]).returncode)
