# SPDX-License-Identifier: MIT
"""Exceptions. Each is also the built-in exception that a Python program expects: a SceneError is a ValueError, for example."""
from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple


class ErrorCode(IntEnum):
    """Kind of an error. The numbers are those of the C++ interface."""
    ARGUMENT = 1
    SCENE = 2
    FILE = 3
    NO_DEVICE = 4
    OUT_OF_MEMORY = 5
    DEVICE_LOST = 6
    BUSY = 7
    OUTDATED = 8
    HOST_TIMEOUT = 9
    NOT_FINITE = 10
    UNSUPPORTED = 11
    VALIDATION = 12
    VULKAN = 13
    INTERNAL = 14
    OUTPUT = 15


class Problem(NamedTuple):
    """An error, or a warning, in a scene."""
    key: str  #: such as "emitter[0].radius"
    message: str  #: what was found and what is allowed
    file: str = ""  #: empty if the scene is not from a text
    line: int = 0  #: from 1; 0: unknown
    column: int = 0

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}:{self.column}" if self.file and self.line else self.file
        return ": ".join(part for part in (where, self.key, self.message) if part)


class Error(Exception):
    """Base of all errors of wisp."""
    code: ErrorCode = ErrorCode.INTERNAL
    problems: list[Problem]  #: of a scene: all that is wrong with it

    def __init__(self, message: str = "", code: ErrorCode | None = None, problems: Iterable[Problem] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.problems = list(problems)
        if code is not None:
            self.code = code

    @property
    def key(self) -> str:
        """The scene key of the first problem; empty if there is none."""
        return self.problems[0].key if self.problems else ""

    def __str__(self) -> str:
        return self.message  # a KeyError would put it in quotes

    def __reduce__(self):  # for results of other processes
        return type(self), (self.message, self.code, self.problems)


class ArgumentError(Error, ValueError):
    """An argument of a call is wrong."""
    code = ErrorCode.ARGUMENT


class FieldError(ArgumentError, KeyError):
    """The simulation has no field of this name."""


class SceneError(Error, ValueError):
    """A key or a value of a scene is wrong: see `problems`."""
    code = ErrorCode.SCENE


class SceneKeyError(SceneError, KeyError):
    """The scene has no value for this key."""


class FileError(Error, OSError):
    """A file cannot be read or written, or is damaged."""
    code = ErrorCode.FILE


class DeviceError(Error, RuntimeError):
    """No device can be used, or the driver has failed."""
    code = ErrorCode.NO_DEVICE


class OutOfMemoryError(Error, MemoryError):
    """The device has too little memory."""
    code = ErrorCode.OUT_OF_MEMORY


class BusyError(Error, RuntimeError):
    """Another thread is inside a call of the same simulation."""
    code = ErrorCode.BUSY


class OutdatedError(Error, RuntimeError):
    """What was used belongs to a closed simulation, another process, or an earlier scene."""
    code = ErrorCode.OUTDATED


class NotFiniteError(Error, ArithmeticError):
    """A value of a field is NaN or infinite."""
    code = ErrorCode.NOT_FINITE


class UnsupportedError(Error, RuntimeError):
    """This scene or this device cannot do it."""
    code = ErrorCode.UNSUPPORTED


_CLASSES: dict[ErrorCode, type[Error]] = {
    ErrorCode.ARGUMENT: ArgumentError,
    ErrorCode.SCENE: SceneError,
    ErrorCode.FILE: FileError,
    ErrorCode.NO_DEVICE: DeviceError,
    ErrorCode.OUT_OF_MEMORY: OutOfMemoryError,
    ErrorCode.DEVICE_LOST: DeviceError,
    ErrorCode.BUSY: BusyError,
    ErrorCode.OUTDATED: OutdatedError,
    ErrorCode.NOT_FINITE: NotFiniteError,
    ErrorCode.UNSUPPORTED: UnsupportedError,
    ErrorCode.VALIDATION: DeviceError,
    ErrorCode.VULKAN: DeviceError,
    ErrorCode.OUTPUT: FileError,
}


def make(code: int, message: str, problems: Iterable[tuple[str, str, str, int, int]]) -> Error:
    """The exception of an error of the library. Called by _core."""
    kind = ErrorCode(code)
    return _CLASSES.get(kind, Error)(message, kind, [Problem(*p) for p in problems])


def scene_error(problems: list[Problem]) -> SceneError:
    """A SceneError with a line for each problem."""
    return SceneError("\n".join(map(str, problems)), ErrorCode.SCENE, problems)
