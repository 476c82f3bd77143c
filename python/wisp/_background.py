# SPDX-License-Identifier: MIT
"""What is behind smoke and bodies in a picture. Imported when it is used, because of numpy."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._camera import not_masked
from ._errors import ArgumentError


def checked(background: Any, width: int, height: int, linear: bool) -> np.ndarray | None:
    """The background, sRGB from 0 to 1, of shape (3,) or (height, width, 3); None: it is transparent. Raises ArgumentError."""
    if isinstance(background, str):
        if background != "transparent":
            raise ArgumentError(f"background is {background!r}; must be \"transparent\", a colour or a picture")
        return None
    if linear:
        raise ArgumentError("background must be \"transparent\" with linear=True: put the picture over yours as render() says")
    not_masked("background", background)
    array = np.asarray(background)
    if array.shape == (height, width, 3) or array.shape == (height, width, 4):
        if array.dtype != np.uint8:
            raise ArgumentError(f"background is a picture of the type {array.dtype}; must be uint8")
        return array[..., :3] / 255.0
    if array.shape != (3,) or array.dtype.kind not in "fiu":
        raise ArgumentError(f"background is {array.dtype} of shape {array.shape}; must be three numbers, or uint8 of shape "
                            f"({height}, {width}, 3 or 4), or \"transparent\"")
    if not ((array >= 0.0) & (array <= 1.0)).all():
        raise ArgumentError(f"background is {array.tolist()}; must be from 0 to 1")
    return array.astype(np.float64)


def put_behind(picture: np.ndarray, background: np.ndarray | None) -> np.ndarray:
    """The picture, whose colours are over black, over the background; None: with the colours of a file with alpha."""
    colours, alpha = picture[..., :3], picture[..., 3:]
    if background is None:  # flames are brighter than their coverage: they get more
        alpha = np.max(picture, axis=-1, keepdims=True).astype(np.uint32)
        colours = (255 * colours.astype(np.uint32) + alpha // 2) // np.maximum(alpha, 1)
        return np.concatenate([colours, alpha], axis=-1).astype(np.uint8)
    light = _linear(colours / 255.0) + (1.0 - alpha / 255.0) * _linear(background)
    mixed = np.where(alpha == 255, colours, np.rint(255.0 * _encoded(np.minimum(light, 1.0))))
    return np.concatenate([mixed, np.full_like(alpha, 255)], axis=-1).astype(np.uint8)


def _linear(srgb: np.ndarray) -> np.ndarray:
    """IEC 61966-2-1."""
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def _encoded(light: np.ndarray) -> np.ndarray:
    return np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1.0 / 2.4) - 0.055)
