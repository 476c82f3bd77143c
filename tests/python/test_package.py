# SPDX-License-Identifier: MIT
import os
import re
import resource
import stat
import sys

import pytest
import wisp
from conftest import run_python


def test_version():
    assert re.fullmatch(r"\d+\.\d+\.\d+", wisp.__version__)


def test_import_is_fast_and_opens_nothing():
    code = "import sys, wisp; from wisp import _device; print('numpy' in sys.modules, _device._default)"
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        result = run_python(code)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert result.stdout.split() == ["False", "None"], result.stderr
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(times) < 0.2  # [s] of the processor, the start of Python included; independent of other programs


def test_names_are_documented():
    for name in wisp.__all__:
        thing = getattr(wisp, name)
        assert thing.__doc__, name


def test_types_for_checkers():
    folder = os.path.dirname(wisp.__file__)
    assert os.path.exists(os.path.join(folder, "py.typed"))
    with open(os.path.join(folder, "_core.pyi"), encoding="utf-8") as file:
        assert "class Simulation" in file.read()


def test_the_program(tmp_path):
    program = tmp_path / "wisp"
    program.write_text('#!/bin/sh\necho "$0 $*"\nexit 3\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    code = "import sys, runpy; sys.argv = ['wisp', 'render', 'x y']; runpy.run_module('wisp', run_name='__main__')"
    own = os.path.exists(os.path.join(os.path.dirname(wisp.__file__), "bin", "wisp"))
    if not own:
        result = run_python(code, PATH=str(tmp_path))
        assert (result.returncode, result.stdout.strip()) == (3, f"{program} render x y")
        result = run_python(code, PATH=str(tmp_path / "nothing"))
        assert result.returncode == 1
        assert "the program wisp is not part of this package, and not on PATH" in result.stderr


def test_devices(device, tmp_path):
    assert wisp.default_device() is device
    assert device.name and device.driver and isinstance(device.is_cpu, bool)
    assert device.memory_used >= 0 and device.memory_available > 2**20
    own = wisp.Device(device.name, cache=tmp_path)
    assert own.name == device.name
    with pytest.raises(wisp.DeviceError) as caught:
        wisp.Device("no such device")
    assert caught.value.code is wisp.ErrorCode.NO_DEVICE and device.name in str(caught.value)


@pytest.mark.parametrize("environment, folder", [({"XDG_CACHE_HOME": "/x", "HOME": "/h"}, "/x/wisp"), ({"HOME": "/h"}, "/h/.cache/wisp"),
                                                 ({"XDG_CACHE_HOME": "x", "HOME": "/h"}, "/h/.cache/wisp"), ({}, "")])
def test_the_cache_is_that_of_the_program(environment, folder, monkeypatch):
    from wisp import _device

    for name in ("XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert _device._cache_folder() == folder


def test_error_codes_are_those_of_the_library():
    header = os.path.join(os.path.dirname(__file__), "..", "..", "include", "wisp", "error.h")
    with open(header, encoding="utf-8") as file:
        codes = dict(re.findall(r"^    (\w+) = (\d+),", file.read(), re.M))
    names = {re.sub(r"(?<!^)(?=[A-Z])", "_", name).upper(): int(number) for name, number in codes.items()}
    assert names == {code.name: code.value for code in wisp.ErrorCode}


def test_objects_that_are_alive_at_the_end_of_the_program():
    result = run_python("import wisp\nsim = wisp.Simulation({'grid': {'cells': [16, 16, 16], 'size': [1.0, 1.0, 1.0]}})\nsim.step(2)\n"
                        "kept = [sim, sim.obstacles, sim['density'], wisp.Scene()]\nkept.append(kept)")
    assert (result.returncode, result.stderr) == (0, "")
    assert sys.modules["wisp"] is wisp
