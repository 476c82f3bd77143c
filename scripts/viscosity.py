#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints the table of docs/physics.md: the numerical viscosity of each advection scheme. usage: viscosity.py [WISP]

Simulates a Taylor-Green vortex of 1 m and 1 m/s in a 2D box of N x N cells without viscosity. Exactly, its energy would stay constant. With
a viscosity nu it falls as exp(-4 pi^2 nu t / (1 m)^2). The script computes nu from the energies at 0.1 s and 0.4 s.
"""
import json
import math
import os
import subprocess
import sys
import tempfile

SCHEMES = ["semi_lagrangian", "maccormack", "maccormack_unclamped", "bfecc"]  # cubic advects velocity like maccormack
SCENE = """
grid = { cells = [%d, %d, 1], size = [1, 1, 1], sides = { x0 = "wall", x1 = "wall", y0 = "wall", y1 = "wall" } }
time = { step = %.9g }
advection = { scheme = "%s" }
render = { size = [16, 16] }
initial = [{ field = "taylor_green", velocity = [1, 0, 0] }]
"""


os.environ.setdefault("LP_NUM_THREADS", "1")  # on a CPU device, a grid this small is faster with one thread


def viscosity(wisp, scheme, n, cfl=0.5):
    """Numerical viscosity [m^2/s]."""
    with tempfile.TemporaryDirectory() as folder:
        step = cfl / n
        first, last = round(0.1 / step), round(0.4 / step)
        with open(f"{folder}/vortex.toml", "w") as scene:
            scene.write(SCENE % (n, n, step, scheme))
        subprocess.run([wisp, "render", f"{folder}/vortex.toml", "--preset", "physical", "--frames", "1", "--steps-per-frame", str(last), "--stats",
                        f"{folder}/s.jsonl", "--out", f"{folder}/p%01d.png", "--log-level", "quiet"], check=True)
        energy = [json.loads(line)["kinetic_energy"] for line in open(f"{folder}/s.jsonl")]
        return math.log(energy[first - 1] / energy[last - 1]) / (4 * math.pi**2 * (last - first) * step)


def main():
    wisp = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "../build/release/wisp")
    print("| scheme | 32², CFL 0.5 | 64², CFL 0.5 | 128², CFL 0.5 | 64², CFL 0.25 | 64², CFL 1 |\n|---|---|---|---|---|---|")
    for scheme in SCHEMES:
        values = []
        for case in ((32,), (64,), (128,), (64, 0.25), (64, 1.0)):
            values.append(f"{1e4 * viscosity(wisp, scheme, *case):.2f}")
            print(f"{scheme} {case}: {values[-1]}e-4 m^2/s", file=sys.stderr)
        print(f"| `{scheme}` | " + " | ".join(values) + " |", flush=True)


if __name__ == "__main__":
    main()
