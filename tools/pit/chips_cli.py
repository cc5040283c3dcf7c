"""`pit chips`: the words typed and the texts of --help."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from firstcard.core import money
from pit import chiplist, keys
from pit.errors import PitError
from pit.operator_cli import Port

app = typer.Typer(no_args_is_help=True, help="The chips of the site: a signed list on this PC, and what a table gets "
                                             "of it.")
List = Annotated[Path, typer.Argument(metavar="LIST", help="the site's list of chips, as `make` writes it")]
TableName = Annotated[str, typer.Option("--table", help="name of the table, as given to `pit build`")]


@app.command()
def make(target: List,
         files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="CSV with columns uid, dollars and "
                                                     "perhaps kind (chip, plaque) and house")],
         house: Annotated[str, typer.Option("--house", help="whose chips these are; of a new list: whose list")] = ""):
    """Put chips into the site's list, or begin one."""
    if not target.exists() and not house:
        raise PitError(f"{target} is new: say whose list it is with --house NAME")
    found = chiplist.load(target) if target.exists() else chiplist.ChipList(house.strip())
    count = sum(found.add(chiplist.read_rows(path), house) for path in files)
    found.save(target)
    print(f"{target}: {count:,} chips added, {len(found.chips):,} in all")


@app.command()
def revoke(target: List, uids: Annotated[list[str], typer.Argument(metavar="UID...", help="as printed on the chip")]):
    """Take chips out of use. A table knows of it once it has the new registry: `pit chips load`."""
    found = chiplist.load(target)
    count = found.revoke(uids)
    found.save(target)
    print(f"{target}: {count} more revoked")


@app.command()
def sign(target: List, out: Annotated[Path, typer.Argument(metavar="FILE", help="the registry of one table")],
         table: TableName = "1"):
    """Write the registry of one table, signed with a key that only this table has."""
    data = chiplist.load(target).signed(keys.login_keys(table)["registry"])
    try:
        out.write_bytes(data)
    except OSError as error:
        raise PitError(f"{out} cannot be written ({error.strerror}): give another name")
    print(f"{out}: {len(data):,} bytes for table {table}")


@app.command()
def load(target: List, port: Port = "",
         table: Annotated[str, typer.Option("--table", help="name of the table, if it does not say it")] = ""):
    """Bring the registry onto a board: whole or not at all. The table must be closed; it restarts."""
    from pit import ports
    from pit.flash import load_chips

    load_chips(ports.choose(port), chiplist.load(target), table)


@app.command()
def check(file: Annotated[Path, typer.Argument(metavar="LIST|FILE", help="a list, or a table's registry")],
          table: TableName = "1"):
    """What is in a list or a registry, and whether its signature is right. Exit status 1 if it is not."""
    from pit import registry

    try:
        data = file.read_bytes()
    except OSError as error:
        raise PitError(f"{file} cannot be read ({error.strerror})")
    if data.startswith(b"#"):
        pairs, whose = chiplist.load(file).pairs(), "signed with the site key"
    else:
        try:
            pairs = registry.unpack(data)
        except ValueError as error:
            raise PitError(f"{file}: {error}")
        if not registry.is_signed(data, bytes.fromhex(keys.login_keys(table)["registry"])):
            print(f"{file}: NOT signed for table {table}")
            raise typer.Exit(1)
        whose = f"signed for table {table}"
    for cents, count in sorted(Counter(cents for _, cents in pairs if cents > 0).items()):
        print(f"{count:7,} of {money.show(cents)}")
    for cents, count in sorted(Counter(cents for _, cents in pairs if cents < 0).items()):
        print(f"{count:7,} {registry.WORTHLESS[-cents]}")
    print(f"{len(pairs):7,} chips, {whose}")
