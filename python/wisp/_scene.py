# SPDX-License-Identifier: MIT
"""Scenes: descriptions of a simulation and its picture."""
from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any, Union

from . import _core, _toml
from ._errors import Problem, SceneError, SceneKeyError, scene_error

#: What a scene can be made of: a scene, a dict, a path, or a text; see Scene.
SceneLike = Union["Scene", Mapping[str, Any], str, os.PathLike]


def scenes() -> list[str]:
    """Names of the built-in scenes."""
    return _core.scenes()


class Scene:
    """A description of a simulation and its picture. docs/scenes.md lists all keys. A missing key has its default.

    `source` is one of:

    * a nested dict, {"grid": {"cells": [64, 64, 64]}, "emitter": [{"radius": 0.1}]}; also with dots, {"grid.cells": [64, 64, 64]}.
      Values are truth values, numbers, texts, paths, lists, and numpy arrays and scalars
    * the name of a built-in scene, see scenes()
    * a file: a path object, or a text that ends in .toml
    * the text of a scene file: a text with more than one line, or with "="
    * another scene, which is copied

    `changes`, a dict, is then applied as by update(). Files that the scene names are relative to the scene file, or to `folder`.
    Raises SceneError with all problems, and FileError.
    """

    __slots__ = ("_core",)

    def __init__(self, source: SceneLike | None = None, changes: Mapping[str, Any] | None = None, *,
                 folder: str | os.PathLike = "") -> None:
        self._core: _core.Scene = _core_of(source, os.fspath(folder))
        if changes is not None:
            self.update(changes)
            self.check()

    @classmethod
    def load(cls, file_or_name: str | os.PathLike) -> Scene:
        """A scene file, or the name of a built-in scene."""
        return cls._of(_core.Scene.load(os.fspath(file_or_name)))

    @classmethod
    def parse(cls, text: str, folder: str | os.PathLike = "") -> Scene:
        """The text of a scene file. Files that it names are relative to `folder`."""
        return cls._of(_core.Scene.parse(text, os.fspath(folder)))

    @classmethod
    def _of(cls, core: _core.Scene) -> Scene:
        scene = cls.__new__(cls)
        scene._core = core
        return scene

    def __getitem__(self, key: str) -> Any:
        """The value of a key such as "flow.vorticity", also a default; or of a list or table, such as "emitter", "emitter[0].radius" and
        "flow", without the keys that have their defaults. Raises SceneKeyError."""
        if not isinstance(key, str):
            raise TypeError(f"keys of a scene are texts such as \"flow.vorticity\", not {type(key).__name__}")
        try:
            text = self._core.get(key)
        except SceneError as error:
            if error.key != key:
                raise
        else:
            return _toml.parsed(f"value = {text}")["value"]
        return self._written(key)

    def __setitem__(self, key: str, value: Any) -> None:
        """Sets a key such as "flow.vorticity", "emitter[0].radius" or "emitter". Its type is checked now, its range by check() and by a
        simulation, so that keys that depend on each other can be set one by one. Raises SceneError."""
        self.update({key: value}) if isinstance(value, Mapping) else _set(self._core, key, value)

    def update(self, changes: Mapping[str, Any]) -> None:
        """Sets the keys of a nested dict. Lists such as "emitter" are replaced. After an error, nothing has changed. Raises SceneError."""
        core = _core.Scene(self._core)
        for key, value in _toml.leaves(changes).items():
            _set(core, key, value)
        self._core = core

    def add(self, kind: str, keys: Mapping[str, Any] | None = None, **more: Any) -> None:
        """Adds an element at the end of a list: scene.add("emitter", radius=0.1). Raises SceneError."""
        text = _toml.value(kind, {**(keys or {}), **more})
        try:
            self._core.add(kind, text)
        except SceneError as error:
            raise _without_place(error) from None

    def check(self) -> None:
        """Raises SceneError with all problems."""
        self._core.check()

    @property
    def warnings(self) -> list[Problem]:
        """What is allowed, but probably not meant. Raises SceneError."""
        return [Problem(*w) for w in self._core.warnings()]

    def toml(self, folder: str | os.PathLike = "") -> str:
        """The text of a scene file in `folder`, without the keys that have their defaults. Raises SceneError."""
        return self._core.toml(os.fspath(folder))

    def dict(self) -> dict[str, Any]:
        """The same as a nested dict."""
        return _toml.parsed(self.toml())

    def copy(self) -> Scene:
        return self._of(_core.Scene(self._core))

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Scene:
        return self.copy()

    def __reduce__(self) -> tuple:
        return Scene.parse, (self.toml(),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scene) and self.toml() == other.toml()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        try:
            return f"Scene({self.toml()!r})"
        except SceneError as error:
            return f"<Scene with errors: {error}>"

    def _written(self, key: str) -> Any:
        """The value of a list, a table or a key in a list, of those that are written."""
        found: Any = self.dict()
        for name, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", key):
            try:
                found = found[name] if name else found[int(index)]
            except (KeyError, IndexError, TypeError):
                message = "is no key of a scene, or is in a list and has its default"
                raise SceneKeyError(f"{key}: {message}", problems=[Problem(key, message)]) from None
        return found


def _core_of(source: SceneLike | None, folder: str) -> _core.Scene:
    if source is None:
        return _core.Scene()
    if isinstance(source, Scene):
        return _core.Scene(source._core)
    if isinstance(source, Mapping):
        text = _toml.document(source)
        try:
            return _core.Scene.parse(text, folder)
        except SceneError as error:
            raise _without_place(error) from None
    if isinstance(source, os.PathLike):
        return _core.Scene.load(_path(source))
    if not isinstance(source, str):
        raise TypeError(f"a scene is made of a dict, a path, a name, a text or a scene, not of {type(source).__name__}")
    if "\n" in source or ("=" in source and not source.endswith(".toml")):
        return _core.Scene.parse(source, folder)
    return _core.Scene.load(source)


def _set(core: _core.Scene, key: str, value: Any) -> None:
    text = _toml.value(key, value)
    try:
        core.set(key, text)
    except SceneError as error:
        raise _without_place(error) from None


def _without_place(error: SceneError) -> SceneError:
    """Without the lines of a text that the caller has not seen."""
    return scene_error([Problem(p.key, p.message) for p in error.problems])


def _path(path: os.PathLike) -> str:
    """A path that is not taken for the name of a built-in scene."""
    text = os.fspath(path)
    return text if "/" in text else f"./{text}"
