"""Short names for what only the program itself has to find, and as few different ones as possible.

MicroPython keeps every name once for all modules, with some 20 bytes. What two modules define can have the same short
name, since each has its own dict; so can attributes that no class has both of. The words of MicroPython itself cost
nothing and are left alone: only so it is sure that an attribute of a builtin object is never meant. For the same reason
they are the best of new names: those of its constants that the program does not use.

Not renamed: `__names__`, modules, whatever a string of the program could reach (getattr), keywords of calls, what
main.py uses.
"""

import ast
import builtins
import itertools
import keyword

from pit.shrink import params
from pit.shrink.merge import MADE
from pit.shrink.owners import Owners, is_private
from pit.shrink.program import is_raw
from pit.shrink.unused import Uses

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def shorten(program, roots=(), is_taken=None, spare=()):
    """Rename; returns {path: {short name: name}}, to read a traceback of the board with.

    `is_taken(name)`: True for a name that MicroPython knows; without it only private names are renamed. `spare`: names
    that MicroPython knows and that may be given anew, since an object of the program never has them otherwise.
    """
    uses = Uses(program)
    owners = Owners(program)
    rename = _Renamer(program, uses, owners, roots, is_taken)
    free = _free_names(program, is_taken or (lambda name: False), spare)
    params.shorten(program, uses, list(itertools.islice(free, 16)), roots)
    attributes = rename.attributes(list(itertools.islice(free, 200)))
    globals_ = rename.globals(list(itertools.islice(free, 200)))
    for module in program.modules.values():
        _Rename(program, module, attributes, globals_).visit(module.tree)
    for module in program.modules.values():
        module.bind()
    return {module.path: rename.map(module) for module in program.modules.values()}


def _free_names(program, is_taken, spare):
    """Short names that nothing in the program is called; those first that cost nothing."""
    used = {*dir(builtins), *keyword.kwlist, "const"}
    for module in program.modules.values():
        for node in ast.walk(module.tree):
            for field in ("id", "attr", "arg", "name", "asname", "value", "module"):
                text = getattr(node, field, None)
                if isinstance(text, str):
                    used.update(text.split("."))
    pairs = map("".join, itertools.product(_LETTERS + _LETTERS.upper(), _LETTERS))
    for name in itertools.chain(_LETTERS, _LETTERS.upper(), spare, pairs):
        if name not in used and (len(name) == 1 or name in spare or not is_taken(name)):
            yield name


class _Renamer:
    """Decides what is renamed, and to what."""

    def __init__(self, program, uses, owners, roots, is_taken):
        self._program, self._uses, self._owners, self._roots = program, uses, owners, roots
        self._is_taken = is_taken
        self._fixed = {part for name in program.modules for part in name.split(".")}
        for name in roots:
            for node in ast.walk(program.modules[name].tree):
                self._fixed.update(filter(None, (getattr(node, "attr", None), getattr(node, "id", None))))
                self._fixed.update(alias.name for alias in getattr(node, "names", ()) if isinstance(alias, ast.alias))
        for name in uses.open:
            self._fixed.update(program.modules[name].scope.bound)
        self._attributes, self._globals = {}, {}

    def _may(self, name, modules):
        uses = self._uses
        if name.startswith("__") or name == "_" or name in self._fixed or name in uses.keywords or name in uses.strings:
            return False
        if uses.by_name(name, modules if is_private(name) else None):
            return False
        return is_private(name) or (self._is_taken is not None and not self._is_taken(name))

    def attributes(self, short_names):
        """{attribute: short name}; two that some object may both have get different ones."""
        owners = self._owners
        found = [name for name in owners.by_name
                 if name not in owners.outside and self._may(name, owners.modules[name])]
        holders = {name: owners.by_name[name] for name in found}
        everywhere = set().union(*owners.by_name.values()) if owners.by_name else set()
        for name in found:
            if name in owners.wild:
                holders[name] = everywhere
        used = {}  # short name -> families that have it
        for name in sorted(found, key=lambda name: (-len(holders[name]), name)):
            for short in short_names:
                if not used.setdefault(short, set()) & holders[name]:
                    used[short] |= holders[name]
                    self._attributes[name] = short
                    break
        return self._attributes

    def globals(self, short_names):
        """{(module, name): short name} of names at module level."""
        for module in self._program.modules.values():
            if module.name in self._roots:
                continue
            names = [name for name in module.scope.bound
                     if self._may(name, {module.name}) and not self._is_module(module, name)]
            self._globals.update(zip([(module.name, name) for name in names], short_names))
        return self._globals

    def _is_module(self, module, name):
        """True for an imported module or something of MicroPython: their names are there anyway, but for those that
        merge.py has made."""
        if name not in module.scope.imports or name.startswith(MADE):
            return False
        source, part = module.scope.imports[name]
        return part is None or f"{source}.{part}" in self._program.modules or source not in self._program.modules

    def map(self, module):
        """{short name: name} of what this module defines."""
        known = {short: name for (owner, name), short in self._globals.items() if owner == module.name}
        for name, short in self._attributes.items():
            if module.name in self._owners.modules[name]:
                known[short] = name
        return known


class _Rename(ast.NodeTransformer):
    """Names at module level and attributes; local variables cost nothing and stay."""

    def __init__(self, program, module, attributes, globals_):
        self._program, self._module = program, module
        self._attributes, self._globals = attributes, globals_

    def _global(self, name, module=None):
        return self._globals.get((module or self._module.name, name), name)

    def visit_Name(self, node):
        scope = getattr(node, "scope", None)
        if scope and scope.kind == "module":
            node.id = self._global(node.id)
        elif scope and scope.kind == "class":
            node.id = self._attributes.get(node.id, node.id)
        return node

    def visit_Attribute(self, node):
        base = self._program.target(node.value)
        if base and base[1] is None:
            node.attr = self._global(node.attr, base[0].name)
        else:
            node.attr = self._attributes.get(node.attr, node.attr)
        return self.generic_visit(node)

    def visit_Global(self, node):
        node.names = [self._global(name) for name in node.names]
        return node

    def visit_ImportFrom(self, node):
        for alias in node.names:
            bound, scope = alias.asname or alias.name, getattr(node, "scope", None)
            alias.name = self._global(alias.name, node.module)
            name = self._global(bound) if scope is self._module.scope else bound
            alias.asname = name if name != alias.name else None
        return node

    def _definition(self, node):
        names = {"module": self._globals, "class": self._attributes}.get(node.outer.kind)
        if names is self._attributes:
            node.name = names.get(node.name, node.name)
        elif names is self._globals:
            node.name = self._global(node.name)
        if is_raw(node):
            node.decorator_list = [self.visit(decorator) for decorator in node.decorator_list]
            return node
        return self.generic_visit(node)

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _definition
