"""Shrink: a linker for MicroPython source. It sees the whole program and takes away what only people need.

On the board a module pays heap for every name: an entry in a dict, and about 20 bytes for the name itself. So
constants become numbers where they are used, unused definitions go, private names and parameters become short. The
sources stay readable, and the meaning stays: nothing is inlined or reordered. PIO programs and assembler functions come
through untouched.
"""

import ast

from pit.shrink import constants, names, owners, unused, words
from pit.shrink.merge import merge as joined
from pit.shrink.program import Program


def link(sources, roots=(), singletons=(), is_taken=None, merge=True, apart=(), spare=()):
    """Shrink a whole program: {path: source text} -> ({path: source text}, names).

    `roots`: paths that are called from outside and stay as they are, apart from constants (main.py, tests).
    `singletons`: modules that are handed around under their own name (`board`): a variable or attribute of that name
    is always this module. `is_taken(name)`: True for a word of MicroPython; without it public names stay. `merge`:
    join modules that are always loaded together, but for those named in `apart`. `spare`: see names.shorten().
    `names`: {path: {short name: name}}, to read a traceback with. Raises PitError by file and line for what could not
    survive.
    """
    program = Program(sources, singletons)
    by_path = {module.path: module.name for module in program.modules.values()}
    root_names = [by_path[path] for path in roots]
    owners.check_private(program)
    if merge:
        program = Program(joined(program, root_names, apart), singletons)
    constants.propagate(program)
    unused.drop(program, root_names)
    known = names.shorten(program, root_names, is_taken, spare)
    words.share(program, root_names, is_taken)
    return {module.path: _text(module.tree) for module in program.modules.values()}, known


_BARE = "__bare__"


def _text(tree):
    """Source text of a tree. `a, b = b, a` stays without brackets: with them MicroPython makes a tuple on the heap."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign):
            continue
        if isinstance(node.value, ast.Tuple) and isinstance(node.targets[0], ast.Tuple):
            node.value = ast.Call(ast.Name(_BARE, ast.Load()), node.value.elts, [])
    lines = ast.unparse(tree).split("\n")
    for number, line in enumerate(lines):
        before, mark, values = line.partition(f" = {_BARE}(")
        if mark:
            lines[number] = f"{before} = {values.removesuffix(')')}"
    return "\n".join(lines) + "\n"
