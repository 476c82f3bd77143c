# SPDX-License-Identifier: MIT
"""Fields that other packages use without a copy. CUDA itself is tested by scripts/python_device.py on a machine that has it; here a
stand-in (fake_cuda.c) shows that the calls and structs are right, and that everything is freed."""
import gc
import os
import shutil
import subprocess

import numpy as np
import pytest
import wisp
from conftest import PLUME, run_python


def test_numpy_sees_every_update(sim):
    sim.step(3)
    for name in ("density", "velocity"):
        field = sim.share(name, device="cpu")
        assert (field.name, field.device, field.shape) == (name, "cpu", sim[name].shape)
        assert "cpu" in repr(field)
        view = np.from_dlpack(field)
        before = sim[name]
        assert view.dtype == np.float32 and view.flags.c_contiguous and not view.flags.owndata
        assert view.shape == before.shape and (view == before).all()
        sim.step()
        assert (view == before).all() and (sim[name] != before).any()  # until it is updated
        assert field.update() is field
        assert (view == sim[name]).all()
        assert np.shares_memory(view, np.from_dlpack(field))


def test_the_memory_outlives_field_and_simulation():
    with wisp.Simulation(PLUME) as other:
        other.step(2)
        field = other.share("density", device="cpu")
        expected = other["density"]
    view = np.from_dlpack(field)
    with pytest.raises(wisp.OutdatedError, match="closed"):
        field.update()
    del field, other
    gc.collect()
    assert (view == expected).all()


def test_capsules_that_nobody_takes_are_freed(sim):
    field = sim.share("density", device="cpu")
    with open("/proc/self/statm", encoding="ascii") as memory:
        before = int(memory.read().split()[1])
    for _ in range(20000):
        field.__dlpack__()
    with open("/proc/self/statm", encoding="ascii") as memory:
        pages = int(memory.read().split()[1]) - before
    assert pages < 20000 * 100 // 4096  # each has more than 100 bytes


def test_what_is_not_possible(sim):
    field = sim.share("density", device="cpu")
    assert field.__dlpack_device__() == (1, 0)
    field.__dlpack__(stream=None, max_version=(1, 0), dl_device=(1, 0), copy=False)
    with pytest.raises(BufferError, match="cpu"):
        field.__dlpack__(dl_device=(2, 0))
    with pytest.raises(BufferError, match="without a copy"):
        field.__dlpack__(copy=True)
    with pytest.raises(wisp.FieldError):
        sim.share("smoke")
    for device in ("gpu", 0, ""):
        with pytest.raises(wisp.ArgumentError, match="must be"):
            sim.share("density", device=device)


# Prints what a test compares, in a process of its own, whose libcuda.so.1 is another one.
PROGRAM = """
import ctypes, gc
import numpy as np, wisp
from conftest import PLUME
sim = wisp.Simulation(PLUME)
sim.step(3)
def pointer(capsule):  # the first member of the struct is the address
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return ctypes.cast(get(capsule, b"dltensor"), ctypes.POINTER(ctypes.c_void_p))[0]
"""


@pytest.fixture(scope="module")
def fake_cuda(tmp_path_factory):
    """Environment in which CUDA is the stand-in."""
    compiler = os.environ.get("CC") or shutil.which("cc")
    assert compiler, "needs a C compiler"
    folder = tmp_path_factory.mktemp("cuda")
    source = os.path.join(os.path.dirname(__file__), "fake_cuda.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-Wall", "-Werror", "-o", folder / "libcuda.so.1", source], check=True)
    return {"LD_LIBRARY_PATH": os.pathsep.join(filter(None, [str(folder), os.environ.get("LD_LIBRARY_PATH")]))}


def test_memory_of_cuda(device, fake_cuda):
    if not device.is_cpu:
        pytest.skip("the stand-in maps memory of lavapipe")
    result = run_python(PROGRAM + """
fake = ctypes.CDLL("libcuda.so.1")
field = sim.share("velocity")
print(field.device, field.__dlpack_device__(), fake.fake_alive())
capsule = field.__dlpack__(stream=1)
values = np.ctypeslib.as_array(ctypes.cast(pointer(capsule), ctypes.POINTER(ctypes.c_float)), field.shape)
before = sim["velocity"]
print((values == before).all())
sim.step()
print((values == before).all())
field.update()
after = sim["velocity"]
print((values == after).all(), (after == before).all())
sim.close()
del sim, field
gc.collect()
print(fake.fake_alive(), (values == after).all())  # the capsule still has the memory
del values, capsule
print(fake.fake_alive())
""", WISP_FAKE_CUDA_UUID=device.uuid.hex(), **fake_cuda)
    assert result.stdout.splitlines() == ["cuda:1 (2, 1) 3", "True", "True", "True False", "3 True", "0"], result.stderr


def test_the_script_for_a_device(device, fake_cuda):
    if not device.is_cpu:
        pytest.skip("the stand-in maps memory of lavapipe")
    script = os.path.join(os.path.dirname(__file__), "..", "..", "scripts", "python_device.py")
    code = f"import runpy, sys; sys.argv = ['', '--cells', '16', '--repeat', '2']; runpy.run_path({script!r}, run_name='__main__')"
    result = run_python(code, WISP_FAKE_CUDA_UUID=device.uuid.hex(), **fake_cuda)
    assert result.returncode == 0 and "all checks passed" in result.stdout, result.stdout + result.stderr
    assert " yes" in result.stdout and "CUDA reads the bits of numpy" in result.stdout


@pytest.mark.parametrize("environment, message", [({"WISP_FAKE_CUDA_UUID": 32 * "5"}, "none of the 2 of CUDA"),
                                                  ({"WISP_FAKE_CUDA_FAILS": "1"}, "cuInit: CUDA_ERROR_NO_DEVICE")])
def test_cuda_that_cannot_be_used(device, fake_cuda, environment, message):
    if not device.is_cpu:
        pytest.skip("the device may be one of CUDA")
    result = run_python(PROGRAM + """
print(sim.share("density").device)
try:
    sim.share("density", device="cuda")
except wisp.UnsupportedError as error:
    print(error)
""", **environment, **fake_cuda)
    where, why = result.stdout.splitlines()
    assert where == "cpu" and message in why, result.stderr
