// SPDX-License-Identifier: MIT
#include "tests/support/meshes.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace wisp::test {
namespace {

Mesh icosahedron() {
    const float g = 0.5f * (1.0f + std::sqrt(5.0f));
    return {{{-1, g, 0},
             {1, g, 0},
             {-1, -g, 0},
             {1, -g, 0},
             {0, -1, g},
             {0, 1, g},
             {0, -1, -g},
             {0, 1, -g},
             {g, 0, -1},
             {g, 0, 1},
             {-g, 0, -1},
             {-g, 0, 1}},
            {{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
             {3, 9, 4},  {3, 4, 2}, {3, 2, 6}, {3, 6, 8},  {3, 8, 9},   {4, 9, 5}, {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}}};
}

Mesh split(const Mesh& mesh) {
    Mesh result{mesh.positions, {}};
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
        const auto [at, added] = middles.try_emplace(std::pair(std::min(a, b), std::max(a, b)),
                                                     static_cast<std::uint32_t>(result.positions.size()));
        if (added) result.positions.push_back(0.5f * (mesh.positions[a] + mesh.positions[b]));
        return at->second;
    };
    for (const glm::uvec3& t : mesh.triangles) {
        const std::uint32_t a = middle(t.x, t.y), b = middle(t.y, t.z), c = middle(t.z, t.x);
        result.triangles.insert(result.triangles.end(), {glm::uvec3(t.x, a, c), {t.y, b, a}, {t.z, c, b}, {a, b, c}});
    }
    return result;
}

}  // namespace

Mesh icosphere(int levels, float radius) {
    Mesh mesh = icosahedron();
    for (int n = 0; n < levels; ++n) mesh = split(mesh);
    for (glm::vec3& p : mesh.positions) p = radius * glm::normalize(p);
    return mesh;
}

Mesh cuboid(glm::vec3 half) {
    Mesh mesh;
    for (unsigned n = 0; n < 8; ++n) mesh.positions.push_back(half * (2.0f * glm::vec3(n & 1, (n >> 1) & 1, n >> 2) - 1.0f));
    for (const glm::uvec4 q : {glm::uvec4(0, 4, 6, 2), {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}})
        mesh.triangles.insert(mesh.triangles.end(), {glm::uvec3(q.x, q.y, q.z), {q.x, q.z, q.w}});
    return mesh;
}

Mesh torus(float ring, float tube, int along, int around) {
    Mesh mesh;
    for (int i = 0; i < along; ++i) {
        for (int j = 0; j < around; ++j) {
            const float a = 2.0f * glm::pi<float>() * static_cast<float>(i) / static_cast<float>(along);
            const float b = 2.0f * glm::pi<float>() * static_cast<float>(j) / static_cast<float>(around);
            const float r = ring + tube * std::cos(b);
            mesh.positions.emplace_back(r * std::cos(a), r * std::sin(a), tube * std::sin(b));
            const auto at = [&](int k, int l) { return static_cast<std::uint32_t>((k % along) * around + l % around); };
            mesh.triangles.emplace_back(at(i, j), at(i + 1, j), at(i + 1, j + 1));
            mesh.triangles.emplace_back(at(i, j), at(i + 1, j + 1), at(i, j + 1));
        }
    }
    return mesh;
}

Mesh moved(Mesh mesh, glm::vec3 by, const glm::quat& turned) {
    for (glm::vec3& p : mesh.positions) p = turned * p + by;
    return mesh;
}

Mesh joined(Mesh a, const Mesh& b) {
    const auto first = static_cast<std::uint32_t>(a.positions.size());
    a.positions.insert(a.positions.end(), b.positions.begin(), b.positions.end());
    for (const glm::uvec3& t : b.triangles) a.triangles.push_back(t + first);
    return a;
}

Mesh insideOut(Mesh mesh) {
    for (glm::uvec3& t : mesh.triangles) std::swap(t.y, t.z);
    return mesh;
}

std::string objOf(const Mesh& mesh) {
    std::string text;
    for (const glm::vec3& p : mesh.positions)
        text += "v " + std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + "\n";
    for (const glm::uvec3& t : mesh.triangles)
        text += "f " + std::to_string(t.x + 1) + " " + std::to_string(t.y + 1) + " " + std::to_string(t.z + 1) + "\n";
    return text;
}

namespace {

class Placed : public MeshMotion {
public:
    Placed(std::vector<glm::vec3> rest, std::function<glm::dvec3(glm::dvec3, double)> place)
        : rest_(std::move(rest)), place_(std::move(place)) {}
    [[nodiscard]] std::vector<glm::vec3> positions(double t) const override {
        std::vector<glm::vec3> result;
        for (const glm::vec3& p : rest_) result.emplace_back(place_(glm::dvec3(p), t));
        return result;
    }

private:
    std::vector<glm::vec3> rest_;
    std::function<glm::dvec3(glm::dvec3, double)> place_;
};

}  // namespace

Mesh deforming(const Mesh& rest, std::function<glm::dvec3(glm::dvec3 p, double t)> place, double until) {
    const auto motion = std::make_shared<Placed>(rest.positions, std::move(place));
    Mesh mesh = rest;
    mesh.positions = motion->positions(0.0);
    mesh.motion = motion;
    constexpr int kTimes = 64;
    for (int n = 0; n <= kTimes; ++n)
        mesh.range.extent = glm::max(mesh.range.extent, boundsOf(mesh, motion->positions(until * n / kTimes)).size());
    return mesh;
}

}  // namespace wisp::test
