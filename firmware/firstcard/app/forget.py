"""Forget: modules that are rarely used leave the memory again."""

import sys


def forget(packages):
    """Take packages or modules out of memory, with what only they hold. The next import reads them from flash again."""
    for name in list(sys.modules):
        for package in packages:
            if name.startswith(package) and name[len(package):][:1] in ("", "."):
                parent, _, last = name.rpartition(".")
                sys.modules[name] = None  # a deleted entry would keep its value alive
                del sys.modules[name]
                if parent in sys.modules:
                    setattr(sys.modules[parent], last, None)
                    delattr(sys.modules[parent], last)
