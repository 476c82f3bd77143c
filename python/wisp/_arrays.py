# SPDX-License-Identifier: MIT
"""Arrays that a program gives to a scene. Imported when they are used, because of numpy."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ._camera import not_masked, number, vector
from ._errors import ArgumentError


def text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a text, not {type(value).__name__}")
    return value


def mesh(vertices: Any, triangles: Any) -> tuple[np.ndarray, np.ndarray]:
    """Checked positions and indices."""
    positions = _floats("vertices", vertices, "(n, 3)", lambda a: a.ndim == 2 and a.shape[1] == 3)
    indices = _array("triangles", triangles)
    if indices.dtype.kind not in "iu":
        raise ArgumentError(f"triangles have the type {indices.dtype}; must be whole numbers")
    if indices.ndim != 2 or indices.shape[1] != 3:
        raise ArgumentError(f"triangles have the shape {indices.shape}; must be (m, 3)" +
                            (": split each face into triangles" if indices.ndim == 2 and indices.shape[1] > 3 else ""))
    for what, array in (("vertices", positions), ("triangles", indices)):
        if len(array) == 0:
            raise ArgumentError(f"there are no {what}; a closed mesh has at least 4")
    wrong = (indices < 0) | (indices >= len(positions))
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise ArgumentError(f"triangles[{row}, {column}] is {indices[row, column]}; must be from 0 to {len(positions) - 1}")
    return positions, np.ascontiguousarray(indices, dtype=np.uint32)


def volume(values: Any) -> list[tuple[str, np.ndarray]]:
    """Checked fields."""
    given = values if isinstance(values, Mapping) else {"density": values}
    fields = [(text("the name of a field", name), _floats(str(name), array, "(z, y, x)", lambda a: a.ndim == 3))
              for name, array in given.items()]
    for name, array in fields:
        if array.size == 0:
            raise ArgumentError(f"{name} has the shape {array.shape}; must have at least one value")
        if array.shape != fields[0][1].shape:
            raise ArgumentError(f"{name} has the shape {array.shape}, but {fields[0][0]} has {fields[0][1].shape}; must be the same")
    return fields


def points(name: str, values: Any) -> np.ndarray:
    """Positions or vectors, one a row."""
    return _floats(name, values, "(points, 3)", lambda a: a.ndim == 2 and a.shape[1] == 3)


def placement(origin: Any, cell: Any, transform: Any) -> list[float]:
    """The matrix from indices (i, j, k) to positions, in columns."""
    if transform is None:
        if cell is None:
            raise ArgumentError("cell is missing: the edge of a cell in metres, or give a transform")
        edges = vector("cell", cell) if np.ndim(cell) else (number("cell", cell),) * 3
        corner = vector("origin", origin)
        if min(edges) <= 0.0:
            raise ArgumentError(f"cell is {cell}; must be above 0")
        matrix = np.diag([*edges, 1.0])
        matrix[:3, 3] = [c + 0.5 * e for c, e in zip(corner, edges)]
    else:
        if cell is not None or np.any(np.asarray(origin) != 0.0):
            raise ArgumentError("transform cannot be combined with origin and cell: both say where the volume is")
        matrix = _array("transform", transform)
        if matrix.shape != (4, 4) or matrix.dtype.kind not in "fiu":
            raise ArgumentError(f"transform is {matrix.dtype} of shape {matrix.shape}; must be numbers of shape (4, 4)")
        if not np.isfinite(matrix).all():
            raise ArgumentError("transform has a number that is not finite")
    return matrix.astype(np.float64).T.ravel().tolist()


def _array(name: str, value: Any) -> np.ndarray:
    not_masked(name, value)
    try:
        return np.asarray(value)
    except (TypeError, ValueError) as error:  # such as lists of different lengths
        raise ArgumentError(f"{name} cannot be an array of numpy: {error}") from None


def _floats(name: str, value: Any, shape: str, fits: Any) -> np.ndarray:
    """A contiguous array float32 without NaN and infinity."""
    array = _array(name, value)
    if array.dtype.kind not in "fiu":
        raise ArgumentError(f"{name} has the type {array.dtype}; must be real numbers")
    if not fits(array):
        raise ArgumentError(f"{name} has the shape {array.shape}; must be {shape}")
    with np.errstate(over="ignore"):
        result = np.ascontiguousarray(array, dtype=np.float32)
    bad = ~np.isfinite(result)
    if bad.any():
        index = tuple(np.argwhere(bad)[0].tolist())
        large = " as float32" if np.isfinite(array[index]) else ""
        raise ArgumentError(f"{name}{list(index)} is {array[index]}; must be finite{large}")
    return result
