"""`pit rules`: the rule profiles in plain words, and a file held against them."""

from pathlib import Path
from typing import Annotated

import typer

from pit.errors import PitError

app = typer.Typer(no_args_is_help=True, help="The rule profiles: list, explain, check a file.")


def _known(profile):
    from firstcard import rules

    if profile not in rules.PROFILES:
        raise PitError(f"there is no profile {profile!r}: choose one of {', '.join(rules.PROFILES)}, or give a file")


@app.command("list")
def list_profiles():
    """The profiles, one a line: id, number of house options and of readings, what must be chosen, the text."""
    from firstcard import rules
    from pit.rules.explain import reason
    from pit.rules.readings import READINGS

    for profile_id in rules.PROFILES:
        rows = rules.data(profile_id).OPTIONS
        needed = [row[0] for row in rows if row[1] == rules.NEEDED]
        print(f"{profile_id:24}{len(rows):3} options{len(READINGS[profile_id]):4} readings  "
              f"{reason(profile_id, 'game')}" + (f"; must be chosen: {', '.join(needed)}" if needed else ""))


@app.command()
def explain(profile: Annotated[str, typer.Argument(metavar="PROFILE|FILE",
                                                   help="a profile's id, or a profile or scenario file")]):
    """A profile in plain words: every parameter, its clause, the readings of the text that it chooses."""
    from pit.rules import files
    from pit.rules.explain import explain as lines_of

    if Path(profile).suffix in (".yaml", ".yml"):
        loaded, _ = files.load(profile)
        values = {name: getattr(loaded, name) for name in loaded.options}
        lines = lines_of(loaded.id, _as_given(loaded, values))
    else:
        _known(profile)
        lines = lines_of(profile)
    print("\n".join(lines))


def _as_given(loaded, values):
    """Options of a loaded profile in a form that the loader reads again: lists as text."""
    from firstcard import rules

    return {name: rules.told(loaded, name) if isinstance(value, tuple) else value for name, value in values.items()}


@app.command()
def check(file: Annotated[str, typer.Argument(metavar="FILE", help="YAML with profile, options, limits (cents)")]):
    """Is a profile file complete and legal? Exit status 0, or 2 with the line, what to write instead and the clause."""
    from pit.rules import files

    profile, both = files.load(file)
    told = f", limits {both[0] / 100:g} to {both[1] / 100:g} dollars" if both else ""
    print(f"{file}: {profile.id}, hash {profile.hash}{told}: complete and allowed")


@app.command()
def template(profile: Annotated[str, typer.Argument(metavar="PROFILE", help="a profile's id")]):
    """A complete profile file with every default, to begin with: pit rules template us-nd-twentyone > mine.yaml."""
    from pit.rules.files import template as lines_of

    _known(profile)
    print("\n".join(lines_of(profile)))
