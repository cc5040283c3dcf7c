"""The program as the linker sees it: modules, scopes, and what every name in them is bound to.

Only what MicroPython modules of this project do is understood; anything that could reach a name behind the linker's
back (`globals()`, `exec`, a star import) is refused by file and line.
"""

import ast

from pit.errors import PitError

RAW = ("asm_pio", "asm_thumb")  # the names in these functions are instructions
HIDDEN = ("globals", "locals", "exec", "eval", "vars", "execfile")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Scope:
    """A namespace. `bound`: name -> how often it is bound there; `deleted`: names in a `del`; `imports`: name ->
    (module, name in it or None)."""

    def __init__(self, kind, parent=None, node=None):
        self.kind = kind  # module, class or function (comprehensions are functions)
        self.parent = parent
        self.node = node
        self.bound = {}
        self.imports = {}
        self.deleted = set()
        self.module = parent.module if parent else None
        self.outer = {}  # names declared global or nonlocal -> the scope meant

    def bind(self, name):
        scope = self.outer.get(name, self)
        scope.bound[name] = scope.bound.get(name, 0) + 1

    def delete(self, name):
        self.outer.get(name, self).deleted.add(name)

    def find(self, name):
        """The scope that binds `name` as seen from here, None for a builtin."""
        scope, seen = self, self
        while scope:
            if name in scope.outer:
                return scope.outer[name]
            if name in scope.bound and (scope is seen or scope.kind != "class"):
                return scope
            scope = scope.parent
        return None


class Module:
    """One source file; `name` as it is imported. After bind(), Name nodes have `.scope` (None = builtin)."""

    def __init__(self, path, source):
        self.path = path
        self.name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        try:
            self.tree = ast.parse(source)
        except SyntaxError as error:
            raise PitError(f"{path} does not compile for the board: line {error.lineno}: {error.msg}")
        self.bind()

    def error(self, node, text):
        return PitError(f"{self.path}:{node.lineno}: {text}")

    def bind(self):
        """(Again) find out what every name is bound to."""
        self.scope = Scope("module")
        self.scope.module = self
        _Binder(self).run()
        _Resolver(self).run()

    def single(self, name):
        """True if `name` is bound exactly once at module level, for good."""
        return self.scope.bound.get(name) == 1 and name not in self.scope.deleted


def is_raw(node):
    """True for a function in an assembler's language."""
    return any(_last(decorator) in RAW for decorator in getattr(node, "decorator_list", ()))


def _last(node):
    while isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", None)


def parameters(node):
    """The ast.arg nodes of a function in the order of positions."""
    a = node.args
    return [*a.posonlyargs, *a.args, *filter(None, [a.vararg]), *a.kwonlyargs, *filter(None, [a.kwarg])]


class _Walk:
    """Goes through a module with the scope at hand; function bodies of assemblers are left alone."""

    def __init__(self, module):
        self.module = module

    def run(self):
        self.body(self.module.tree.body, self.module.scope)

    def body(self, nodes, scope):
        for node in nodes:
            self.node(node, scope)

    def node(self, node, scope):
        if isinstance(node, FUNCTIONS):
            self.body([*getattr(node, "decorator_list", ()), *node.args.defaults,
                       *filter(None, node.args.kw_defaults)], scope)
            self.function(node, scope)
            if not is_raw(node):
                self.body([node.body] if isinstance(node, ast.Lambda) else node.body, node.inner)
        elif isinstance(node, ast.ClassDef):
            self.body([*node.decorator_list, *node.bases, *node.keywords], scope)
            self.klass(node, scope)
            self.body(node.body, node.inner)
        elif isinstance(node, COMPREHENSIONS):
            self.node(node.generators[0].iter, scope)
            self.comprehension(node, scope)
            for generator in node.generators:
                self.body([generator.target, *generator.ifs], node.inner)
                if generator is not node.generators[0]:
                    self.node(generator.iter, node.inner)
            parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            self.body(parts, node.inner)
        else:
            self.other(node, scope)
            self.body(ast.iter_child_nodes(node), scope)

    def function(self, node, scope):
        pass

    klass = comprehension = other = function


class _Binder(_Walk):
    def function(self, node, scope):
        if not isinstance(node, ast.Lambda):
            scope.bind(node.name)
        node.outer = scope
        node.inner = Scope("function", scope, node)
        for parameter in parameters(node):
            node.inner.bind(parameter.arg)

    def klass(self, node, scope):
        scope.bind(node.name)
        node.outer = scope
        node.inner = Scope("class", scope, node)

    def comprehension(self, node, scope):
        node.inner = Scope("function", scope, node)

    def other(self, node, scope):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            scope.bind(node.id)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del):
            scope.delete(node.id)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            for name in node.names:
                scope.outer[name] = self.module.scope if isinstance(node, ast.Global) else scope.parent.find(name)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            scope.bind(node.name)
        elif isinstance(node, ast.Import):
            node.scope = scope
            for alias in node.names:
                if "." in alias.name and not alias.asname:
                    raise self.module.error(node, f"write `from {alias.name.rpartition('.')[0]} import ...`")
                scope.bind(alias.asname or alias.name)
                scope.imports[alias.asname or alias.name] = (alias.name, None)
        elif isinstance(node, ast.ImportFrom):
            node.scope = scope
            for alias in node.names:
                if alias.name == "*" or node.level:
                    raise self.module.error(node, "star and relative imports hide where a name comes from")
                scope.bind(alias.asname or alias.name)
                scope.imports[alias.asname or alias.name] = (node.module, alias.name)


class _Resolver(_Walk):
    def other(self, node, scope):
        if isinstance(node, ast.Name):
            node.scope = scope.find(node.id)
            if node.scope is None and node.id in HIDDEN:
                raise self.module.error(node, f"{node.id}() reaches names that the linker renames or drops")


class Program:
    """All modules, by name. `singletons`: module names that variables and attributes of that name always stand for."""

    def __init__(self, sources, singletons=()):
        self.modules = {}
        for path, source in sources.items():
            module = Module(path, source)
            self.modules[module.name] = module
        self.singletons = [name for name in singletons if name in self.modules]
        for module in self.modules.values():
            self._check_imports(module)

    def _check_imports(self, module):
        """What is imported from the program must keep its name for good, or it could not be followed."""
        for node in ast.walk(module.tree):
            for alias in node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else ():
                name = alias.asname or alias.name
                source = node.module if isinstance(node, ast.ImportFrom) else alias.name
                ours = source in self.modules or f"{source}.{alias.name}" in self.modules
                if ours and node.scope.bound[name] != 1:
                    raise module.error(node, f"{name} is bound a second time: give the other one another name")

    def target(self, node):
        """What an expression names: (module, None) for a module of the program, (module, name) for a name in one, else
        None."""
        if isinstance(node, ast.Name) and getattr(node, "scope", None):
            if node.id in node.scope.imports:
                return self._imported(*node.scope.imports[node.id])
            if node.id in self.singletons:
                return self.modules[node.id], None
        elif isinstance(node, ast.Attribute):
            base = self.target(node.value)
            if base and base[1] is None:
                return self._imported(base[0].name, node.attr)
            if node.attr in self.singletons:
                return self.modules[node.attr], None
        return None

    def imported_module(self, module, name):
        """The module of the program that `from module import name` (or `import module`, name None) loads, or None."""
        if name is not None and f"{module}.{name}" in self.modules:
            return self.modules[f"{module}.{name}"]
        return self.modules.get(module)

    def _imported(self, module, name):
        if name is None:
            return (self.modules[module], None) if module in self.modules else None
        if f"{module}.{name}" in self.modules:
            return self.modules[f"{module}.{name}"], None
        if module not in self.modules:
            return None
        found = self.modules[module]
        again = found.scope.imports.get(name)  # handed on by a module that imports it itself
        if again and found.single(name):
            return self._imported(*again) or (found, name)
        return found, name
