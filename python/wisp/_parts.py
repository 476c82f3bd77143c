# SPDX-License-Identifier: MIT
"""Obstacles and emitters of a simulation."""
from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from . import _core
from ._camera import Vector, vector


class _Part:
    """An obstacle or an emitter by its place in the scene."""

    __slots__ = ("_core", "_index")

    def __init__(self, core: _core.Simulation, index: int) -> None:
        self._core = core
        self._index = index

    def __repr__(self) -> str:
        return f"<wisp.{type(self).__name__} {self._index}>"


class Obstacle(_Part):
    """An obstacle of a simulation, moved by the program."""

    __slots__ = ()

    def place(self, centre: Sequence[float]) -> None:
        """In the next step the centre moves straight to `centre` [m], with the velocity that this takes, instead of along the path of the
        scene; then it stands still."""
        self._core.place_obstacle(self._index, vector("centre", centre))

    def move(self, velocity: Sequence[float]) -> None:
        """From the next step on the centre moves with this velocity [m/s], until the next call of place, move or release, or a
        reset."""
        self._core.move_obstacle(self._index, vector("velocity", velocity))

    def release(self) -> None:
        """From the next step on it is again where the scene has it."""
        self._core.release_obstacle(self._index)

    @property
    def velocity(self) -> Vector:
        """The mean velocity of the centre in the next step [m/s]. Assignment is the same as move()."""
        return tuple(self._core.obstacle_velocity(self._index))

    @velocity.setter
    def velocity(self, velocity: Sequence[float]) -> None:
        self.move(velocity)

    @property
    def centre(self) -> Vector:
        """The centre [m] at the end of the steps so far."""
        return tuple(self._core.obstacle_centre(self._index))


class Emitter(_Part):
    """An emitter of a simulation, moved by the program."""

    __slots__ = ()

    def place(self, centre: Sequence[float]) -> None:
        """From the next step on its centre is here [m]."""
        self._core.place_emitter(self._index, vector("centre", centre))

    def move(self, velocity: Sequence[float]) -> None:
        """From the next step on it gives this velocity to the smoke [m/s]."""
        self._core.move_emitter(self._index, vector("velocity", velocity))

    def release(self) -> None:
        """From the next step on it is again as the scene has it."""
        self._core.release_emitter(self._index)

    velocity = property(None, move, doc="Assignment is the same as move().")

    @property
    def centre(self) -> Vector:
        """The centre [m] at the end of the steps so far."""
        return tuple(self._core.emitter_centre(self._index))


P = TypeVar("P", bound=_Part)


class Parts(Sequence, Generic[P]):
    """The obstacles or the emitters of the scene of a simulation."""

    def __init__(self, make: Callable[[int], P], count: Callable[[], int]) -> None:
        self._make = make
        self._count = count

    def __len__(self) -> int:
        return self._count()

    def __getitem__(self, index: int) -> P:  # type: ignore[override]
        number, count = operator.index(index), len(self)
        if not -count <= number < count:
            raise IndexError(f"there is no element {number}; the scene has {count}")
        return self._make(number % count)
