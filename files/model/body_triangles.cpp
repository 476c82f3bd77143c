// SPDX-License-Identifier: MIT
#include "files/model/body_triangles.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <cmath>

namespace wisp {
namespace {

BodyTriangles boxTriangles(glm::vec3 half) {
    BodyTriangles box;
    for (int axis = 0; axis < 3; ++axis)
        for (const float side : {-1.0f, 1.0f}) {
            glm::vec3 normal(0.0f), along(0.0f), across(0.0f);
            normal[axis] = side;
            along[(axis + 1) % 3] = side;  // cross(along, across) is the normal
            across[(axis + 2) % 3] = 1.0f;
            const auto first = static_cast<std::uint32_t>(box.positions.size());
            for (const glm::vec2 corner : {glm::vec2(-1, -1), glm::vec2(1, -1), glm::vec2(1, 1), glm::vec2(-1, 1)}) {
                box.positions.push_back(half * (normal + corner.x * along + corner.y * across));
                box.normals.push_back(normal);
            }
            box.triangles.insert(box.triangles.end(), {{first, first + 1, first + 2}, {first, first + 2, first + 3}});
        }
    return box;
}

/// Rings around `axis`, from pole to pole. A capsule has its equator twice, at both ends of its cylinder.
BodyTriangles roundTriangles(glm::vec3 half, float radius) {
    const float length = glm::length(half);
    const glm::vec3 axis = length > 0.0f ? half / length : glm::vec3(0, 1, 0);
    const glm::vec3 other = std::abs(axis.x) < 0.5f ? glm::vec3(1, 0, 0) : glm::vec3(0, 0, 1);
    const glm::vec3 along = glm::normalize(glm::cross(other, axis)), across = glm::cross(axis, along);
    BodyTriangles body;
    const auto add = [&](glm::vec3 normal, glm::vec3 centre) {
        body.normals.push_back(normal);
        body.positions.push_back(centre + radius * normal);
    };
    const auto ring = [&](std::uint32_t k, glm::vec3 centre) {
        const float polar = glm::pi<float>() * static_cast<float>(k) / kRoundRings;
        for (std::uint32_t n = 0; n < kRoundSides; ++n) {
            const float turn = glm::two_pi<float>() * static_cast<float>(n) / kRoundSides;
            add(std::cos(polar) * axis + std::sin(polar) * (std::cos(turn) * along + std::sin(turn) * across), centre);
        }
    };
    add(axis, half);
    std::uint32_t rings = 0;
    for (std::uint32_t k = 1; k < kRoundRings; ++k)
        for (const float end : {1.0f, -1.0f}) {
            const bool equator = 2 * k == kRoundRings;
            if (equator ? length == 0.0f && end < 0.0f : (2 * k < kRoundRings) != (end > 0.0f)) continue;
            ring(k, end * half);
            ++rings;
        }
    add(-axis, -half);
    const std::uint32_t last = 1 + rings * kRoundSides;
    for (std::uint32_t n = 0; n < kRoundSides; ++n) {
        const std::uint32_t next = (n + 1) % kRoundSides;
        body.triangles.emplace_back(0, 1 + n, 1 + next);
        for (std::uint32_t r = 0; r + 1 < rings; ++r) {
            const std::uint32_t a = 1 + r * kRoundSides, b = a + kRoundSides;
            body.triangles.emplace_back(a + n, b + n, b + next);
            body.triangles.emplace_back(a + n, b + next, a + next);
        }
        body.triangles.emplace_back(last, last - kRoundSides + next, last - kRoundSides + n);
    }
    return body;
}

BodyTriangles meshTriangles(const Mesh& mesh, float scale) {
    BodyTriangles body{.positions = {}, .normals = {}, .triangles = mesh.triangles};
    const glm::dvec3 middle = boundsOf(mesh).middle();
    for (const glm::vec3& p : mesh.positions) body.positions.emplace_back((glm::dvec3(p) - middle) * static_cast<double>(scale));
    return body;
}

}  // namespace

BodyTriangles trianglesOf(const Shape& shape, const std::vector<std::shared_ptr<const Mesh>>& meshes) {
    switch (shape.kind) {
        case ShapeKind::Volume:  // no body is one
        case ShapeKind::Box: return boxTriangles(shape.half);
        case ShapeKind::Mesh: return meshTriangles(*meshes[shape.mesh], shape.scale);
        case ShapeKind::Capsule: return roundTriangles(shape.half, shape.radius);
        case ShapeKind::Sphere: break;
    }
    return roundTriangles(glm::vec3(0.0f), shape.radius);
}

}  // namespace wisp
