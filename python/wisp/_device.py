# SPDX-License-Identifier: MIT
"""Devices that simulate and draw."""
from __future__ import annotations

import os
import threading
from typing import Literal

from . import _core
from ._measure import MemoryUse, memory_rows


class Device:
    """A Vulkan device. Simulations that are given none share default_device().

    `select` is the index of a device, its UUID or PCI address, or a part of its name, as wisp info prints them; empty: the best one.
    `allow_cpu`: accept drivers that run on the CPU. `validate`: enable the validation layers; any message of theirs is an error. `cache` is
    a folder for compiled pipelines, which are kept between runs: by default that of the program wisp, ~/.cache/wisp; False: none. Raises
    DeviceError with a line for every device that cannot be used.
    """

    __slots__ = ("_core",)

    def __init__(self, select: str | int = "", allow_cpu: bool = True, validate: bool = False,
                 cache: str | os.PathLike | Literal[False] | None = None) -> None:
        folder = _cache_folder() if cache is None else "" if cache is False else os.fspath(cache)
        self._core: _core.Device = _core.Device(str(select), allow_cpu, validate, folder)

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def driver(self) -> str:
        """Name and version."""
        return self._core.driver

    @property
    def is_cpu(self) -> bool:
        return self._core.is_cpu

    @property
    def uuid(self) -> bytes:
        """16 bytes, by which other packages find the same device: that of cuDeviceGetUuid."""
        return self._core.uuid

    @property
    def memory_used(self) -> int:
        """Bytes, by all simulations on this device."""
        return self._core.memory_used

    @property
    def memory_available(self) -> int:
        """Bytes."""
        return self._core.memory_available

    @property
    def memory(self) -> list[MemoryUse]:
        """What memory_used consists of."""
        return memory_rows(_core.memory(self._core))

    def __repr__(self) -> str:
        return f"<wisp.Device {self.name!r}, {self.driver}>"


_lock = threading.Lock()
_default: Device | None = None


def default_device() -> Device:
    """The device of all simulations that are given none. It is opened at the first call."""
    global _default
    with _lock:
        if _default is None:
            _default = Device()
        return _default


def _forget_default() -> None:
    """A child process opens its own device: that of the parent does not survive a fork."""
    global _default, _lock
    _lock = threading.Lock()
    _default = None


os.register_at_fork(after_in_child=_forget_default)


def _cache_folder() -> str:
    """As files/base/user_folders.cpp: the XDG Base Directory Specification requires that relative paths are ignored."""
    for base, inside in (("XDG_CACHE_HOME", ""), ("HOME", ".cache")):
        folder = os.environ.get(base, "")
        if os.path.isabs(folder):
            return os.path.join(folder, inside, "wisp")
    return ""
