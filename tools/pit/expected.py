"""`python -m pit.expected [--write] [NAME...]`: the events that each scenario file gives, and what has changed in them.

host_tests/scenarios/expected/NAME.jsonl holds all events of NAME.yaml with all their fields, apart from times. Read the
difference as a dealer or an inspector would before it is written: what stands in these files counts as right.
"""

import argparse
import difflib
import json
import sys

from pit import ROOT, scenario
from pit.play import make_target
from pit.runner import Runner

SCENARIOS = ROOT / "host_tests" / "scenarios"
TIMES = ("seq", "ms", "us")  # what may differ between targets


def timeless(event):
    """The event without its times."""
    out = {key: value for key, value in event.items() if key not in TIMES}
    if isinstance(out.get("pending"), dict):
        out["pending"] = {key: value for key, value in out["pending"].items() if key != "due_ms"}
    return out


def path_of(name):
    return SCENARIOS / "expected" / f"{name}.jsonl"


def read(name):
    """The events that stand in the file of this scenario; none where there is no file."""
    path = path_of(name)
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def lines(events):
    return [json.dumps(event) + "\n" for event in events]


def difference(name, events):
    """Unified difference, a list of lines, between the file and these events; [] if they are equal."""
    return list(difflib.unified_diff(lines(read(name)), lines(events), f"expected/{name}", f"played/{name}", n=1))


def played(name):
    """The events of this scenario on the host. Raises SystemExit where its own expectations are not met."""
    outcome = Runner(scenario.load(SCENARIOS / f"{name}.yaml"), make_target("host")).play()
    if outcome.failure:
        raise SystemExit(outcome.failure)
    return [timeless(event) for event in outcome.events]


def main(argv=None):
    """Exit status: 1 if something differs and is not written."""
    args = argparse.ArgumentParser(prog="pit.expected", description=__doc__.splitlines()[0])
    args.add_argument("--write", action="store_true", help="what is played is right from now on")
    args.add_argument("names", nargs="*", metavar="NAME", help="scenario files without .yaml; all of them if none")
    args = args.parse_args(argv)
    every = sorted(path.stem for path in SCENARIOS.glob("*.yaml"))
    changed = 0
    for name in args.names or every:
        events = played(name)
        found = difference(name, events)
        sys.stdout.writelines(found)
        changed += bool(found)
        if found and args.write:
            path_of(name).parent.mkdir(exist_ok=True)
            path_of(name).write_text("".join(lines(events)))
    stray = [] if args.names else sorted({path.stem for path in path_of("x").parent.glob("*.jsonl")} - set(every))
    for name in stray:
        print(f"expected/{name}.jsonl has no scenario" + (": removed" if args.write else ""))
        if args.write:
            path_of(name).unlink()
    print(f"{changed + len(stray)} of {len(args.names or every)} files {'written' if args.write else 'differ'}")
    return 1 if changed + len(stray) and not args.write else 0


if __name__ == "__main__":
    sys.exit(main())
