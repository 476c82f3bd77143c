# SPDX-License-Identifier: MIT
"""Runs the code of docs/python.md in order, with smaller grids and fewer steps."""
import os
import re
import sys
import types
from unittest import mock

import numpy as np
import pytest

PAGE = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "python.md")

# What the page says, and what this test runs.
SMALLER = {"[64, 96, 64]": "[16, 24, 16]", "[32, 48, 32]": "[8, 12, 8]", "step(120)": "step(12)", "range(30)": "range(2)",
           "0.8, 5)": "0.8, 2)", "step(60)": "step(4)", "range(60)": "range(3)", "range(48)": "range(2)",
           "render(360, 480": "render(36, 48", "range(24)": "range(2)",
           'Simulation("jet",': 'Simulation(wisp.Scene("jet", {"grid.cells": [32, 16, 16]}),', "step(20)": "step(2)"}


def test_the_tutorial(tmp_path, monkeypatch, device, capsys):
    with open(PAGE, encoding="utf-8") as file:
        blocks = re.findall(r"^```python\n(.*?)^```$", file.read(), re.M | re.S)
    assert len(blocks) >= 8
    program = "\n".join(blocks)
    for large, small in SMALLER.items():
        assert large in program
        program = program.replace(large, small)
    plot, images = mock.MagicMock(), mock.MagicMock()  # matplotlib and Pillow are not needed for the tests
    for name, module in {"matplotlib": types.SimpleNamespace(pyplot=plot), "matplotlib.pyplot": plot,
                         "PIL": types.SimpleNamespace(Image=images)}.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(compile(program, PAGE, "exec"), names)

    output = capsys.readouterr().out
    assert 'flow.vorticty: unknown key; did you mean "vorticity"?' in output
    x, y, slice_ = plot.pcolormesh.call_args.args
    assert (x.shape, y.shape, slice_.shape) == ((16,), (24,), (24, 16)) and slice_.max() > 0.5
    assert 0.0 < names["heights"][-1] < 1.5
    assert (names["tensor"] != names["density"]).any() and not names["tensor"].flags.owndata
    assert names["mass"] == pytest.approx(names["cloud"].sum() * (0.5 / 32) ** 3, rel=2.0**-11)  # half floats
    assert len(names["results"]) == 2 and all(np.isfinite(list(names["results"].values())))
    assert len(names["drag"]) == 3 and (names["drag"] > 0).all()
    assert [frame.shape for frame in names["frames"]] == [(48, 36, 4)] * 2
    assert (names["frames"][0] != names["frames"][1]).any()
    assert names["axis"].velocity.shape == (50, 3) and np.isfinite(names["axis"].velocity).all()
    assert sorted(file.name for file in tmp_path.glob("*.nvdb")) == ["smoke_0000.nvdb", "smoke_0001.nvdb"]
    assert len(names["steps"]) == 2 and names["slowest"].ms > 0.0
    assert images.fromarray.call_args.args[0].shape == (48, 36, 3)
