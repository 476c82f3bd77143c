# SPDX-License-Identifier: MIT
"""Meshes and volumes from arrays."""
import copy
import pickle

import numpy as np
import pytest
import wisp
from conftest import PLUME

CORNERS = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]])  # an octahedron
FACES = np.array([[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]])
BOX = {"grid": {"cells": [16, 24, 32], "size": [1.0, 1.5, 2.0], "origin": [1.0, 2.0, 3.0]}, "time": {"step": 0.0078125}}


@pytest.fixture
def values():
    """Multiples of 1/256 below 2, which half floats hold exactly, for all cells of BOX."""
    return np.random.default_rng(3).integers(0, 512, (32, 24, 16)) / 256.0


def test_smoke_of_an_array_is_the_array(values):
    scene = wisp.Scene(BOX)
    assert scene.volume("cloud", values, [1.0, 2.0, 3.0], 0.0625) is scene
    scene.add("initial", shape="volume", file="memory:cloud", density=1.0)
    with wisp.Simulation(scene) as sim:
        assert (sim["density"] == values).all()
        # Sums of multiples of 1/256 below 2^16 are exact in floats; volume and product are rounded.
        assert sim.quality.mass == pytest.approx(values.sum() * 0.0625**3, rel=4e-7)
        at = sim.lattice("density")
        other = wisp.Scene(BOX).volume("again", sim["density"], at.origin, at.cell)
        other.add("initial", shape="volume", file="memory:again", density=0.5)
    with wisp.Simulation(other) as sim:
        assert (sim["density"] == 0.5 * values).all()


def test_a_transform_is_the_same_as_origin_and_cell(values):
    matrix = [[0.0625, 0, 0, 1.03125], [0, 0.0625, 0, 2.03125], [0, 0, 0.0625, 3.03125], [0, 0, 0, 1]]
    for place in ({"transform": matrix}, {"origin": (1, 2, 3), "cell": [0.0625] * 3}):
        scene = wisp.Scene(BOX).volume("cloud", values.astype(np.float16), **place)
        scene.add("initial", shape="volume", file="memory:cloud", density=1.0)
        with wisp.Simulation(scene) as sim:
            assert (sim["density"] == values).all()


def test_cells_that_are_no_cubes():
    # 4 x 6 x 8 values of 4 x 4 x 4 cells of the grid: constant inside.
    scene = wisp.Scene(BOX).volume("cloud", np.ones((4, 4, 4)), [1.0, 2.0, 3.0], [0.25, 0.375, 0.5])
    scene.add("initial", shape="volume", file="memory:cloud", density=1.0)
    with wisp.Simulation(scene) as sim:
        density = sim["density"]
        assert (density[4:-4, 3:-3, 2:-2] == 1.0).all() and 0.0 < density[0, 0, 0] < 1.0


def test_smoke_at_the_edge_of_an_array_is_complete():
    # One value of 0.5 m, in the middle of cells of 1/32 m: the sum of interpolated values is that of the array to the rounding of floats.
    scene = wisp.Scene({"grid": {"cells": [48] * 3, "size": [1.5] * 3, "precision": "float"}})
    scene.volume("one", np.ones((1, 1, 1)), [0.5] * 3, 0.5)
    scene.add("initial", shape="volume", file="memory:one", density=1.0)
    with wisp.Simulation(scene) as sim:
        assert sim.quality.mass == pytest.approx(0.125, rel=1e-6)
        density = sim["density"]
        assert all((density == np.flip(density, axis)).all() for axis in range(3))


def test_several_fields():
    warm = np.zeros((8, 8, 8))
    warm[4, 4, 4] = -64.0
    scene = wisp.Scene({"grid": {"cells": [8, 8, 8], "size": [1.0, 1.0, 1.0]}})
    scene.volume("cloud", {"density": warm, "temperature": warm}, cell=0.125)
    scene.add("initial", shape="volume", file="memory:cloud", density=1.0, temperature=0.5)
    scene.volume("cloud", {"density": np.abs(warm) / 64, "temperature": warm}, cell=0.125)  # replaced
    with wisp.Simulation(scene) as sim:
        assert (sim["density"] == np.abs(warm) / 64).all() and (sim["temperature"] == 0.5 * warm).all()


def test_a_mesh_is_the_same_as_that_of_a_file(tmp_path):
    (tmp_path / "body.obj").write_text("".join("v {} {} {}\n".format(*v) for v in CORNERS) +
                                       "".join("f {} {} {}\n".format(*(t + 1)) for t in FACES))
    fields = []
    for file in ("body.obj", "memory:body"):
        scene = wisp.Scene({**PLUME, "obstacle": []}, folder=tmp_path).mesh("body", CORNERS, FACES)
        scene.add("obstacle", shape="mesh", file=file, centre=[0.5, 0.625, 0.5], scale=0.15)
        with wisp.Simulation(scene) as sim:
            sim.step(4)
            fields.append((sim["density"], sim["velocity"]))
    assert all((a == b).all() for a, b in zip(*fields))
    assert np.abs(fields[0][1]).max() > 0.01


def test_any_layout_and_byte_order_is_the_same_smoke():
    z, y, x = np.mgrid[0:8, 0:8, 0:8]
    cloud = (x + 2 * y + 4 * z).astype(np.float32)  # exact as halves
    fields = []
    for array in (cloud, cloud.astype(">f4"), cloud.astype(">f8"), cloud.astype(np.float16), cloud.astype(np.longdouble),
                  cloud.astype(np.int64), np.asfortranarray(cloud), cloud[::-1, ::-1, ::-1].copy()[::-1, ::-1, ::-1],
                  np.repeat(cloud, 2, 2)[:, :, ::2], cloud.tolist(), memoryview(cloud)):
        scene = wisp.Scene({"grid": {"cells": [8, 8, 8], "size": [1.0, 1.0, 1.0]}})
        scene.volume("cloud", array, cell=0.125).add("initial", shape="volume", file="memory:cloud", density=0.25)
        with wisp.Simulation(scene) as sim:
            fields.append(sim["density"])
    assert all((field == 0.25 * cloud).all() for field in fields)


def test_lists_and_other_types_of_arrays():
    scene = wisp.Scene()
    for vertices, triangles in ((CORNERS.tolist(), FACES.tolist()), (CORNERS.astype(">f8"), FACES.astype(np.uint8)),
                                (np.asfortranarray(CORNERS, np.float16), FACES[::-1, [1, 2, 0]])):
        scene.mesh("body", vertices, triangles)
    scene.add("obstacle", shape="mesh", file="memory:body", centre=[0.5, 0.5, 0.5], scale=0.1)
    scene.check()


def test_copies_and_texts():
    scene = wisp.Scene(PLUME).mesh("body", CORNERS, FACES)
    scene["obstacle"] = [{"shape": "mesh", "file": "memory:body", "centre": [0.5, 0.75, 0.5], "scale": 0.1}]
    text = scene.toml()
    for other in (scene.copy(), copy.deepcopy(scene), wisp.Scene(scene), wisp.Scene(text, data=scene), wisp.Scene.parse(text, data=scene),
                  wisp.Scene(scene.dict(), data=scene)):
        assert other == scene
        other["flow.vorticity"] = 0.75
        assert scene["flow.vorticity"] == 0.25
        other["flow.vorticity"] = 0.25
        other.mesh("body", 2 * CORNERS, FACES)
        assert other != scene and other.toml() == text
    for source in (text, scene.dict()):
        with pytest.raises(wisp.SceneError, match='there is no mesh "body" in memory') as caught:
            wisp.Scene(source)
        assert caught.value.key == "obstacle[0].file"
    with pytest.raises(wisp.UnsupportedError, match="pickled"):
        pickle.dumps(scene)
    with pytest.raises(TypeError):
        wisp.Scene(text, data={})


def test_a_simulation_with_arrays(tmp_path):
    scene = wisp.Scene(PLUME).mesh("body", CORNERS, FACES)
    scene["obstacle"] = [{"shape": "mesh", "file": "memory:body", "centre": [0.5, 0.75, 0.5], "scale": 0.1}]
    with wisp.Simulation(scene) as sim:
        assert sim.scene == scene
        sim.set("flow.vorticity", 0.5)
        sim.step()
        with pytest.raises(wisp.UnsupportedError, match=r"obstacle\[0\]\.file"):
            sim.save(tmp_path / "run.wisp")
        assert not (tmp_path / "run.wisp").exists()
        with pytest.raises(wisp.UnsupportedError, match=r"obstacle\[0\]\.file"):
            sim.change(scene.copy().mesh("body", 2 * CORNERS, FACES))


def changed(array, index, value):
    result = np.array(array, type(value)) if isinstance(value, float) else np.array(array)
    result[index] = value
    return result


@pytest.mark.parametrize("vertices, triangles, message", [
    (CORNERS, changed(FACES, (5, 1), 6), r"triangles\[5, 1\] is 6; must be from 0 to 5"),
    (CORNERS, changed(FACES, (2, 0), -1), r"triangles\[2, 0\] is -1"),
    (CORNERS, FACES + 2**32, "must be from 0 to 5"),
    (CORNERS, FACES.astype(float), "float64; must be whole numbers"),
    (CORNERS, FACES.astype(bool), "must be whole numbers"),
    (CORNERS, FACES.reshape(6, 4), r"\(6, 4\); must be \(m, 3\): split"),
    (CORNERS, FACES.ravel(), r"must be \(m, 3\)"),
    (CORNERS, FACES[:0], "there are no triangles"),
    (CORNERS, [[0, 1, 2], [0]], "triangles cannot be an array"),
    (CORNERS, None, "must be whole numbers"),
    (CORNERS[:0], FACES, "there are no vertices"),
    (CORNERS[:, :2], FACES, r"\(6, 2\); must be \(n, 3\)"),
    (CORNERS * 1j, FACES, "complex128; must be real numbers"),
    (CORNERS.astype(str), FACES, "must be real numbers"),
    (CORNERS.astype(object), FACES, "must be real numbers"),
    (changed(CORNERS, (3, 1), np.nan), FACES, r"vertices\[3, 1\] is nan; must be finite"),
    (changed(CORNERS, (3, 1), 1e39), FACES, r"vertices\[3, 1\] is 1e\+39; must be finite as float32"),
    (changed(CORNERS, (3, 1), 1e10), FACES, "vertex 3 is at"),
    (CORNERS, FACES[1:], "not closed"),
    (0 * CORNERS, FACES, "no extent"),
])
def test_wrong_meshes(vertices, triangles, message):
    scene = wisp.Scene(PLUME)
    with pytest.raises(wisp.ArgumentError, match=message):
        scene.mesh("body", vertices, triangles)
    assert scene == wisp.Scene(PLUME)


ONES = np.ones((2, 3, 4))


@pytest.mark.parametrize("values, place, message", [
    (ONES[0], {"cell": 1.0}, r"\(3, 4\); must be \(z, y, x\)"),
    (ONES[:, :0], {"cell": 1.0}, "at least one value"),
    (ONES > 0, {"cell": 1.0}, "bool; must be real numbers"),
    (ONES * 1j, {"cell": 1.0}, "must be real numbers"),
    (changed(ONES, (1, 0, 2), np.inf), {"cell": 1.0}, r"density\[1, 0, 2\] is inf; must be finite"),
    ({}, {"cell": 1.0}, "has no fields"),
    ({"density": ONES, "fuel": ONES[1:]}, {"cell": 1.0}, r"fuel has the shape \(1, 3, 4\), but density has \(2, 3, 4\)"),
    ({"smoke": ONES}, {"cell": 1.0}, 'field "smoke", must be density, temperature or fuel'),
    (ONES, {}, "cell is missing"),
    (ONES, {"cell": 0.0}, "must be above 0"),
    (ONES, {"cell": [1.0, 1.0]}, "cell has 2 numbers; must be 3"),
    (ONES, {"cell": np.nan}, "must be finite"),
    (ONES, {"cell": 1.0, "origin": [0.0, np.inf, 0.0]}, "must be finite"),
    (ONES, {"cell": 1.0, "transform": np.eye(4)}, "cannot be combined"),
    (ONES, {"transform": np.eye(3)}, r"\(3, 3\); must be numbers of shape \(4, 4\)"),
    (ONES, {"transform": np.full((4, 4), np.nan)}, "not finite"),
    (ONES, {"transform": np.ones((4, 4))}, "last row"),
    (ONES, {"transform": np.diag([1, 1, 0, 1])}, "edge of 0 m"),
])
def test_wrong_volumes(values, place, message):
    scene = wisp.Scene(PLUME)
    with pytest.raises(wisp.ArgumentError, match=message):
        scene.volume("cloud", values, **place)
    assert scene == wisp.Scene(PLUME)


def test_wrong_names():
    scene = wisp.Scene()
    for name in ("", "a b", "body.obj", "ä"):
        with pytest.raises(wisp.ArgumentError, match="letters, digits"):
            scene.mesh(name, CORNERS, FACES)
        with pytest.raises(wisp.ArgumentError, match="letters, digits"):
            scene.volume(name, ONES, cell=1.0)
    for call in (lambda: scene.mesh(5, CORNERS, FACES), lambda: scene.volume(None, ONES, cell=1.0),
                 lambda: scene.volume("a", {1: ONES}, cell=1.0)):
        with pytest.raises(TypeError):
            call()


def test_a_field_that_the_volume_lacks():
    scene = wisp.Scene(PLUME).volume("cloud", ONES, cell=0.1)
    with pytest.raises(wisp.SceneError, match="has no temperature"):
        scene.add("initial", shape="volume", file="memory:cloud", density=1.0, temperature=1.0)


def test_masked_values_are_no_numbers(device):
    hidden = np.ma.masked_equal(np.arange(24.0).reshape(2, 3, 4), 5.0)
    with pytest.raises(wisp.ArgumentError, match=r"density\[0, 1, 1\] is masked"):
        wisp.Scene(BOX).volume("cloud", hidden, cell=0.1)
    wisp.Scene(BOX).volume("cloud", hidden.filled(0.0), cell=0.1)
    wisp.Scene(BOX).volume("cloud", np.ma.asarray(np.ones((2, 2, 2))), cell=0.1)  # nothing is masked
    for corners, faces, name in ((np.ma.masked_equal(CORNERS, -1), FACES, "vertices"), (CORNERS, np.ma.masked_equal(FACES, 5), "triangles")):
        with pytest.raises(wisp.ArgumentError, match=name + r"\[\d, \d\] is masked"):
            wisp.Scene(BOX).mesh("ball", corners, faces)
    point = np.ma.masked_array([0.5, 0.5, 0.5], [False, True, False])
    with pytest.raises(wisp.SceneError, match=r"emitter\[0\].centre: has a masked value at \[1\]"):
        wisp.Scene({"emitter": [{"centre": point}]})
    with pytest.raises(wisp.SceneError, match="flow.vorticity: is masked"):
        wisp.Scene({"flow": {"vorticity": np.ma.masked}})
    with wisp.Simulation(PLUME, device) as sim:
        with pytest.raises(wisp.ArgumentError, match=r"centre\[1\] is masked"):
            sim.obstacles[0].place(point)
        with pytest.raises(wisp.ArgumentError, match=r"points\[0, 1\] is masked"):
            sim.wind_at(point.reshape(1, 3))
        with pytest.raises(wisp.ArgumentError, match="out is a masked array"):
            sim.read("density", out=np.ma.zeros((16, 16, 16), np.float32))
