"""What a mutant is: one module of firmware/firstcard with one node of its syntax tree changed.

Left out: strings and docstrings, annotations, and removed assignments to plain names (nearly always a NameError, which
any test sees: they would only flatter the score).
"""

import ast
import copy
import hashlib

COMPARE = {ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt),
           ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
           ast.In: (ast.NotIn,), ast.NotIn: (ast.In,)}
ARITHMETIC = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
              ast.Mod: ast.FloorDiv, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr,
              ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd}
SHOWN = 110  # characters of a piece of code in the report


class Mutant:
    """module: like "core/payout.py"; place: function and number there; before, after: the code; text: the module."""

    def __init__(self, module, where, line, before, after, text):
        self.module, self.where, self.line = module, where, line
        self.before, self.after, self.text = before, after, text
        self.number = 0  # of the same change in the same function, from 1
        self.hash = hashlib.sha256(f"{module}\n{text}".encode()).hexdigest()[:16]

    @property
    def key(self):
        """Names the mutant without line numbers, for the file of reasons."""
        return f"{self.module} {self.where}: {self.before} -> {self.after} #{self.number}"


def _with(node, **fields):
    """A copy of the node with some fields changed."""
    out = copy.copy(node)
    for name, value in fields.items():
        setattr(out, name, value)
    return out


def _is_formatting(node):
    """"..." % values is no arithmetic."""
    return isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant)


def changes(node, in_function):
    """Every node that this one is replaced by, one at a time."""
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            for other in COMPARE[type(op)]:
                yield _with(node, ops=node.ops[:i] + [other()] + node.ops[i + 1:])
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC and not _is_formatting(node):
        yield _with(node, op=ARITHMETIC[type(node.op)]())
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield _with(node, value=not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield _with(node, value=node.value + 1)
        yield _with(node, value=node.value - 1)
    elif isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield _with(node, body=node.orelse, orelse=node.body)
    elif isinstance(node, ast.If) and not isinstance(node.test, (ast.Compare, ast.UnaryOp)):  # those turn by themselves
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
    elif isinstance(node, ast.AugAssign) and type(node.op) in ARITHMETIC:
        yield _with(node, op=ARITHMETIC[type(node.op)]())
    elif isinstance(node, ast.Return) and node.value and not (
            isinstance(node.value, ast.Constant) and node.value.value is None):
        yield _with(node, value=ast.Constant(None))
    if in_function and _removable(node):
        yield ast.Pass()


def _removable(node):
    if isinstance(node, ast.Assign):
        return all(isinstance(target, (ast.Attribute, ast.Subscript)) for target in node.targets)
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Return):
        return node.value is None
    return isinstance(node, (ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Delete))


def _short(node):
    text = " ".join(ast.unparse(ast.fix_missing_locations(node)).split())
    return text if len(text) <= SHOWN else text[:SHOWN - 3] + "..."


def _places(node, names=(), in_function=False):
    """(parent, field, index or None, node, function's name, in a function) of everything that may be changed."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns"):
            continue
        for i, child in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr):
                continue
            inside, path = in_function, names
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
                path = names + (child.name,)
                inside = isinstance(child, ast.FunctionDef)
            yield node, field, i if isinstance(value, list) else None, child, ".".join(path) or "module", inside
            yield from _places(child, path, inside)


def mutants(module, source):
    """All mutants of a module, in the order of its text."""
    tree = ast.parse(source)
    seen, numbers = {ast.unparse(tree)}, {}
    for parent, field, i, node, where, inside in list(_places(tree)):
        for other in changes(node, inside):
            ast.fix_missing_locations(ast.copy_location(other, node))
            _put(parent, field, i, other)
            text = ast.unparse(tree)
            _put(parent, field, i, node)
            if text in seen:
                continue
            seen.add(text)
            before = node.test if isinstance(node, ast.If) else node
            after = other.test if isinstance(node, ast.If) else other
            if isinstance(node, ast.Constant):  # a bare number says too little
                before = _Around(parent, field, i, node)
                after = _Around(parent, field, i, other)
            out = Mutant(module, where, node.lineno, _text(before), _text(after), text)
            same = (where, out.before, out.after)
            out.number = numbers[same] = numbers.get(same, 0) + 1
            yield out


class _Around:
    """A constant to be shown with the node around it."""

    def __init__(self, parent, field, i, node):
        self.value = node.value
        if isinstance(parent, (ast.Compare, ast.BinOp, ast.Return, ast.UnaryOp, ast.Assign, ast.Call, ast.Subscript)):
            old = getattr(parent, field) if i is None else getattr(parent, field)[i]
            _put(parent, field, i, node)
            self.shown = _short(parent)
            _put(parent, field, i, old)
        else:
            self.shown = repr(node.value)


def _text(node):
    return node.shown if isinstance(node, _Around) else _short(node)


def _put(parent, field, i, node):
    if i is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[i] = node
