"""What nothing in the program needs any more: names of constants, imports, functions and methods that only a PC calls.

Importing a module of the program has no effect but its names (house rule: no hardware is touched at import), so an
import whose names are not used goes too.
"""

import ast

from pit.shrink.program import is_raw

_NO_EFFECT = ("const", "range", "len", "bytes", "bytearray", "tuple", "frozenset", "array")  # they only make a value
_BY_NAME = ("getattr", "setattr", "hasattr", "delattr")


class Uses:
    """What the program refers to. `names`: (module, name); `attributes`: of objects that are not known; `strings`:
    every literal; `prefixes`: (module, beginning) of attribute names that are put together; `open`: modules handed
    around as objects or imported by name; `locals`: (scope, name)."""

    def __init__(self, program):
        self.names, self.attributes, self.strings, self.prefixes = set(), set(), set(), set()
        self.open, self.locals, self.keywords = set(), set(), set()
        self.unpacks = False  # a call with **: its keywords are the keys of a dict
        self._program = program
        for module in program.modules.values():
            self._module = module
            self._look(module.tree)

    def _look(self, node):
        if isinstance(node, ast.Attribute):
            self._attribute(node)
            return
        if isinstance(node, ast.Name):
            self._name(node)
            target = self._program.target(node)
            loaded = isinstance(node.ctx, ast.Load)
            if loaded and target and target[1] is None and node.id not in self._program.singletons:
                self.open.add(target[0].name)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            self.strings.add(node.value)
        elif isinstance(node, ast.ImportFrom):
            self.names.update((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Call):
            self._call(node)
        elif isinstance(node, ast.FunctionDef) and is_raw(node):
            for decorator in node.decorator_list:
                self._look(decorator)
            return
        for child in ast.iter_child_nodes(node):
            self._look(child)

    def _name(self, node):
        scope = getattr(node, "scope", None)
        if scope and isinstance(node.ctx, ast.Load):
            self.locals.add((scope, node.id))
            if scope.kind == "module":
                self.names.add((scope.module.name, node.id))
        target = self._program.target(node)
        if target and target[1]:
            self.names.add((target[0].name, target[1]))

    def _attribute(self, node):
        base = self._program.target(node.value)
        if base and base[1] is None:
            self.names.add((base[0].name, node.attr))
            target = self._program.target(node)
            if target and target[1]:
                self.names.add((target[0].name, target[1]))
            if isinstance(node.value, ast.Name):
                self._name(node.value)
                return
        elif isinstance(node.ctx, ast.Load):
            self.attributes.add(node.attr)
        self._look(node.value)

    def _call(self, node):
        for keyword in node.keywords:
            if keyword.arg is None:
                self.unpacks = True
            else:
                self.keywords.add(keyword.arg)
        name = node.func.id if isinstance(node.func, ast.Name) and node.func.scope is None else None
        if name in _BY_NAME and not isinstance(node.args[1], ast.Constant):
            self.prefixes.add((self._module.name, _beginning(node.args[1])))
        if name == "__import__":
            start = node.args[0].value if isinstance(node.args[0], ast.Constant) else _beginning(node.args[0])
            if not start:
                raise self._module.error(node, "__import__ of a name that could be any module")
            self.open.update(name for name in self._program.modules if name.startswith(start))

    def by_name(self, name, modules=None):
        """True if an attribute could be reached by a name that is put together from literals (in one of `modules`)."""
        return any(name.startswith(prefix) and self._written(name[len(prefix):])
                   for module, prefix in self.prefixes if modules is None or module in modules)

    def _written(self, rest):
        return rest in self.strings or rest.replace("_", "-") in self.strings

    def attribute(self, name):
        """True if an attribute `name` of some object is used."""
        return name in self.attributes or name in self.strings or self.by_name(name)

    def needs(self, module, name):
        """True if a name at module level is used."""
        return (module.name, name) in self.names or (module.name in self.open and self.attribute(name))


def _beginning(node):
    """The literal with which a string that is put together begins, "" if it begins with something else."""
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        node = node.left
    if isinstance(node, ast.JoinedStr) and node.values:
        node = node.values[0]
    return node.value if isinstance(node, ast.Constant) else ""


def drop(program, roots=()):
    """Remove what is unused, again and again until nothing more falls out. Modules named in `roots` keep what they
    define."""
    changed = True
    while changed:
        uses = Uses(program)
        changed = False
        for module in program.modules.values():
            dropper = _Dropper(module, uses, module.name in roots)
            dropper.visit(module.tree)
            if dropper.changed:
                changed = True
                module.bind()


class _Dropper(ast.NodeTransformer):
    def __init__(self, module, uses, root):
        self._module, self._uses, self._root = module, uses, root
        self._scope = module.scope
        self.changed = False

    def _keeps(self, name):
        if name in self._scope.deleted:
            return True
        if self._scope.kind == "module":
            return self._root or self._uses.needs(self._module, name)
        return (self._scope, name) in self._uses.locals

    def _gone(self):
        self.changed = True
        return None

    def _inside(self, node):
        outer, self._scope = self._scope, node.inner
        node.body = self._filled([n for n in map(self.visit, node.body) if n])
        self._scope = outer
        return node

    @staticmethod
    def _filled(body):
        return body or [ast.Pass()]

    def visit_FunctionDef(self, node):
        if self._scope.kind == "module" and not self._keeps(node.name):
            return self._gone()
        if self._scope.kind == "class" and self._unused_method(node):
            return self._gone()
        return node if is_raw(node) else self._inside(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def _unused_method(self, node):
        bases = self._scope.node.bases
        foreign = [base for base in bases if not isinstance(base, ast.Name) or base.scope is not None
                   and base.id in base.scope.imports]
        return not (foreign or node.name.startswith("__") or self._uses.attribute(node.name) or self._root)

    def visit_ClassDef(self, node):
        if self._scope.kind == "module" and not self._keeps(node.name):
            return self._gone()
        return self._inside(node)

    def visit_Assign(self, node):
        if self._scope.kind == "module" and _only_names(node.targets) and _has_no_effect(node.value):
            if not any(self._keeps(name) for name in _names(node.targets)):
                return self._gone()
        return node

    def _import(self, node):
        kept = [alias for alias in node.names if self._keeps(alias.asname or alias.name)]
        if len(kept) < len(node.names):
            self.changed = True
            node.names = kept
        return node if kept else None

    visit_Import = visit_ImportFrom = _import

    def visit_Lambda(self, node):
        return node


def _names(targets):
    for target in targets:
        for node in ast.walk(target):
            if isinstance(node, ast.Name):
                yield node.id


def _only_names(targets):
    return all(isinstance(node, (ast.Name, ast.Tuple, ast.expr_context)) for t in targets for node in ast.walk(t))


def _has_no_effect(value):
    for node in ast.walk(value):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called not in _NO_EFFECT:
                return False
        elif isinstance(node, (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)):
            return False
    return True
