# SPDX-License-Identifier: MIT
"""Memory, times, hashes, values at points and volume files."""
import os

import numpy as np
import pytest
import wisp
from conftest import PLUME


def test_the_plan_is_what_a_simulation_takes(device):
    plan = wisp.Simulation.plan(PLUME, device)
    before = device.memory_used
    with wisp.Simulation(PLUME, device) as sim:
        sim.wait()
        names = {row.name for row in device.memory}
        assert sum(row.bytes for row in device.memory) == device.memory_used
        assert {row.name for row in plan} <= names
        assert sum(row.bytes for row in plan) <= device.memory_used - before
    assert sum(r.bytes for r in wisp.Simulation.plan(PLUME, device, picture=True)) > sum(r.bytes for r in plan)
    with pytest.raises(wisp.OutOfMemoryError):
        wisp.Simulation.plan({"grid": {"cells": [4096, 256, 256], "size": [16.0, 1.0, 1.0]}}, device)


def test_times_of_steps_and_pictures(device):
    with wisp.Simulation(PLUME, device, timing="scopes") as sim:
        sim.times()
        sim.step(2)
        sim.render(32, 24)
        times = [t for t in sim.times() if t.ms > 0.0]
        assert [(t.step, t.stepped, t.passes[0].name) for t in times] == [(1, True, "step"), (2, True, "step"), (2, False, "frame")]
        assert all(t.record_ms > 0.0 and t.submit_ms > 0.0 for t in times)
        assert sim.times() == []
    with wisp.Simulation(PLUME, device, timing="passes") as sim:
        sim.step()
        (step,) = [t for t in sim.times() if t.stepped]
        passes = [p for p in step.passes if not p.scope]
        assert len(passes) > 5 and 0.0 < sum(p.ms for p in passes) <= step.ms * (1.0 + 1e-9)
        assert any(p.name.startswith("advect") and p.calls > 0 and p.threads > 0 and p.bytes > 0 for p in passes)
    with pytest.raises(wisp.ArgumentError, match="must be \"off\", \"scopes\" or \"passes\""):
        wisp.Simulation(PLUME, device, timing="all")


def test_no_times_without_timing(sim):
    sim.step()
    assert sim.times() == []


def test_residuals(device, sim):
    sim.step()
    assert sim.quality.residuals == () and sim.quality.fine_divergence_before == 0.0
    with wisp.Simulation(PLUME, device, residuals=True) as traced:
        traced.step()
        q = traced.quality
        assert len(q.residuals) == q.cycles + 1 and q.residuals[-1] == pytest.approx(q.residual, rel=1e-6)
        assert q.residuals[0] > q.residuals[-1] and q.fine_divergence_before > q.fine_divergence_rms
        assert (traced["density"] == sim["density"]).all()


def test_obstacles_stand_still_without_moves(device):
    with wisp.Simulation(PLUME, device, moves=False) as sim:
        with pytest.raises(wisp.UnsupportedError):
            sim.obstacles[0].place([0.5, 0.5, 0.5])


def test_released_obstacles_and_cleared_smoke(sim):
    sphere = sim.obstacles[0]
    sphere.place([0.25, 0.5, 0.5])
    sim.step()
    assert sphere.centre == (0.25, 0.5, 0.5)
    sphere.release()
    sim.step()
    assert sphere.centre == (0.5, 0.75, 0.5)
    emitter = sim.emitters[0]
    emitter.place([0.75, 0.25, 0.5])
    emitter.release()
    assert emitter.centre == (0.5, 0.25, 0.5)
    assert sim["density"].max() > 0.5
    sim.clear()
    assert sim["density"].max() == 0.0 and sim.steps == 2


def test_hashes_tell_runs_apart(sim):
    sim.step(2)
    first = sim.hashes()
    assert {"density", "velocity"} <= {name.split(".")[0].split(" ")[0] for name in first} or len(first) > 1
    assert all(isinstance(h, int) and 0 <= h < 2**64 for h in first.values())
    sim.step()
    assert sim.hashes() != first
    sim.reset()
    sim.step(2)
    assert sim.hashes() == first


def test_wind_at_points_is_that_of_the_field(sim):
    sim.step(4)
    at, velocity = sim.lattice("velocity"), sim["velocity"]
    wind = sim.wind_at([[at.x[8], y, at.z[8]] for y in at.y[2:7]])
    assert wind.shape == (5, 3) and wind.dtype == np.float32
    # The filter's weights have 8 bits, and half floats 11.
    assert wind == pytest.approx(velocity[8, 2:7, 8], abs=float(np.abs(velocity).max()) * (3 / 512 + 2.0**-11))
    assert (wind[:, 1] > 0.0).all()  # the jet rises
    assert sim.wind_at(np.zeros((0, 3))).shape == (0, 3)
    for wrong in ([0, 0, 0], [[0, 0]], [[0, 0, np.nan]], "abc"):
        with pytest.raises(wisp.ArgumentError, match="points"):
            sim.wind_at(wrong)


def test_probes_are_values_of_the_fields(sim):
    sim.step(4)
    at, density = sim.lattice("density"), sim["density"]
    values = sim.probe([at.x[8], at.y[2], at.z[8]], [at.x[8], at.y[6], at.z[8]], 5)
    assert values.velocity.shape == values.vorticity.shape == (5, 3) and values.density.shape == (5,)
    # At centres of cells nothing is interpolated; half floats have 11 bits.
    assert values.density == pytest.approx(density[8, 2:7, 8], rel=2.0**-11)
    assert values.temperature == pytest.approx(sim["temperature"][8, 2:7, 8], rel=2.0**-11)
    assert (values.velocity[1:, 1] > 0.0).all()  # the jet rises
    assert np.isnan(sim.probe([0.5, 0.75, 0.5]).density).all()  # inside the obstacle
    with pytest.raises(wisp.ArgumentError, match="no end"):
        sim.probe([0, 0, 0], points=2)
    with pytest.raises(wisp.ArgumentError):
        sim.probe([0, 0, np.nan])


def test_volume_files(sim, tmp_path):
    sim.step(2)
    with wisp.VolumeWriter(sim, fields=["density"], threshold=1e-6) as writer:
        writer.write(tmp_path / "a_0.nvdb")
        sim.step()
        writer.write(tmp_path / "a_1.nvdb")
    assert sorted(os.listdir(tmp_path)) == ["a_0.nvdb", "a_1.nvdb"]
    mass = float(sim["density"].sum()) * (1.0 / 16) ** 3
    scene = {"grid": PLUME["grid"], "initial": [{"shape": "volume", "file": str(tmp_path / "a_1.nvdb"), "density": 1.0}]}
    with wisp.Simulation(scene) as again:
        # Only cells below the threshold of 1e-6, at most the whole box, are missing; half floats have 11 bits.
        assert float(again["density"].sum()) * (1.0 / 16) ** 3 == pytest.approx(mass, rel=2.0**-11, abs=1e-6)


def test_wrong_volume_files(sim, tmp_path):
    with pytest.raises(wisp.ArgumentError, match="list of names"):
        wisp.VolumeWriter(sim, fields="density")
    with pytest.raises(wisp.ArgumentError, match="densty"):
        wisp.VolumeWriter(sim, fields=["densty"])
    writer = wisp.VolumeWriter(sim)
    with pytest.raises(wisp.ArgumentError):
        writer.write(tmp_path / "a.png")
    writer.write(tmp_path / "missing" / "a.nvdb")
    with pytest.raises(wisp.FileError):
        writer.flush()


def test_a_writer_of_a_closed_simulation(device, tmp_path):
    sim = wisp.Simulation(PLUME, device)
    writer = wisp.VolumeWriter(sim)
    sim.close()
    with pytest.raises(wisp.OutdatedError):
        writer.write(tmp_path / "a.nvdb")


def test_resuming_with_another_scene(sim, tmp_path):
    sim.step(2)
    sim.save(tmp_path / "run.wisp")
    assert wisp.Scene.of_checkpoint(tmp_path / "run.wisp")["flow.vorticity"] == 0.25
    other = wisp.Scene(PLUME, {"flow.vorticity": 0.5})
    with wisp.Simulation.resume(tmp_path / "run.wisp", scene=other) as resumed:
        assert resumed.steps == 2 and resumed.scene["flow.vorticity"] == 0.5
    with pytest.raises(wisp.UnsupportedError, match="grid.cells"):
        wisp.Simulation.resume(tmp_path / "run.wisp", scene=wisp.Scene(PLUME, {"grid.cells": [32, 32, 32]}))
