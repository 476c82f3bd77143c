# SPDX-License-Identifier: MIT
"""Fields that other packages use without a copy."""
from __future__ import annotations

from typing import Any, Literal

from . import _core
from ._errors import UnsupportedError


class SharedField:
    """A field in memory that other packages use without a copy, by DLPack: torch.from_dlpack(field), cupy.from_dlpack(field),
    jax.dlpack.from_dlpack(field), numpy.from_dlpack(field) on the CPU. It is a contiguous array with the values and the shape of
    simulation[name]. Made by Simulation.share().

    The values are those after the steps before share() or the last update(), which every array that was made of the field then sees.
    share() and update() return when they are written, so that kernels and copies that start later see them, in any stream. Before
    update(), wait for kernels that still read the old values. Do not write into the memory.

    The memory lives until the field and all arrays that were made of it are gone, also if the simulation has been closed before.
    """

    __slots__ = ("_core", "_name", "_simulation", "__weakref__")

    def __init__(self, simulation: _core.Simulation, device: _core.Device, name: str, where: Literal["cuda", "cpu"] | None) -> None:
        self._simulation = simulation
        self._name = name
        try:
            self._core: _core.ExportedField = _core.ExportedField(simulation, device, name, where != "cpu")
        except UnsupportedError:
            if where is not None:
                raise
            self._core = _core.ExportedField(simulation, device, name, False)

    @property
    def name(self) -> str:
        return self._name

    @property
    def shape(self) -> tuple[int, ...]:
        """(z, y, x), and 3 for a vector."""
        return self._core.shape

    @property
    def device(self) -> str:
        """Where the memory is: "cpu", or "cuda:0" with the number of the device."""
        kind, number = self._core.device
        return f"cuda:{number}" if kind == 2 else "cpu"

    def update(self) -> SharedField:
        """Writes the values after the steps so far, and waits for them. Returns the field. Raises OutdatedError if the simulation is
        closed."""
        self._core.update(self._simulation)
        return self

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._core.device

    def __dlpack__(self, *, stream: Any = None, max_version: tuple[int, int] | None = None, dl_device: tuple[int, int] | None = None,
                   copy: bool | None = None) -> Any:
        """See https://data-apis.org/array-api. No stream has to wait, because update() has waited for the values."""
        if dl_device is not None and tuple(dl_device) != self._core.device:
            raise BufferError(f"the field is in memory of {self.device}, and cannot be exported to the device {tuple(dl_device)} of DLPack")
        if copy:
            raise BufferError("the field is exported without a copy; copy the array that is made of it")
        return self._core.capsule()

    def __repr__(self) -> str:
        return f"<wisp.SharedField {self._name!r}, float32 of shape {self.shape}, {self.device}>"
