// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/mesh.h"

#include <glm/gtc/quaternion.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>

/// Meshes for tests: closed, counter-clockwise from outside.
namespace wisp::test {

/// An icosahedron whose triangles are split into four `levels` times. Every vertex lies on the sphere.
Mesh icosphere(int levels, float radius);
Mesh cuboid(glm::vec3 half);
/// A torus around z, of `along` times `around` quadrilaterals.
Mesh torus(float ring, float tube, int along, int around);

Mesh moved(Mesh mesh, glm::vec3 by, const glm::quat& turned = glm::quat(1, 0, 0, 0));
Mesh joined(Mesh a, const Mesh& b);
Mesh insideOut(Mesh mesh);
/// Wraps a mesh in the type of the settings.
inline std::shared_ptr<const Mesh> shared(Mesh mesh) { return std::make_shared<const Mesh>(std::move(mesh)); }
std::string objOf(const Mesh& mesh);

/// A mesh that deforms: `place` gives the position at t [s] of the vertex that is at p in `rest`. Its reference is its pose at t = 0.
/// @param until largest time that its range covers
Mesh deforming(const Mesh& rest, std::function<glm::dvec3(glm::dvec3 p, double t)> place, double until = 1.0);

}  // namespace wisp::test
