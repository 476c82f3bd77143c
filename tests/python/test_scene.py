# SPDX-License-Identifier: MIT
import copy
import math
import pathlib
import pickle

import numpy as np
import pytest
import wisp
from conftest import PLUME


def test_a_dict_becomes_a_scene():
    scene = wisp.Scene(PLUME)
    assert scene["grid.cells"] == [16, 16, 16]
    assert scene["flow.vorticity"] == 0.25
    assert scene["emitter[0].radius"] == 0.1875
    assert scene["obstacle"] == [{"centre": [0.5, 0.75, 0.5], "radius": 0.125}]  # a sphere is the default shape
    assert scene["flow"] == {"buoyancy": 0.03, "vorticity": 0.25}


def test_defaults_are_values_too():
    assert wisp.Scene()["flow.vorticity"] == 0.8
    assert wisp.Scene()["pressure.solver"] == "multigrid"
    assert wisp.Scene({})["grid.sparse"] is False


def test_dotted_and_nested_keys_are_the_same():
    nested = wisp.Scene({"flow": {"vorticity": 0.5, "buoyancy": 0.25}, "grid": {"sides": {"y0": "wall"}}})
    assert nested == wisp.Scene({"flow.vorticity": 0.5, "flow": {"buoyancy": 0.25}, "grid.sides.y0": "wall"})
    assert nested != wisp.Scene({"flow.vorticity": 0.5})


@pytest.mark.parametrize("value", [np.float32(0.5), np.float64(0.5), np.float16(0.5), np.array(0.5), 0.5])
def test_numpy_scalars_are_numbers(value):
    assert wisp.Scene({"flow.vorticity": value})["flow.vorticity"] == 0.5


@pytest.mark.parametrize("cells", [np.array([8, 16, 32]), np.array([8, 16, 32], np.uint8), (8, np.int16(16), 32)])
def test_numpy_arrays_are_lists(cells):
    scene = wisp.Scene({"grid": {"cells": cells, "size": np.array([0.5, 1, 2], np.float32), "sparse": np.bool_(False)}})
    assert scene["grid.cells"] == [8, 16, 32]
    assert scene["grid.size"] == [0.5, 1.0, 2.0]


BAD = [
    ({"flow": {"vorticty": 1}}, "flow.vorticty", 'did you mean "vorticity"'),
    ({"flwo": {"vorticity": 1}}, "flwo", "unknown key"),
    ({"flow.vorticity": "much"}, "flow.vorticity", "must be a number"),
    ({"flow.vorticity": True}, "flow.vorticity", "must be a number"),
    ({"flow.vorticity": math.nan}, "flow.vorticity", "must be finite"),
    ({"flow.vorticity": np.float32(np.inf)}, "flow.vorticity", "must be finite"),
    ({"flow.vorticity": -1}, "flow.vorticity", "must be from 0"),
    ({"flow.vorticity": None}, "flow.vorticity", "None"),
    ({"flow.vorticity": 1j}, "flow.vorticity", "complex"),
    ({"flow.vorticity": {1, 2}}, "flow.vorticity", "set"),
    ({"flow.vorticity": 2**70}, "flow.vorticity", "64 bits"),
    ({"flow.gravity": np.array([0, np.nan, 0])}, "flow.gravity[1]", "must be finite"),
    ({"flow.gravity": np.zeros((3, 3))}, "flow.gravity", "component 0 is a list of 3, must be a number"),
    ({"flow": 5}, "flow", "must be a table"),
    ({"flow": {5: 1}}, "flow.5", "keys are texts"),
    ({"flow": {"vorticity": 1}, "flow.vorticity": 2}, "flow.vorticity", "given twice"),
    ({"grid.cells": [16, 16]}, "grid.cells", "must be a list of 3"),
    ({"grid.cells": [16.5, 16, 16]}, "grid.cells", "whole number"),
    ({"emitter": {"radius": 1}}, "emitter", "list of tables"),
    ({"emitter": [{"radius": 0.1}, {"radius": "big"}]}, "emitter[1].radius", "must be a number"),
    ({"name": "\ud800"}, "name", "Unicode"),
]


@pytest.mark.parametrize("keys, key, text", BAD, ids=[f"{key} {text}" for _, key, text in BAD])
def test_what_is_wrong_names_the_key(keys, key, text):
    with pytest.raises(wisp.SceneError) as caught:
        wisp.Scene(keys)
    error = caught.value
    assert isinstance(error, ValueError) and error.code is wisp.ErrorCode.SCENE
    assert error.key == key
    assert text in error.problems[0].message
    assert str(error).startswith(f"{key}: ")  # without a place in a text that the caller has not seen


def wrong_later(scene):
    scene["prescribed.field"] = "rotation"  # then emitters cannot have a velocity
    return scene


@pytest.mark.parametrize("change", [lambda s: s, copy.copy, lambda s: pickle.loads(pickle.dumps(s)), lambda s: s.remove("emitter", 1) or s])
def test_what_becomes_wrong_in_a_dict_names_the_key_alone(change):
    scene = change(wisp.Scene({"emitter": [{"velocity": [1, 0, 0], "centre": [9, 9, 9], "radius": 0.1}, {}]}))
    assert str(scene.warnings[0]).startswith("emitter[0].centre: ")
    for use in wisp.Scene.check, wisp.Scene.toml, wisp.Simulation.plan:
        with pytest.raises(wisp.SceneError) as caught:
            use(wrong_later(scene))
        assert str(caught.value).startswith("emitter[0].velocity: ")
        assert not any(p.file or p.line or p.column for p in caught.value.problems)


def test_a_change_of_a_text_keeps_its_lines():
    with pytest.raises(wisp.SceneError) as caught:
        wrong_later(wisp.Scene("[[emitter]]\nvelocity = [1, 0, 0]\n")).check()
    assert caught.value.problems[0].line == 2


def test_all_problems_are_listed():
    with pytest.raises(wisp.SceneError) as caught:
        wisp.Scene({"flow": {"vorticity": -1, "gust": -1}, "grid.cells": [0, 16, 16]})
    assert {p.key for p in caught.value.problems} >= {"flow.vorticity", "flow.gust", "grid.cells"}
    assert len(str(caught.value).splitlines()) == len(caught.value.problems)


def test_a_dict_that_contains_itself_is_an_error():
    keys = {}
    keys["flow"] = keys
    with pytest.raises(wisp.SceneError, match="contains itself"):
        wisp.Scene(keys)
    with pytest.raises(wisp.SceneError):
        wisp.Scene().update(keys)


@pytest.mark.parametrize("text", ['quote " and \\', "line\nbreak\ttab", "ünïcödé ☁", "\x00\x7f"])
def test_every_text_survives(text):
    assert wisp.Scene({"name": text})["name"] == text


def test_texts_files_and_names(tmp_path, monkeypatch):
    text = "[flow]\nvorticity = 0.5\n"
    path = tmp_path / "scene.toml"
    path.write_text(text)
    assert wisp.Scene(text)["flow.vorticity"] == 0.5
    assert wisp.Scene("flow.vorticity = 0.5") == wisp.Scene(text)
    assert wisp.Scene(path)["flow.vorticity"] == 0.5
    assert wisp.Scene(str(path))["flow.vorticity"] == 0.5
    assert "plume" in wisp.scenes()
    assert wisp.Scene("plume")["name"] == "plume"
    monkeypatch.chdir(tmp_path)
    assert wisp.Scene("scene.toml")["flow.vorticity"] == 0.5
    (tmp_path / "plume").write_text(text)  # a path is never the name of a built-in scene
    assert wisp.Scene(pathlib.Path("plume"))["flow.vorticity"] == 0.5
    assert wisp.Scene("plume", {"flow.vorticity": 0.25})["flow.vorticity"] == 0.25


def test_errors_in_a_text_have_their_line():
    with pytest.raises(wisp.SceneError) as caught:
        wisp.Scene("[flow]\nvorticty = 1\n")
    assert (caught.value.problems[0].line, caught.value.problems[0].column) == (2, 1)


@pytest.mark.parametrize("source, error", [("plum", wisp.FileError), ("missing.toml", wisp.FileError), ("a=b.TOML", wisp.FileError), ("", wisp.FileError),
                                           (5, TypeError), ([1], TypeError), (b"plume", TypeError)])
def test_what_is_no_scene(source, error):
    with pytest.raises(error):
        wisp.Scene(source)
    assert issubclass(wisp.FileError, OSError)


def test_setting_a_key():
    scene = wisp.Scene(PLUME)
    scene["flow.vorticity"] = 0.5
    scene["emitter[0].radius"] = np.float32(0.25)
    scene["grid"] = {"cells": [32, 32, 32]}
    assert (scene["flow.vorticity"], scene["emitter[0].radius"], scene["grid.cells"]) == (0.5, 0.25, [32, 32, 32])
    assert scene["grid.size"] == [1.0, 1.0, 1.0]
    scene["emitter"] = [{"radius": 0.5}, {"radius": 0.75}]
    assert [e["radius"] for e in scene["emitter"]] == [0.5, 0.75]


@pytest.mark.parametrize("key, value", [("flow.nope", 1), ("flow.vorticity", "x"), ("flow.vorticity", math.nan), ("emitter[5].radius", 1),
                                        ("flow.vorticity", None), ("", 1), ("flow..vorticity", 1), ("grid.cells", [1, 2])])
def test_a_key_that_cannot_be_set_changes_nothing(key, value):
    scene = wisp.Scene(PLUME)
    with pytest.raises(wisp.SceneError):
        scene[key] = value
    assert scene == wisp.Scene(PLUME)


def test_update_is_all_or_nothing():
    scene = wisp.Scene(PLUME)
    with pytest.raises(wisp.SceneError):
        scene.update({"flow": {"buoyancy": 0.5, "vorticity": "x"}})
    assert scene == wisp.Scene(PLUME)
    scene.update({"flow": {"buoyancy": 0.5}, "grid.cells": [8, 8, 8]})
    assert (scene["flow.buoyancy"], scene["flow.vorticity"], scene["grid.cells"]) == (0.5, 0.25, [8, 8, 8])


def test_ranges_are_checked_at_the_end():
    scene = wisp.Scene(PLUME)
    scene["flow.vorticity"] = -1
    with pytest.raises(wisp.SceneError) as caught:
        scene.check()
    assert caught.value.key == "flow.vorticity"
    assert "errors" in repr(scene)
    scene["flow.vorticity"] = 1
    scene.check()


def test_the_text_of_a_scene_is_short():
    assert repr(wisp.Scene({**PLUME, "name": "mine"})) == "<wisp.Scene 'mine', 16 x 16 x 16 cells, 1 emitter, 1 obstacle>"
    assert len(repr(wisp.Scene(PLUME))) < 100
    assert repr(wisp.Scene({**PLUME, "emitter": PLUME["emitter"] * 3, "obstacle": []})).endswith(" cells, 3 emitters>")


@pytest.mark.parametrize("key", ["flow.nope", "nope", "emitter[7]", "emitter[0].nope", "emitter[0].radius.x"])
def test_a_key_that_does_not_exist(key):
    with pytest.raises(KeyError) as caught:
        wisp.Scene(PLUME)[key]
    assert isinstance(caught.value, wisp.SceneError) and caught.value.key == key
    assert "'" not in str(caught.value)[:1]  # no quotes around the message, as other KeyErrors have
    with pytest.raises(TypeError):
        wisp.Scene(PLUME)[0]


def test_add():
    scene = wisp.Scene(PLUME)
    scene.add("emitter", shape="box", min=[0, 0, 0], max=[0.25, 0.25, 0.25], density=2)
    scene.add("emitter", {"radius": np.float64(0.5)})
    assert len(scene["emitter"]) == 3 and scene["emitter[2].radius"] == 0.5
    with pytest.raises(wisp.SceneError):
        scene.add("emitter", radiu=1)
    with pytest.raises(wisp.SceneError):
        scene.add("nothing", radius=1)
    assert len(scene["emitter"]) == 3


def test_copies_are_independent():
    scene = wisp.Scene(PLUME)
    for other in (scene.copy(), copy.copy(scene), copy.deepcopy(scene), wisp.Scene(scene), pickle.loads(pickle.dumps(scene)),
                  wisp.Scene(scene.toml()), wisp.Scene(scene.dict())):
        assert other == scene
        other["flow.vorticity"] = 0.75
        assert scene["flow.vorticity"] == 0.25


def test_warnings():
    assert wisp.Scene(PLUME).warnings == []
    scene = wisp.Scene(PLUME)
    scene["emitter[0].centre"] = [9, 9, 9]
    [warning] = scene.warnings
    assert warning.key.startswith("emitter[0]") and warning.message


def test_errors_survive_another_process():
    error = pickle.loads(pickle.dumps(wisp.SceneError("x", problems=[wisp.Problem("flow", "is bad")])))
    assert isinstance(error, wisp.SceneError) and error.key == "flow" and str(error) == "x"
    for name in wisp.__all__:
        kind = getattr(wisp, name)
        if isinstance(kind, type) and issubclass(kind, wisp.Error):
            assert type(pickle.loads(pickle.dumps(kind("message")))) is kind
            assert str(kind("message")) == "message"
