# SPDX-License-Identifier: MIT
"""Keys of a scene, their list, and the quality levels."""
import os

import pytest
import wisp
from conftest import PLUME


def test_keys_with_their_values():
    scene = wisp.Scene(PLUME)
    values = dict(scene)
    assert values["flow.vorticity"] == 0.25 and values["emitter[0].radius"] == 0.1875
    assert list(values) == scene.keys() == [key.path for key in scene.describe()]
    for key in scene.describe():
        assert key.value == values[key.path]
        assert key.type in ("boolean", "integer", "real", "text", "choice", "choices", "auto_integer")
        assert key.low <= key.high and (key.type not in ("choice", "choices") or key.choices)
    assert sum(bool(key.help) for key in scene.describe()) > 0.8 * len(values)
    by_path = {key.path: key for key in scene.describe()}
    assert (by_path["emitter[0].centre"].count, by_path["emitter[0].centre"].unit) == (3, "m")
    assert by_path["emitter[0].shape"].choices[:1] == ("sphere",)


def test_values_of_keys_can_be_set_again():
    scene = wisp.Scene(PLUME)
    again = wisp.Scene(PLUME)
    for path, value in dict(scene).items():
        if value is not None and value != "":
            again[path] = value
    assert dict(again) == dict(scene)


def test_all_keys():
    paths = [key.path for key in wisp.all_keys()]
    assert len(paths) == len(set(paths)) > 150 and {"flow.vorticity", "emitter[0].radius", "camera.eye"} <= set(paths)


def test_lists():
    scene = wisp.Scene(PLUME)
    scene.add("emitter", shape="sphere", centre=[0.25, 0.5, 0.5], radius=0.125)
    assert scene.count("emitter") == 2
    scene.remove("emitter", 0)
    assert scene.count("emitter") == 1 and scene["emitter[0].radius"] == 0.125
    with pytest.raises(wisp.SceneError):
        scene.remove("emitter", 1)
    with pytest.raises(wisp.SceneError):
        scene.count("emiter")


def test_quality_scales_the_grid(device):
    scene = wisp.Scene(PLUME)
    assert scene.quality == "standard"
    scene.quality = "preview"
    assert dict(scene)["grid.cells"] == [8, 8, 8] and scene.toml() == wisp.Scene(PLUME).toml()
    with wisp.Simulation(scene, device) as sim:
        assert sim["density"].shape == (8, 8, 8)
    assert scene.copy().quality == "preview"
    with pytest.raises(wisp.ArgumentError, match="preview"):
        scene.quality = "best"


def test_presets_and_descriptions():
    changes = wisp.preset("physical")
    assert changes and all(wisp.Scene("plume", changes)[key] == value for key, value in changes.items())
    with pytest.raises(wisp.ArgumentError, match="physical"):
        wisp.preset("phisical")
    assert all(wisp.description(name) for name in wisp.scenes())
    with pytest.raises(wisp.FileError):
        wisp.description("plum")


def test_model_files(tmp_path):
    scene = wisp.Scene(PLUME)
    scene.write_model(tmp_path / "a.glb", frames=3, steps_per_frame=2)
    with open(tmp_path / "a.glb", "rb") as file:
        assert file.read(4) == b"glTF"
    for path, arguments in (("a.obj", {}), ("b.glb", {"frames": 0}), ("b.glb", {"fps": 0.0})):
        with pytest.raises(wisp.ArgumentError):
            scene.write_model(tmp_path / path, **arguments)
    with pytest.raises(wisp.FileError):
        scene.write_model(tmp_path / "missing" / "a.glb")
    assert os.listdir(tmp_path) == ["a.glb"]


def test_lines_about_meshes():
    scene = wisp.Scene(PLUME)
    assert scene.meshes == []
    corners = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]
    faces = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]]
    scene.mesh("octahedron", corners, faces).add("obstacle", shape="mesh", file="memory:octahedron", centre=[0.5, 0.5, 0.5], scale=0.25)
    (line,) = scene.meshes
    assert "8 triangles" in line.message
