# SPDX-License-Identifier: MIT
"""Compares a plume with PhiFlow's semi-Lagrangian scheme. usage: plume.py ROWS FOLDER

Both programs use the same staggered grid, forces, closed box, time step and order of operations: forces, projection, advection of
velocity and smoke, source. Differences:
* wisp finds departure points by the midpoint rule with the velocity at cell centres, and a face uses the mean of the paths of its two cells.
  PhiFlow traces each face by fourth-order Runge-Kutta with the interpolated velocity of the face.
* PhiFlow solves the pressure by conjugate gradients.
* In PhiFlow all velocity components are 0 beyond the walls. wisp has free-slip walls. The plume stays away from the walls.
PhiFlow's MacCormack scheme is not symmetric, so it is not used as a reference.
"""
import sys

import numpy as np
from phi.flow import Box, CenteredGrid, Solve, StaggeredGrid, advect, channel, fluid, spatial, tensor
from phi.math.extrapolation import ZERO_GRADIENT

from common import HERE, Rows, read_grid, wisp

# PhiML numbers pairs of cells with 32 bits, so at most 46 340 cells are possible.
CELLS, SIZE, STEP, FRAMES, STEPS = (24, 48, 24), (0.5, 1.0, 0.5), 1 / 40, 6, 10
CENTRE, RADIUS, DENSITY_RATE, KELVIN, BUOYANCY = (0.25, 0.15, 0.25), 0.08, 2.0, 20.0, 0.05  # KELVIN per unit of density: the same advection moves both


def source():
    """Fraction of the source rate in each cell: a smoothstep over two cells across the surface, as in wisp."""
    h = SIZE[0] / CELLS[0]
    x, y, z = np.meshgrid(*[(np.arange(n) + 0.5) * h for n in CELLS], indexing="ij")
    distance = np.sqrt((x - CENTRE[0]) ** 2 + (y - CENTRE[1]) ** 2 + (z - CENTRE[2]) ** 2) - RADIUS
    t = np.clip((h - distance) / (2 * h), 0, 1)
    return t * t * (3 - 2 * t)


def theirs():
    """PhiFlow's density [x][y][z] after every STEPS steps."""
    resolution = dict(zip("xyz", CELLS))
    box = Box(**{axis: (0, edge) for axis, edge in zip("xyz", SIZE)})
    velocity = StaggeredGrid(0, 0, box, **resolution)
    density = CenteredGrid(0, ZERO_GRADIENT, box, **resolution)
    profile = CenteredGrid(tensor(source().astype(np.float32), spatial("x,y,z")), ZERO_GRADIENT, box)
    up = tensor([0.0, BUOYANCY * KELVIN * STEP, 0.0], channel(vector="x,y,z"))
    pressure, result = None, []
    for step in range(FRAMES * STEPS):
        velocity = velocity + (density * up).at(velocity)
        velocity, pressure = fluid.make_incompressible(velocity, (), Solve("CG", 1e-5, 1e-7, x0=pressure))
        density, velocity = [advect.semi_lagrangian(f, velocity, STEP, integrator=advect.rk4) for f in (density, velocity)]
        density = density + DENSITY_RATE * STEP * profile
        if (step + 1) % STEPS == 0:
            result.append(density.values.numpy("x,y,z"))
    return result


def front(density):
    """Height of the front [m]: the greatest height at which the maximum density of a layer is a tenth of the total maximum."""
    h = SIZE[0] / CELLS[0]
    layers = density.max((0, 2)) / density.max()
    top = np.nonzero(layers >= 0.1)[0][-1]
    share = (layers[top] - 0.1) / (layers[top] - layers[top + 1]) if top + 1 < len(layers) else 0.0
    return (top + 0.5 + share) * h


def main(path, folder):
    rows = Rows(path, "plume in a closed box of 24x48x24 cells, semi-Lagrangian, 1.5 s")
    wisp("render", f"{HERE}/plume.toml", "--frames", str(FRAMES), "--steps-per-frame", str(STEPS), "--out", f"{folder}/q%01d.png",
         "--volume", f"{folder}/q%01d.nvdb", "--volume-threshold", "0")
    for n, reference in enumerate(theirs()):
        ours = read_grid(f"{folder}/q{n}.nvdb", "density", CELLS).transpose(2, 1, 0)
        time = (n + 1) * STEPS * STEP
        rows.add(f"height of the front at {time:.2f} s, wisp / PhiFlow", front(ours) / front(reference), (0.98, 1.02))
        rows.add(f"relative L2 of the density at {time:.2f} s", float(np.linalg.norm(ours - reference) / np.linalg.norm(reference)))
        print(f"    fronts at {front(ours):.4f} m and {front(reference):.4f} m; masses {ours.sum():.5g}, {reference.sum():.5g}")


if __name__ == "__main__":
    main(*sys.argv[1:])
