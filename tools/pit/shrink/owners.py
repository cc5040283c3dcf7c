"""Who defines which attribute, and that private ones are used at home only."""

import ast


def is_private(name):
    return name.startswith("_") and not name.startswith("__") and name != "_"


class Owners:
    """Which classes define which attributes. `by_name`: attribute -> set of numbers of families (a class, what it
    inherits from and what inherits from it); `wild`: attributes that are set on some object from outside;
    `outside`: attributes asked of what does not belong to the program; `modules`: attribute -> modules that define
    it."""

    def __init__(self, program):
        self.by_name, self.wild, self.outside, self.modules = {}, set(), set(), {}
        self._family = {}
        self._program = program
        classes = [(module, node) for module in program.modules.values() for node in ast.walk(module.tree)
                   if isinstance(node, ast.ClassDef)]
        by_key = {(module.name, node.name): node for module, node in classes}
        self._family = {node: number for number, (_, node) in enumerate(classes)}
        for _, node in classes:
            for base in node.bases:
                self._join(node, by_key.get(self._key(base)))
        for module, node in classes:
            for name in node.inner.bound:
                self._define(name, node, module)
        for module in program.modules.values():
            for node in ast.walk(module.tree):
                if isinstance(node, ast.Attribute):
                    self._attribute(node, module)

    def _key(self, base):
        target = self._program.target(base)
        if target:
            return target[0].name, target[1]
        scope = getattr(base, "scope", None)
        return (scope.module.name, base.id) if scope and scope.kind == "module" else None

    def _join(self, one, other):
        if other:
            old, new = self._family[other], self._family[one]
            self._family = {node: new if number == old else number for node, number in self._family.items()}

    def _define(self, name, owner, module):
        self.by_name.setdefault(name, set()).add(self._family[owner])
        self.modules.setdefault(name, set()).add(module.name)

    def _attribute(self, node, module):
        base = node.value
        scope = getattr(base, "scope", None)
        if isinstance(base, ast.Name) and base.id == "self" and scope and scope.parent.kind == "class":
            if not isinstance(node.ctx, ast.Load):
                self._define(node.attr, scope.parent.node, module)
        elif not isinstance(node.ctx, ast.Load):
            self.wild.add(node.attr)
        if self._is_outside(base):
            self.outside.add(node.attr)

    def _is_outside(self, node):
        """True for something out of a module of MicroPython."""
        while isinstance(node, ast.Attribute):
            node = node.value
        scope = getattr(node, "scope", None)
        return bool(scope and node.id in scope.imports and self._program.target(node) is None)


def check_private(program):
    """A private name may only be used where it is defined: else PitError by file and line."""
    owners = Owners(program)
    places = {name: set(modules) for name, modules in owners.modules.items()}
    for module in program.modules.values():
        for name in set(module.scope.bound) - set(module.scope.imports):
            places.setdefault(name, set()).add(module.name)
    families = _related(program)
    for module in program.modules.values():
        near = families[module.name]
        for node in ast.walk(module.tree):
            names = [node.attr] if isinstance(node, ast.Attribute) else ()
            if isinstance(node, ast.ImportFrom):
                names = [alias.name for alias in node.names]
            for name in names:
                if is_private(name) and name in places and not places[name] & near and name not in owners.outside:
                    where = program.modules[sorted(places[name])[0]].path
                    raise module.error(node, f"{name} is private to {where}: give it a public name or keep it there")


def _related(program):
    """Module name -> names of the modules whose private names it may use: itself, and those of the classes it
    inherits from."""
    related = {name: {name} for name in program.modules}
    for module in program.modules.values():
        for node in ast.walk(module.tree):
            for base in node.bases if isinstance(node, ast.ClassDef) else ():
                target = program.target(base)
                if target:
                    related[module.name] |= related[target[0].name]
    return related
