"""Modules that are always loaded together become one: a board finds, opens and keeps one file instead of ten.

Finding a module costs a board 5 to 8 ms of littlefs and some 150 bytes of heap, and every name that one module takes
from another is kept once more. So the modules of a package that the same imports bring in are joined, in the order in
which they import each other, into the last of them. Names at module level get the name of their module behind them
(`parse` of cards becomes `parse__cards`), so nothing can meet by accident; they are shortened later.

A module stays by itself if the program names it in a string, hands it around as an object or asks for `__name__`; what
the first of the roots imports is not joined with the rest, so that a board can start when the rest is broken.
"""

import ast

from pit.errors import PitError
from pit.shrink.program import is_raw
from pit.shrink.unused import Uses

_OWN = ("__name__", "__file__")
MADE = "module__"  # begins the name of a module that is imported for all parts of another


def merge(program, roots=(), apart=()):
    """The sources with modules joined: {path: text}; those that went into another are gone. `roots`: names of modules
    that are called from outside and only have their imports changed, main first;
    `apart`: names of modules that stay by themselves."""
    groups = _Groups(program, roots, apart)
    return {program.modules[members[-1]].path: _join(program, groups, members) for members in groups.members}


class _Groups:
    """Which module goes where. `members`: lists of names, each in the order of imports; `host`: name -> name of the
    module that it goes into."""

    def __init__(self, program, roots, apart):
        self._program = program
        self._eager = {name: _imports(program, module, module.tree.body) for name, module in program.modules.items()}
        self._closures = {name: self._closure(name) for name in program.modules}
        entries = self._entries(roots)
        apart = self._apart() | {*roots, *apart}
        whole = max(entries - set(roots), key=lambda name: (len(self._closures[name]), name), default=None)
        keyed = {}
        for name in self._in_order():
            if name not in apart and "." in name:
                reached = frozenset(entry for entry in entries if name in self._closures[entry])
                first = roots and name in self._closures[roots[0]]
                key = (name.rpartition(".")[0], whole if whole in reached and not first else reached)
            else:
                key = (name,)
            keyed.setdefault(key, []).append(name)
        self.members = list(keyed.values())
        self.host = {name: members[-1] for members in self.members for name in members}
        self._sizes = {members[-1]: len(members) for members in self.members}
        self._check()

    def is_alone(self, name):
        """True for a module that nothing is joined with."""
        return self._sizes[self.host[name]] == 1

    def _closure(self, name):
        """What an import of `name` brings in, itself among it."""
        found, todo = set(), [name]
        while todo:
            one = todo.pop()
            if one not in found:
                found.add(one)
                todo += self._eager[one]
        return found

    def _entries(self, roots):
        """Modules whose import begins something: roots, what functions import, what is imported by a string. The one
        that brings in most makes the running table: what it brings in counts as its own."""
        entries = set(roots) | Uses(self._program).open
        for module in self._program.modules.values():
            entries.update(_imports(self._program, module, [module.tree]) - self._eager[module.name])
        return {name for name in entries if name in roots or not any(
            name in self._closures[other] and other not in self._closures[name] for other in entries - set(roots))}

    def _apart(self):
        uses = Uses(self._program)
        apart = {name for name in self._program.modules if name in uses.strings} | uses.open
        for module in self._program.modules.values():
            own = any(getattr(node, "id", None) in _OWN for node in ast.walk(module.tree))
            if own or module.path.endswith("__init__.py"):
                apart.add(module.name)
        return apart

    def _in_order(self):
        """Names of all modules, each behind what it imports."""
        done = []

        def add(name, way):
            if name in way:
                raise PitError(f"modules import each other: {' -> '.join([*way[way.index(name):], name])}")
            if name not in done:
                for other in sorted(self._eager[name]):
                    add(other, [*way, name])
                done.append(name)

        for name in sorted(self._program.modules):
            add(name, [])
        return done

    def _check(self):
        """Joined modules must still be able to import each other one after the other."""
        needs = {}
        for name, host in self.host.items():
            needs.setdefault(host, set()).update(self.host[other] for other in self._eager[name])

        def visit(host, way):
            if host in way:
                raise PitError(f"joined modules would import each other: {' -> '.join([*way, host])}")
            for other in needs[host] - {host}:
                visit(other, [*way, host])

        for host in needs:
            visit(host, [])


def _imports(program, module, body):
    """Names of the program's modules that statements (not those in functions, unless they are given) import."""
    found = set()
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, (ast.Import, ast.ImportFrom)) and (node in body or statement is module.tree):
                for alias in node.names:
                    bound = alias.asname or alias.name
                    target = program.imported_module(*node.scope.imports[bound])
                    if target and target.name != module.name:
                        found.add(target.name)
    return found


def _join(program, groups, members):
    """Text of the modules `members` as one."""
    body, seen = [], set()
    for name in members:
        module = program.modules[name]
        _Renamed(program, groups, module).visit(module.tree)
        for statement in module.tree.body:
            if isinstance(statement, (ast.Import, ast.ImportFrom)):
                text = ast.dump(statement)
                if text in seen:
                    continue
                seen.add(text)
            body.append(statement)
    return ast.unparse(ast.Module(body, []))


class _Renamed(ast.NodeTransformer):
    """One module as a part of the one it goes into."""

    def __init__(self, program, groups, module):
        self._program, self._groups, self._module = program, groups, module
        self._host = groups.host[module.name]
        self._alone = groups.is_alone(module.name)

    def _global(self, module, name):
        """What a name at module level of `module` is called where that has gone. What a joined module imports has the
        same name for all its parts, whatever each of them calls it."""
        if self._groups.is_alone(module.name) or name.startswith("__"):
            return name
        if name not in module.scope.imports:
            return f"{name}__{_last(module.name)}"
        source, part = module.scope.imports[name]
        imported = self._program.imported_module(source, part)
        if imported is None or part is None:
            return name
        if imported.name == source:
            return self._global(imported, part)
        return MADE + _last(self._groups.host[imported.name])

    def _goes_with(self, one, other):
        """True if two different modules go into the same one."""
        return one is not other and self._groups.host[one.name] == self._groups.host[other.name]

    def _is_here(self, module):
        """True if `module` goes where this one goes."""
        return module is not None and not self._alone and self._groups.host[module.name] == self._host

    def visit_Name(self, node):
        scope = getattr(node, "scope", None)
        if scope and scope.kind == "module":
            node.id = self._global(self._module, node.id)
        elif scope and node.id in scope.imports:
            source, part = scope.imports[node.id]
            module = self._program.imported_module(source, part)
            if self._is_here(module):  # the import goes
                node.id = self._global(module, part)
        return node

    def visit_Attribute(self, node):
        base = self._program.target(node.value)
        if base and base[1] is None:
            target = self._program.target(node)
            if target and target[1] is None and self._goes_with(target[0], base[0]):
                return self.visit(node.value)  # a module by way of one that it is joined with
            node.attr = self._global(base[0], node.attr)
            if self._is_here(base[0]):
                return ast.copy_location(ast.Name(node.attr, node.ctx), node)
        return self.generic_visit(node)

    def visit_Global(self, node):
        node.names = [self._global(self._module, name) for name in node.names]
        return node

    def visit_ImportFrom(self, node):
        out = []
        for alias in node.names:
            bound = alias.asname or alias.name
            module = self._program.imported_module(node.module, alias.name)
            source, name = node.module, alias.name
            if self._is_here(module):
                continue
            if module is not None and module.name == source:
                source, name = self._groups.host[module.name], self._global(module, name)
            elif module is not None:
                source, _, name = self._groups.host[module.name].rpartition(".")
            here = self._global(self._module, bound) if node.scope is self._module.scope else bound
            out.append(ast.ImportFrom(source, [ast.alias(name, here if here != name else None)], 0))
        return [ast.copy_location(statement, node) for statement in out] or ast.copy_location(ast.Pass(), node)

    def _definition(self, node):
        if node.outer.kind == "module":
            node.name = self._global(self._module, node.name)
        if is_raw(node):
            self._check_raw(node)
            node.decorator_list = [self.visit(decorator) for decorator in node.decorator_list]
            return node
        return self.generic_visit(node)

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _definition

    def _check_raw(self, node):
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and inner.id in self._module.scope.bound:
                if self._global(self._module, inner.id) != inner.id:
                    raise self._module.error(inner, f"{inner.id} in an assembler's function cannot be renamed")


def _last(name):
    return name.rpartition(".")[2]
