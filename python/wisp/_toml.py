# SPDX-License-Identifier: MIT
"""Python values as text in the syntax of TOML, and back."""
from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from typing import Any

from ._camera import masked_index
from ._errors import Problem, scene_error

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_MAX_DEPTH = 16  # a value that contains itself is an error, not endless


class _Writer:
    """Writes values, and collects what is wrong with them."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def fail(self, key: str, message: str) -> str:
        self.problems.append(Problem(key, message))
        return "0"

    def value(self, key: str, value: Any, depth: int = 0) -> str:
        if depth > _MAX_DEPTH:
            return self.fail(key, "is nested too deeply, or contains itself")
        index = masked_index(value)
        if index is not None:
            return self.fail(key, f"has a masked value at {index}, which is no number" if index else "is masked, so it is no number")
        if hasattr(value, "tolist"):  # an array or a scalar of numpy
            value = value.tolist()
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, int):
            return str(value) if -2**63 <= value < 2**63 else self.fail(key, f"is {value}; must fit in 64 bits")
        if isinstance(value, float):
            return repr(value) if math.isfinite(value) else self.fail(key, f"is {value}; must be finite")
        if isinstance(value, (str, os.PathLike)):
            return self.text(key, value)
        if isinstance(value, (list, tuple)):
            return "[" + ", ".join(self.value(f"{key}[{n}]", v, depth + 1) for n, v in enumerate(value)) + "]"
        if isinstance(value, Mapping):
            return self.table(key, value, depth)
        if value is None:
            return self.fail(key, "is None; leave the key out for its default")
        return self.fail(key, f"is of type {type(value).__name__}; must be a truth value, a number, a text, a list, an array or a dict")

    def text(self, key: str, value: str | os.PathLike) -> str:
        text = os.fspath(value)
        try:
            text.encode()
        except (UnicodeEncodeError, AttributeError):
            return self.fail(key, "is not a text of Unicode characters")
        return _quoted(text)

    def table(self, key: str, keys: Mapping, depth: int) -> str:
        nested = self.nested(key, keys)
        return "{" + ", ".join(f"{_name(k)} = {self.value(_join(key, k), v, depth + 1)}" for k, v in nested.items()) + "}"

    def nested(self, path: str, keys: Mapping) -> dict[str, Any]:
        """{"flow.vorticity": 1} as {"flow": {"vorticity": 1}}."""
        result: dict[str, Any] = {}
        for key, value in keys.items():
            if not isinstance(key, str):
                self.fail(_join(path, repr(key)), f"is a key of type {type(key).__name__}; keys are texts")
                continue
            self.insert(path, result, key, value)
        return result

    def insert(self, path: str, into: dict[str, Any], key: str, value: Any) -> None:
        first, _, rest = key.partition(".")
        if rest:
            value = {rest: value}
        if first not in into:
            into[first] = value
        elif isinstance(into[first], Mapping) and isinstance(value, Mapping):
            merged = dict(into[first])
            for k, v in value.items():
                if isinstance(k, str):
                    self.insert(_join(path, first), merged, k, v)
                else:
                    merged[k] = v
            into[first] = merged
        else:
            self.fail(_join(path, key), "is given twice")

    def document(self, keys: Mapping) -> str:
        return "".join(f"{_name(k)} = {self.value(k, v)}\n" for k, v in self.nested("", keys).items())


def _name(key: str) -> str:
    return key if _BARE.match(key) else _quoted(key)


def _quoted(text: str) -> str:
    return '"' + re.sub(r'[\x00-\x1f\x7f"\\]', lambda found: f"\\u{ord(found[0]):04x}", text) + '"'


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _written(write) -> str:
    writer = _Writer()
    text = write(writer)
    if writer.problems:
        raise scene_error(writer.problems)
    return text


def document(keys: Mapping) -> str:
    """A nested dict as the text of a scene file. Raises SceneError with all problems."""
    return _written(lambda writer: writer.document(keys))


def value(key: str, value: Any) -> str:
    """The value of a key. Raises SceneError."""
    return _written(lambda writer: writer.value(key, value))


def leaves(keys: Mapping) -> dict[str, Any]:
    """{"flow": {"vorticity": 1}} as {"flow.vorticity": 1}. Lists stay as they are. Raises SceneError."""
    writer = _Writer()
    result: dict[str, Any] = {}

    def visit(path: str, keys: Mapping, depth: int) -> None:
        for key, value in writer.nested(path, keys).items():
            if isinstance(value, Mapping) and value and depth < _MAX_DEPTH:
                visit(_join(path, key), value, depth + 1)
            else:
                result[_join(path, key)] = value

    visit("", keys, 0)
    if writer.problems:
        raise scene_error(writer.problems)
    return result


def parsed(text: str) -> dict[str, Any]:
    """The values of a text."""
    import tomllib  # here, because it takes a fifth of the time of `import wisp`

    return tomllib.loads(text)
