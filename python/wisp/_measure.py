# SPDX-License-Identifier: MIT
"""What a simulation tells besides its fields: memory, times, values at points."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ._errors import ArgumentError

if TYPE_CHECKING:  # numpy takes longer to import than wisp
    import numpy as np
    from numpy.typing import NDArray


class MemoryUse(NamedTuple):
    """Memory of one image or buffer on the device."""
    name: str
    layout: str  #: such as "129x65x65 rgba16f"
    bytes: int


class ProbeValues(NamedTuple):
    """Values at points, interpolated: arrays float32 with a value, or three, for each point. NaN where there is no value: outside of the
    box or inside an obstacle."""
    velocity: NDArray[np.float32]  #: (n, 3) [m/s]
    pressure: NDArray[np.float32]  #: (n) over the density of the fluid [m^2/s^2]
    vorticity: NDArray[np.float32]  #: (n, 3) [1/s]
    density: NDArray[np.float32]  #: (n) of the smoke
    temperature: NDArray[np.float32]  #: (n) [K] above ambient


class PassTime(NamedTuple):
    """GPU time of a pass in one submit, the sum over its dispatches; or of a scope, "step" or "frame" (a picture)."""
    name: str  #: see docs/passes.md
    calls: int  #: number of dispatches; of scopes
    ms: float
    scope: bool  #: a scope, which contains passes
    threads: int  #: invocations; 0 for a transfer
    bytes: int  #: least memory traffic that the pass needs


class SubmitTimes(NamedTuple):
    """Times of one submit."""
    step: int  #: number of steps up to its end
    stepped: bool  #: it contains the last of these steps; otherwise it is of a picture, or of something else
    record_ms: float  #: CPU time of recording it
    submit_ms: float  #: CPU time of submitting it
    passes: tuple[PassTime, ...]  #: in order of first appearance

    @property
    def ms(self) -> float:
        """GPU time of the step or the picture."""
        return sum(p.ms for p in self.passes if p.scope)


#: What GPU times a simulation measures: of steps and pictures, or also of each pass, which makes steps slightly slower.
Timing = Literal["off", "scopes", "passes"]


def timing_number(timing: Any) -> int:
    levels = ("off", "scopes", "passes")
    if timing not in levels:
        raise ArgumentError(f"timing is {timing!r}; must be \"off\", \"scopes\" or \"passes\"")
    return levels.index(timing)


def memory_rows(rows: list[tuple[str, str, int]]) -> list[MemoryUse]:
    return [MemoryUse(*row) for row in rows]


def submit_times(rows: list[tuple]) -> list[SubmitTimes]:
    return [SubmitTimes(*most, tuple(PassTime(*p) for p in passes)) for *most, passes in rows]
