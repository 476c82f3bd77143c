# SPDX-License-Identifier: MIT
import json
import math

import numpy as np
import pytest
import wisp
from conftest import PLUME


def test_time_and_steps(sim):
    assert (sim.steps, sim.time, sim.dt) == (0, 0.0, 0.0078125)
    sim.step()
    sim.step(3)
    sim.step(0)
    assert (sim.steps, sim.time) == (4, 4 * 0.0078125)
    sim.reset()
    assert (sim.steps, sim.time) == (0, 0.0)


def test_shapes_and_types_of_fields(sim):
    sim.step(2)
    assert {"density", "velocity", "pressure", "temperature"} <= set(sim.fields) == set(sim)
    assert "density" in sim and "nothing" not in sim
    for name in sim.fields:
        values = sim[name]
        assert values.dtype == np.float32 and values.flags.c_contiguous and values.flags.writeable
        assert values.shape == sim.lattice(name).shape
        assert np.isfinite(values).all()
    assert sim["density"].shape == (16, 16, 16)
    assert sim["velocity"].shape == (16, 16, 16, 3)
    assert sim["density"].max() > 0.5 and np.abs(sim["velocity"]).max() > 0.0


def test_axes_are_z_y_x():
    # A block of smoke at high x, middle y and low z of a box with three different edges, with a velocity along each axis.
    scene = {"grid": {"cells": [16, 32, 24], "size": [2.0, 4.0, 3.0], "origin": [1.0, 2.0, 3.0]},
             "initial": [{"shape": "box", "min": [2.5, 4.0, 3.0], "max": [3.0, 5.0, 4.0], "density": 1.0, "velocity": [0.25, 0.5, 0.125]}]}
    with wisp.Simulation(scene) as sim:
        density, velocity, at = sim["density"], sim["velocity"], sim.lattice("density")
        assert (at.shape, at.cell, at.origin) == ((24, 32, 16), 0.125, (1.0, 2.0, 3.0))
        assert density.shape == (24, 32, 16)
        # The edge is smooth over a cell of 0.125 m: a cell inside there is only smoke, two cells outside none. Half floats hold these
        # numbers exactly.
        z, y, x = np.meshgrid(at.z, at.y, at.x, indexing="ij")
        distance = np.max([2.5 - x, x - 3.0, 4.0 - y, y - 5.0, 3.0 - z, z - 4.0], axis=0)
        inside, outside = distance < -0.125, distance > 0.25
        assert inside.any() and (density[inside] == 1.0).all() and (velocity[inside] == [0.25, 0.5, 0.125]).all()
        assert outside.any() and (density[outside] == 0.0).all() and (velocity[outside] == 0.0).all()


def test_arrays_are_copies(sim):
    before = sim["density"]
    kept = before.copy()
    sim.step(3)
    assert (before == kept).all() and (sim["density"] != kept).any()
    sim.reset()
    assert (before == kept).all()  # also after a reset


def test_reading_into_an_array(sim):
    sim.step(2)
    out = np.full((16, 16, 16), np.nan, np.float32)
    assert sim.read("density", out) is out
    assert (out == sim["density"]).all()
    velocity = np.empty((16, 16, 16, 3), np.float32)
    sim.read("velocity", out=velocity)
    assert (velocity == sim["velocity"]).all()


@pytest.mark.parametrize("out", [np.zeros((16, 16, 15), np.float32), np.zeros(4096, np.float32), np.zeros((16, 16, 16)),
                                 np.zeros((16, 16, 16), np.float32).T[::-1], np.zeros((16, 16, 32), np.float32)[:, :, ::2], [0.0], None])
def test_reading_into_a_wrong_array(sim, out):
    before = None if out is None else np.array(out)
    with pytest.raises(wisp.ArgumentError):
        sim.read("density", out)
    assert out is None or (np.array(out) == before).all()


def test_reading_into_an_array_that_is_not_writeable(sim):
    out = np.zeros((16, 16, 16), np.float32)
    out.flags.writeable = False
    with pytest.raises(wisp.ArgumentError, match="writeable"):
        sim.read("density", out)


def test_a_field_that_does_not_exist(sim):
    for use in (lambda: sim["smoke"], lambda: sim.lattice("smoke"), lambda: sim.read("smoke", np.zeros(1, np.float32))):
        with pytest.raises(KeyError) as caught:
            use()
        assert isinstance(caught.value, wisp.FieldError) and isinstance(caught.value, ValueError)
        assert "density" in str(caught.value)  # names those that exist
    with pytest.raises(TypeError):
        sim[0]


@pytest.mark.parametrize("n, error", [(-1, ValueError), (2**32, ValueError), (1.5, TypeError), ("2", TypeError), (None, TypeError)])
def test_a_wrong_number_of_steps(sim, n, error):
    with pytest.raises(error):
        sim.step(n)
    assert sim.steps == 0


def test_numpy_numbers_of_steps(sim):
    sim.step(np.int64(2))
    assert sim.steps == 2


def test_quality(sim):
    sim.step(4)
    quality = sim.quality
    assert quality.finite and quality.mass > 0 and quality.cycles >= 1
    assert quality.liquid is None and quality.fire is None and len(quality.bodies) == 1
    assert quality.crossed_mass == 0.0
    # The sum of the field is the mass, except for the half of the obstacle's cells: no smoke is there yet. Each of 4096 sums in single
    # precision adds an error of 2^-24.
    assert quality.mass == pytest.approx(sim["density"].astype(float).sum() * sim.lattice("density").cell ** 3, rel=4096 * 2.0**-24)
    assert quality.max_speed >= np.abs(sim["velocity"]).max() / math.sqrt(3)
    numbers = json.loads(json.dumps(quality.dict()))
    assert numbers["mass"] == quality.mass and numbers["bodies"][0]["force"] == list(quality.bodies[0].force)
    assert set(numbers) == set(wisp.Quality._fields)


def test_the_parts_of_quality():
    scene = {"grid": {"cells": [16, 16, 16], "size": [1.0, 1.0, 1.0], "pressure_ratio": 1},
             "initial": [{"shape": "box", "min": [0.0, 0.0, 0.0], "max": [0.5, 0.5, 1.0], "liquid": True}]}
    with wisp.Simulation(scene) as sim:
        # 8 particles in each of 8 * 8 * 16 cells
        assert sim.quality.liquid.particles == 8192
        assert sim.quality.crossed_mass is None
        assert json.loads(json.dumps(sim.quality.dict()))["liquid"]["particles"] == 8192


def test_reset_starts_the_same_again(sim):
    sim.step(5)
    first = sim["density"]
    sim.reset()
    assert (sim["density"] != first).any()
    sim.step(5)
    assert (sim["density"] == first).all()


def test_set_and_change(sim):
    sim.step(5)
    plain = sim["velocity"]
    sim.reset()
    sim.set("flow.buoyancy", 0.0)
    assert sim.scene["flow.buoyancy"] == 0.0
    sim.step(5)
    assert np.abs(sim["velocity"]).max() < np.abs(plain).max()
    sim.set({"flow": {"buoyancy": 0.03}})
    assert sim.scene == wisp.Scene(PLUME)
    scene = sim.scene
    scene["flow.buoyancy"] = 1.0  # a copy
    assert sim.scene["flow.buoyancy"] == 0.03
    sim.change(scene)
    assert sim.scene["flow.buoyancy"] == 1.0


@pytest.mark.parametrize("key, value, error", [("grid.cells", [32, 32, 32], wisp.UnsupportedError), ("flow.nope", 1, wisp.SceneError),
                                               ("flow.vorticity", -1, wisp.SceneError), ("flow.vorticity", math.nan, wisp.SceneError),
                                               ("flow.vorticity", None, wisp.SceneError)])
def test_a_change_that_is_not_possible(sim, key, value, error):
    with pytest.raises(error, match=key):
        sim.set(key, value)
    assert sim.scene == wisp.Scene(PLUME)
    sim.step()
    assert sim.steps == 1


def test_save_and_resume(sim, tmp_path):
    sim.step(3)
    sim.save(tmp_path / "plume.wisp")
    with wisp.Simulation.resume(tmp_path / "plume.wisp") as other:
        assert (other.steps, other.time) == (3, sim.time)
        assert other.scene["flow.vorticity"] == 0.25
        sim.step(2)
        other.step(2)
        for name in sim.fields:
            assert (sim[name] == other[name]).all(), name


def test_files_that_cannot_be_used(sim, tmp_path):
    with pytest.raises(OSError):
        wisp.Simulation.resume(tmp_path / "missing.wisp")
    (tmp_path / "bad.wisp").write_bytes(b"no checkpoint")
    with pytest.raises(wisp.FileError, match="bad.wisp"):
        wisp.Simulation.resume(tmp_path / "bad.wisp")
    with pytest.raises(wisp.FileError):
        sim.save(tmp_path / "no folder" / "plume.wisp")
    sim.step()


def test_moving_an_obstacle(sim):
    assert len(sim.obstacles) == 1
    sphere = sim.obstacles[0]
    assert sphere.centre == (0.5, 0.75, 0.5)
    sphere.place(np.array([0.25, 0.75, 0.5]))
    assert sphere.centre == (0.5, 0.75, 0.5)  # until the next step
    sim.step()
    assert sphere.centre == (0.25, 0.75, 0.5)
    sim.step()
    assert sphere.centre == (0.25, 0.75, 0.5)
    assert sphere.velocity == (0, 0, 0)
    sphere.velocity = (1, 0, 0)
    assert sphere.velocity == (1, 0, 0)
    sim.step(4)
    assert sphere.centre == (0.25 + 4 * 0.0078125, 0.75, 0.5)  # exact: all are multiples of 2^-7
    assert sim.obstacles[-1].centre == sphere.centre
    sim.reset()
    assert sphere.centre == (0.5, 0.75, 0.5)  # the handle is of the same obstacle after a reset


def test_a_moved_obstacle_pushes_the_smoke(sim):
    sim.obstacles[0].velocity = (0.0, -2.0, 0.0)
    sim.step()
    up = sim["velocity"][8, :, 8, 1]
    assert (up[11:13] == -2.0).all()  # inside: its own velocity, which a half float holds exactly
    assert up[9] < 0.0  # at y = 0.59, below the sphere, in front of it


def test_moving_an_emitter(sim):
    assert len(sim.emitters) == 1 and sim["density"][4, 4, 4] == 0.0
    assert sim.emitters[0].centre == (0.5, 0.25, 0.5)
    sim.emitters[0].place((0.25, 0.25, 0.25))
    assert sim.emitters[0].centre == (0.25, 0.25, 0.25)
    sim.emitters[0].velocity = (0.0, 1.0, 0.0)
    sim.step()
    # In the middle of the emitter it sets the density to 1; a share of its velocity is left after the projection.
    assert sim["density"][4, 4, 4] > 0.9
    assert sim["velocity"][4, 4, 4, 1] > 0.5


@pytest.mark.parametrize("vector, error", [((1, 2), ValueError), ((0, math.nan, 0), ValueError), ((0, 0, 1e39), ValueError),
                                           ("abc", TypeError), (5, TypeError), (("a", 0, 0), TypeError), (np.zeros((3, 3)), TypeError),
                                           (None, TypeError)])
def test_places_that_are_none(sim, vector, error):
    for part in (sim.obstacles[0], sim.emitters[0]):
        with pytest.raises(error):
            part.place(vector)
        with pytest.raises(error):
            part.velocity = vector
    sim.step()
    assert sim.obstacles[0].centre == (0.5, 0.75, 0.5)


def test_parts_that_do_not_exist(sim):
    for parts in (sim.obstacles, sim.emitters):
        for index in (1, -2, 10**30):
            with pytest.raises(IndexError):
                parts[index]
        with pytest.raises(TypeError):
            parts["0"]
        assert len(list(parts)) == 1


def test_an_obstacle_of_an_earlier_scene():
    with wisp.Simulation(PLUME) as sim:
        sphere, source = sim.obstacles[0], sim.emitters[0]
        scene = sim.scene
        scene["obstacle"] = []
        scene["emitter"] = []
        sim.change(scene)
        assert len(sim.obstacles) == len(sim.emitters) == 0
        for use in (lambda: sphere.centre, lambda: sphere.place((0, 0, 0)), lambda: source.place((0, 0, 0))):
            with pytest.raises(wisp.Error):
                use()
        sim.step()


def test_a_closed_simulation():
    sim = wisp.Simulation({"grid": {"cells": [16, 16, 16], "size": [1.0, 1.0, 1.0]}})
    sim.close()
    sim.close()
    assert sim.closed
    for use in (sim.step, sim.reset, sim.render, lambda: sim["density"], lambda: sim.quality, lambda: sim.fields, lambda: sim.save("x"),
                lambda: sim.scene, lambda: len(sim.obstacles)):
        with pytest.raises(wisp.OutdatedError, match="closed"):
            use()
    assert "closed" in repr(sim)


def test_a_scene_that_cannot_be_simulated(device):
    scene = wisp.Scene(PLUME)
    scene["flow.vorticity"] = -1
    with pytest.raises(wisp.SceneError, match="flow.vorticity"):
        wisp.Simulation(scene)
    with pytest.raises(TypeError):
        wisp.Simulation(5)
    with pytest.raises(MemoryError) as caught:  # 2^31 cells: 32 GiB for the velocity alone, as half floats
        wisp.Simulation({"grid": {"cells": [2048, 1024, 1024], "size": [2.0, 1.0, 1.0]}})
    assert isinstance(caught.value, wisp.OutOfMemoryError)
