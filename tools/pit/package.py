"""firmware/package.json, for `mpremote mip install`: written by `python -m pit.package` from the tree.

It lists the sources, main.py last. A table runs from compiled files (`pit build`, `pit flash`): as source the
application needs more memory than a board has while it is imported, and the compiler in the image of 1.27 spoils the
drivers, which refuse to start then (drivers/nap.py). So this is for looking around at the prompt of a board in service
mode, and for those who take single packages such as firstcard.proto.
"""

import json
import sys

from pit import ROOT, __version__, build

PATH = ROOT / "firmware" / "package.json"


def contents(board="fc7"):
    """package.json as a dict; addresses are relative to its own place."""
    rows = [[path, path] for path in build.sources(board) if path not in ("board.py", "main.py")]
    return {"urls": [*rows, ["board.py", f"../boards/{board}.py"], ["main.py", "main.py"]], "version": __version__}


def text():
    rows = ",\n    ".join(json.dumps(row) for row in contents()["urls"])
    return f'{{\n  "version": "{__version__}",\n  "urls": [\n    {rows}\n  ]\n}}\n'


def main():
    PATH.write_text(text(), encoding="utf-8")
    print(PATH.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
