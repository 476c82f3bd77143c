#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: python_device.py [--cells N] [--repeat N]

Measures and checks the Python package on a machine with an NVIDIA GPU: the import, the copy of a field to numpy, and its export by DLPack,
whose memory is read through the CUDA driver by ctypes and compared bit for bit. Needs numpy and the package; uses PyTorch if it is there.
Prints a line for each number. Exit status 1 if a check fails or, with 256 cells along an edge (the default), if a target is missed."""
import argparse
import ctypes
import gc
import os
import statistics
import subprocess
import sys
import time

import numpy as np
import wisp

failed = []


def line(name, value, unit, target=None):
    verdict = ""
    if target is not None:
        met = value <= target
        verdict = f"  target {target:g}  {'met' if met else 'MISSED'}"
        if not met:
            failed.append(name)
    print(f"{name:<44} {value:12.4f} {unit}{verdict}", flush=True)


def check(name, right):
    print(f"{name:<44} {'yes' if right else 'NO'}", flush=True)
    if not right:
        failed.append(name)


def milliseconds(call, repeat):
    """Times of calls, after three that are not counted."""
    times = []
    for n in range(repeat + 3):
        start = time.perf_counter()
        result = call()
        times.append(1e3 * (time.perf_counter() - start))
        del result
    return times[3:]


def spread(name, times, target=None):
    line(f"{name}, median", statistics.median(times), "ms", target)
    line(f"{name}, least", min(times), "ms")


def import_time():
    """[s], in a new process, without the start of Python."""
    code = "import time; t = time.perf_counter(); import wisp; print(time.perf_counter() - t)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    run = [float(subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True).stdout)
           for _ in range(5)]
    return statistics.median(run)


class Cuda:
    """The calls of the CUDA driver that read memory."""

    def __init__(self, number):
        self.driver = ctypes.CDLL("libcuda.so.1")
        device, self.context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDeviceGet", ctypes.byref(device), number)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), device)
        self.call("cuCtxSetCurrent", self.context)

    def call(self, name, *arguments):
        result = getattr(self.driver, name)(*arguments)
        if result != 0:
            sys.exit(f"{name}: error {result} of CUDA")

    def read(self, address, shape):
        """A copy of memory on the device."""
        values = np.empty(shape, np.float32)
        self.call("cuMemcpyDtoH_v2", values.ctypes.data_as(ctypes.c_void_p), ctypes.c_uint64(address), ctypes.c_size_t(values.nbytes))
        return values


def address_of(capsule):
    """Of the data: the first member of the struct."""
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return ctypes.cast(get(capsule, b"dltensor"), ctypes.POINTER(ctypes.c_uint64))[0]


def same(a, b):
    """Whether all bits are equal."""
    return a.shape == b.shape and np.array_equal(a.view(np.uint32), b.view(np.uint32))


def measure_numpy(sim, repeat, targets):
    out = sim["density"]
    spread("numpy copy, sim[\"density\"]", milliseconds(lambda: sim["density"], repeat), 15.0 if targets else None)
    spread("numpy copy, sim.read(\"density\", out)", milliseconds(lambda: sim.read("density", out), repeat))
    check("read is the same as []", same(out, sim["density"]))


def measure_cuda(sim, repeat, targets):
    start = time.perf_counter()
    field = sim.share("density", device="cuda")
    line("share, once", 1e3 * (time.perf_counter() - start), "ms")
    kind, number = field.__dlpack_device__()
    check("the device of DLPack is of CUDA", kind == 2)
    spread("DLPack export: update and capsule", milliseconds(lambda: field.update().__dlpack__(), repeat), 0.3 if targets else None)
    spread("capsule alone", milliseconds(field.__dlpack__, repeat))
    cuda = Cuda(number)
    capsule = field.__dlpack__()
    address = address_of(capsule)
    before = sim["density"]
    check("CUDA reads the bits of numpy", same(cuda.read(address, field.shape), before))
    sim.step(5)
    check("before update CUDA reads the old values", same(cuda.read(address, field.shape), before))
    check("the step has changed the values", not same(sim["density"], before))
    field.update()
    check("after update CUDA reads the new values", same(cuda.read(address, field.shape), sim["density"]))
    velocity = sim.share("velocity")
    check("CUDA reads the bits of velocity", same(cuda.read(address_of(velocity.__dlpack__()), velocity.shape), sim["velocity"]))
    wrong = 0
    for _ in range(repeat):  # each copy must see its own step
        sim.step()
        field.update()
        wrong += not same(cuda.read(address, field.shape), sim["density"])
    check(f"{repeat} updates in a row are right", wrong == 0)
    return cuda, field, capsule, address


def use_torch(field, expected):
    try:
        import torch
    except ImportError:
        print("PyTorch is not installed")
        return
    tensor = torch.from_dlpack(field)
    check(f"PyTorch {torch.__version__} on {tensor.device} reads the same", same(tensor.cpu().numpy(), expected))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cells", type=int, default=256)
    parser.add_argument("--repeat", type=int, default=20)
    options = parser.parse_args()
    n, targets = options.cells, options.cells == 256
    line("import wisp", import_time(), "s", 0.2 if targets else None)
    sim = wisp.Simulation({
        "grid": {"cells": [n, n, n], "size": [1.0, 1.0, 1.0]},
        "flow": {"buoyancy": 0.03, "vorticity": 0.4},
        "emitter": [{"shape": "sphere", "centre": [0.5, 0.2, 0.5], "radius": 0.12, "density": 1.0, "temperature": 150.0,
                     "velocity": [0.0, 1.0, 0.0]}],
    })
    print(f"device: {sim.device.name}, {sim.device.driver}; {n}^3 cells, numpy {np.__version__}, Python {sys.version.split()[0]}")
    sim.step(40)
    sim.wait()
    start = time.perf_counter()
    sim.step(200)
    sim.wait()
    line("a step, mean of 200", 5.0 * (time.perf_counter() - start), "ms")
    measure_numpy(sim, options.repeat, targets)
    try:
        cuda, field, capsule, address = measure_cuda(sim, options.repeat, targets)
    except wisp.UnsupportedError as error:
        sys.exit(f"CUDA cannot be used: {error}")
    last = sim["density"]
    use_torch(field, last)
    used = sim.device.memory_used
    sim.close()
    del sim, field
    gc.collect()
    line("memory on the device, of the simulation", used * 2.0**-20, "MiB")
    check("the memory outlives the simulation", same(cuda.read(address, last.shape), last))
    del capsule
    print(f"failed: {', '.join(failed)}" if failed else "all checks passed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
