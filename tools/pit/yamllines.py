"""YAML read so that every value knows its line."""

import yaml


class Value:
    """One YAML value: `.line` (from 1), and `.data`: a scalar, a list of Value, or a dict of str -> Value.

    A dict's Value also has `.key_lines`: dict of key -> line.
    """

    def __init__(self, data, line, key_lines=None):
        self.data = data
        self.line = line
        self.key_lines = key_lines or {}

    def plain(self):
        """The same without lines: scalars, lists and dicts."""
        if isinstance(self.data, dict):
            return {key: value.plain() for key, value in self.data.items()}
        if isinstance(self.data, list):
            return [value.plain() for value in self.data]
        return self.data


def load(text):
    """(Value of the document or None, list of (line, problem)). Only plain YAML: no tags, aliases, merge keys."""
    problems = []
    loader = yaml.SafeLoader(text)
    try:
        node = loader.get_single_node()
        value = _value(loader, node, problems, set()) if node is not None else None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        what = getattr(error, "problem", None) or str(error)
        return None, [(mark.line + 1 if mark else 1, f"not valid YAML: {what}")]
    finally:
        loader.dispose()
    return value, problems


def _value(loader, node, problems, seen):
    """`seen`: nodes met already; one that comes again is an alias, perhaps of what it is part of."""
    line = node.start_mark.line + 1
    if id(node) in seen:
        problems.append((line, "a value stands for another (`*`): write it out"))
        return Value(None, line)
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        return Value([_value(loader, child, problems, seen) for child in node.value], line)
    if isinstance(node, yaml.MappingNode):
        data, key_lines = {}, {}
        for key_node, child in node.value:
            key = key_node.value if isinstance(key_node, yaml.ScalarNode) else repr(key_node.value)
            key_line = key_node.start_mark.line + 1
            if key in data:
                problems.append((key_line, f"`{key}` is given twice: keep one"))
            data[key] = _value(loader, child, problems, seen)
            key_lines[key] = key_line
        return Value(data, line, key_lines)
    try:
        return Value(loader.construct_object(node), line)
    except ValueError as error:
        problems.append((line, f"{node.value!r} cannot be read ({error}): put it in quotes"))
        return Value(None, line)
