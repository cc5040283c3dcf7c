"""`pit demo`: one round on the emulated table, from the built image to the picture."""

import time

from rich.console import Console

from pit import ROOT, build, picture, scenario
from pit.play import Progress, make_target, summary
from pit.runner import Runner
from pit.timeline import Timeline

SCENARIO = ROOT / "host_tests" / "scenarios" / "first-card.yaml"
PICTURE = ROOT / "dist" / "first-card.svg"


def show(board="fc7", on="rp2040", out=None, err=None, picture_path=PICTURE):
    """Build, boot, play, tell, draw; returns the exit status. `out`, `err`: files, default stdout and stderr."""
    started = time.monotonic()
    console = Console(file=out, highlight=False)
    one = scenario.load(SCENARIO)
    image, contents = build.build(board, target=ROOT / "build" / f"demo-{board}.uf2")  # no keys: not for a real board
    _, total = build.sizes(contents)
    console.print(one.title, style="bold")
    console.print(f"{image.relative_to(ROOT)} is built: MicroPython 1.27.0 and {total:,} bytes of firstcard. "
                  f"The same files now run on an emulated {board}.", style="dim", soft_wrap=True)
    console.print("Left: seconds since power-up, as the table counts them. `>` is what people do.\n", style="dim",
                  soft_wrap=True)
    target = make_target(on)
    timeline = Timeline(console, target)
    progress = Progress(err or console.file, one) if console.is_terminal else None

    def tell(kind, data):
        if progress:
            progress(kind, data)
        timeline.tell(kind, data)

    outcome = Runner(one, target, tell).play()
    picture_path.parent.mkdir(parents=True, exist_ok=True)
    picture_path.write_text(picture.draw(one.title, timeline.rows), encoding="utf-8")
    console.print()
    if outcome.failure:
        console.print(outcome.failure, style="red", markup=False, soft_wrap=True)
    summary(console.file, outcome, time.monotonic() - started)
    console.print(f"picture: {picture_path.relative_to(ROOT)}", soft_wrap=True)
    return 1 if outcome.failure else 0
