# SPDX-License-Identifier: MIT
"""Compares path mode and raymarch with Mitsuba's volpath for the same cloud of 48^3 cells. usage: light.py ROWS FOLDER [CASE ...]

Both programs interpolate between voxel centres, clamp at the sides, use a box pixel filter, and define the sun by its irradiance.
Each image is the mean of BATCHES independent images, whose variance gives a standard error for every pixel.
"""
import sys

import mitsuba as mi
import numpy as np

from common import HERE, Rows, read_grid, wisp

mi.set_variant("scalar_rgb")
BATCHES, SAMPLES = 12, 64
PIXELS = 64
SIDE, FRONT, BEHIND = [-0.8, -0.6, -0.1], [0.2, -0.3, -1.0], [-0.2, -0.3, 1.0]  # the camera looks along -z
SUN, SKY = 5.0, [0.4, 0.6, 1.0]

# name: albedo, direction of the sun or None, sky, extinction [1/m], and extra arguments for raymarch. The maximum optical depth of the
# cloud is about extinction / 3.
CASES = {}
for albedo in (0.6, 0.9, 0.99):
    CASES[f"sun, albedo {albedo}"] = ([albedo] * 3, SIDE, False, 30)
    CASES[f"sky, albedo {albedo}"] = ([albedo] * 3, None, True, 30)
    CASES[f"sun and sky, albedo {albedo}"] = ([albedo] * 3, SIDE, True, 30)
CASES["sun in front of the cloud, albedo 0.9"] = ([0.9] * 3, FRONT, False, 30)
CASES["sun behind the cloud, albedo 0.9"] = ([0.9] * 3, BEHIND, False, 30)
CASES["sun, albedo 0.9, thin: extinction 1"] = ([0.9] * 3, SIDE, False, 1)
CASES["sun, albedo 0.9, thick: extinction 90"] = ([0.9] * 3, SIDE, False, 90)
CASES["sun, albedo 0.9, thick, scattered on as many cells as the cloud has"] = ([0.9] * 3, SIDE, False, 90, "--set", "render.scattering_cells=48", "--set", "render.light_ratio=1")
CASES["sun and sky, coloured albedo"] = ([0.99, 0.9, 0.6], SIDE, True, 30)


def make_cloud(folder):
    wisp("render", f"{HERE}/cloud.toml", "--frames", "1", "--steps-per-frame", "24", "--out", f"{folder}/p%01d.exr", "--checkpoint", f"{folder}/cloud")


def wisp_picture(folder, case, *more):
    """Renders linear R, G, B and opacity. Every run computes the same last step from the same checkpoint."""
    albedo, sun, sky, extinction, *_ = case
    arguments = ["render", f"{HERE}/cloud.toml", "--resume", f"{folder}/cloud", "--frames", "2", "--steps-per-frame", "1", "--size", f"{PIXELS}x{PIXELS}",
                 "--set", f"medium.albedo={albedo}", "--set", f"medium.extinction={extinction}"]
    if sun:
        arguments += ["--set", f"light=[{{direction={sun}, intensity={SUN}}}]"]
    if sky:
        arguments += ["--set", f"environment.colour={SKY}"]
    wisp(*arguments, *more, "--out", f"{folder}/p%01d.exr", "--overwrite")
    return np.array(mi.Bitmap(f"{folder}/p1.exr"), float)[..., [0, 1, 2, 4]]  # R, G, B, depth, A


def scene_of(case, density):
    albedo, sun, sky, extinction, *_ = case
    scene = {
        "type": "scene",
        "integrator": {"type": "volpath", "max_depth": -1, "rr_depth": 50},
        "sensor": {"type": "perspective", "fov": 24, "fov_axis": "y",
                   "to_world": mi.ScalarTransform4f().look_at([0.5, 0.6, 2.6], [0.5, 0.5, 0.5], [0, 1, 0]),
                   "film": {"type": "hdrfilm", "width": PIXELS, "height": PIXELS, "rfilter": {"type": "box"}, "component_format": "float32"},
                   "sampler": {"type": "independent", "sample_count": SAMPLES}},
        "box": {"type": "cube", "to_world": mi.ScalarTransform4f().translate(0.5).scale(0.5), "bsdf": {"type": "null"},
                "interior": {"type": "heterogeneous", "scale": extinction,
                             "albedo": {"type": "constvolume", "value": {"type": "rgb", "value": albedo}},
                             "sigma_t": {"type": "gridvolume", "grid": mi.VolumeGrid(density[..., None]), "raw": True, "wrap_mode": "clamp"},
                             "phase": {"type": "hg", "g": 0.6}}}}
    if sun:
        scene["sun"] = {"type": "directional", "direction": sun, "irradiance": {"type": "rgb", "value": [SUN] * 3}}
    if sky:
        scene["sky"] = {"type": "constant", "radiance": {"type": "rgb", "value": SKY}}
    return mi.load_dict(scene)


def luminance(picture):
    return picture[..., :3] @ [0.2126, 0.7152, 0.0722]


def mean_and_error(pictures):
    """Mean and squared standard error of every pixel."""
    return np.mean(pictures, 0), np.var(pictures, 0, ddof=1) / len(pictures)


def compare(rows, folder, name, case):
    print(name, flush=True)
    marched = wisp_picture(folder, case, *case[4:], "--volume", f"{folder}/p%01d.nvdb", "--volume-threshold", "0")
    scene = scene_of(case, read_grid(f"{folder}/p1.nvdb", "density", (48, 48, 48)))
    theirs, theirs_error = mean_and_error([luminance(np.array(mi.render(scene, spp=SAMPLES, seed=n))) for n in range(BATCHES)])
    ours, ours_error = mean_and_error([luminance(wisp_picture(folder, case, "--set", "render.mode=path", "--samples", str(SAMPLES), "--seed", str(n + 1)))
                                       for n in range(BATCHES)])
    smoke = marched[..., 3] > 0.05
    total = theirs[smoke].sum()
    ratio, error = ours[smoke].sum() / total, np.sqrt((ours_error + theirs_error)[smoke].sum()) / total
    # Four standard errors: a correct program fails in one of 16 000 such rows. Images are half floats, and lavapipe truncates instead of
    # rounding: the relative error is at most 2^-10, and 2^-11 in the mean.
    rows.add(f"{name}: path / Mitsuba, mean", ratio, (1 - 4 * error - 2**-11, 1 + 4 * error))
    # The z-scores follow Student's t distribution with the degrees of freedom of two variances. Pixels with few bright paths widen it by
    # some percent.
    freedom = 2 * (BATCHES - 1)
    z = ((ours - theirs) / np.sqrt(ours_error + theirs_error + 1e-30))[smoke]
    rows.add(f"{name}: path, width of z-scores over what chance has", z.std() / np.sqrt(freedom / (freedom - 2)), (0.9, 1.1))
    # The mean of two correct images is a better reference than one of them. Its noise is subtracted, because it is no error of raymarch.
    truth, noise = 0.5 * (ours + theirs)[smoke], 0.25 * (ours_error + theirs_error)[smoke]
    flat = luminance(marched)[smoke]
    quarter = len(truth) // 4
    rows.add(f"{name}: raymarch, mean", flat.sum() / truth.sum(), (0.95, 1.05), False)
    rows.add(f"{name}: raymarch, rms difference / mean", np.sqrt(max(0.0, ((flat - truth) ** 2).mean() - noise.mean())) / truth.mean(), (0, 0.1), False)
    for what, part in (("brightest", slice(-quarter, None)), ("darkest", slice(quarter))):
        # One image selects the pixels, the other gives their brightness. With a single image, noise would bias the selection.
        found = [(flat[o].sum(), told[smoke][o].sum()) for chooses, told in ((ours, theirs), (theirs, ours)) for o in [np.argsort(chooses[smoke])[part]]]
        rows.add(f"{name}: raymarch, {what} quarter", sum(f for f, _ in found) / sum(t for _, t in found), (0.92, 1.08), False)


def main(path, folder, *names):
    rows = Rows(path, "cloud of 48^3 cells, g 0.6, 64x64 pixels")
    make_cloud(folder)
    for name in names or CASES:
        compare(rows, folder, name, CASES[name])


if __name__ == "__main__":
    main(*sys.argv[1:])
