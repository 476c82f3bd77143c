# SPDX-License-Identifier: MIT
"""Simulations."""
from __future__ import annotations

import operator
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from . import _core
from ._camera import Camera, Vector, vector
from ._device import Device, default_device
from ._errors import ArgumentError, Error, FieldError
from ._measure import MemoryUse, ProbeValues, SubmitTimes, Timing, memory_rows, submit_times, timing_number
from ._parts import Emitter, Obstacle, Parts
from ._png import png
from ._quality import Quality, quality_of
from ._scene import Scene, SceneLike
from ._shared import SharedField

if TYPE_CHECKING:  # numpy takes longer to import than wisp
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

_MAX_COUNT = 2**32 - 1


class Lattice(NamedTuple):
    """Where the values of a field are: value [k, j, i] is at origin + (i + 0.5, j + 0.5, k + 0.5) * cell."""
    origin: Vector  #: low corner, x, y, z [m]; it moves with a box that follows a target
    cell: float  #: edge of a cell [m]
    shape: tuple[int, ...]  #: of the array: (z, y, x), and 3 for a vector

    @property
    def x(self) -> NDArray[np.float64]:
        """Coordinates of the centres of the cells [m]."""
        return self._axis(0)

    @property
    def y(self) -> NDArray[np.float64]:
        return self._axis(1)

    @property
    def z(self) -> NDArray[np.float64]:
        return self._axis(2)

    def _axis(self, axis: int) -> NDArray[np.float64]:
        import numpy as np

        return self.origin[axis] + (np.arange(self.shape[2 - axis]) + 0.5) * self.cell


class Simulation:
    """A simulation of smoke, fire or a liquid.

    `scene` is a Scene, or what Scene() takes. Use a simulation from one thread at a time: a call during that of another thread raises
    BusyError; only `time`, `steps` and `dt` can be read at any time. Simulations in different threads are independent.

    `moves`: the program can move obstacles, which takes memory. `residuals`: measure Quality.residuals and fine_divergence_before in each
    step, which takes time. `timing`: "scopes" or "passes", see times().

    As a context manager it is closed at the end. Raises SceneError, OutOfMemoryError and UnsupportedError.
    """

    __slots__ = ("_core", "_device", "__weakref__")

    def __init__(self, scene: SceneLike, device: Device | None = None, *, moves: bool = True, residuals: bool = False,
                 timing: Timing = "off") -> None:
        used = scene if isinstance(scene, Scene) else Scene(scene)
        self._device = device if device is not None else default_device()
        self._core: _core.Simulation = _core.Simulation(self._device._core, used._core, bool(moves), bool(residuals), timing_number(timing))

    @classmethod
    def resume(cls, path: str | os.PathLike, device: Device | None = None, scene: SceneLike | None = None, *, moves: bool = True,
               residuals: bool = False, timing: Timing = "off") -> Simulation:
        """Continues from a file of save(), with another scene if one is given. Raises FileError if it is damaged or not of this version,
        and UnsupportedError if a key such as grid.cells differs, which cannot change in a run."""
        used = None if scene is None else scene if isinstance(scene, Scene) else Scene(scene)
        simulation = cls.__new__(cls)
        simulation._device = device if device is not None else default_device()
        simulation._core = _core.Simulation.resume(simulation._device._core, os.fspath(path), None if used is None else used._core,
                                                   bool(moves), bool(residuals), timing_number(timing))
        return simulation

    @staticmethod
    def plan(scene: SceneLike, device: Device | None = None, picture: bool = False, *, moves: bool = True) -> list[MemoryUse]:
        """The memory that a simulation of this scene takes, and with `picture` a picture of its render.size. Allocates nothing. Raises
        SceneError, and OutOfMemoryError if it exceeds the limits of the device."""
        used = scene if isinstance(scene, Scene) else Scene(scene)
        opened = device if device is not None else default_device()
        return memory_rows(_core.plan(opened._core, used._core, bool(picture), bool(moves)))

    def step(self, n: int = 1) -> None:
        """Makes `n` steps. It returns before the last two are done; whatever needs their results waits. Ctrl+C raises KeyboardInterrupt
        after a whole step, and the simulation can go on."""
        self._core.step(_whole("n", n, 0))

    def wait(self) -> None:
        """Waits for all steps."""
        self._core.wait()

    def reset(self) -> None:
        """Starts again at time 0."""
        self._core.reset()

    def clear(self) -> None:
        """Removes all smoke or liquid, and sets the velocity to 0. Time, obstacles and emitters stay."""
        self._core.clear()

    @property
    def time(self) -> float:
        """[s]"""
        return self._core.time

    @property
    def steps(self) -> int:
        """Number of steps so far."""
        return self._core.steps

    @property
    def dt(self) -> float:
        """Duration of a step [s]."""
        return self._core.dt

    @property
    def device(self) -> Device:
        return self._device

    @property
    def scene(self) -> Scene:
        """A copy of the scene."""
        return Scene._of(self._core.scene())

    def change(self, scene: SceneLike) -> None:
        """Uses another scene from the next step on. Raises UnsupportedError naming the key that cannot change while the simulation runs,
        such as grid.cells; SceneError."""
        used = scene if isinstance(scene, Scene) else Scene(scene)
        self._core.change(used._core)

    def set(self, key: str | Mapping[str, Any], value: Any = None) -> None:
        """Changes a key of the scene: set("flow.vorticity", 0.4); or several: set({"flow": {"vorticity": 0.4}}). Raises as change."""
        scene = self.scene
        if isinstance(key, Mapping):
            scene.update(key)
        else:
            scene[key] = value
        self.change(scene)

    @property
    def fields(self) -> list[str]:
        """Names of the fields that this scene has, such as density, velocity and pressure."""
        return self._core.fields()

    def __contains__(self, name: object) -> bool:
        return name in self.fields

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    def __getitem__(self, name: str) -> NDArray[np.float32]:
        """A copy of the field: float32, indexed [z, y, x]; for a vector [z, y, x, component]. Values are at the centres of the cells, see
        lattice(). Density per unit, temperature in K above ambient, velocity in m/s, pressure over the density of the fluid in m^2/s^2.
        Raises FieldError."""
        self._check(name)
        return self._core.read(name)

    def read(self, name: str, out: NDArray[np.float32]) -> NDArray[np.float32]:
        """The same into an array of the caller, without new memory."""
        self._check(name)
        shape = self._core.lattice(name)[0]
        import numpy as np

        if isinstance(out, np.ma.MaskedArray):
            raise ArgumentError("out is a masked array, whose mask the values would not change; must be an ordinary array")
        if not isinstance(out, np.ndarray) or out.dtype != np.float32 or out.shape != shape:
            found = f"{out.dtype} of shape {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
            raise ArgumentError(f"out is {found}; must be an array float32 of shape {shape}")
        if not out.flags.c_contiguous or not out.flags.writeable:
            raise ArgumentError("out must be contiguous and writeable")
        self._core.read_into(name, out)
        return out

    def share(self, name: str, device: Literal["cuda", "cpu"] | None = None) -> SharedField:
        """A field in memory that other packages use without a copy by DLPack, such as torch.from_dlpack(field): see SharedField. `device`:
        "cuda", if it runs on a GPU with CUDA, else "cpu"; by default whichever is possible. Raises FieldError, OutOfMemoryError, and
        UnsupportedError that says why CUDA cannot be used."""
        self._check(name)
        if device not in (None, "cuda", "cpu"):
            raise ArgumentError(f"device is {device!r}; must be \"cuda\", \"cpu\" or None")
        return SharedField(self._core, self._device._core, name, device)

    def lattice(self, name: str) -> Lattice:
        """Where the values of a field are. Raises FieldError."""
        self._check(name)
        shape, origin, cell = self._core.lattice(name)
        return Lattice(origin, cell, shape)

    def _check(self, name: str) -> None:
        if not isinstance(name, str):
            raise TypeError(f"fields have names such as \"density\", not {type(name).__name__}")
        names = self.fields
        if name not in names:
            raise FieldError(f"there is no field \"{name}\"; this scene has {', '.join(names)}")

    @property
    def quality(self) -> Quality:
        """Quality numbers of the last step. Waits for the steps."""
        return quality_of(self._core.quality())

    def times(self) -> list[SubmitTimes]:
        """GPU times of the steps and pictures since the last call, the oldest first; at most 4096. Of a simulation with `timing`; otherwise
        empty. Waits for the steps."""
        return submit_times(self._core.times())

    def hashes(self) -> dict[str, int]:
        """Hashes (XXH3, 64 bits) of everything that further steps depend on: by the names of the fields, "run" of what is between steps
        and what you have moved, "scene" of its keys. Runs with equal ones go on identically."""
        return self._core.hashes()

    def probe(self, start: Sequence[float], end: Sequence[float] | None = None, points: int = 1) -> ProbeValues:
        """Values at `points` points from `start` to `end` [m], evenly spaced; of one point, at `start`. Raises ArgumentError."""
        first = vector("start", start)
        count = _whole("points", points, 1)
        if count > 1 and end is None:
            raise ArgumentError(f"points is {count}, but there is no end")
        return ProbeValues(**self._core.probe(first, first if end is None else vector("end", end), count))

    def wind_at(self, points: ArrayLike) -> NDArray[np.float32]:
        """The velocity [m/s] at each point [m]: arrays of shape (points, 3). Also outside of the box, where it is the ambient flow. Raises
        ArgumentError."""
        from . import _arrays

        return self._core.wind_at(_arrays.points("points", points))

    @property
    def obstacles(self) -> Sequence[Obstacle]:
        core = self._core
        return Parts(lambda n: Obstacle(core, n), core.obstacle_count)

    @property
    def emitters(self) -> Sequence[Emitter]:
        core = self._core
        return Parts(lambda n: Emitter(core, n), core.emitter_count)

    def render(self, width: int = 640, height: int = 360, camera: Camera | None = None, *, linear: bool = False,
               background: Literal["transparent"] | Sequence[float] | ArrayLike | None = None) -> NDArray[Any]:
        """A picture of the smoke: uint8 of shape (height, width, 4), after exposure, tone curve and sRGB, row 0 is the top. `camera` is
        instead of that of the scene. With `linear`: float32, radiance in W/(m^2 sr) and coverage.

        `background` is behind smoke and bodies instead of the environment, which still lights them: a colour, three numbers of sRGB from
        0 to 1; a picture, uint8 of shape (height, width, 3 or 4); or "transparent". Transparent pictures have the coverage as alpha, 0
        where nothing is. Their colours are without alpha, as in PNG files, but with `linear` they are the radiance times it: put them over
        another linear picture by picture[..., :3] + (1 - picture[..., 3:]) * other. Without a background, pictures have alpha 255, and
        with `linear` the radiance of the environment is added, also where the coverage is 0.

        Raises OutOfMemoryError; ArgumentError; UnsupportedError if a background is not possible: with the surface of a liquid, a flat grid,
        or a view of a field."""
        w, h = _whole("width", width, 1), _whole("height", height, 1)
        if camera is not None and not isinstance(camera, Camera):
            raise TypeError(f"camera must be a wisp.Camera, not {type(camera).__name__}")
        behind = None
        if background is not None:
            from . import _background

            behind = _background.checked(background, w, h, bool(linear))
        picture = self._core.render(w, h, None if camera is None else camera.vectors(w / h), bool(linear), background is not None)
        return picture if background is None or linear else _background.put_behind(picture, behind)

    def save(self, path: str | os.PathLike) -> None:
        """Saves everything that further steps depend on, also what you have moved, so that they have the same results, bit for bit, with
        the same driver. Raises FileError, and UnsupportedError with the key if the scene uses a mesh or a volume in memory."""
        self._core.save(os.fspath(path))

    def close(self) -> None:
        """Frees the memory on the device now, instead of when Python deletes the object. All later calls raise OutdatedError."""
        self._core.close()

    @property
    def closed(self) -> bool:
        return self._core.closed

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "closed" if self.closed else f"{self.steps} steps, {self.time:.6g} s"
        return f"<wisp.Simulation, {state}, on {self._device.name!r}>"

    def _repr_png_(self) -> bytes | None:
        """A small picture for notebooks. None where it would take long (render.mode = "path"), change pictures to come
        (render.temporal), or is not possible: then they show the text."""
        try:
            scene = self.scene
            if scene["render.mode"] == "path" or scene["render.temporal"]:
                return None
            width, height = scene["render.size"]
            scale = min(1.0, 320 / max(width, height))
            picture = self.render(max(1, round(width * scale)), max(1, round(height * scale)))
        except Error:
            return None
        return png(picture[..., :3])


def _whole(name: str, value: Any, least: int) -> int:
    """A whole number. Raises TypeError and ArgumentError."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {type(value).__name__}") from None
    if not least <= number <= _MAX_COUNT:
        raise ArgumentError(f"{name} is {number}; must be at least {least}" + (f" and at most {_MAX_COUNT}" if number > least else ""))
    return number
