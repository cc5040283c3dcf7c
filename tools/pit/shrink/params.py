"""Parameters that no call gives by keyword get the same few names in every function: MicroPython keeps the name of
each one."""

import ast

from pit.shrink.program import FUNCTIONS, is_raw, parameters


def shorten(program, uses, short_names, roots):
    """Rename in every module but those named in `roots`; functions inside functions go on where the outer one has
    stopped."""

    def inside(node, used):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, FUNCTIONS) and not is_raw(child):
                inside(child, used + _rename(child, uses, short_names[used:]))
            else:
                inside(child, used)

    for module in program.modules.values():
        if module.name not in roots:
            inside(module.tree, 0)


def _rename(function, uses, short_names):
    """Returns how many of the short names are in use now."""
    wanted = [p for p in parameters(function) if p.arg not in ("self", "_") and not _by_keyword(uses, p.arg)]
    short = {parameter.arg: name for parameter, name in zip(wanted, short_names)}
    for parameter in wanted:
        parameter.arg = short.get(parameter.arg, parameter.arg)
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and getattr(node, "scope", None) is function.inner:
            node.id = short.get(node.id, node.id)
        elif isinstance(node, ast.Nonlocal):
            node.names = [short.get(name, name) for name in node.names]
    return len(short)


def _by_keyword(uses, name):
    return name in uses.keywords or (uses.unpacks and name in uses.strings)
