// SPDX-License-Identifier: MIT
// The functions of scene_fluid.h, and the functions of Settings that depend on the fluid.
#include "compute/scene/checker.h"
#include "compute/scene/parts_of_step.h"
#include "compute/scene/scene_fluid.h"
#include "compute/scene/shape_data.h"
#include "compute/scene/view_fields.h"

#include <algorithm>
#include <utility>

namespace wisp {
namespace {

bool holdsSmoke(const EmitterSettings& e) {
    return e.density > 0.0f || e.densityRate > 0.0f || e.temperature != 0.0f || e.temperatureRate != 0.0f;
}
bool holdsSmoke(const InitialSettings& i) { return i.density > 0.0f || i.temperature != 0.0f; }

// Number of fine cells that a shape may touch, with the margin of cellsTouched.
std::uint64_t cellsIn(const Shape& shape, const GridSettings& grid) {
    const CellBox box = cellsTouched(shape, grid, grid.cellSize(), grid.cells);
    return std::uint64_t{box.size.x} * box.size.y * box.size.z;
}

void checkKeys(Checker& check, const LiquidSettings& l) {
    if (l.particlesPerCell != 1 && l.particlesPerCell != 8 && l.particlesPerCell != kMostLiquidInCell)
        check.fail("liquid.particles_per_cell", fmt::format("is {}, must be 1, 8 or {}", l.particlesPerCell, kMostLiquidInCell));
    check.within("liquid.jitter", l.jitter, 0.0f, 1.0f);
    check.within("liquid.pic_rate", l.picRate, 0.0f, kMaxRate);
    check.within("liquid.density_rate", l.densityRate, 0.0f, kMaxRate);
    check.within("liquid.capacity", l.capacity, 0, static_cast<std::uint32_t>(kMaxLiquid));
    check.positive("liquid.fluid_density", l.fluidDensity, kMaxAmount);
    check.within("liquid.absorption", l.absorption, 0.0f, kMaxLight);
    check.within("liquid.refraction", l.refraction, 1.0f, 4.0f);
    check.positive("liquid.speed", l.speed, kMaxSpeed);
    check.positive("liquid.size", l.size, 32.0f);
}

// Features that the liquid's passes do not have.
void checkUnsupported(Checker& check, const Settings& s) {
    const std::string why = "in a scene with liquid";
    if (s.grid.isFlat()) check.fail("grid.cells", "must not be flat " + why, {"initial", "emitter"});
    if (s.grid.pressureRatio != 1)
        check.fail("grid.pressure_ratio",
                   fmt::format("is {}, must be 1 {}: surface and pressure use the same cells", s.grid.pressureRatio, why),
                   {"initial", "emitter"});
    for (const Side side : s.grid.sides) {
        if (side != Side::Periodic && side != Side::Inflow) continue;
        check.fail("grid.sides", fmt::format("has {} sides, must be wall or open {}", side == Side::Periodic ? "periodic" : "inflow", why),
                   {"initial", "emitter"});
        break;
    }
    if (s.prescribed.field != PrescribedField::None) check.fail("prescribed.field", "cannot be used " + why, {"initial", "emitter"});
    if (!s.follow.keys.empty()) check.fail("follow.keys", "cannot be used " + why, {"initial", "emitter"});
    if (s.tracers.count > 0)
        check.fail("tracers.count", "must be 0 " + why + ": set liquid.look = \"points\" to show its particles", {"initial", "emitter"});
    if (s.usesShutter() && !s.grid.isFlat())
        check.fail("camera.shutter", "must be 0 " + why + ", whose picture has no motion blur", {"initial", "emitter"});
    if (!s.strokes.empty()) check.fail("stroke", "cannot be used " + why, {"initial", "emitter"});
    if (s.view.field != ViewField::Smoke && viewFieldInfo(s.view.field).needs == ViewNeeds::Smoke)
        check.fail("view.field", fmt::format("is \"{}\", which shows smoke: there is no smoke {}", viewFieldInfo(s.view.field).name, why),
                   {"initial", "emitter"});
    if (s.render.mode == RenderMode::Path) check.fail("render.mode", "is \"path\", must be \"raymarch\" " + why, {"initial", "emitter"});
    for (std::size_t i = 0; i < s.emitters.size(); ++i)
        if (s.emitters[i].hasVelocity && !s.emitters[i].liquid)
            check.fail(fmt::format("emitter[{}].velocity", i), "has no effect " + why + ": set liquid = true on this emitter",
                       {"initial", "emitter"});
    for (std::size_t i = 0; i < s.emitters.size(); ++i)
        if (s.emitters[i].inheritVelocity != 0.0f)
            check.fail(fmt::format("emitter[{}].inherit_velocity", i), "must be 0 " + why, {"initial", "emitter"});
    for (std::size_t i = 0; i < s.emitters.size(); ++i)
        if (s.emitters[i].turbulence > 0.0f)
            check.fail(fmt::format("emitter[{}].turbulence", i), "must be 0 " + why, {"initial", "emitter"});
    for (std::size_t i = 0; i < s.emitters.size(); ++i)
        if (holdsSmoke(s.emitters[i]))
            check.fail(fmt::format("emitter[{}].density", i),
                       "must be 0, and so must density_rate, temperature and temperature_rate: there is no smoke " + why,
                       {"initial", "emitter"});
    for (std::size_t i = 0; i < s.initial.size(); ++i)
        if (holdsSmoke(s.initial[i]))
            check.fail(fmt::format("initial[{}].density", i), "must be 0, and so must temperature: there is no smoke " + why,
                       {"initial", "emitter"});
    if (s.flow.sideFade > 0.0f)
        check.fail("flow.side_fade", fmt::format("is {}, must be 0 {}: it fades smoke", s.flow.sideFade, why), {"initial", "emitter"});
    if (!s.probes.empty()) check.fail("probe", "cannot be used " + why + ": probes sample smoke", {"liquid", "emitter", "initial"});
}

template <class Source>
void fill(Source& source, const Settings& scene, const SmokeAmount& smoke) {
    source.liquid = scene.usesLiquid();
    source.density = source.liquid ? 0.0f : smoke.density;
    source.temperature = source.liquid ? 0.0f : smoke.temperature;
    source.colour = source.liquid ? glm::vec3(1.0f) : smoke.colour;
    source.fuel = source.liquid ? 0.0f : smoke.fuel;
}

}  // namespace

void fillWithFluid(EmitterSettings& emitter, const Settings& scene, const SmokeAmount& smoke) { fill(emitter, scene, smoke); }
void fillWithFluid(InitialSettings& initial, const Settings& scene, const SmokeAmount& smoke) { fill(initial, scene, smoke); }

const char* fluidName(const Settings& scene) { return scene.usesLiquid() ? "liquid" : scene.grid.isFlat() ? "dye" : "smoke"; }

void setFluidLook(Settings& settings, const Settings& now) { settings.liquid = now.liquid; }

FluidConstants fluidConstants(const Settings& s) {
    return {{"kDirichletCells", s.usesLiquid() ? 1u : 0u},
            {"kQuadratic", s.liquid.kernel == LiquidKernel::Quadratic ? 1u : 0u},
            {"kAffine", s.liquid.transfer == LiquidTransfer::Apic ? 1u : 0u}};
}

std::string fixedFluidKey(const Settings& a, const Settings& b) {
    if (a.usesLiquid() != b.usesLiquid()) {
        const Settings& s = a.usesLiquid() ? a : b;
        const auto emitter = std::ranges::find_if(s.emitters, &EmitterSettings::liquid);
        if (emitter != s.emitters.end()) return fmt::format("emitter[{}].liquid", emitter - s.emitters.begin());
        return fmt::format("initial[{}].liquid", std::ranges::find_if(s.initial, &InitialSettings::liquid) - s.initial.begin());
    }
    if (!a.usesLiquid()) return "";
    if (a.liquid.particlesPerCell != b.liquid.particlesPerCell) return "liquid.particles_per_cell";
    if (a.liquid.transfer != b.liquid.transfer) return "liquid.transfer";
    if (a.liquid.kernel != b.liquid.kernel) return "liquid.kernel";
    return a.liquidCapacity() == b.liquidCapacity() ? "" : "liquid.capacity";
}

std::optional<CapacityKey> excessiveCapacity(Settings& settings) {
    std::uint32_t& capacity = settings.liquid.capacity;
    const std::uint32_t wanted = std::exchange(capacity, 0u);
    const std::uint64_t chosen = settings.liquidCapacity();
    capacity = wanted;
    if (chosen == 0 || chosen >= wanted) return std::nullopt;
    return CapacityKey{"liquid.capacity", &capacity, wanted, chosen};
}

bool Settings::usesLiquid() const {
    return std::ranges::any_of(initial, &InitialSettings::liquid) || std::ranges::any_of(emitters, &EmitterSettings::liquid);
}

std::uint64_t Settings::liquidCapacity() const {
    if (!usesLiquid()) return 0;
    if (liquid.capacity > 0) return liquid.capacity;
    const std::uint64_t all = std::uint64_t{grid.cells.x} * grid.cells.y * grid.cells.z;
    std::uint64_t full = 0;
    for (const InitialSettings& i : initial) full += i.liquid ? cellsIn(i.shape, grid) : 0;
    // Cells that emitters or the user may fill later.
    const std::uint64_t added = std::max(full, std::ranges::any_of(emitters, &EmitterSettings::liquid) ? all / 2 : 0);
    const auto particles = [&](std::uint64_t cells) { return (std::min(cells, all) * 5 / 4 + 1) * liquid.particlesPerCell; };
    return std::max(std::min(particles(full + added), kMaxLiquid), particles(full));
}

void checkFluid(Checker& check, const Settings& s) {
    checkKeys(check, s.liquid);
    if (!s.usesLiquid()) return;
    checkUnsupported(check, s);
    for (std::size_t i = 0; i < s.initial.size(); ++i)
        if (s.initial[i].liquid && s.initial[i].field != InitialField::Shape)
            check.fail(fmt::format("initial[{}].liquid", i), "must be false: only field = \"shape\" can be filled with liquid",
                       {fmt::format("initial[{}].field", i)});
    if (!check.problems.empty()) return;
    for (std::size_t i = 0; i < s.initial.size(); ++i)
        if (s.initial[i].liquid && cellsIn(s.initial[i].shape, s.grid) == 0)
            check.fail(fmt::format("initial[{}].centre", i), "places its liquid outside the box", {"grid"});
    if (const std::uint64_t cells = std::uint64_t{s.grid.cells.x} * s.grid.cells.y * s.grid.cells.z; cells >= kMaxLiquid)
        check.fail("grid.cells", fmt::format("gives {} cells, must be fewer than {} in a scene with liquid", cells, kMaxLiquid),
                   {"initial", "emitter"});
    if (const std::uint64_t most = s.liquidCapacity(); most > kMaxLiquid)
        check.fail("grid.cells", fmt::format("gives up to {} particles of liquid, must be at most {}", most, kMaxLiquid),
                   {"initial", "emitter", "liquid"});
    if (const double parts = partsWanted(s, 0.0); parts > kMostParts)
        check.fail("time.step",
                   fmt::format("is {} s, in which the liquid may move by {:.4g} cells: must be at most {:.3g} s ({} parts of {} cells)",
                               s.timeStep, parts * kCellsInPart, 0.99 * static_cast<double>(s.timeStep) * kMostParts / parts, kMostParts,
                               kCellsInPart),
                   {"grid", "flow.gravity", "initial", "emitter", "obstacle"});
}

}  // namespace wisp
