// SPDX-License-Identifier: MIT
#include "compute/scene/motion.h"

#include "compute/scene/shape_data.h"

#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>

namespace wisp {
namespace {

constexpr double kMaxPositions = 16.0;  // of a swept body; beyond 16 cells per step they are more than a cell apart

// Catmull-Rom with the keys' own spacing in time: tangents are central differences, one-sided at the ends.
template <class Key>
glm::dvec3 onPath(const std::vector<Key>& keys, glm::vec3 Key::*point, double t) {
    if (t <= static_cast<double>(keys.front().t)) return keys.front().*point;
    if (t >= static_cast<double>(keys.back().t)) return keys.back().*point;
    const auto after = std::upper_bound(keys.begin(), keys.end(), t, [](double v, const Key& k) { return v < static_cast<double>(k.t); });
    const auto i = static_cast<std::size_t>(after - keys.begin()) - 1;
    const auto tangent = [&](std::size_t k) {
        const Key& a = keys[k == 0 ? 0 : k - 1];
        const Key& b = keys[std::min(k + 1, keys.size() - 1)];
        return (glm::dvec3(b.*point) - glm::dvec3(a.*point)) / (static_cast<double>(b.t) - static_cast<double>(a.t));
    };
    const double span = static_cast<double>(keys[i + 1].t) - static_cast<double>(keys[i].t);
    const double s = (t - static_cast<double>(keys[i].t)) / span, s2 = s * s, s3 = s2 * s;
    return (2 * s3 - 3 * s2 + 1) * glm::dvec3(keys[i].*point) + (s3 - 2 * s2 + s) * span * tangent(i) +
           (3 * s2 - 2 * s3) * glm::dvec3(keys[i + 1].*point) + (s3 - s2) * span * tangent(i + 1);
}

glm::dvec3 onPath(const std::vector<PathKey>& keys, double t) { return onPath(keys, &PathKey::centre, t); }

glm::dvec3 centreAt(const ObstacleSettings& o, double t) {
    if (!o.keys.empty()) return onPath(o.keys, t);
    return glm::dvec3(o.shape.centre) + t * glm::dvec3(o.velocity);
}

glm::dquat rotationBy(glm::dvec3 axis) {
    const double angle = glm::length(axis);
    return angle == 0.0 ? glm::dquat(1, 0, 0, 0) : glm::angleAxis(angle, axis / angle);
}

}  // namespace

glm::vec3 obstacleCentre(const ObstacleSettings& obstacle, double t) { return centreAt(obstacle, t); }

float farthestTarget(const GridSettings& grid) {
    const float beyond = std::max({grid.size.x, grid.size.y, grid.size.z});
    return std::exp2(std::floor(std::log2(grid.cellSize() / 16.0f)) + 24.0f) - beyond;  // a float has 24 significant bits
}

glm::vec3 targetPosition(const FollowSettings& follow, double t) { return onPath(follow.keys, t); }

CameraSettings cameraAt(const Settings& s, double t) {
    CameraSettings camera = s.camera;
    if (!camera.keys.empty()) {
        camera.eye = onPath(camera.keys, &CameraKey::eye, t);
        camera.target = onPath(camera.keys, &CameraKey::target, t);
        if (camera.eye == camera.target)
            camera.target += camera.keys.front().target - camera.keys.front().eye;  // the paths of eye and target may cross
    }
    if (!camera.follows || s.follow.keys.empty()) return camera;
    const glm::vec3 displacement = onPath(s.follow.keys, t) - glm::dvec3(s.follow.keys.front().centre);
    camera.eye += displacement;
    camera.target += displacement;
    return camera;
}

double shutterSeconds(const CameraSettings& camera, double frame) {
    return static_cast<double>(camera.shutter) / glm::two_pi<double>() * frame;
}

CameraSettings planeCamera(const GridSettings& grid, float aspect) {
    const glm::vec3 middle = grid.origin + 0.5f * grid.size;
    return {.eye = middle + glm::vec3(0.0f, 0.0f, 1.0f), .target = middle, .height = std::max(grid.size.y, grid.size.x / aspect)};
}

Exposure exposureAt(const Settings& s, double t, double frame) {
    const double seconds = shutterSeconds(s.camera, frame);
    Exposure exposure{.seconds = static_cast<float>(seconds), .from = {}, .to = {}};
    if (seconds > 0.0 && (!s.camera.keys.empty() || s.camera.follows)) {
        exposure.from = cameraAt(s, t - 0.5 * seconds);
        exposure.to = cameraAt(s, t + 0.5 * seconds);
    }
    return exposure;
}

Exposure exposureOfStep(const Settings& s) {
    return {.seconds = static_cast<float>(shutterSeconds(s.camera, static_cast<double>(s.timeStep))), .from = {}, .to = {}};
}

glm::i64vec3 cellsFollowed(const Settings& s, glm::vec3 home, double t) {
    if (s.follow.keys.empty()) return glm::i64vec3(0);
    const double edge = static_cast<double>(s.grid.cellSize()) * s.grid.pressureRatio;
    const glm::dvec3 middle = glm::dvec3(home) + 0.5 * glm::dvec3(s.grid.size);
    glm::i64vec3 cells(glm::floor((onPath(s.follow.keys, t) - middle) / edge + 0.5));
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (s.grid.side(2 * axis) == Side::Wall || s.grid.side(2 * axis + 1) == Side::Wall) cells[static_cast<glm::length_t>(axis)] = 0;
    if (s.environment.ground) cells.y = 0;
    if (s.grid.isFlat()) cells.z = 0;
    return cells * glm::i64vec3(s.grid.pressureRatio);
}

bool obstaclesMove(const Settings& s) {
    return std::ranges::any_of(s.obstacles, [&](const ObstacleSettings& o) {
        const bool deforms = o.shape.kind == ShapeKind::Mesh && s.meshes[o.shape.mesh]->motion;
        return deforms || o.velocity != glm::vec3(0.0f) || o.angularVelocity != glm::vec3(0.0f) || o.keys.size() > 1;
    });
}

std::optional<MotionSegment> strokeDuring(const StrokeSettings& stroke, double t, double dt) {
    if (stroke.keys.empty()) return std::nullopt;
    const MotionSegment motion{.from = onPath(stroke.keys, t),
                               .to = onPath(stroke.keys, t + dt)};  // constant outside the times of its keys
    return motion.from == motion.to ? std::nullopt : std::optional(motion);
}

gpu::ObstacleData obstacleData(const ObstacleSettings& obstacle, const GridSettings& grid, double t, double dt,
                               const MotionSegment* kinematic) {
    const glm::dvec3 now = kinematic ? glm::dvec3(kinematic->from) : centreAt(obstacle, t);
    const glm::dvec3 next = kinematic ? glm::dvec3(dt > 0.0 ? kinematic->to : kinematic->from) : centreAt(obstacle, t + dt);
    const glm::dvec3 omega = obstacle.angularVelocity;
    const glm::dquat turned = rotationBy(omega * (t + dt)) * rotationBy(obstacle.rotation);
    Shape shape = obstacle.shape;
    shape.centre = imageInBox(grid, next);
    return {.shape = shapeData(shape, grid, glm::quat(turned)),
            .velocity = dt > 0.0 ? (next - now) / dt : glm::dvec3(obstacle.velocity),
            .angularVelocity = obstacle.angularVelocity,
            .swept = 0.0f,
            .positions = 1};
}

glm::vec3 emitterCentre(const EmitterSettings& emitter, double t) {
    return emitter.keys.empty() ? emitter.shape.centre : glm::vec3(onPath(emitter.keys, t));
}

glm::quat emitterRotation(const EmitterSettings& emitter) { return rotationBy(emitter.rotation); }

glm::vec3 emitterMotion(const EmitterSettings& emitter, double t, double dt) {
    if (emitter.keys.empty() || !(dt > 0.0)) return glm::vec3(0.0f);
    return (onPath(emitter.keys, t + dt) - onPath(emitter.keys, t)) / dt;
}

std::vector<Shape> emitterShapes(const EmitterSettings& emitter, const GridSettings& grid, double t, double dt) {
    if (emitter.keys.empty()) return {emitter.shape};
    const double cells = glm::distance(onPath(emitter.keys, t), onPath(emitter.keys, t + dt)) / static_cast<double>(grid.cellSize());
    constexpr double kRounding = 1e-4;  // of a motion by whole cells
    const auto positions = static_cast<std::size_t>(std::clamp(std::ceil(cells - kRounding), 1.0, double{kMaxEmitterPositions}));
    std::vector<Shape> shapes(positions, emitter.shape);
    for (std::size_t n = 0; n < positions; ++n)
        shapes[n].centre = imageInBox(grid, onPath(emitter.keys, t + dt * static_cast<double>(n + 1) / static_cast<double>(positions)));
    return shapes;
}

gpu::ShapeData emitterData(const EmitterSettings& emitter, const Shape& shape, const GridSettings& grid, std::span<const MeshGrid> grids) {
    gpu::ShapeData data = shapeData(shape, grid, emitterRotation(emitter));
    if (shape.kind == ShapeKind::Mesh) placeMesh(grids[shape.mesh], shape.scale, data);
    return data;
}

float emitterShell(const EmitterSettings& emitter, const GridSettings& grid) {
    return emitter.fill == EmitterFill::Surface ? grid.cellSize() : 0.0f;
}

std::vector<CellBox> emitterCells(const EmitterSettings& emitter, const GridSettings& grid, std::span<const MeshGrid> grids, double t,
                                  double dt) {
    std::vector<CellBox> boxes;
    for (const Shape& shape : emitterShapes(emitter, grid, t, dt))
        boxes.push_back(
            cellsTouched(emitterData(emitter, shape, grid, grids), grid, grid.cellSize(), grid.cells + 1u, emitterShell(emitter, grid)));
    return boxes;
}

void sweep(gpu::ObstacleData& data, double dt, double h) {
    const double bound = static_cast<double>(boundingRadius(data.shape));
    const double turning = data.shape.kind == WISP_SPHERE ? 0.0 : static_cast<double>(glm::length(data.angularVelocity)) * bound;
    const double motion = (static_cast<double>(glm::length(data.velocity)) + turning) * dt / h;  // [cells]
    if (motion <= 1.0) return;
    data.swept = static_cast<float>(dt * (1.0 - 1.0 / motion));
    data.positions = static_cast<int>(std::clamp(std::ceil(motion), 2.0, kMaxPositions));
}

}  // namespace wisp
