# SPDX-License-Identifier: MIT
"""Cameras."""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from . import _core
from ._errors import ArgumentError

Vector = tuple[float, float, float]


def masked_index(value: Any) -> list[int] | None:
    """The index of the first masked value of a masked array of numpy; None: there is none."""
    if not (hasattr(value, "mask") and hasattr(value, "filled")):
        return None
    import numpy as np

    places = np.argwhere(np.ma.getmaskarray(value))
    return places[0].tolist() if len(places) else None


def not_masked(name: str, value: Any) -> None:
    """Raises ArgumentError if a value is masked: it is missing, and the number below the mask has no meaning."""
    index = masked_index(value)
    if index is not None:
        raise ArgumentError(f"{name}{index or ''} is masked, so it is no number: give the missing values one, such as with filled(0.0)")


def vector(name: str, value: Sequence[float]) -> Vector:
    """Three finite numbers. Raises ArgumentError and TypeError."""
    not_masked(name, value)
    if hasattr(value, "tolist"):  # an array of numpy
        value = value.tolist()
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise TypeError(f"{name} must be three numbers, not {type(value).__name__}")
    if len(value) != 3:
        raise ArgumentError(f"{name} has {len(value)} numbers; must be 3")
    return number(name, value[0]), number(name, value[1]), number(name, value[2])


def number(name: str, value: float) -> float:
    """A finite number. Raises ArgumentError and TypeError."""
    not_masked(name, value)
    try:
        result = float(value) if not isinstance(value, str) else None
    except (TypeError, ValueError, OverflowError):
        result = None
    if result is None:
        raise TypeError(f"{name} must be of numbers, not of {type(value).__name__}")
    if not math.isfinite(result) or abs(result) > 3.4e38:
        raise ArgumentError(f"{name} has the number {value}; must be finite")
    return result


class Camera(NamedTuple):
    """A perspective camera. The ray through the point (x, y) of the picture, from -1 (left, bottom) to 1 (right, top), has the direction
    forward + x * right + y * up."""
    eye: Vector  #: [m]
    forward: Vector  #: unit
    right: Vector  #: half the width of the picture at distance 1; perpendicular to forward
    up: Vector  #: half its height; perpendicular to both
    fit: bool = False  #: `right` is for a square picture; it is multiplied by the aspect of the picture that is drawn

    @staticmethod
    def look_at(eye: Sequence[float], target: Sequence[float], fov: float = 40.0, aspect: float | None = None) -> Camera:
        """A camera at `eye` that looks at `target`, in metres. `fov` is the vertical field of view in degrees, as in scenes. `aspect` is
        width over height; None: that of the picture. Raises ArgumentError."""
        degrees = number("fov", fov)
        if not 0.0 < degrees < 180.0:
            raise ArgumentError(f"fov is {degrees} degrees; must be between 0 and 180")
        wide = 1.0 if aspect is None else number("aspect", aspect)
        vectors = _core.look_at(vector("eye", eye), vector("target", target), math.radians(degrees), wide)
        return Camera(*map(tuple, vectors), aspect is None)

    def vectors(self, aspect: float) -> list[Vector]:
        """Eye, forward, right and up for a picture."""
        eye, forward, right, up = (vector(name, getattr(self, name)) for name in ("eye", "forward", "right", "up"))
        if self.fit:
            right = (right[0] * aspect, right[1] * aspect, right[2] * aspect)
        return [eye, forward, right, up]
