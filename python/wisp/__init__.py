# SPDX-License-Identifier: MIT
"""Smoke, fire and liquids on the GPU, with numpy arrays as results.

    import wisp
    sim = wisp.Simulation("plume")
    sim.step(60)
    density = sim["density"]      # float32, indexed [z, y, x]

See docs/python.md for a tutorial and docs/scenes.md for the keys of a scene. Units are SI, y is up, angles are in degrees.
"""
from ._camera import Camera
from ._core import version as __version__
from ._device import Device, default_device
from ._errors import (ArgumentError, BusyError, DeviceError, Error, ErrorCode, FieldError, FileError, NotFiniteError, OutdatedError,
                      OutOfMemoryError, Problem, SceneError, SceneKeyError, UnsupportedError)
from ._measure import MemoryUse, PassTime, ProbeValues, SubmitTimes
from ._parts import Emitter, Obstacle
from ._quality import AdvectionError, BodyForce, FireQuality, LiquidQuality, MomentumBudget, Quality, SparseQuality
from ._scene import Key, Scene, all_keys, description, preset, scenes
from ._shared import SharedField
from ._simulation import Lattice, Simulation
from ._volumes import VolumeWriter

__all__ = [
    "AdvectionError", "ArgumentError", "BodyForce", "BusyError", "Camera", "Device", "DeviceError", "Emitter", "Error", "ErrorCode",
    "FieldError", "FileError", "FireQuality", "Key", "Lattice", "LiquidQuality", "MemoryUse", "MomentumBudget", "NotFiniteError",
    "Obstacle", "OutOfMemoryError", "OutdatedError", "PassTime", "ProbeValues", "Problem", "Quality", "Scene", "SceneError",
    "SceneKeyError", "SharedField", "Simulation", "SparseQuality", "SubmitTimes", "UnsupportedError", "VolumeWriter", "all_keys",
    "default_device", "description", "preset", "scenes",
]
