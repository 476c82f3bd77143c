# SPDX-License-Identifier: MIT
"""Shared by the tests of the Python package. Grids are small, because tests run on a CPU."""
import os
import sys

import numpy as np
import pytest

wisp = pytest.importorskip("wisp") if not os.environ.get("WISP_REQUIRE_VULKAN") else __import__("wisp")

# A smoke source below a sphere. 16 cells of 1/16 m along each edge, with power-of-two sizes, so that positions are exact.
PLUME = {
    "grid": {"cells": [16, 16, 16], "size": [1.0, 1.0, 1.0]},
    "time": {"step": 0.0078125},
    "flow": {"buoyancy": 0.03, "vorticity": 0.25},
    "emitter": [{"shape": "sphere", "centre": [0.5, 0.25, 0.5], "radius": 0.1875, "density": 1.0, "temperature": 100.0}],
    "obstacle": [{"shape": "sphere", "centre": [0.5, 0.75, 0.5], "radius": 0.125}],
}


@pytest.fixture(scope="session")
def device():
    try:
        return wisp.default_device()
    except wisp.DeviceError as error:
        if os.environ.get("WISP_REQUIRE_VULKAN"):
            raise
        pytest.skip(f"no Vulkan device: {error}")


@pytest.fixture(scope="session")
def shared(device):
    """One simulation for all tests, because its pipelines take seconds to compile."""
    return wisp.Simulation(PLUME, device)


@pytest.fixture
def sim(shared):
    """It at time 0 with its first scene."""
    shared.change(PLUME)
    shared.reset()
    return shared


@pytest.fixture(autouse=True)
def unchanged_numpy():
    """No call changes how numpy reports errors."""
    before = np.geterr()
    yield
    assert np.geterr() == before


def run_python(code: str, *options: str, **environment: str):
    """Runs code in a new Python with the same package; its standard output and error, as text."""
    import subprocess

    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **environment}
    return subprocess.run([sys.executable, *options, "-c", code], env=env, capture_output=True, text=True, timeout=600)
