// SPDX-License-Identifier: MIT
#include "compute/scene/validate.h"

#include "compute/scene/checker.h"
#include "compute/scene/environment.h"
#include "compute/scene/prescribed.h"
#include "compute/scene/view_fields.h"

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <glm/vector_relational.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace wisp {
namespace {

void checkCubic(Checker& check, const GridSettings& grid) {
    const glm::vec3 edge = grid.size / glm::vec3(grid.cells);
    if (edge.x < kMinLength) {
        check.fail("grid.size", fmt::format("gives cells of {:.3g} m, must be at least {}", edge.x, kMinLength), {"grid.cells"});
        return;  // the edge may be 0
    }
    const float worst = std::max(std::abs(edge.y - edge.x), std::abs(edge.z - edge.x));
    if (worst <= 1e-3f * edge.x) return;
    const glm::vec3 fitting = grid.size / edge.x;
    check.fail("grid.cells",
               fmt::format("[{}, {}, {}] in a box of [{}, {}, {}] m gives cells of [{:.5g}, {:.5g}, {:.5g}] m, which are "
                           "not cubic; with {} along x, [{}, {:.5g}, {:.5g}] would be",
                           grid.cells.x, grid.cells.y, grid.cells.z, grid.size.x, grid.size.y, grid.size.z, edge.x, edge.y, edge.z,
                           grid.cells.x, grid.cells.x, fitting.y, fitting.z),
               {"grid.size"});
}

void checkSides(Checker& check, const GridSettings& grid) {
    static constexpr const char* kSides[] = {"x0", "x1", "y0", "y1", "z0", "z1"};
    for (std::size_t side = 0; side < 6; ++side) {
        if (grid.sides[side] != Side::Periodic || grid.sides[side ^ 1] == Side::Periodic) continue;
        check.fail(fmt::format("grid.sides.{}", kSides[side]),
                   fmt::format("is periodic, so {} must be periodic too: periodic sides come in pairs", kSides[side ^ 1]),
                   {fmt::format("grid.sides.{}", kSides[side ^ 1])});
    }
    for (int axis = 0; axis < 3; ++axis) {
        if ((grid.periodicAxes() >> axis & 1) == 0 || grid.pressureRatio == 0 || grid.cells[axis] % grid.pressureRatio == 0) continue;
        check.fail("grid.cells",
                   fmt::format("has {} along {}, whose sides are periodic: must be a multiple of grid.pressure_ratio, {}", grid.cells[axis],
                               "xyz"[axis], grid.pressureRatio),
                   {"grid.sides", "grid.pressure_ratio"});
    }
}

void checkGrid(Checker& check, const GridSettings& grid) {
    bool sound = true;
    for (int i = 0; i < 3; ++i) sound = sound && grid.cells[i] >= 1 && grid.cells[i] <= kMaxCells;
    if (!sound)
        check.fail("grid.cells",
                   fmt::format("is [{}, {}, {}], each must be from 1 to {}", grid.cells.x, grid.cells.y, grid.cells.z, kMaxCells));
    const std::size_t before = check.problems.size();
    check.positive("grid.size", grid.size, kMaxLength);
    sound = sound && check.problems.size() == before;
    check.within("grid.origin", grid.origin, -kMaxLength, kMaxLength);
    if (grid.pressureRatio != 1 && grid.pressureRatio != 2 && grid.pressureRatio != 4)
        check.fail("grid.pressure_ratio", fmt::format("is {}, must be 1, 2 or 4", grid.pressureRatio));
    const bool scalarSound = std::has_single_bit(grid.scalarRatio) && grid.scalarRatio <= 8;
    if (!scalarSound) check.fail("grid.scalar_ratio", fmt::format("is {}, must be 1, 2, 4 or 8", grid.scalarRatio));
    if (!sound) return;
    checkCubic(check, grid);
    checkSides(check, grid);
    if (!scalarSound) return;
    const glm::uvec3 scalar = grid.scalarCells();
    const std::uint64_t total = std::uint64_t{scalar.x} * scalar.y * scalar.z;
    if (!grid.sparse && total >= kMaxScalarCells)
        check.fail("grid.cells", fmt::format("gives {} scalar cells, must be fewer than {}", total, kMaxScalarCells),
                   {"grid.scalar_ratio"});
}

void checkFlow(Checker& check, const Settings& s) {
    const FlowSettings& flow = s.flow;
    check.positive("time.step", s.timeStep, 1.0f);
    check.within("flow.buoyancy", flow.buoyancy, -kMaxAmount, kMaxAmount);
    check.within("flow.weight", flow.weight, -kMaxAmount, kMaxAmount);
    check.within("flow.vorticity", flow.vorticity, 0.0f, 100.0f);
    check.within("flow.viscosity", flow.viscosity, 0.0f, kMaxAmount);
    check.within("flow.density_decay", flow.densityDecay, 0.0f, kMaxRate);
    check.within("flow.velocity_decay", flow.velocityDecay, 0.0f, kMaxRate);
    check.within("flow.detail_decay", flow.detailDecay, 0.0f, kMaxRate);
    check.positive("flow.fluid_density", flow.fluidDensity, kMaxAmount);
    check.within("flow.gravity", flow.gravity, -kMaxSpeed, kMaxSpeed);
    check.within("flow.inflow", flow.inflow, -kMaxSpeed, kMaxSpeed);
    check.within("flow.gust", flow.gust, 0.0f, kMaxSpeed);
    if (flow.gust > 0.0f && s.follow.keys.empty() && std::ranges::find(s.grid.sides, Side::Open) == s.grid.sides.end())
        check.fail("flow.gust", "needs an open side of the box, or follow.keys: gusts are in the air that enters the box from outside",
                   {"grid.sides", "follow.keys"});
    check.within("flow.gust_scale", flow.gustScale, kMinLength, kMaxLength);
    check.within("flow.inflow_density", flow.inflowDensity, 0.0f, kMaxAmount);
    check.within("flow.inflow_width", flow.inflowWidth, kMinLength, kMaxLength);
    if (flow.inflowPattern == InflowPattern::Stripes && flow.inflow == glm::vec3(0.0f))
        check.fail("flow.inflow_pattern", "is \"stripes\", which are perpendicular to flow.inflow: flow.inflow must not be [0, 0, 0]",
                   {"flow.inflow"});
    // Explicit diffusion is stable up to nu dt / h^2 = 1/6 in three dimensions, 1/4 in two.
    const float h = s.grid.cells.x > 0 ? s.grid.cellSize() : 0.0f;
    const float limit = s.timeStep > 0.0f ? h * h / ((s.grid.isFlat() ? 4.0f : 6.0f) * s.timeStep) : 0.0f;
    check.within("flow.viscosity_sweeps", flow.viscositySweeps, 0, 10000);
    if (flow.viscositySweeps == 0 && flow.viscosity > limit && limit > 0.0f && flow.viscosity <= kMaxAmount)
        check.fail("flow.viscosity",
                   fmt::format("is {}, must be at most {:.4g} with this time step and cell size, or flow.viscosity_sweeps above 0",
                               flow.viscosity, limit),
                   {"grid", "time.step", "flow.viscosity_sweeps"});
}

// Without an open side no flow is free of divergence unless as much fluid leaves through inflow sides as enters.
void checkInflow(Checker& check, const Settings& s) {
    if (s.prescribed.field != PrescribedField::None) return;
    double enters = 0.0, greatest = 0.0;  // [m^3/s]
    for (std::size_t side = 0; side < 6; ++side) {
        if (s.grid.side(side) == Side::Open) return;
        if (s.grid.side(side) != Side::Inflow) continue;
        const auto axis = static_cast<int>(side / 2);
        const double area = static_cast<double>(s.grid.size[(axis + 1) % 3]) * static_cast<double>(s.grid.size[(axis + 2) % 3]);
        const double flux = (side % 2 == 0 ? area : -area) * static_cast<double>(s.flow.inflow[axis]);
        enters += flux;
        greatest = std::max(greatest, std::abs(flux));
    }
    constexpr double kRounding = 1e-6;  // of floats
    if (!(std::abs(enters) > kRounding * greatest)) return;
    check.fail("grid.sides",
               fmt::format("have inflow but none is open: {:.3g} m^3/s would {} the box and nothing could {}. A side must be \"open\", or "
                           "the sides along flow.inflow must both be \"inflow\"",
                           std::abs(enters), enters > 0.0 ? "enter" : "leave", enters > 0.0 ? "leave it" : "enter it"),
               {"flow.inflow"});
}

void checkSideFade(Checker& check, const Settings& s) {
    const float width = s.flow.sideFade;
    if (width == 0.0f) return;
    float most = kMaxLength;
    bool open = false;
    for (std::size_t side = 0; side < 6; ++side) {
        if (s.grid.side(side) != Side::Open) continue;
        open = true;
        most = std::min(most, 0.5f * s.grid.size[static_cast<int>(side / 2)]);
    }
    if (!open)
        check.fail("flow.side_fade",
                   fmt::format("is {}, but no side of the box is open: must be 0, or a side of grid.sides must be open", width),
                   {"grid.sides"});
    else if (!(width >= 0.0f && width <= most))
        check.fail("flow.side_fade",
                   fmt::format("is {}, must be from 0 to {} m: half of the box along the shortest axis with an open side", width, most),
                   {"grid.size", "grid.sides"});
    if (s.prescribed.field != PrescribedField::None)
        check.fail("flow.side_fade",
                   fmt::format("is {}, must be 0 with a prescribed velocity: only the advection scheme may change the density", width),
                   {"prescribed.field"});
}

void checkPrescribed(Checker& check, const Settings& s) {
    const PrescribedSettings& p = s.prescribed;
    check.within("prescribed.speed", p.speed, 0.0f, kMaxSpeed);
    check.within("prescribed.velocity", p.velocity, -kMaxSpeed, kMaxSpeed);
    if (p.arrows.size() > std::size_t{kArrows} * kArrows)
        check.fail("prescribed.arrow", fmt::format("there are {}, at most {} are allowed", p.arrows.size(), kArrows * kArrows));
    for (std::size_t i = 0; i < p.arrows.size(); ++i) {
        const std::string path = fmt::format("prescribed.arrow[{}]", i);
        check.within(path + ".at", p.arrows[i].at, 0, kArrows - 1);
        if (const float degrees = glm::degrees(p.arrows[i].angle); !(std::abs(degrees) <= 360.001f))
            check.fail(path + ".angle", fmt::format("is {:.6g} degrees, must be from -360 to 360", degrees));
    }
    if (p.field == PrescribedField::None) {
        if (s.advection.scheme == AdvectionScheme::Upwind)
            check.fail("advection.scheme", "is \"upwind\", which needs a prescribed velocity: set prescribed.field", {"prescribed.field"});
        return;
    }
    if (!s.obstacles.empty())
        check.fail("obstacle", "cannot be combined with a prescribed velocity, which does not flow around obstacles", {"prescribed.field"});
    for (std::size_t i = 0; i < s.emitters.size(); ++i)
        if (s.emitters[i].setsVelocity())
            check.fail(fmt::format("emitter[{}].{}", i, s.emitters[i].hasVelocity ? "velocity" : "inherit_velocity"),
                       "cannot be set: prescribed.field defines the velocity", {"prescribed.field"});
    constexpr std::uint32_t kMostSteps = 1000;
    if (s.advection.scheme == AdvectionScheme::Upwind && check.problems.empty() && upwindSteps(s) > kMostSteps)
        check.fail("time.step", fmt::format("needs {} substeps of upwind, must need at most {}", upwindSteps(s), kMostSteps),
                   {"advection.scheme", "prescribed", "grid"});
}

void checkPressure(Checker& check, const PressureSettings& pressure) {
    check.within("pressure.iterations", pressure.iterations, 0, 10000);
    if (pressure.iterations == 0 && (pressure.solver == PressureSolver::Jacobi || pressure.solver == PressureSolver::RedBlackSor))
        check.fail("pressure.iterations", "is \"auto\", must be a number of sweeps with solver jacobi or red_black_sor",
                   {"pressure.solver"});
    if (!(pressure.tolerance >= 0.0f && pressure.tolerance < 1.0f))
        check.fail("pressure.tolerance", fmt::format("is {}, must be at least 0 and below 1", pressure.tolerance));
    check.between("pressure.omega", pressure.omega, 0.0f, 2.0f);
}

void checkEnvironment(Checker& check, const EnvironmentSettings& e) {
    check.within("environment.colour", e.colour, 0.0f, kMaxRadiance);
    if (e.top) check.within("environment.top", *e.top, 0.0f, kMaxRadiance);
    if (e.bottom) check.within("environment.bottom", *e.bottom, 0.0f, kMaxRadiance);
    check.within("environment.intensity", e.intensity, 0.0f, kMaxLight);
    check.within("environment.ground_radius", e.groundRadius, 0.0f, kMaxLength);
    if (const float degrees = glm::degrees(e.rotation); !(std::abs(degrees) <= 360.001f))
        check.fail("environment.rotation", fmt::format("is {:.6g} degrees, must be from -360 to 360", degrees));
    if (!e.image) return;
    if (const std::string problem = environmentProblem(*e.image); !problem.empty()) check.fail("environment.image", problem);
}

void checkLight(Checker& check, const Settings& s) {
    check.within("medium.extinction", s.medium.extinction, 0.0f, kMaxLight);
    check.within("medium.albedo", s.medium.albedo, 0.0f, 1.0f);
    check.within("medium.emission", s.medium.emission, 0.0f, kMaxLight);
    check.between("medium.phase.g", s.medium.phase.g, -1.0f, 1.0f);
    check.between("medium.phase.g_back", s.medium.phase.gBack, -1.0f, 1.0f);
    check.within("medium.phase.blend", s.medium.phase.blend, 0.0f, 1.0f);
    check.within("medium.octaves", s.medium.octaves, 1, 8);
    checkEnvironment(check, s.environment);
    check.atMost("light", s.lights, kMaxLights);
    for (std::size_t i = 0; i < s.lights.size(); ++i) {
        const LightSettings& light = s.lights[i];
        const std::string path = fmt::format("light[{}]", i);
        check.within(path + ".direction", light.direction, -kMaxLength, kMaxLength);
        if (light.kind != LightKind::Point && light.direction == glm::vec3(0.0f))
            check.fail(path + ".direction", "is [0, 0, 0], must not be zero", {path + ".type"});
        check.within(path + ".position", light.position, -kMaxLength, kMaxLength);
        check.within(path + ".colour", light.colour, 0.0f, kMaxLight);
        check.within(path + ".intensity", light.intensity, 0.0f, kMaxLight);
        if (light.kind != LightKind::Sun) check.within(path + ".size", light.size, 0.0f, kMaxLength);
        else if (const float degrees = glm::degrees(light.size); !(degrees >= 0.0f && degrees <= 90.001f))
            check.fail(path + ".size", fmt::format("is {:.6g} degrees, must be from 0 to 90", degrees));
        if (light.kind != LightKind::Spot) continue;
        if (const float degrees = glm::degrees(light.angle); !(degrees >= 0.0999f && degrees <= 360.001f))
            check.fail(path + ".angle", fmt::format("is {:.6g} degrees, must be from 0.1 to 360", degrees));
        check.within(path + ".softness", light.softness, 0.0f, 1.0f);
    }
}

// raymarch.comp ends a ray after kMost steps, and the picture would lack everything beyond. A ray takes one step in every empty brick,
// and one more where smoke begins again.
void checkSteps(Checker& check, const Settings& s) {
    if (s.render.mode != RenderMode::Raymarch || s.view.field != ViewField::Smoke) return;
    if (std::ranges::any_of(check.problems, [](const Problem& p) { return p.key.starts_with("grid.") || p.key == "render.step"; })) return;
    constexpr double kMost = 8192.0;
    const glm::dvec3 cells(s.grid.scalarCells());
    const double bricks = (cells.x + cells.y + cells.z) / 8.0 + 3.0,
                 longest = glm::length(glm::dvec3(s.grid.size)) / (kMost - 2.0 * bricks);
    const double step = s.render.step > 0.0f ? static_cast<double>(s.render.step) : static_cast<double>(s.grid.size.x) / cells.x;
    if (step >= longest) return;
    check.fail("render.step",
               fmt::format("is {}{}, must be at least {:.3g} in this box: a ray takes at most {} steps", s.render.step,
                           s.render.step > 0.0f ? "" : ", which is one scalar cell", 1.01 * longest, kMost),
               {"grid", "render.mode", "view.field"});
}

void checkPicture(Checker& check, const Settings& s) {
    check.within("camera.eye", s.camera.eye, -kMaxLength, kMaxLength);
    check.within("camera.target", s.camera.target, -kMaxLength, kMaxLength);
    if (s.camera.eye == s.camera.target) check.fail("camera.target", "is the same point as camera.eye, must differ", {"camera.eye"});
    for (std::size_t k = 0; k < s.camera.keys.size(); ++k) {
        const CameraKey& key = s.camera.keys[k];
        const std::string path = fmt::format("camera.keys[{}]", k);
        check.within(path + ".eye", key.eye, -kMaxLength, kMaxLength);
        check.within(path + ".target", key.target, -kMaxLength, kMaxLength);
        if (key.eye == key.target) check.fail(path + ".target", "is the same point as its eye, must differ", {path + ".eye"});
    }
    check.times("camera", s.camera.keys);
    if (!s.camera.keys.empty() && s.grid.isFlat())
        check.fail("camera.keys", "cannot be used with a flat grid, whose camera looks along -z", {"grid.cells"});
    const float degrees = glm::degrees(s.camera.fov);  // as in scene files
    if (!(degrees >= 0.999f && degrees <= 179.001f))
        check.fail("camera.fov", fmt::format("is {:.6g} degrees, must be from 1 to 179", degrees));
    if (const float shutter = glm::degrees(s.camera.shutter); !(shutter >= 0.0f && shutter <= 360.001f))
        check.fail("camera.shutter", fmt::format("is {:.6g} degrees, must be from 0 to 360", shutter));
    else if (s.usesShutter() && s.grid.isFlat())
        check.fail("camera.shutter", "must be 0 with a flat grid, whose picture has no motion blur", {"grid.cells"});
    check.within("camera.height", s.camera.height, 0.0f, kMaxLength);
    if (s.camera.height > 0.0f && !s.grid.isFlat())
        check.fail("camera.height", "needs a flat grid, which has one cell along z", {"grid.cells"});
    check.within("render.relief", s.render.relief, 0.0f, 100.0f);
    check.within("render.glow", s.render.glow, 0.0f, 100.0f);
    if (glm::any(glm::lessThan(s.render.size, glm::uvec2(1))) || glm::any(glm::greaterThan(s.render.size, glm::uvec2(16384))))
        check.fail("render.size", fmt::format("is [{}, {}], each must be from 1 to 16384", s.render.size.x, s.render.size.y));
    check.within("render.step", s.render.step, 0.0f, kMaxLength);
    if (s.render.lightRatio != 1 && s.render.lightRatio != 2 && s.render.lightRatio != 4)
        check.fail("render.light_ratio", fmt::format("is {}, must be 1, 2 or 4", s.render.lightRatio));
    check.within("render.scattering_cells", s.render.scatteringCells, 1, 256);
    check.within("render.exposure", s.render.exposure, -32.0f, 32.0f);
    check.within("render.obstacle_colour", s.render.obstacleColour, 0.0f, 1.0f);
    check.within("render.obstacle_specular", s.render.obstacleSpecular, 0.0f, 1.0f);
    check.within("render.obstacle_roughness", s.render.obstacleRoughness, 0.1f, 1.0f);
    check.within("render.ground_colour", s.render.groundColour, 0.0f, 1.0f);
    check.within("render.shutter_samples", s.render.shutterSamples, 1, 256);
    check.within("render.samples", s.render.samples, 1, 1 << 20);
    check.within("render.error", s.render.error, 0.0f, 1.0f);
    check.within("render.bounces", s.render.bounces, 0, 10000);
}

void checkView(Checker& check, const Settings& s) {
    const ViewSettings& v = s.view;
    if (v.field == ViewField::Smoke) {
        const std::string fields = "view.field to be " + viewFieldNames() + "; it is \"smoke\"";
        for (const auto& [set, key] : {std::pair(v.slice != SliceAxis::None, "view.slice"), std::pair(v.range.has_value(), "view.range"),
                                       std::pair(v.position.has_value(), "view.position")})
            if (set) check.fail(key, "needs " + fields, {"view.field"});
        if (v.arrows > 0 && !(s.grid.isFlat() && s.prescribed.field != PrescribedField::None))
            check.fail("view.arrows", "needs a flat grid with a prescribed velocity, or " + fields,
                       {"view.field", "grid.cells", "prescribed.field"});
        check.within("view.arrows", v.arrows, 0, kMaxArrows);
        return;
    }
    if (viewFieldInfo(v.field).needs == ViewNeeds::Temperature && !s.usesTemperature())
        check.fail("view.field",
                   fmt::format("is \"{}\", which this scene does not have: set a temperature in an emitter, a stroke or an initial field",
                               viewFieldInfo(v.field).name),
                   {"flow.buoyancy", "emitter", "stroke", "initial"});
    if (viewFieldInfo(v.field).needs == ViewNeeds::Fuel && !s.usesFuel())
        check.fail("view.field",
                   fmt::format("is \"{}\", which this scene does not have: set fuel in an emitter, a stroke or an initial field",
                               viewFieldInfo(v.field).name),
                   {"emitter", "initial"});
    if (v.range && !(std::abs(v.range->x) <= kMaxView && std::abs(v.range->y) <= kMaxView && v.range->x < v.range->y))
        check.fail("view.range", fmt::format("is [{}, {}], must be two numbers from {} to {}, the lower one first", v.range->x, v.range->y,
                                             -kMaxView, kMaxView));
    check.within("view.arrows", v.arrows, 0, kMaxArrows);
    if (s.grid.isFlat()) return;  // always shown as a plane
    if (v.slice == SliceAxis::None) {
        if (v.position) check.fail("view.position", "is the position of a slice: needs view.slice = x, y or z", {"view.slice"});
        if (v.arrows > 0) check.fail("view.arrows", "lie on a slice: need view.slice = x, y or z", {"view.slice"});
    } else if (v.position) {
        const int axis = static_cast<int>(v.slice) - 1;
        const float low = s.grid.origin[axis], high = low + s.grid.size[axis];
        if (!(*v.position >= low && *v.position <= high))
            check.fail("view.position", fmt::format("is {}, must be from {} to {}", *v.position, low, high), {"grid", "view.slice"});
    }
}

}  // namespace

std::vector<Problem> validate(const Settings& settings) {
    Checker check;
    checkGrid(check, settings.grid);
    checkSparse(check, settings);
    checkFlow(check, settings);
    checkInflow(check, settings);
    checkSideFade(check, settings);
    checkPrescribed(check, settings);
    checkPressure(check, settings.pressure);
    checkSources(check, settings);
    checkFluid(check, settings);
    checkFire(check, settings);
    checkProbes(check, settings);
    checkLight(check, settings);
    checkPicture(check, settings);
    checkView(check, settings);
    checkSteps(check, settings);
    return std::move(check.problems);
}

}  // namespace wisp
