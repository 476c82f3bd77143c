# SPDX-License-Identifier: MIT
"""A plume against PhiFlow's semi-Lagrangian scheme. usage: plume.py ROWS FOLDER

The same staggered grid, forces, closed box, step and order of operations: forces, projection, advection of velocity and smoke, source.
What differs: wisp's departure points are half a step back by the midpoint rule with the velocity at cell centres, and a face takes the mean of
its two cells' paths. PhiFlow traces each face by fourth-order Runge-Kutta with the face's own interpolated velocity, and its pressure is
solved by conjugate gradients. Beyond its walls all components are 0, while wisp's walls do not hold flow along them back; the plume keeps away from them. Its MacCormack scheme is not symmetric and is no reference.
"""
import sys

import numpy as np
from phi.flow import Box, CenteredGrid, Solve, StaggeredGrid, advect, channel, fluid, spatial, tensor
from phi.math.extrapolation import ZERO_GRADIENT

from common import HERE, Rows, read_grid, wisp

# PhiML numbers pairs of cells in 32 bits: 46 340 cells are the most.
CELLS, SIZE, STEP, FRAMES, STEPS = (24, 48, 24), (0.5, 1.0, 0.5), 1 / 40, 6, 10
CENTRE, RADIUS, DENSITY_RATE, KELVIN, BUOYANCY = (0.25, 0.15, 0.25), 0.08, 2.0, 20.0, 0.05  # KELVIN a unit of density: both go the same way


def source():
    """The share of its rate that a cell takes: a smooth step of two cells across the surface, as wisp has it."""
    h = SIZE[0] / CELLS[0]
    x, y, z = np.meshgrid(*[(np.arange(n) + 0.5) * h for n in CELLS], indexing="ij")
    distance = np.sqrt((x - CENTRE[0]) ** 2 + (y - CENTRE[1]) ** 2 + (z - CENTRE[2]) ** 2) - RADIUS
    t = np.clip((h - distance) / (2 * h), 0, 1)
    return t * t * (3 - 2 * t)


def theirs():
    """Density [x][y][z] every STEPS steps."""
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
    """The height at which the densest cell of a layer falls to a tenth of the whole's densest one, from above [m]."""
    h = SIZE[0] / CELLS[0]
    layers = density.max((0, 2)) / density.max()
    top = np.nonzero(layers >= 0.1)[0][-1]
    share = (layers[top] - 0.1) / (layers[top] - layers[top + 1]) if top + 1 < len(layers) else 0.0
    return (top + 0.5 + share) * h


def main(path, folder):
    rows = Rows(path, "plume in a closed box of 24x48x24 cells, semi-Lagrangian, 1.5 s")
    wisp("render", f"{HERE}/plume.toml", "--frames", str(FRAMES), "--steps-per-frame", str(STEPS), "--out", f"{folder}/q%01d.png",
         "--volume", f"{folder}/q%01d.nvdb")
    for n, reference in enumerate(theirs()):
        ours = read_grid(f"{folder}/q{n}.nvdb", "density", CELLS).transpose(2, 1, 0)
        time = (n + 1) * STEPS * STEP
        rows.add(f"height of the front at {time:.2f} s, wisp / PhiFlow", front(ours) / front(reference), (0.98, 1.02))
        rows.add(f"relative L2 of the density at {time:.2f} s", float(np.linalg.norm(ours - reference) / np.linalg.norm(reference)))
        print(f"    fronts at {front(ours):.4f} m and {front(reference):.4f} m; masses {ours.sum():.5g}, {reference.sum():.5g}")


if __name__ == "__main__":
    main(*sys.argv[1:])
