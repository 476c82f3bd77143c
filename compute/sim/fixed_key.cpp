// SPDX-License-Identifier: MIT
#include "compute/scene/motion.h"
#include "compute/scene/scene_fluid.h"
#include "compute/sim/fluid_simulator.h"
#include "compute/sim/shaders.h"

#include <fmt/format.h>

#include <algorithm>

namespace wisp {
namespace {

bool mayHaveObstacles(const Settings& s) { return s.byHand || !s.obstacles.empty(); }
bool mayHaveMotion(const Settings& s) { return s.byHand || obstaclesMove(s); }

/// Whether the solver needs the pyramid of pressure grids, which is allocated at the start.
bool needsPyramid(PressureSolver s) { return s == PressureSolver::Multigrid || s == PressureSolver::Mgpcg; }

/// Key of the first mesh that only one of the two scenes has at its place; empty if there is none.
template <class Element>
std::string meshKey(const char* list, const Settings& s, const std::vector<Element>& a, const Settings& t, const std::vector<Element>& b) {
    const auto meshOf = [](const Settings& of, const std::vector<Element>& all, std::size_t i) {
        return i < all.size() && all[i].shape.kind == ShapeKind::Mesh ? of.meshes.at(all[i].shape.mesh) : nullptr;
    };
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
        if (meshOf(s, a, i) != meshOf(t, b, i)) return fmt::format("{}[{}].file", list, i);
    return {};
}

std::string meshKey(const Settings& a, const Settings& b) {
    if (a.meshes == b.meshes) return {};
    if (const std::string key = meshKey("obstacle", a, a.obstacles, b, b.obstacles); !key.empty()) return key;
    if (const std::string key = meshKey("emitter", a, a.emitters, b, b.emitters); !key.empty()) return key;
    return a.obstacles.empty() ? "emitter.file" : "obstacle.file";  // the same meshes in another order
}

/// Key of the first source for which `has` is true; empty if there is none.
template <class Has>
std::string sourceKey(const Settings& s, const char* name, Has has) {
    const auto find = [&](const char* list, const auto& sources) {
        const auto found = std::ranges::find_if(sources, has);
        return found == sources.end() ? std::string() : fmt::format("{}[{}].{}", list, found - sources.begin(), name);
    };
    std::string key = find("emitter", s.emitters);
    if (key.empty()) key = find("stroke", s.strokes);
    return key.empty() ? find("initial", s.initial) : key;
}

std::string fuelKey(const Settings& s) {
    for (std::size_t i = 0; i < s.emitters.size(); ++i)
        if (s.emitters[i].fuelRate > 0.0f && !(s.emitters[i].fuel > 0.0f)) return fmt::format("emitter[{}].fuel_rate", i);
    return sourceKey(s, "fuel", [](const auto& source) { return source.fuel > 0.0f; });
}

std::string temperatureKey(const Settings& s) {
    if (s.flow.buoyancy != 0.0f) return "flow.buoyancy";
    for (std::size_t i = 0; i < s.emitters.size(); ++i)
        if (s.emitters[i].temperatureRate != 0.0f && s.emitters[i].temperature == 0.0f)
            return fmt::format("emitter[{}].temperature_rate", i);
    return sourceKey(s, "temperature", [](const auto& source) { return source.temperature != 0.0f; });
}

std::string colourKey(const Settings& s) {
    const std::string key = sourceKey(s, "colour", [](const auto& source) { return source.colour != glm::vec3(1.0f); });
    if (!key.empty()) return key;
    for (std::size_t i = 0; i < s.initial.size(); ++i)
        if (s.initial[i].image && s.initial[i].image->isColoured()) return fmt::format("initial[{}].file", i);
    return s.usesFuel() && !s.coloured ? "fire.soot_colour" : "emitter.colour";
}

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
    if (a.usesFuel() != b.usesFuel()) return fuelKey(a.usesFuel() ? a : b);
    if (a.usesTemperature() != b.usesTemperature()) return temperatureKey(a.usesTemperature() ? a : b);
    if (a.usesExpansion() != b.usesExpansion()) return "fire.expansion";
    if (a.usesColour() && !b.usesColour()) return colourKey(a);  // colours can be added: `change` allocates the fields
    if ((a.prescribed.field == PrescribedField::None) != (b.prescribed.field == PrescribedField::None)) return "prescribed.field";
    if (const std::string key = fixedFluidKey(a, b); !key.empty()) return key;
    if (a.tracers.count != b.tracers.count) return "tracers.count";
    if (const std::string key = meshKey(a, b); !key.empty()) return key;
    if (!mayHaveObstacles(a) && mayHaveObstacles(b)) return "obstacle";
    if (!mayHaveMotion(a) && mayHaveMotion(b)) return "obstacle.velocity";
    if (a.initial != b.initial) return "initial";
    return "";
}

}  // namespace wisp
