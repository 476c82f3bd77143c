// SPDX-License-Identifier: MIT
#include "compute/settings.h"

#include "compute/environment.h"

#include <fmt/format.h>
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

// Beyond these, squares and sums of half-precision fields leave the range of half floats (65504) or of exact sums.
constexpr float kMaxLength = 1e6f;  // [m]
constexpr float kMinLength = 1e-6f; // [m]: air is no continuum below, nor are the squares of what is divided by it numbers
constexpr float kMaxSpeed = 1e4f;   // [m/s]
constexpr float kMaxAmount = 1e4f;  // density, temperature [K] and their rates
constexpr float kMaxRate = 1e4f;    // [1/s]
constexpr float kMaxLight = 1e6f;
constexpr float kMaxView = 1e9f;
constexpr std::uint32_t kMaxCells = 4096;  // along an edge
constexpr std::uint64_t kMaxScalarCells = 1ull << 32;

/// Collects problems; every test is false for NaN, so that NaN is never in range.
class Checker {
public:
    std::vector<Problem> problems;

    void fail(std::string key, std::string message, std::vector<std::string> with = {}) {
        problems.push_back({std::move(key), std::move(message), std::move(with)});
    }

    void within(const std::string& key, float value, float low, float high) {
        if (!(value >= low && value <= high)) fail(key, fmt::format("is {}, must be from {} to {}", value, low, high));
    }
    void between(const std::string& key, float value, float low, float high) {
        if (!(value > low && value < high)) fail(key, fmt::format("is {}, must lie between {} and {}, ends excluded", value, low, high));
    }
    void positive(const std::string& key, float value, float high) {
        if (!(value > 0.0f && value <= high)) fail(key, fmt::format("is {}, must be above 0 and at most {}", value, high));
    }
    void within(const std::string& key, std::uint32_t value, std::uint32_t low, std::uint32_t high) {
        if (value < low || value > high) fail(key, fmt::format("is {}, must be from {} to {}", value, low, high));
    }
    void within(const std::string& key, const glm::vec3& v, float low, float high) {
        if (!glm::all(glm::greaterThanEqual(v, glm::vec3(low))) || !glm::all(glm::lessThanEqual(v, glm::vec3(high))))
            fail(key, fmt::format("is [{}, {}, {}], each must be from {} to {}", v.x, v.y, v.z, low, high));
    }
    void positive(const std::string& key, const glm::vec3& v, float high) {
        if (!glm::all(glm::greaterThan(v, glm::vec3(0.0f))) || !glm::all(glm::lessThanEqual(v, glm::vec3(high))))
            fail(key, fmt::format("is [{}, {}, {}], each must be above 0 and at most {}", v.x, v.y, v.z, high));
    }
    template <class T>
    void atMost(const std::string& key, const std::vector<T>& list, std::size_t limit) {
        if (list.size() > limit) fail(key, fmt::format("there are {}, at most {} are allowed", list.size(), limit));
    }
};

void checkCubic(Checker& check, const GridSettings& grid) {
    const glm::vec3 edge = grid.size / glm::vec3(grid.cells);
    if (edge.x < kMinLength) {
        check.fail("grid.size", fmt::format("gives cells of {:.3g} m, must be at least {}", edge.x, kMinLength), {"grid.cells"});
        return;  // below, it may have come to 0
    }
    const float worst = std::max(std::abs(edge.y - edge.x), std::abs(edge.z - edge.x));
    if (worst <= 1e-3f * edge.x) return;
    const glm::vec3 fitting = grid.size / edge.x;
    check.fail("grid.cells",
               fmt::format("[{}, {}, {}] in a box of [{}, {}, {}] m gives cells of [{:.5g}, {:.5g}, {:.5g}] m, which are "
                           "not cubic; with {} along x, [{}, {:.5g}, {:.5g}] would be",
                           grid.cells.x, grid.cells.y, grid.cells.z, grid.size.x, grid.size.y, grid.size.z, edge.x, edge.y,
                           edge.z, grid.cells.x, grid.cells.x, fitting.y, fitting.z),
               {"grid.size"});
}

void checkSides(Checker& check, const GridSettings& grid) {
    static constexpr const char* kSides[] = {"x0", "x1", "y0", "y1", "z0", "z1"};
    for (std::size_t side = 0; side < 6; ++side) {
        if (grid.sides[side] != Side::Periodic || grid.sides[side ^ 1] == Side::Periodic) continue;
        check.fail(fmt::format("grid.sides.{}", kSides[side]),
                   fmt::format("is periodic, so {} must be periodic too: what leaves through one comes in through the other", kSides[side ^ 1]),
                   {fmt::format("grid.sides.{}", kSides[side ^ 1])});
    }
    for (int axis = 0; axis < 3; ++axis) {
        if ((grid.periodicAxes() >> axis & 1) == 0 || grid.pressureRatio == 0 || grid.cells[axis] % grid.pressureRatio == 0) continue;
        check.fail("grid.cells", fmt::format("has {} along {}, whose sides are periodic: must be a multiple of grid.pressure_ratio, {}",
                                             grid.cells[axis], "xyz"[axis], grid.pressureRatio),
                   {"grid.sides", "grid.pressure_ratio"});
    }
}

void checkGrid(Checker& check, const GridSettings& grid) {
    bool sound = true;
    for (int i = 0; i < 3; ++i) sound = sound && grid.cells[i] >= 1 && grid.cells[i] <= kMaxCells;
    if (!sound)
        check.fail("grid.cells", fmt::format("is [{}, {}, {}], each must be from 1 to {}", grid.cells.x, grid.cells.y, grid.cells.z, kMaxCells));
    const std::size_t before = check.problems.size();
    check.positive("grid.size", grid.size, kMaxLength);
    sound = sound && check.problems.size() == before;
    check.within("grid.origin", grid.origin, -kMaxLength, kMaxLength);
    if (grid.pressureRatio != 1 && grid.pressureRatio != 2 && grid.pressureRatio != 4)
        check.fail("grid.pressure_ratio", fmt::format("is {}, must be 1, 2 or 4", grid.pressureRatio));
    const bool scalarSound = std::has_single_bit(grid.scalarRatio) && grid.scalarRatio <= 8;
    if (!scalarSound)
        check.fail("grid.scalar_ratio", fmt::format("is {}, must be 1, 2, 4 or 8", grid.scalarRatio));
    if (!sound) return;
    checkCubic(check, grid);
    checkSides(check, grid);
    if (!scalarSound) return;
    const glm::uvec3 scalar = grid.scalarCells();
    const std::uint64_t total = std::uint64_t{scalar.x} * scalar.y * scalar.z;
    if (total >= kMaxScalarCells)
        check.fail("grid.cells", fmt::format("gives {} scalar cells, must be fewer than {}", total, kMaxScalarCells), {"grid.scalar_ratio"});
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
    check.within("flow.gravity", flow.gravity, -kMaxSpeed, kMaxSpeed);
    check.within("flow.inflow", flow.inflow, -kMaxSpeed, kMaxSpeed);
    // Explicit diffusion is stable up to nu dt / h^2 = 1/6 in three dimensions, 1/4 in two.
    const float h = s.grid.cells.x > 0 ? s.grid.cellSize() : 0.0f;
    const float limit = s.timeStep > 0.0f ? h * h / ((s.grid.isFlat() ? 4.0f : 6.0f) * s.timeStep) : 0.0f;
    if (flow.viscosity > limit && limit > 0.0f && flow.viscosity <= kMaxAmount)
        check.fail("flow.viscosity", fmt::format("is {}, must be at most {:.4g} with this time step and cell size", flow.viscosity, limit), {"grid", "time.step"});
}

void checkPressure(Checker& check, const PressureSettings& pressure) {
    check.within("pressure.iterations", pressure.iterations, 1, 10000);
    if (!(pressure.tolerance >= 0.0f && pressure.tolerance < 1.0f))
        check.fail("pressure.tolerance", fmt::format("is {}, must be at least 0 and below 1", pressure.tolerance));
    check.between("pressure.omega", pressure.omega, 0.0f, 2.0f);
}

void checkShape(Checker& check, const std::string& path, const Shape& shape) {
    check.within(path + ".centre", shape.centre, -kMaxLength, kMaxLength);
    if (shape.kind == ShapeKind::Sphere || shape.kind == ShapeKind::Capsule) check.positive(path + ".radius", shape.radius, kMaxLength);
    if (shape.kind == ShapeKind::Box) check.positive(path + ".half", shape.half, kMaxLength);
    if (shape.kind == ShapeKind::Capsule) check.within(path + ".half", shape.half, -kMaxLength, kMaxLength);
    if (shape.kind == ShapeKind::Mesh) check.fail(path + ".shape", "is mesh, which is for obstacles only");
}

/// Whether the mesh can be looked at further.
bool checkMesh(Checker& check, const std::string& path, const Shape& shape, const std::vector<std::shared_ptr<const Mesh>>& meshes) {
    check.within(path + ".centre", shape.centre, -kMaxLength, kMaxLength);
    check.positive(path + ".scale", shape.scale, kMaxLength);
    if (shape.mesh >= meshes.size()) {
        check.fail(path + ".file", fmt::format("is mesh {}, of which there are {}", shape.mesh, meshes.size()));
        return false;
    }
    const Mesh& mesh = *meshes[shape.mesh];
    if (const std::string problem = meshProblem(mesh); !problem.empty()) {
        check.fail(path + ".file", problem);
        return false;
    }
    const glm::dvec3 size = boundsOf(mesh).size() * static_cast<double>(shape.scale);
    if (const double longest = std::max({size.x, size.y, size.z}); longest > static_cast<double>(kMaxLength))
        check.fail(path + ".scale", fmt::format("makes the mesh {:.4g} m long, must be at most {} m", longest, kMaxLength), {path + ".file"});
    return true;
}

float periodOf(const GridSettings& grid, int axis) {  // [m]
    if (grid.cells.x == 0) return std::numeric_limits<float>::infinity();  // of a grid that is refused
    return static_cast<float>(grid.cells[axis]) * grid.cellSize();
}

// A body may cross periodic sides and touch its own images, but a place must not lie within more than the nearest two of them.
// `reach` [m] is how far it goes from its centre, in a step too.
void checkReach(Checker& check, const std::string& key, const GridSettings& grid, glm::vec3 reach) {
    for (int axis = 0; axis < 3; ++axis) {
        const float period = periodOf(grid, axis);
        if ((grid.periodicAxes() >> axis & 1) == 0 || !(reach[axis] > period)) continue;
        check.fail(key, fmt::format("makes it reach {:.4g} m from its centre along {} in a step, must be at most {:.4g} m: the box is periodic there",
                                    reach[axis], "xyz"[axis], period),
                   {"grid", "time.step", key.substr(0, key.find_last_of('.'))});
    }
}

// A capsule that does not turn; spheres and boxes need no check: one image of them is enough everywhere.
void checkCapsule(Checker& check, const std::string& path, const GridSettings& grid, const Shape& shape) {
    if (shape.kind == ShapeKind::Capsule) checkReach(check, path + ".half", grid, glm::abs(shape.half) + shape.radius);
}

void checkObstacleReach(Checker& check, const std::string& path, const Settings& s, const ObstacleSettings& o) {
    const Shape& shape = o.shape;
    const bool turned = o.rotation != glm::vec3(0.0f) || o.angularVelocity != glm::vec3(0.0f);
    glm::vec3 reach = shape.kind == ShapeKind::Sphere ? glm::vec3(0.0f) : glm::abs(shape.half);
    if (shape.kind == ShapeKind::Mesh) reach = 0.5 * static_cast<double>(shape.scale) * boundsOf(*s.meshes[shape.mesh]).size();
    if (turned && shape.kind != ShapeKind::Sphere) reach = glm::vec3(glm::length(reach));
    if (shape.kind == ShapeKind::Sphere || shape.kind == ShapeKind::Capsule) reach += shape.radius;
    const bool still = o.velocity == glm::vec3(0.0f) || !o.keys.empty();
    if (still && !turned && (shape.kind == ShapeKind::Sphere || shape.kind == ShapeKind::Box)) return;
    for (int axis = 0; axis < 3; ++axis) {  // a box that spans an axis has no end there
        if (!turned && shape.kind == ShapeKind::Box && 2.0f * reach[axis] >= periodOf(s.grid, axis)) reach[axis] = 0.0f;
    }
    const char* const size = shape.kind == ShapeKind::Mesh ? ".scale" : shape.kind == ShapeKind::Sphere ? ".radius" : ".half";
    checkReach(check, path + (still ? size : ".velocity"), s.grid, still ? reach : reach + glm::abs(o.velocity) * s.timeStep);
}

void checkEmitters(Checker& check, const Settings& s) {
    const std::vector<EmitterSettings>& emitters = s.emitters;
    check.atMost("emitter", emitters, kMaxEmitters);
    for (std::size_t i = 0; i < emitters.size(); ++i) {
        const EmitterSettings& e = emitters[i];
        const std::string path = fmt::format("emitter[{}]", i);
        checkShape(check, path, e.shape);
        checkCapsule(check, path, s.grid, e.shape);
        check.within(path + ".velocity", e.velocity, -kMaxSpeed, kMaxSpeed);
        check.within(path + ".density", e.density, 0.0f, kMaxAmount);
        check.within(path + ".density_rate", e.densityRate, 0.0f, kMaxAmount);
        check.within(path + ".temperature", e.temperature, -kMaxAmount, kMaxAmount);
        check.within(path + ".temperature_rate", e.temperatureRate, -kMaxAmount, kMaxAmount);
        check.within(path + ".turbulence", e.turbulence, 0.0f, 10.0f);
        check.within(path + ".turbulence_scale", e.turbulenceScale, kMinLength, kMaxLength);
        check.within(path + ".colour", e.colour, 0.0f, 1.0f);
    }
}

void checkKeys(Checker& check, const std::string& path, const std::vector<PathKey>& keys) {
    for (std::size_t k = 0; k < keys.size(); ++k) {
        const std::string key = fmt::format("{}.keys[{}]", path, k);
        check.within(key + ".t", keys[k].t, 0.0f, kMaxLength);
        check.within(key + ".centre", keys[k].centre, -kMaxLength, kMaxLength);
        if (k > 0 && keys[k].t >= 0.0f && keys[k].t <= keys[k - 1].t)
            check.fail(key + ".t",
                       fmt::format("is {}, must be later than the key before it, at {}", keys[k].t, keys[k - 1].t),
                       {fmt::format("{}.keys[{}].t", path, k - 1)});
    }
}

void checkObstacles(Checker& check, const Settings& s) {
    const std::vector<ObstacleSettings>& obstacles = s.obstacles;
    check.atMost("obstacle", obstacles, kMaxObstacles);
    for (std::size_t i = 0; i < obstacles.size(); ++i) {
        const ObstacleSettings& o = obstacles[i];
        const std::string path = fmt::format("obstacle[{}]", i);
        const bool mesh = o.shape.kind == ShapeKind::Mesh;
        if (!mesh) checkShape(check, path, o.shape);
        if (!mesh || checkMesh(check, path, o.shape, s.meshes)) checkObstacleReach(check, path, s, o);
        check.within(path + ".rotation", o.rotation, -kMaxSpeed, kMaxSpeed);
        check.within(path + ".velocity", o.velocity, -kMaxSpeed, kMaxSpeed);
        check.within(path + ".angular_velocity", o.angularVelocity, -kMaxSpeed, kMaxSpeed);
        checkKeys(check, path, o.keys);
    }
}

void checkInitial(Checker& check, const Settings& s) {
    const std::vector<InitialSettings>& initial = s.initial;
    for (std::size_t i = 0; i < initial.size(); ++i) {
        const std::string path = fmt::format("initial[{}]", i);
        if (initial[i].field == InitialField::Shape) checkShape(check, path, initial[i].shape);
        if (initial[i].field == InitialField::Shape) checkCapsule(check, path, s.grid, initial[i].shape);
        check.within(path + ".density", initial[i].density, 0.0f, kMaxAmount);
        check.within(path + ".temperature", initial[i].temperature, -kMaxAmount, kMaxAmount);
        check.within(path + ".velocity", initial[i].velocity, -kMaxSpeed, kMaxSpeed);
        check.within(path + ".colour", initial[i].colour, 0.0f, 1.0f);
    }
}

void checkEnvironment(Checker& check, const EnvironmentSettings& e) {
    check.within("environment.colour", e.colour, 0.0f, kMaxRadiance);
    if (e.top) check.within("environment.top", *e.top, 0.0f, kMaxRadiance);
    if (e.bottom) check.within("environment.bottom", *e.bottom, 0.0f, kMaxRadiance);
    check.within("environment.intensity", e.intensity, 0.0f, kMaxLight);
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
            check.fail(path + ".direction", "is [0, 0, 0], must point somewhere", {path + ".type"});
        check.within(path + ".position", light.position, -kMaxLength, kMaxLength);
        check.within(path + ".colour", light.colour, 0.0f, kMaxLight);
        check.within(path + ".intensity", light.intensity, 0.0f, kMaxLight);
        if (light.kind != LightKind::Spot) continue;
        if (const float degrees = glm::degrees(light.angle); !(degrees >= 0.0999f && degrees <= 360.001f))
            check.fail(path + ".angle", fmt::format("is {:.6g} degrees, must be from 0.1 to 360", degrees));
        check.within(path + ".softness", light.softness, 0.0f, 1.0f);
    }
}

// raymarch.comp ends a ray after so many steps: what lies behind would be lost. A ray takes one in every brick that is empty, and one
// more where smoke begins again.
void checkSteps(Checker& check, const Settings& s) {
    if (s.render.mode != RenderMode::Raymarch || s.view.field != ViewField::Smoke) return;
    if (std::ranges::any_of(check.problems, [](const Problem& p) { return p.key.starts_with("grid.") || p.key == "render.step"; })) return;
    constexpr double kMost = 8192.0;
    const glm::dvec3 cells(s.grid.scalarCells());
    const double bricks = (cells.x + cells.y + cells.z) / 8.0 + 3.0, longest = glm::length(glm::dvec3(s.grid.size)) / (kMost - 2.0 * bricks);
    const double step = s.render.step > 0.0f ? static_cast<double>(s.render.step) : static_cast<double>(s.grid.size.x) / cells.x;
    if (step >= longest) return;
    check.fail("render.step", fmt::format("is {}, must be at least {:.3g} in this box: a ray takes {} steps at most", s.render.step, 1.01 * longest, kMost),
               {"grid", "render.mode", "view.field"});
}

void checkPicture(Checker& check, const Settings& s) {
    check.within("camera.eye", s.camera.eye, -kMaxLength, kMaxLength);
    check.within("camera.target", s.camera.target, -kMaxLength, kMaxLength);
    if (s.camera.eye == s.camera.target) check.fail("camera.target", "is where camera.eye is, must be somewhere else", {"camera.eye"});
    const float degrees = glm::degrees(s.camera.fov);  // as scene files have it
    if (!(degrees >= 0.999f && degrees <= 179.001f))
        check.fail("camera.fov", fmt::format("is {:.6g} degrees, must be from 1 to 179", degrees));
    if (glm::any(glm::lessThan(s.render.size, glm::uvec2(1))) || glm::any(glm::greaterThan(s.render.size, glm::uvec2(16384))))
        check.fail("render.size", fmt::format("is [{}, {}], each must be from 1 to 16384", s.render.size.x, s.render.size.y));
    check.within("render.step", s.render.step, 0.0f, kMaxLength);
    if (s.render.lightRatio != 1 && s.render.lightRatio != 2 && s.render.lightRatio != 4)
        check.fail("render.light_ratio", fmt::format("is {}, must be 1, 2 or 4", s.render.lightRatio));
    check.within("render.exposure", s.render.exposure, -32.0f, 32.0f);
    check.within("render.obstacle_colour", s.render.obstacleColour, 0.0f, 1.0f);
    check.within("render.ground_colour", s.render.groundColour, 0.0f, 1.0f);
    check.within("render.samples", s.render.samples, 1, 1 << 20);
    check.within("render.error", s.render.error, 0.0f, 1.0f);
    check.within("render.bounces", s.render.bounces, 0, 10000);
}

void checkView(Checker& check, const Settings& s) {
    const ViewSettings& v = s.view;
    if (v.field == ViewField::Smoke) {
        for (const auto& [set, key] : {std::pair(v.slice != SliceAxis::None, "view.slice"), std::pair(v.range.has_value(), "view.range"),
                                       std::pair(v.position.has_value(), "view.position"), std::pair(v.arrows > 0, "view.arrows")})
            if (set)
                check.fail(key, "is for a field: view.field is \"smoke\", may be density, temperature, speed, vorticity, pressure or divergence", {"view.field"});
        return;
    }
    if (v.field == ViewField::Temperature && !s.usesTemperature())
        check.fail("view.field", "is \"temperature\", which nothing in this scene has", {"flow.buoyancy", "emitter", "initial"});
    if (v.range && !(std::abs(v.range->x) <= kMaxView && std::abs(v.range->y) <= kMaxView && v.range->x < v.range->y))
        check.fail("view.range", fmt::format("is [{}, {}], must be two numbers from {} to {}, the lower one first", v.range->x, v.range->y, -kMaxView, kMaxView));
    check.within("view.arrows", v.arrows, 0, 1024);
    if (v.slice == SliceAxis::None) {
        if (v.position) check.fail("view.position", "is where a slice lies: needs view.slice = x, y or z", {"view.slice"});
        if (v.arrows > 0) check.fail("view.arrows", "lie on a slice: need view.slice = x, y or z", {"view.slice"});
    } else if (v.position) {
        const int axis = static_cast<int>(v.slice) - 1;
        const float low = s.grid.origin[axis], high = low + s.grid.size[axis];
        if (!(*v.position >= low && *v.position <= high))
            check.fail("view.position", fmt::format("is {}, must be from {} to {}", *v.position, low, high), {"grid", "view.slice"});
    }
}

}  // namespace

bool Settings::usesTemperature() const {
    return flow.buoyancy != 0.0f ||
           std::any_of(emitters.begin(), emitters.end(),
                       [](const EmitterSettings& e) { return e.temperature != 0.0f || e.temperatureRate != 0.0f; }) ||
           std::any_of(initial.begin(), initial.end(), [](const InitialSettings& i) { return i.temperature != 0.0f; });
}

bool Settings::usesColour() const {
    const auto isColoured = [](const auto& source) { return source.colour != glm::vec3(1.0f); };
    return coloured || std::ranges::any_of(emitters, isColoured) || std::ranges::any_of(initial, isColoured);
}

std::vector<Problem> validate(const Settings& settings) {
    Checker check;
    checkGrid(check, settings.grid);
    checkFlow(check, settings);
    checkPressure(check, settings.pressure);
    checkEmitters(check, settings);
    checkObstacles(check, settings);
    checkInitial(check, settings);
    checkLight(check, settings);
    checkPicture(check, settings);
    checkView(check, settings);
    checkSteps(check, settings);
    return std::move(check.problems);
}

}  // namespace wisp
