"""Static check of interrupt context: what a hard handler may do, and whether the sources keep to it.

A hard handler is whatever is handed to `.irq(..., hard=True)`, `irq(handler, trigger)` with hard set, or to a Timer
with `hard=True`, and what those functions call. It must be a viper function (which allocates nothing by itself), and
in it: no call but of ptr8, ptr16, ptr32, int, uint and of other checked functions; no object, list, text, float or big
number; no attribute, no `raise`, `try`, `with`, `global`, nested function, comprehension or f-string. Sources: lessons
I-34 to I-37 (MicroPython switches a handler that has raised off for good).
"""

import ast

CALLS = {"ptr8", "ptr16", "ptr32", "int", "uint"}
BIG = 1 << 30  # from here on a constant is an object on the heap
PLAIN = (ast.FunctionDef, ast.arguments, ast.arg, ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.While, ast.Return,
         ast.Pass, ast.Break, ast.Continue, ast.Name, ast.Load, ast.Store, ast.Constant, ast.BinOp, ast.UnaryOp,
         ast.BoolOp, ast.Compare, ast.Subscript, ast.Call, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)


def handlers(tree):
    """Names of the functions that a module hands over as hard handlers: {name: line}."""
    out = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        words = {word.arg: word.value for word in node.keywords}
        if not _is_true(words.get("hard")):
            continue
        given = words.get("callback") or words.get("handler") or (node.args[0] if node.args else None)
        if isinstance(given, ast.Name):
            out[given.id] = node.lineno
        elif not (isinstance(given, ast.Constant) and given.value is None):
            out[ast.unparse(given) if given is not None else "?"] = node.lineno
    return out


def _is_true(node):
    return isinstance(node, ast.Constant) and node.value is True


def complaints(source, name, known=()):
    """[(line, text)]: what a hard handler `name` of a module does that it must not. `known`: functions of other modules
    that have been checked."""
    tree = ast.parse(source)
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    if name not in functions:
        return [] if name in known else [(0, f"{name} is no function of this module")]
    out, todo, done = [], [name], set()
    while todo:
        current = todo.pop()
        if current in done:
            continue
        done.add(current)
        found, called = _function(functions[current], set(functions) | set(known))
        out += found
        todo += [one for one in called if one in functions]
    return sorted(out)


def _function(function, callable_):
    out, called = [], []
    if [ast.unparse(one) for one in function.decorator_list] != ["micropython.viper"]:
        out.append((function.lineno, f"{function.name} is not a viper function"))
    if function.args.defaults or function.args.vararg or function.args.kwarg or function.args.kwonlyargs:
        out.append((function.lineno, f"{function.name} has more than plain arguments"))
    body = [node for node in function.body if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))]
    for node in [inner for statement in body for inner in ast.walk(statement)]:
        if not isinstance(node, PLAIN):
            out.append((getattr(node, "lineno", 0), f"{type(node).__name__} in {function.name}"))
        elif isinstance(node, ast.Constant) and (type(node.value) is not int or abs(node.value) >= BIG):
            out.append((node.lineno, f"the object {node.value!r} in {function.name}"))
        elif isinstance(node, ast.Call):
            target = node.func.id if isinstance(node.func, ast.Name) else None
            if target in callable_:
                called.append(target)
            elif target not in CALLS:
                out.append((node.lineno, f"a call of {ast.unparse(node.func)} in {function.name}"))
    return out, called
