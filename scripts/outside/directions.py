# SPDX-License-Identifier: MIT
"""Compares raymarch with path mode from random directions. usage: directions.py ROWS FOLDER [SEED]

Twelve directions of a sun and six of the camera for each, new ones in each run, since the errors of discrete ordinates depend on the axes of
the grid. Every view draws a phase function, a depth, a second sun and a sky, too. The channels have three albedos. light.py compares path
mode with Mitsuba.
"""
import sys
import time

import mitsuba as mi
import numpy as np

from common import HERE, Rows, wisp
from light import make_cloud

mi.set_variant("scalar_rgb")
SUNS, CAMERAS = 12, 6
ALBEDOS = (0.6, 0.9, 0.99)
PHASES = {"default phase": "", "g 0.7": "{g=0.7, g_back=0.0, blend=0.0}", "g 0.3": "{g=0.3, g_back=0.0, blend=0.0}"}
DEPTHS = (0.3, 1, 3, 10, 30)
SAMPLES = 256


def direction(random):
    d = random.normal(size=3)
    return d / np.linalg.norm(d)


def picture(folder, view, suns, sky, *more):
    phase, depth, ray = view
    eye = 0.5 - 2.1 * ray
    arguments = ["--set", f"camera.eye={eye.round(6).tolist()}", "--set", f"medium.extinction={3.0 * depth}", "--set", f"medium.albedo={list(ALBEDOS)}"]
    if PHASES[phase]:
        arguments += ["--set", f"medium.phase={PHASES[phase]}"]
    else:
        arguments += ["--set", "medium.phase={g=0.8, g_back=-0.3, blend=0.3}"]
    if suns:
        arguments += ["--set", "light=[" + ", ".join(f"{{direction={s.round(6).tolist()}, intensity={power}}}" for s, power in suns) + "]"]
    if sky:
        arguments += ["--set", "environment.colour=[0.3, 0.3, 0.3]"]
    wisp("render", f"{HERE}/cloud.toml", "--resume", f"{folder}/cloud", "--frames", "2", "--steps-per-frame", "1", "--size", "32x32",
         *arguments, *more, "--out", f"{folder}/d%01d.exr", "--overwrite")
    return np.array(mi.Bitmap(f"{folder}/d1.exr"), float)[..., [0, 1, 2, 4]]  # R, G, B, A


def ratios(marched, traced, smoke, channel):
    """Mean, rms difference over the mean, brightest and darkest quarter; the noise of path mode is subtracted."""
    flat, (a, b) = marched[..., channel][smoke], (p[..., channel][smoke] for p in traced)
    truth, noise, quarter = 0.5 * (a + b), 0.25 * (a - b) ** 2, smoke.sum() // 4
    found = [flat.sum() / truth.sum(), np.sqrt(max(0.0, ((flat - truth) ** 2 - noise).mean())) / truth.mean()]
    for part in (slice(-quarter, None), slice(quarter)):
        pairs = [(flat[o].sum(), tells[o].sum()) for chooses, tells in ((a, b), (b, a)) for o in [np.argsort(chooses)[part]]]
        found.append(sum(f for f, _ in pairs) / sum(t for _, t in pairs))
    return found


def main(path, folder, seed=None):
    seed = int(seed) if seed else int(time.time())
    print(f"seed {seed}", flush=True)
    random = np.random.default_rng(seed)
    rows = Rows(path, f"cloud of 48^3 cells, {SUNS * CAMERAS} random directions, seed {seed}")
    make_cloud(folder)
    found, sums = {}, []
    for _ in range(SUNS):
        sun = direction(random)
        for _ in range(CAMERAS):
            view = random.choice(list(PHASES)), float(random.choice(DEPTHS)), direction(random)
            suns, sky = [(sun, 3.0)], bool(random.random() < 0.3)
            if random.random() < 0.3:
                suns.append((direction(random), 2.0))
            marched = picture(folder, view, suns, sky)
            traced = [picture(folder, view, suns, sky, "--set", "render.mode=path", "--samples", str(SAMPLES), "--seed", str(n + 1)) for n in range(2)]
            group = "depth 0.3 to 3" if view[1] <= 3 else f"depth {view[1]:g}"
            for channel, albedo in enumerate(ALBEDOS):
                result = ratios(marched, traced, marched[..., 3] > 0.02, channel)
                found.setdefault(group, []).append(result)
                print(f"  {view[0]}, depth {view[1]:g}, albedo {albedo}, ray {view[2].round(2)}, suns {[s.round(2).tolist() for s, _ in suns]}, sky {sky}: "
                      "mean {:.3f}, rms {:.3f}, brightest {:.3f}, darkest {:.3f}".format(*result), flush=True)
            if len(suns) + sky > 1:
                parts = [picture(folder, view, [s], False)[..., :3].sum() for s in suns] + ([picture(folder, view, [], True)[..., :3].sum()] if sky else [])
                sums.append((group, abs(marched[..., :3].sum() / sum(parts) - 1)))
    for group in sorted(found):
        all_of = np.array(found[group])
        for n, (what, bound) in enumerate((("mean", 0.05), ("rms difference / mean", 0.1), ("brightest quarter", 0.08), ("darkest quarter", 0.08))):
            error = all_of[:, n] if n == 1 else np.abs(all_of[:, n] - 1)
            rows.add(f"raymarch against path, {group}: {what}, share of {len(error)} views and albedos within {bound}", (error <= bound).mean(), (1, 1), False)
            rows.add(f"raymarch against path, {group}: {what}, largest error", error.max())
        apart = [e for g, e in sums if g == group]
        if apart:
            rows.add(f"raymarch, {group}: lights together against their sum, largest difference of {len(apart)}", max(apart), (0, 1e-3), False)


if __name__ == "__main__":
    main(*sys.argv[1:])
