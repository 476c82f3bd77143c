# SPDX-License-Identifier: MIT
import math
import struct
import zlib

import numpy as np
import pytest
import wisp
from conftest import PLUME


def test_shapes_and_types(sim):
    sim.step(2)
    picture = sim.render(40, 24)
    assert picture.shape == (24, 40, 4) and picture.dtype == np.uint8
    radiance = sim.render(40, 24, linear=True)
    assert radiance.shape == (24, 40, 4) and radiance.dtype == np.float32
    assert np.isfinite(radiance).all() and radiance.min() >= 0
    assert (sim.render(np.int32(40), 24) == picture).all()  # the same again
    assert sim.render(24, 40).shape == (40, 24, 4)


def test_row_0_is_the_top(sim):
    # From the front: the smoke is below the middle of the box and covers what is behind it.
    sim.step(4)
    camera = wisp.Camera.look_at((0.5, 0.5, 3.0), (0.5, 0.5, 0.5), fov=25)
    coverage = sim.render(32, 32, camera, linear=True)[..., 3]
    smoke = sim["density"].sum()
    assert smoke > 0
    sim.reset()
    assert coverage[16:].sum() > 2 * coverage[:4].sum()


def test_the_camera_moves_the_picture(sim):
    sim.step(2)
    front = sim.render(32, 32, wisp.Camera.look_at((0.5, 0.5, 3.0), (0.5, 0.5, 0.5)))
    left = sim.render(32, 32, wisp.Camera.look_at((-2.0, 0.5, 0.5), (0.5, 0.5, 0.5)))
    away = sim.render(32, 32, wisp.Camera.look_at((0.5, 0.5, 3.0), (0.5, 0.5, 9.0)))
    assert (front != left).any() and (front != away).any()
    # Without a camera it is that of the scene again: eye [1, 0.6, 2.6], target [1, 0.4, 0.5], fov 40. Half floats of radiance, and 8 bits
    # of a picture, may differ by rounding of the camera's single precision: one step.
    own = sim.render(32, 32).astype(int)
    same = sim.render(32, 32, wisp.Camera.look_at((1, 0.6, 2.6), (1, 0.4, 0.5), 40)).astype(int)
    assert np.abs(own - same).max() <= 1


def test_look_at():
    camera = wisp.Camera.look_at((0, 0, 2), (0, 0, 0), fov=90, aspect=2.0)
    assert camera.eye == (0, 0, 2) and camera.forward == pytest.approx((0, 0, -1))
    # tan 45 degrees = 1. Single precision.
    assert camera.right == pytest.approx((2, 0, 0), abs=1e-6) and camera.up == pytest.approx((0, 1, 0), abs=1e-6)
    assert camera.vectors(1.0)[2] == camera.right
    fit = wisp.Camera.look_at((0, 0, 2), (0, 0, 0), fov=90)
    assert fit.vectors(2.0)[2] == pytest.approx((2, 0, 0), abs=1e-6)


@pytest.mark.parametrize("arguments, error", [
    (((0, 0, 0), (0, 0, 0)), ValueError), (((0, 0, math.nan), (0, 0, 0)), ValueError), (((0, 0), (0, 0, 0)), ValueError),
    (((0, 0, 1), (0, 0, 0), 0), ValueError), (((0, 0, 1), (0, 0, 0), 180), ValueError), (((0, 0, 1), (0, 0, 0), math.nan), ValueError),
    (((0, 0, 1), (0, 0, 0), 40, 0), ValueError), (((0, 0, 1), (0, 0, 0), "40"), TypeError), (("eye", (0, 0, 0)), TypeError)])
def test_cameras_that_are_none(arguments, error):
    with pytest.raises(error):
        wisp.Camera.look_at(*arguments)


@pytest.mark.parametrize("arguments, error", [((0, 10), ValueError), ((10, -1), ValueError), ((10.5, 10), TypeError),
                                              (("a", 10), TypeError), ((10, 10, "camera"), TypeError),
                                              ((10, 10, wisp.Camera((0, 0, 0), (0, 0, 2), (1, 0, 0), (0, 1, 0))), ValueError),
                                              ((10, 10, wisp.Camera((0, 0, math.nan), (0, 0, 1), (1, 0, 0), (0, 1, 0))), ValueError)])
def test_pictures_that_are_none(sim, arguments, error):
    with pytest.raises(error):
        sim.render(*arguments)
    assert sim.render(16, 16).shape == (16, 16, 4)


def test_too_large_a_picture(sim):
    with pytest.raises(wisp.Error):
        sim.render(1_000_000, 1_000_000)
    assert sim.render(16, 16).shape == (16, 16, 4)


def decoded(png):
    """The pixels of a PNG file without filters."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = {}, 8
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        data = png[at + 8:at + 8 + size]
        assert struct.unpack(">I", png[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + data)
        chunks[kind] = data
        at += size + 12
    width, height, depth, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert depth == 8
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, -1)
    assert (rows[:, 0] == 0).all()
    return rows[:, 1:].reshape(height, width, 4 if colour == 6 else 3)


def test_a_notebook_shows_a_small_picture(sim):
    sim.step(3)
    sim.set("render.size", [64, 32])
    assert (decoded(sim._repr_png_()) == sim.render(64, 32)[..., :3]).all()
    sim.set("render.size", [1280, 320])
    assert decoded(sim._repr_png_()).shape == (80, 320, 3)
    for key, value in (("render.temporal", True), ("render.mode", "path")):
        changed = wisp.Scene(PLUME)
        changed[key] = value
        sim.change(changed)
        assert sim._repr_png_() is None  # it would change pictures to come, or take long


def test_a_closed_simulation_has_no_picture(device):
    closed = wisp.Simulation(PLUME, device)
    closed.close()
    assert closed._repr_png_() is None and "closed" in repr(closed)


def test_backgrounds_are_behind_the_smoke(sim):
    sim.set({"environment.colour": [1.0, 1.0, 1.0]})
    sim.step(4)
    linear = sim.render(32, 32, linear=True)
    alone = sim.render(32, 32, linear=True, background="transparent")
    coverage = alone[..., 3:]
    assert (linear[..., 3:] == coverage).all() and coverage.min() == 0.0 and 0.1 < coverage.max()
    assert (alone[coverage[..., 0] == 0.0] == 0.0).all() and (linear[coverage[..., 0] == 0.0][:, :3] == 1.0).all()
    # Three halves of values below 2 are rounded by 2^-11 of them.
    free = coverage[..., 0] < 1.0
    assert linear[..., :3][free] == pytest.approx((alone[..., :3] + 1.0 - coverage)[free], abs=3e-3)
    black = sim.render(32, 32, background=[0.0, 0.0, 0.0])
    clear = sim.render(32, 32, background="transparent")
    assert clear[..., 3].min() == 0 and (black[..., 3] == 255).all()
    # Over black: bytes of colour and alpha, each rounded.
    assert np.abs(clear[..., :3] * (clear[..., 3:] / 255.0) - black[..., :3]).max() <= 1.0
    orange = sim.render(32, 32, background=[1.0, 0.5, 0.0])
    assert (orange[coverage[..., 0] == 0.0] == [255, 128, 0, 255]).all()
    picture = np.random.default_rng(1).integers(0, 256, (32, 32, 3), np.uint8)
    over = sim.render(32, 32, background=picture)
    assert (over[..., :3][coverage[..., 0] == 0.0] == picture[coverage[..., 0] == 0.0]).all()
    assert (sim.render(32, 32, background=np.zeros((32, 32, 4), np.uint8)) == black).all()
    assert (sim.render(32, 32, linear=True) == linear).all()  # the environment again


@pytest.mark.parametrize("background, linear", [("black", False), ([0.0, 0.0], False), ([0.0, 0.0, 1.5], False), ([0, 0, 0], True),
                                                (np.zeros((8, 9, 3), np.uint8), False), (np.zeros((9, 8, 3)), False),
                                                (np.ma.masked_equal([0.0, 0.5, 1.0], 0.5), False)])
def test_backgrounds_that_are_none(sim, background, linear):
    with pytest.raises(wisp.ArgumentError, match="background"):
        sim.render(8, 9, linear=linear, background=background)


def test_a_flat_grid_has_no_background(device):
    with wisp.Simulation({"grid": {"cells": [16, 16, 1], "size": [1.0, 1.0, 0.0625]}}, device) as flat:
        with pytest.raises(wisp.UnsupportedError, match="flat grid"):
            flat.render(8, 8, background="transparent")
        assert flat.render(8, 8).shape == (8, 8, 4)
