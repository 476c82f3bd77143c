// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/mesh_grid.h"
#include "compute/scene/settings.h"
#include "compute/scene/shape_data.h"
#include "shaders/shared/step.h"

#include <glm/ext/vector_int3_sized.hpp>

#include <optional>
#include <span>
#include <vector>

namespace wisp {

/// Centre [m] of an obstacle at time t [s]: its keyed path, or its start moved along its velocity.
glm::vec3 obstacleCentre(const ObstacleSettings& obstacle, double t);

/// Largest distance of a target from the origin [m], along each axis. In a box around it floats still resolve a sixteenth of a cell, so
/// that bodies keep their positions relative to the cells.
float farthestTarget(const GridSettings& grid);

/// Position of the box's target [m] at time t [s]. There must be keys.
glm::vec3 targetPosition(const FollowSettings& follow, double t);

/// The camera at time t [s], on its keyed path. With camera.follows it moves along with the target of the box.
CameraSettings cameraAt(const Settings& settings, double t);
/// A camera that shows the whole flat grid in a picture with the aspect ratio `aspect` (width over height).
CameraSettings planeCamera(const GridSettings& grid, float aspect);

/// The time during which the shutter of the camera is open for a picture.
struct Exposure {
    float seconds = 0.0f;                    ///< its length; the time of the picture is in the middle
    std::optional<CameraSettings> from, to;  ///< the camera when the shutter opens and when it closes; none: the camera stands still
};

/// The exposure [s] of a picture of a film whose pictures are `frame` seconds apart.
double shutterSeconds(const CameraSettings& camera, double frame);
/// The exposure of the picture at time t [s] of such a film.
Exposure exposureAt(const Settings& settings, double t, double frame);

/// The exposure of a picture in the window: pictures are a step apart, and the camera stands still.
Exposure exposureOfStep(const Settings& settings);

/// Displacement of the box from `home`, its low corner without a target [cells, multiples of grid.pressureRatio]. It brings the centre of
/// the box as near as possible to the target at time t [s]. It is 0 along axes with a wall, and along y with a ground, which do not move.
glm::i64vec3 cellsFollowed(const Settings& settings, glm::vec3 home, double t);

/// Whether the position, the rotation or the shape of any obstacle depends on time.
bool obstaclesMove(const Settings& settings);

/// A straight motion segment of a centre within a step [m].
struct MotionSegment {
    glm::vec3 from{0.0f}, to{0.0f};
};

/// The segment of a stroke in a step from t to t + dt [s]; none if its length is 0.
std::optional<MotionSegment> strokeDuring(const StrokeSettings& stroke, double t, double dt);

/// The obstacle at the end of a step from t to t + dt [s]; with dt = 0, at time t. Its velocity is the displacement over dt, so that the
/// velocity that acts on the fluid is exactly the motion of the surface. `kinematic`: replaces the motion of its centre, if not null.
gpu::ObstacleData obstacleData(const ObstacleSettings& obstacle, const GridSettings& grid, double t, double dt,
                               const MotionSegment* kinematic = nullptr);

/// Centre [m] of an emitter at time t [s]: its keyed path, or that of its shape.
glm::vec3 emitterCentre(const EmitterSettings& emitter, double t);
glm::quat emitterRotation(const EmitterSettings& emitter);
/// Mean velocity [m/s] of its centre in a step from t to t + dt [s].
glm::vec3 emitterMotion(const EmitterSettings& emitter, double t, double dt);

/// Largest number of positions of an emitter in a step.
inline constexpr std::size_t kMaxEmitterPositions = 64;
/// The shape of an emitter in a step from t to t + dt [s], at positions on its path that are evenly spaced in time. The last one is that
/// at the end of the step. Others precede it if the emitter moves by more than a cell: they are at most a cell apart up to
/// kMaxEmitterPositions cells a step, so that a fast emitter leaves a trail without gaps. There is always at least one.
std::vector<Shape> emitterShapes(const EmitterSettings& emitter, const GridSettings& grid, double t, double dt);
/// One of these shapes for the shaders. `grids`: of all meshes.
gpu::ShapeData emitterData(const EmitterSettings& emitter, const Shape& shape, const GridSettings& grid, std::span<const MeshGrid> grids);
/// Half of the thickness of an emitter's shell [m]; 0: the emitter is solid.
float emitterShell(const EmitterSettings& emitter, const GridSettings& grid);
/// The cells that the emitter may touch in a step from t to t + dt [s], for each of its positions.
std::vector<CellBox> emitterCells(const EmitterSettings& emitter, const GridSettings& grid, std::span<const MeshGrid> grids, double t,
                                  double dt);

/// Sweeps an obstacle over its step of dt [s]; its shape must be complete. If any of its points moves by more than a cell (of edge h [m])
/// in the step, the obstacle is solid over its path from the end position back to one cell short of the start. So it cannot jump over
/// smoke, consecutive steps leave no gap wide enough for the centre of a cell, and slower obstacles keep their length.
void sweep(gpu::ObstacleData& obstacle, double dt, double h);

}  // namespace wisp
