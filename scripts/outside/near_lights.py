# SPDX-License-Identifier: MIT
"""Compares raymarch with path mode for lamps, spots and fire in smoke, at random places. usage: near_lights.py ROWS FOLDER [SEED]

The places are new ones in each run, since the errors depend on where in its cell a lamp is. Two pictures of path mode say how far their mean
is known. light.py compares path mode with Mitsuba.
"""
import sys
import time

import mitsuba as mi
import numpy as np

from common import HERE, Rows, wisp
from directions import direction

mi.set_variant("scalar_rgb")
CLOUD, FIRE = f"{HERE}/cloud.toml", "campfire"
PHASES = {"default phase": "{g=0.8, g_back=-0.3, blend=0.3}", "g 0": "{g=0.0, g_back=0.0, blend=0.0}"}
LAMPS, SPOTS, BALLS = 6, 4, 4
CENTRE = np.array([0.5, 0.45, 0.5])  # of the cloud, which has a radius of about 0.25 m


def mean(folder, scene, steps, *arguments):
    """Mean of red, green and blue. With steps 0 the last step from the checkpoint of make(), else so many steps from the start."""
    start = ["--frames", "1", "--steps-per-frame", str(steps)] if steps else ["--resume", f"{folder}/start", "--frames", "2", "--steps-per-frame", "1"]
    wisp("render", scene, *start, "--size", "32x32", *arguments, "--out", f"{folder}/n%01d.exr", "--overwrite")
    return np.array(mi.Bitmap(f"{folder}/n{0 if steps else 1}.exr"), float)[..., :3].mean()


def make(folder, scene, steps, *arguments):
    wisp("render", scene, "--frames", "1", "--steps-per-frame", str(steps), "--size", "8x8", "--out", f"{folder}/n%01d.exr", "--overwrite", *arguments,
         "--checkpoint", f"{folder}/start")


def traced(folder, samples, *case):
    """Mean of two pictures, and its error."""
    a, b = (mean(folder, *case, "--set", "render.mode=path", "--samples", str(samples), "--seed", str(n + 1)) for n in range(2))
    return 0.5 * (a + b), 0.5 * abs(a - b)


def add(rows, what, got, truth, error, bound):
    """The difference of two pictures tells their error only roughly. Four of it are allowed beside the goal."""
    rows.add(f"{what}; path mode is known to {error / truth:.3f}", got / truth, (1 - bound - 4 * error / truth, 1 + bound + 4 * error / truth), False)


def set_of(**keys):
    return [part for key, value in keys.items() for part in ("--set", f"{key.replace('__', '.')}={value}")]


def lamps(rows, folder, random):
    for cells in (16, 48):
        grid = set_of(grid__cells=[cells] * 3)
        make(folder, CLOUD, 24, *grid)
        for n in range(LAMPS):
            phase = list(PHASES)[n % 2]
            place = CENTRE + direction(random) * 0.45 * random.random()
            case = CLOUD, 0, *grid, *set_of(medium__phase=PHASES[phase], medium__albedo=[0.9] * 3, light=f'[{{type="point", position={place.round(4).tolist()}, intensity=5.0}}]')
            add(rows, f"lamp at {place.round(3)}, {cells}^3 cells, {phase}: mean", mean(folder, *case), *traced(folder, 2048, *case), 0.05)


def spots(rows, folder, random):
    make(folder, CLOUD, 24)
    for n in range(SPOTS):
        angle, phase = (15, 40)[n % 2], list(PHASES)[n // 2]
        place = CENTRE + 0.8 * direction(random)
        axis = CENTRE + 0.1 * direction(random) - place
        spot = f'[{{type="spot", position={place.round(4).tolist()}, direction={axis.round(4).tolist()}, angle={angle}, intensity=5.0}}]'
        case = CLOUD, 0, *set_of(medium__phase=PHASES[phase], medium__albedo=[0.9] * 3, light=spot)
        add(rows, f"spot of {angle} degrees at {place.round(3)}, {phase}: mean", mean(folder, *case), *traced(folder, 512, *case), 0.05)


def fire(rows, folder, case, what, glow, samples):
    """Smoke without albedo that glows less shows what is not scattered. Raymarch computes this exactly."""
    albedo = 0.7
    whole = mean(folder, *case, *set_of(medium__albedo=[albedo] * 3))
    direct = mean(folder, *case, *set_of(medium__albedo=[0.0] * 3, fire__glow=glow * (1 - albedo)))
    truth, error = traced(folder, samples, *case, *set_of(medium__albedo=[albedo] * 3))
    add(rows, f"{what}: mean", whole, truth, error, 0.05)
    add(rows, f"{what}: mean of scattered light, which is {1 - direct / truth:.2f} of all", whole - direct, truth - direct, error, 0.1)


def balls(rows, folder, random):
    for _ in range(BALLS):
        place, radius = CENTRE + 0.15 * direction(random), random.uniform(0.07, 0.13)
        smoke = f"[{{centre={CENTRE.tolist()}, radius=0.4, density=1.0}}, {{centre={place.round(4).tolist()}, radius={radius:.4f}, density=1.0, temperature=1200.0, fuel=1e-4}}]"
        case = CLOUD, 1, *set_of(time__step=1e-6, grid__cells=[32] * 3, fire__expansion=0.0, medium__extinction=4.0, initial=smoke)
        fire(rows, folder, case, f"hot ball of radius {radius:.3f} at {place.round(3)}", 1.0, 512)


def campfire(rows, folder, random):
    """The scene's cells, with three times its time step: flames of 0.8 to 1.7 s in a third of the time."""
    scene = [FIRE, *set_of(environment__colour=[0.0] * 3, light="[]", time__step=0.025)]
    make(folder, scene[0], random.integers(33, 67), *scene[1:])
    fire(rows, folder, (scene[0], 0, *scene[1:]), "the flames of campfire", 1.0, 2048)


def main(path, folder, seed=None, *groups):
    seed = int(seed) if seed else int(time.time())
    print(f"seed {seed}", flush=True)
    rows = Rows(path, f"lamps, spots and fire in smoke at random places, seed {seed}")
    for group in (lamps, spots, balls, campfire):
        if not groups or group.__name__ in groups:
            group(rows, folder, np.random.default_rng(seed))


if __name__ == "__main__":
    main(*sys.argv[1:])
