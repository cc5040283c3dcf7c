"""Tuples of words that a module keeps: made when it is loaded, not by the compiler.

MicroPython's compiler folds a tuple of constants into one constant, and loading that makes an object of every string in
it, though the same word may be a name already: up to 48 bytes each. A list is built from names instead, which all
modules share. So `WORDS = ("a", "b")` becomes `WORDS = tuple(["a", "b"])`, at module and class level (a function's
would be made anew at every call), if all its words are names anyway: the list of names is full at some number, and the
next one is dear.
"""

import ast

LONGEST = 10  # letters; a longer string is never a name, only an object


def share(program, roots, is_taken=None):
    """Change every such tuple, but for those of the modules that are called from outside (`roots`). `is_taken(name)`:
    True for a word of MicroPython."""
    names = _Names()
    for module in program.modules.values():
        names.visit(module.tree)
    for module in program.modules.values():
        if module.name not in roots:
            _Share(lambda word: word in names.found or (is_taken and is_taken(word))).visit(module.tree)


class _AtLoad(ast.NodeTransformer):
    """Visits what happens once, when a module is loaded."""

    def visit_FunctionDef(self, node):
        return node

    visit_AsyncFunctionDef = visit_Lambda = visit_FunctionDef


class _Share(_AtLoad):
    def __init__(self, is_name):
        self._is_name = is_name

    def visit_Tuple(self, node):
        words = [word for word in _words(node) if len(word) <= LONGEST] if _is_constant(node) else ()
        if not words or not all(self._is_name(word) for word in words):
            return self.generic_visit(node)
        self.generic_visit(node)
        call = ast.Call(ast.Name("tuple", ast.Load()), [ast.List(node.elts, ast.Load())], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))


class _Names(ast.NodeVisitor):
    """Names of a program, and the short strings that are in no tuple of constants."""

    def __init__(self):
        self.found = set()

    def visit_Tuple(self, node):
        if not _is_constant(node):
            self.generic_visit(node)

    def visit_Constant(self, node):
        if isinstance(node.value, str):
            self.found.add(node.value)

    def generic_visit(self, node):
        for field in ("id", "attr", "name", "arg"):
            self.found.add(getattr(node, field, None))
        super().generic_visit(node)


def _is_constant(node):
    return all(isinstance(item, ast.Constant) or (isinstance(item, ast.Tuple) and _is_constant(item))
               for item in node.elts)


def _words(node):
    """The strings of a tuple, and of those in it."""
    for item in node.elts:
        if isinstance(item, ast.Tuple):
            yield from _words(item)
        elif isinstance(item.value, str):
            yield item.value
