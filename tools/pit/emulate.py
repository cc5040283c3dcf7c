"""`pit emulate`: a table without hardware that is reached like one on USB."""

from pathlib import Path

from pit import ROOT, ports
from pit.errors import PitError
from pit.serve import Emulated, Server, Simulated

SETTINGS = {"board": "fc7", "profile": "us-in-blackjack", "options": {}, "limits": {"min": 500, "max": 50_000},
            "registry": []}


def serve(uf2="", simulated=False, service=False):
    """Until Ctrl-C. PitError without an image."""
    server = Server(_simulated() if simulated else _emulated(uf2, service))
    print(f"{server.device} is the table's port; Ctrl-C ends it. In another window: "
          f"export {ports.VARIABLE}={server.device}"
          ", then pit status", flush=True)
    try:
        server.serve()
    except KeyboardInterrupt:
        pass
    finally:
        server.close()


def _simulated():
    from pit import keys

    return Simulated({**SETTINGS, "keys": keys.login_keys("1", create=True)})


def _emulated(uf2, service):
    path = Path(uf2 or ROOT / "dist" / "firstcard-fc7.uf2")
    if not path.exists():
        raise PitError(f"{path} is not there: run `make build` first, or give another UF2 file")
    return Emulated(path, service=service)
