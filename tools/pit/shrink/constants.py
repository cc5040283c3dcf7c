"""Whole numbers and short words that have a name only for people: their values take the place of the names."""

import ast
import operator

from pit.shrink.program import is_raw

SHORT = 10  # letters; a longer string is an object of its own wherever it is used
_BINARY = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.Pow: operator.pow, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
}
_UNARY = {ast.USub: operator.neg, ast.Invert: operator.invert, ast.UAdd: operator.pos}


class Constants:
    """`value(module, name)`: the constant of that name, None if it is none."""

    def __init__(self, program):
        self._program = program
        self._known = {}
        self._stored = _stored_from_outside(program)

    def value(self, module, name):
        key = module.name, name
        if key not in self._known:
            self._known[key] = None  # a name that is defined by itself is no constant
            if module.single(name) and key not in self._stored:
                self._known[key] = self._defined(module, name)
        return self._known[key]

    def _defined(self, module, name):
        for statement in module.tree.body:
            if isinstance(statement, ast.Assign):
                for target in statement.targets:
                    if isinstance(target, ast.Name) and target.id == name:
                        return self._plain(statement.value)
                    if isinstance(target, ast.Tuple) and len(statement.targets) == 1:
                        names = [getattr(item, "id", None) for item in target.elts]
                        if name in names:
                            return self._unpacked(statement.value, names.index(name), len(names))
        return None

    def _unpacked(self, node, place, count):
        if isinstance(node, ast.Tuple) and len(node.elts) == count:
            return self._plain(node.elts[place])
        if isinstance(node, ast.Call) and _is(node.func, "range") and len(node.args) == 1 and not node.keywords:
            return place if self._plain(node.args[0]) == count else None
        return None

    def _plain(self, node):
        """Value of an expression: int, bool or a short str; else None."""
        value = self._evaluate(node)
        if isinstance(value, str):
            return value if len(value) <= SHORT else None
        return value if isinstance(value, int) else None

    def _evaluate(self, node):
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self.of(node)
        if isinstance(node, ast.UnaryOp) and type(node.op) in _UNARY:
            value = self._plain(node.operand)
            return _UNARY[type(node.op)](value) if isinstance(value, int) else None
        if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            left, right = self._plain(node.left), self._plain(node.right)
            if isinstance(left, int) and isinstance(right, int):
                return _BINARY[type(node.op)](left, right)
        if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
            if _is_const(node.func):
                return self._plain(node.args[0])
            if _is(node.func, "len") and isinstance(node.args[0], ast.Constant):
                return len(node.args[0].value)
        return None

    def of(self, node):
        """Constant that a Name or Attribute stands for, or None."""
        target = self._program.target(node)
        if target:
            return self.value(*target) if target[1] else None
        if isinstance(node, ast.Name) and getattr(node, "scope", None) and node.scope.kind == "module":
            return self.value(node.scope.module, node.id)
        return None


def _is(node, builtin):
    return isinstance(node, ast.Name) and node.id == builtin and node.scope is None


def _is_const(node):
    return isinstance(node, ast.Name) and node.scope and node.scope.imports.get(node.id) == ("micropython", "const")


def _stored_from_outside(program):
    """(module, name) of names that another module assigns: `module.NAME = ...` makes a variable of it."""
    stored = set()
    for module in program.modules.values():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
                target = program.target(node)
                if target and target[1]:
                    stored.add((target[0].name, target[1]))
    return stored


def literal(value, node):
    """Syntax for a constant, in the place of `node`."""
    if isinstance(value, int) and value < 0:
        new = ast.UnaryOp(ast.USub(), ast.copy_location(ast.Constant(-value), node))
    else:
        new = ast.Constant(value)
    return ast.copy_location(new, node)


class _Replace(ast.NodeTransformer):
    def __init__(self, constants):
        self._constants = constants

    def _visit(self, node):
        value = self._constants.of(node) if isinstance(node.ctx, ast.Load) else None
        return self.generic_visit(node) if value is None else literal(value, node)

    visit_Name = visit_Attribute = _visit

    def visit_FunctionDef(self, node):
        if is_raw(node):
            node.decorator_list = [self.visit(decorator) for decorator in node.decorator_list]
            return node
        return self.generic_visit(node)


def propagate(program):
    """Put the value of every constant in the place of its name, everywhere."""
    constants = Constants(program)
    for module in program.modules.values():
        _Replace(constants).visit(module.tree)
    for module in program.modules.values():
        module.bind()
