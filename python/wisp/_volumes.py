# SPDX-License-Identifier: MIT
"""Volume files."""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from . import _core
from ._camera import number
from ._errors import ArgumentError

if TYPE_CHECKING:
    from ._simulation import Simulation


class VolumeWriter:
    """Writes the smoke of a simulation as volume files, .nvdb (NanoVDB) or .vdb (OpenVDB), which other threads encode.

        with wisp.VolumeWriter(sim) as writer:
            for n in range(48):
                sim.step(2)
                writer.write(f"smoke_{n:04}.nvdb")

    `fields`: of density, temperature, flame, fuel, vel; by default all that are simulated but fuel. `threshold`: density or share of
    burning fuel from which cells are active. `up_is_z`: z is up in the files, as in Blender, instead of y. `fps` is for the metadata of
    the files. Raises ArgumentError that names what is wrong.
    """

    __slots__ = ("_core", "_simulation")

    def __init__(self, simulation: Simulation, fields: Sequence[str] = (), threshold: float = 1e-4, up_is_z: bool = False,
                 fps: float = 60.0) -> None:
        if isinstance(fields, str):
            raise ArgumentError(f"fields is {fields!r}; must be a list of names such as [\"density\"]")
        self._simulation = simulation._core
        self._core = _core.VolumeWriter(self._simulation, list(fields), number("threshold", threshold), bool(up_is_z), number("fps", fps))

    def write(self, path: str | os.PathLike) -> None:
        """Writes the fields at the end of the steps so far. Waits for the steps, but not for the file, which appears only when it is
        complete. Raises ArgumentError for another kind of file, UnsupportedError if OpenVDB is not installed, OutOfMemoryError, and
        FileError for an earlier file that could not be written."""
        self._core.write(self._simulation, os.fspath(path))

    def flush(self) -> None:
        """Waits until all files are written. Raises FileError if one could not be written."""
        self._core.flush(self._simulation)

    def __enter__(self) -> VolumeWriter:
        return self

    def __exit__(self, *exception: object) -> None:
        self.flush()
