// SPDX-License-Identifier: MIT
#include "compute/scene/checker.h"
#include "compute/scene/initial_image.h"
#include "compute/scene/motion.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <limits>

namespace wisp {
namespace {

void checkShape(Checker& check, const std::string& path, const Shape& shape) {
    check.within(path + ".centre", shape.centre, -kMaxLength, kMaxLength);
    if (shape.kind == ShapeKind::Sphere || shape.kind == ShapeKind::Capsule) check.positive(path + ".radius", shape.radius, kMaxLength);
    if (shape.kind == ShapeKind::Box) check.positive(path + ".half", shape.half, kMaxLength);
    if (shape.kind == ShapeKind::Capsule) check.within(path + ".half", shape.half, -kMaxLength, kMaxLength);
    if (shape.kind == ShapeKind::Mesh)
        check.fail(path + ".shape", "is \"mesh\", must be \"sphere\", \"box\" or \"capsule\": only obstacles and emitters can be meshes");
}

void checkVolume(Checker& check, const std::string& path, const Settings& s, const Shape& shape, const VolumeSettings& volume,
                 bool liquid) {
    if (shape.kind != ShapeKind::Volume) return;
    if (!volume.frames) check.fail(path + ".file", "is missing, must be the path of a .vdb or .nvdb file");
    if (volume.needs == 0) check.fail(path + ".shape", "is \"volume\", which needs density, temperature or fuel: factors of its fields");
    if (liquid) check.fail(path + ".shape", "is \"volume\", which cannot be liquid", {path + ".liquid"});
    if (s.grid.isFlat()) check.fail(path + ".shape", "is \"volume\", which needs a grid with depth", {"grid.cells"});
    if (s.grid.periodicAxes() != 0) check.fail(path + ".shape", "is \"volume\", which needs sides that are not periodic", {"grid.sides"});
    check.positive(path + ".scale", shape.scale, kMaxLength);
    check.within(path + ".offset", volume.offset, -kMaxLength, kMaxLength);
    check.within(path + ".start", volume.start, -kMaxLength, kMaxLength);
    if (volume.fps) check.positive(path + ".fps", *volume.fps, kMaxRate);
}

/// Returns whether the mesh is valid, so that later checks can use it.
bool checkMesh(Checker& check, const std::string& path, const Shape& shape, const std::vector<std::shared_ptr<const Mesh>>& meshes) {
    check.within(path + ".centre", shape.centre, -kMaxLength, kMaxLength);
    check.positive(path + ".scale", shape.scale, kMaxLength);
    if (shape.mesh >= meshes.size()) {
        check.fail(path + ".file", fmt::format("is mesh {}, but there are only {} meshes", shape.mesh, meshes.size()));
        return false;
    }
    const Mesh& mesh = *meshes[shape.mesh];
    if (mesh.source.fps) check.positive(path + ".fps", *mesh.source.fps, kMaxRate);
    check.within(path + ".start", mesh.source.start, -kMaxLength, kMaxLength);
    if (const std::string problem = meshProblem(mesh); !problem.empty()) {
        check.fail(path + ".file", problem);
        return false;
    }
    const glm::dvec3 size = boundsOf(mesh).size() * static_cast<double>(shape.scale);
    if (const double longest = std::max({size.x, size.y, size.z}); longest > static_cast<double>(kMaxLength))
        check.fail(path + ".scale", fmt::format("makes the mesh {:.4g} m long, must be at most {} m", longest, kMaxLength),
                   {path + ".file"});
    return true;
}

// [m]; infinite for an invalid grid, which other checks report.
float periodOf(const GridSettings& grid, int axis) {
    if (grid.cells.x == 0) return std::numeric_limits<float>::infinity();
    return static_cast<float>(grid.cells[axis]) * grid.cellSize();
}

// A body may cross periodic sides and touch its own periodic images. But no point may lie within more than the two nearest images.
// `reach` [m] is the largest distance from the centre that the body covers in a step, along each axis.
void checkReach(Checker& check, const std::string& key, const GridSettings& grid, glm::vec3 reach) {
    for (int axis = 0; axis < 3; ++axis) {
        const float period = periodOf(grid, axis);
        if ((grid.periodicAxes() >> axis & 1) == 0 || !(reach[axis] > period)) continue;
        check.fail(key,
                   fmt::format("the shape reaches {:.4g} m from its centre along {} in a step, must reach at most {:.4g} m, the length of "
                               "the periodic box",
                               reach[axis], "xyz"[axis], period),
                   {"grid", "time.step", key.substr(0, key.find_last_of('.'))});
    }
}

// For a capsule that does not rotate. Spheres and boxes need no check: only their nearest image counts at any point.
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
    for (int axis = 0; axis < 3; ++axis) {  // a box that spans a periodic axis is endless along it
        if (!turned && shape.kind == ShapeKind::Box && 2.0f * reach[axis] >= periodOf(s.grid, axis)) reach[axis] = 0.0f;
    }
    const char* const size = shape.kind == ShapeKind::Mesh ? ".scale" : shape.kind == ShapeKind::Sphere ? ".radius" : ".half";
    checkReach(check, path + (still ? size : ".velocity"), s.grid, still ? reach : reach + glm::abs(o.velocity) * s.timeStep);
}

void checkKeys(Checker& check, const std::string& path, const std::vector<PathKey>& keys, float farthest = kMaxLength) {
    check.times(path, keys);
    for (std::size_t k = 0; k < keys.size(); ++k) {
        const std::string key = fmt::format("{}.keys[{}]", path, k);
        check.within(key + ".centre", keys[k].centre, -farthest, farthest);
    }
}

/// The first step must not cool the gas in an emitter below absolute zero.
void checkCooling(Checker& check, const std::string& path, const EmitterSettings& e, const Settings& s) {
    const std::string key = path + ".temperature_rate";
    const float least = -(s.flow.ambient + e.temperature) / s.timeStep;
    if (e.shape.kind == ShapeKind::Volume || !(e.temperatureRate < least && least <= 0.0f && e.temperatureRate >= -kMaxAmount))
        return check.within(key, e.temperatureRate, -kMaxAmount, kMaxAmount);
    check.fail(
        key,
        fmt::format("is {} K/s, which cools gas below absolute zero in one step of {} s: must be at least {:.6g} K/s, with flow.ambient "
                    "= {} K",
                    e.temperatureRate, s.timeStep, least, s.flow.ambient),
        {"flow.ambient", "time.step", path + ".temperature"});
}

void checkEmitters(Checker& check, const Settings& s) {
    const std::vector<EmitterSettings>& emitters = s.emitters;
    check.atMost("emitter", emitters, kMaxEmitters);
    for (std::size_t i = 0; i < emitters.size(); ++i) {
        const EmitterSettings& e = emitters[i];
        const std::string path = fmt::format("emitter[{}]", i);
        const bool mesh = e.shape.kind == ShapeKind::Mesh;
        if (!mesh) checkShape(check, path, e.shape);
        checkVolume(check, path, s, e.shape, e.volume, e.liquid);
        if (!mesh || checkMesh(check, path, e.shape, s.meshes))
            checkObstacleReach(check, path, s, {.shape = e.shape, .rotation = e.rotation, .keys = e.keys});
        if (e.fill == EmitterFill::Surface && !mesh)
            check.fail(path + ".fill", "is \"surface\", must be \"inside\": only a mesh has a surface to fill", {path + ".shape"});
        if (e.fill == EmitterFill::Surface && e.liquid)
            check.fail(path + ".fill", "is \"surface\", must be \"inside\" for liquid", {path + ".liquid"});
        check.within(path + ".rotation", e.rotation, -kMaxSpeed, kMaxSpeed);
        checkKeys(check, path, e.keys);
        check.within(path + ".velocity", e.velocity, -kMaxSpeed, kMaxSpeed);
        check.within(path + ".inherit_velocity", e.inheritVelocity, -kMaxAmount, kMaxAmount);
        check.within(path + ".density", e.density, 0.0f, kMaxAmount);
        check.within(path + ".density_rate", e.densityRate, 0.0f, kMaxAmount);
        if (e.shape.kind == ShapeKind::Volume) check.within(path + ".temperature", e.temperature, -kMaxAmount, kMaxAmount);  // a factor
        else check.temperature(path + ".temperature", e.temperature, s);
        checkCooling(check, path, e, s);
        check.within(path + ".fuel", e.fuel, 0.0f, 1.0f);
        check.within(path + ".fuel_rate", e.fuelRate, 0.0f, kMaxRate);
        check.within(path + ".turbulence", e.turbulence, 0.0f, 10.0f);
        check.within(path + ".turbulence_scale", e.turbulenceScale, kMinLength, kMaxLength);
        check.within(path + ".colour", e.colour, 0.0f, 1.0f);
    }
}

void checkStrokes(Checker& check, const Settings& settings) {
    const std::vector<StrokeSettings>& strokes = settings.strokes;
    check.atMost("stroke", strokes, kMaxStrokes);
    for (std::size_t i = 0; i < strokes.size(); ++i) {
        const StrokeSettings& s = strokes[i];
        const std::string path = fmt::format("stroke[{}]", i);
        check.positive(path + ".radius", s.radius, kMaxLength);
        check.within(path + ".force", s.force, -kMaxRate, kMaxRate);
        check.within(path + ".density", s.density, 0.0f, kMaxAmount);
        check.temperature(path + ".temperature", s.temperature, settings);
        check.within(path + ".fuel", s.fuel, 0.0f, 1.0f);
        check.within(path + ".colour", s.colour, 0.0f, 1.0f);
        checkKeys(check, path, s.keys);
    }
}

void checkBrush(Checker& check, const Settings& s) {
    const BrushSettings& b = s.brush;
    check.positive("brush.radius", b.radius, kMaxLength);
    check.within("brush.density", b.density, 0.0f, kMaxAmount);
    check.temperature("brush.temperature", b.temperature, s);
    check.within("brush.fuel", b.fuel, 0.0f, 1.0f);
    check.within("brush.colour", b.colour, 0.0f, 1.0f);
    check.within("brush.strength", b.strength, 0.0f, kMaxAmount);
    check.within("brush.force", b.force, -kMaxRate, kMaxRate);
    check.within("brush.cycle", b.cycle, 0.0f, kMaxLength);
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
        if (o.colour) check.within(path + ".colour", *o.colour, 0.0f, 1.0f);
        check.within(path + ".rotation", o.rotation, -kMaxSpeed, kMaxSpeed);
        check.within(path + ".velocity", o.velocity, -kMaxSpeed, kMaxSpeed);
        check.within(path + ".angular_velocity", o.angularVelocity, -kMaxSpeed, kMaxSpeed);
        checkKeys(check, path, o.keys);
    }
}

void checkFollow(Checker& check, const Settings& s) {
    checkKeys(check, "follow", s.follow.keys,
              s.grid.cells.x > 0 && s.grid.cellSize() > 0.0f ? std::min(farthestTarget(s.grid), kMaxLength) : kMaxLength);
    if (s.follow.keys.empty()) return;
    if (s.grid.periodicAxes() != 0)
        check.fail("follow.keys", "cannot be combined with periodic sides: a periodic box cannot move", {"grid.sides"});
    if (s.prescribed.field != PrescribedField::None)
        check.fail("follow.keys", "cannot be combined with a prescribed velocity", {"prescribed.field"});
}

void checkSplats(Checker& check, const Settings& s) {
    const TracerSettings& t = s.tracers;
    check.within("tracers.count", t.count, 0, kMaxSplats);
    check.positive("tracers.lifetime", t.lifetime, kMaxLength);
    check.positive("tracers.size", t.size, 32.0f);
    check.within("tracers.arrow", t.arrow, 0.0f, kMaxLength);
    check.positive("tracers.speed", t.speed, kMaxSpeed);
    check.within("tracers.brightness", t.brightness, 0.0f, kMaxLight);
    const GrassSettings& g = s.grass;
    check.within("grass.count", g.count, 0, kMaxSplats);
    const std::size_t before = check.problems.size();
    check.within("grass.low", g.low, -kMaxLength, kMaxLength);
    check.within("grass.high", g.high, -kMaxLength, kMaxLength);
    if (check.problems.size() == before && !(g.low.x < g.high.x && g.low.z < g.high.z && g.low.y == g.high.y))
        check.fail("grass.high", "must be greater than grass.low in x and z, and equal to it in y", {"grass.low"});
    check.positive("grass.height", g.height, kMaxLength);
    check.positive("grass.bend", g.bend, kMaxSpeed);
    check.within("grass.colour", g.colour, 0.0f, 1.0f);
    for (const auto& [count, key] : {std::pair(t.count, "tracers.count"), std::pair(g.count, "grass.count")}) {
        if (count > 0 && s.grid.isFlat()) check.fail(key, "must be 0 in a flat grid, whose picture does not show them", {"grid.cells"});
        if (count > 0 && s.render.mode == RenderMode::Path)
            check.fail(key, "must be 0 with render.mode = \"path\", which draws only smoke and surfaces", {"render.mode"});
    }
}

void checkImage(Checker& check, const std::string& key, const InitialSettings& i) {
    const std::string problem = i.image ? initialImageProblem(*i.image) : "is missing, must be the path of a .png, .exr or .hdr file";
    if (!problem.empty()) check.fail(key, problem);
}

void checkInitial(Checker& check, const Settings& s) {
    const std::vector<InitialSettings>& initial = s.initial;
    for (std::size_t i = 0; i < initial.size(); ++i) {
        const std::string path = fmt::format("initial[{}]", i);
        if (initial[i].field == InitialField::Shape) checkShape(check, path, initial[i].shape);
        if (initial[i].field == InitialField::Shape) checkCapsule(check, path, s.grid, initial[i].shape);
        if (initial[i].field == InitialField::Image) checkImage(check, path + ".file", initial[i]);
        check.within(path + ".squares", initial[i].squares, 1, kMaxCells);
        check.within(path + ".density", initial[i].density, 0.0f, kMaxAmount);
        if (initial[i].shape.kind == ShapeKind::Volume)
            check.within(path + ".temperature", initial[i].temperature, -kMaxAmount, kMaxAmount);  // a factor
        else check.temperature(path + ".temperature", initial[i].temperature, s);
        check.within(path + ".fuel", initial[i].fuel, 0.0f, 1.0f);
        check.within(path + ".velocity", initial[i].velocity, -kMaxSpeed, kMaxSpeed);
        if (initial[i].velocity != glm::vec3(0.0f) && initial[i].field != InitialField::Shape &&
            initial[i].field != InitialField::TaylorGreen)
            check.fail(path + ".velocity", "must be left out: only a shape or field = \"taylor_green\" has an initial velocity",
                       {path + ".field"});
        check.within(path + ".colour", initial[i].colour, 0.0f, 1.0f);
    }
}

}  // namespace

void checkSources(Checker& check, const Settings& settings) {
    checkEmitters(check, settings);
    checkStrokes(check, settings);
    checkBrush(check, settings);
    checkObstacles(check, settings);
    checkFollow(check, settings);
    checkSplats(check, settings);
    checkInitial(check, settings);
}

}  // namespace wisp
