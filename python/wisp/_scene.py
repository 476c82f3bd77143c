# SPDX-License-Identifier: MIT
"""Scenes: descriptions of a simulation and its picture."""
from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Union

from . import _core, _toml
from ._errors import Problem, SceneError, SceneKeyError, UnsupportedError

if TYPE_CHECKING:  # numpy takes longer to import than wisp
    from numpy.typing import ArrayLike

#: What a scene can be made of: a scene, a dict, a path, or a text; see Scene.
SceneLike = Union["Scene", Mapping[str, Any], str, os.PathLike]


def scenes() -> list[str]:
    """Names of the built-in scenes."""
    return _core.scenes()


def description(scene: str) -> str:
    """One line about a built-in scene. Raises FileError for an unknown name."""
    return _core.description(scene)


def preset(name: str) -> dict[str, Any]:
    """The keys of a preset such as "physical": Scene("plume", wisp.preset("physical")). Raises ArgumentError that lists all presets."""
    def value(text: str) -> Any:
        try:
            return _value(text)
        except ValueError:
            return text  # a word without quotes

    return {key: value(text) for key, text in _core.preset(name)}


class Key(NamedTuple):
    """A key of a scene, for programs that show or edit scenes."""
    path: str  #: such as "flow.vorticity" or "emitter[0].radius"
    value: Any  #: None: not given
    type: Literal["boolean", "integer", "real", "text", "choice", "choices", "auto_integer"]  #: of each number of the value
    count: int  #: how many numbers the value has
    optional: bool  #: the key may be left out, which is not the same as any value
    unit: str  #: such as "m"
    help: str  #: one line about its meaning; empty where the name says it
    low: float  #: lower end of the usual range, for a slider; check() has the allowed one
    high: float  #: its upper end
    logarithmic: bool  #: a slider should be
    colour: bool  #: the numbers are red, green and blue
    choices: tuple[str, ...]  #: names that the value can have


def all_keys() -> list[Key]:
    """Every key that a scene can have without another one, with its default; those of lists as of an element [0]."""
    return _keys(_core.keys())


def _keys(rows: list[tuple]) -> list[Key]:
    return [Key(path, _value(text), *more) for path, text, *more in rows]


def _value(text: str) -> Any:
    """Of a key, from the text in which the library gives it. None: not given."""
    return _toml.parsed(f"value = {text}")["value"] if text else None


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
    "memory:NAME" is a mesh or a volume of `data`, another scene: see mesh() and volume(). Raises SceneError with all problems, and
    FileError.
    """

    __slots__ = ("_core",)

    def __init__(self, source: SceneLike | None = None, changes: Mapping[str, Any] | None = None, *,
                 folder: str | os.PathLike = "", data: Scene | None = None) -> None:
        self._core: _core.Scene = _core_of(source, os.fspath(folder), data)
        if changes is not None:
            self.update(changes)
            self.check()

    @classmethod
    def load(cls, file_or_name: str | os.PathLike) -> Scene:
        """A scene file, or the name of a built-in scene."""
        return cls._of(_core.Scene.load(os.fspath(file_or_name)))

    @classmethod
    def of_checkpoint(cls, path: str | os.PathLike) -> Scene:
        """The scene of a file of Simulation.save(). Raises FileError if it is damaged."""
        return cls._of(_core.Scene.of_checkpoint(os.fspath(path)))

    @classmethod
    def parse(cls, text: str, folder: str | os.PathLike = "", data: Scene | None = None) -> Scene:
        """The text of a scene file. Files that it names are relative to `folder`, meshes and volumes in memory are those of `data`."""
        return cls._of(_parsed(text, os.fspath(folder), data))

    @classmethod
    def _of(cls, core: _core.Scene) -> Scene:
        scene = cls.__new__(cls)
        scene._core = core
        return scene

    def __getitem__(self, key: str) -> Any:
        """The value of a key such as "flow.vorticity", also a default, and None if it is not given; or of a list or table, such as
        "emitter", "emitter[0].radius" and "flow", without the keys that have their defaults. Raises SceneKeyError."""
        if not isinstance(key, str):
            raise TypeError(f"keys of a scene are texts such as \"flow.vorticity\", not {type(key).__name__}")
        try:
            text = self._core.get(key)
        except SceneError as error:
            if error.key != key:
                raise
        else:
            return _value(text)
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
        self._core.add(kind, _toml.value(kind, {**(keys or {}), **more}))

    def mesh(self, name: str, vertices: ArrayLike, triangles: ArrayLike) -> Scene:
        """Gives the scene a mesh, which its keys then name like a file: scene.add("obstacle", shape="mesh", file="memory:NAME").
        Returns the scene.

        `vertices` has the shape (n, 3): positions x, y, z, which the key `scale` multiplies. `triangles` has the shape (m, 3): whole
        numbers from 0 to n - 1, counter-clockwise seen from outside. The surface must be closed. Both are copied. Copies of the scene
        share the data. The same name again replaces it, in this scene only. Raises ArgumentError, and SceneError if keys that name it
        cannot use it.
        """
        from . import _arrays

        self._core.mesh(_arrays.text("name", name), *_arrays.mesh(vertices, triangles))
        return self

    def volume(self, name: str, values: ArrayLike | Mapping[str, ArrayLike], origin: Sequence[float] = (0.0, 0.0, 0.0),
               cell: float | Sequence[float] | None = None, *, transform: ArrayLike | None = None) -> Scene:
        """Gives the scene a volume, which emitters and initial smoke then name like a file: scene.add("initial", shape="volume",
        file="memory:NAME", density=1.0). Returns the scene.

        `values` is the density, indexed [z, y, x] as the fields of a simulation; or a dict of such arrays of one shape: density,
        temperature [K above ambient], fuel. Value [k, j, i] is at origin + (i + 0.5, j + 0.5, k + 0.5) * cell, in metres; `cell` is a
        number, or three along x, y, z. Instead of both, `transform` is a 4x4 matrix from (i, j, k, 1) to the position. Outside, the
        values are 0. Density and fuel below 0 count as 0. The arrays are copied; otherwise as mesh(). Raises ArgumentError and
        SceneError.
        """
        from . import _arrays

        self._core.volume(_arrays.text("name", name), _arrays.volume(values), _arrays.placement(origin, cell, transform))
        return self

    def remove(self, kind: str, index: int) -> None:
        """Removes an element of a list. Raises SceneError if there is none."""
        self._core.remove(kind, index)

    def count(self, kind: str) -> int:
        """Number of elements of a list such as "emitter". Raises SceneError."""
        return self._core.count(kind)

    def keys(self) -> list[str]:
        """All keys that have an effect in this scene, in the order of docs/scenes.md: dict(scene) has their values. Raises SceneError."""
        return [row[0] for row in self._core.keys()]

    def describe(self) -> list[Key]:
        """The same keys with their values and what they mean. With `quality`, grid.cells are scaled. Raises SceneError."""
        return _keys(self._core.keys())

    @property
    def quality(self) -> str:
        """Scales the grid: "draft" 0.25, "preview" 0.5, "standard" 1, "high" 1.5, "ultra" 2. Assignment raises ArgumentError."""
        return self._core.quality()

    @quality.setter
    def quality(self, level: str) -> None:
        self._core.set_quality(level)

    @property
    def meshes(self) -> list[Problem]:
        """A line about each mesh: triangles, size in cells, open edges, thin parts. Raises SceneError."""
        return [Problem(*line) for line in self._core.meshes()]

    def write_model(self, path: str | os.PathLike, frames: int = 1, fps: float = 60.0, steps_per_frame: int = 1) -> None:
        """Writes bodies, ground, camera and lights, with their motion, as a .glb file. Picture n shows the time
        (n + 1) * steps_per_frame * time.step. Raises ArgumentError and FileError."""
        self._core.write_model(os.fspath(path), frames, fps, steps_per_frame)

    def check(self) -> None:
        """Raises SceneError with all problems."""
        self._core.check()

    @property
    def warnings(self) -> list[Problem]:
        """What is allowed, but probably not meant. Raises SceneError."""
        return [Problem(*w) for w in self._core.warnings()]

    def toml(self, folder: str | os.PathLike = "") -> str:
        """The text of a scene file in `folder`, without the keys that have their defaults. It names meshes and volumes in memory, but does
        not have them. Raises SceneError."""
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
        if self._core.has_memory():
            raise UnsupportedError("a scene with meshes or volumes in memory cannot be pickled: pickle its toml() and the arrays")
        return _unpickled, (self.toml(),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scene) and self.toml() == other.toml() and self._core.shares_memory(other._core)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Short, for a notebook: toml() has all."""
        try:
            self.check()
            cells = " x ".join(map(str, self["grid.cells"]))
            parts = [f"{n} {kind}{'s' if n > 1 else ''}" for kind in ("emitter", "obstacle") if (n := self.count(kind))]
            return f"<wisp.Scene {self['name']!r}, {', '.join([cells + ' cells', *parts])}>"
        except SceneError as error:
            return f"<wisp.Scene with errors: {error}>"

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


def _parsed(text: str, folder: str, data: Scene | None) -> _core.Scene:
    return _core.Scene.parse(text, folder) if data is None else _core.Scene.parse_with(text, folder, data._core)


def _core_of(source: SceneLike | None, folder: str, data: Scene | None) -> _core.Scene:
    if data is not None and not isinstance(data, Scene):
        raise TypeError(f"data must be a wisp.Scene, not {type(data).__name__}")
    if source is None:
        return _core.Scene()
    if isinstance(source, Scene):
        return _core.Scene(source._core)
    if isinstance(source, Mapping):
        return _of_keys(_toml.document(source), folder, data)
    if isinstance(source, os.PathLike):
        return _core.Scene.load(_path(source))
    if not isinstance(source, str):
        raise TypeError(f"a scene is made of a dict, a path, a name, a text or a scene, not of {type(source).__name__}")
    if "\n" in source or ("=" in source and not source.lower().endswith(".toml")):
        return _parsed(source, folder, data)
    return _core.Scene.load(source)


def _unpickled(text: str) -> Scene:
    return Scene._of(_of_keys(text))


def _of_keys(text: str, folder: str = "", data: Scene | None = None) -> _core.Scene:
    """Of a text that the caller has not seen: errors and warnings name only keys."""
    return _core.Scene.of_keys(text, folder, _core.Scene() if data is None else data._core)


def _set(core: _core.Scene, key: str, value: Any) -> None:
    core.set(key, _toml.value(key, value))


def _path(path: os.PathLike) -> str:
    """A path that is not taken for the name of a built-in scene."""
    text = os.fspath(path)
    return text if "/" in text else f"./{text}"
