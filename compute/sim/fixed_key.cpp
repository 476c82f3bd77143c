// SPDX-License-Identifier: MIT
#include "compute/scene/motion.h"
#include "compute/scene/scene_fluid.h"
#include "compute/sim/fluid_simulator.h"
#include "compute/sim/shaders.h"

#include <algorithm>

namespace wisp {
namespace {

bool mayHaveObstacles(const Settings& s) { return s.byHand || !s.obstacles.empty(); }
bool mayHaveMotion(const Settings& s) { return s.byHand || obstaclesMove(s); }

/// Whether the solver needs the pyramid of pressure grids, which is allocated at the start.
bool needsPyramid(PressureSolver s) { return s == PressureSolver::Multigrid || s == PressureSolver::Mgpcg; }

}  // namespace

std::string fixedKey(const Settings& a, const Settings& b) {
    const GridSettings &g = a.grid, &h = b.grid;
    if (g.cells != h.cells) return "grid.cells";
    if (g.pressureRatio != h.pressureRatio) return "grid.pressure_ratio";
    if (g.scalarRatio != h.scalarRatio) return "grid.scalar_ratio";
    if (g.size != h.size) return "grid.size";
    if (g.origin != h.origin) return "grid.origin";
    if (g.precision != h.precision) return "grid.precision";
    if (g.sparse != h.sparse) return "grid.sparse";
    if (g.periodicAxes() != h.periodicAxes()) return "grid.sides";
    if (a.advection.filter != b.advection.filter) return "advection.filter";
    if (needsPyramid(a.pressure.solver) != needsPyramid(b.pressure.solver) ||
        (a.pressure.solver == PressureSolver::Mgpcg) != (b.pressure.solver == PressureSolver::Mgpcg) ||
        (a.pressure.solver == PressureSolver::Jacobi) != (b.pressure.solver == PressureSolver::Jacobi))
        return "pressure.solver";
    if ((a.pressure.tolerance > 0.0f) != (b.pressure.tolerance > 0.0f)) return "pressure.tolerance";
    if (a.usesTemperature() != b.usesTemperature()) return "emitter.temperature";
    if (a.usesFuel() != b.usesFuel()) return "emitter.fuel";
    if (a.usesExpansion() != b.usesExpansion()) return "fire.expansion";
    if (a.usesColour() && !b.usesColour()) return "emitter.colour";  // colours can be added: `change` allocates the fields
    if ((a.prescribed.field == PrescribedField::None) != (b.prescribed.field == PrescribedField::None)) return "prescribed.field";
    if (const std::string key = fixedFluidKey(a, b); !key.empty()) return key;
    if (a.tracers.count != b.tracers.count) return "tracers.count";
    if (a.meshes != b.meshes) return "obstacle.file";
    if (!mayHaveObstacles(a) && mayHaveObstacles(b)) return "obstacle";
    if (!mayHaveMotion(a) && mayHaveMotion(b)) return "obstacle.velocity";
    if (a.initial != b.initial) return "initial";
    return "";
}

}  // namespace wisp
