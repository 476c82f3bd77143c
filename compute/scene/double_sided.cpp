// SPDX-License-Identifier: MIT
#include "compute/scene/double_sided.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <tuple>
#include <utility>

namespace wisp {
namespace {

using Corners = std::array<std::uint32_t, 3>;

/// A triangle by its positions, whatever its orientation.
struct Face {
    Corners corners;  ///< sorted
    std::uint32_t triangle;
};

/// Sets of numbers (union-find).
class Sets {
public:
    explicit Sets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }
    std::uint32_t of(std::uint32_t n) {
        while (parent_[n] != n) n = parent_[n] = parent_[parent_[n]];
        return n;
    }
    void join(std::uint32_t a, std::uint32_t b) { parent_[of(a)] = of(b); }

private:
    std::vector<std::uint32_t> parent_;
};

std::vector<Face> facesOf(const Mesh& mesh, const std::vector<std::uint32_t>& index) {
    std::vector<Face> faces;
    faces.reserve(mesh.triangles.size());
    for (std::size_t n = 0; n < mesh.triangles.size(); ++n) {
        const glm::uvec3& t = mesh.triangles[n];
        Corners c{index[t.x], index[t.y], index[t.z]};
        std::ranges::sort(c);
        faces.push_back({c, static_cast<std::uint32_t>(n)});
    }
    std::ranges::sort(faces,
                      [](const Face& a, const Face& b) { return std::pair(a.corners, a.triangle) < std::pair(b.corners, b.triangle); });
    return faces;
}

/// An edge of a triangle from position a to b, sorted, and whether the triangle runs from the greater one to the other.
struct Edge {
    std::uint32_t a, b, triangle;
    bool reversed;
};

/// Turns triangles so that neighbours run along their common edge in opposite directions. The first one of a part stays as it is.
void orient(std::vector<glm::uvec3>& triangles, const std::vector<std::uint32_t>& index, const std::vector<std::uint32_t>& which) {
    std::vector<Edge> edges;
    for (const std::uint32_t n : which)
        for (int corner = 0; corner < 3; ++corner) {
            const std::uint32_t a = index[triangles[n][corner]], b = index[triangles[n][(corner + 1) % 3]];
            edges.push_back({std::min(a, b), std::max(a, b), n, a > b});
        }
    std::ranges::sort(edges,
                      [](const Edge& x, const Edge& y) { return std::tuple(x.a, x.b, x.triangle) < std::tuple(y.a, y.b, y.triangle); });
    struct Neighbour {
        std::uint32_t from, to;
        bool same;  ///< both run along the edge in the same direction
    };
    std::vector<Neighbour> neighbours;
    for (std::size_t first = 0, end = 0; first < edges.size(); first = end) {
        for (end = first; end < edges.size() && edges[end].a == edges[first].a && edges[end].b == edges[first].b;) ++end;
        if (end - first != 2) continue;
        const Edge &x = edges[first], &y = edges[first + 1];
        neighbours.push_back({x.triangle, y.triangle, x.reversed == y.reversed});
        neighbours.push_back({y.triangle, x.triangle, x.reversed == y.reversed});
    }
    std::ranges::sort(neighbours, {}, &Neighbour::from);
    enum class Turn : char { Unknown, Kept, Turned };
    std::vector<Turn> turn(triangles.size(), Turn::Unknown);
    for (const std::uint32_t start : which) {
        if (turn[start] != Turn::Unknown) continue;
        turn[start] = Turn::Kept;
        for (std::vector<std::uint32_t> open{start}; !open.empty();) {
            const std::uint32_t n = open.back();
            open.pop_back();
            for (auto next = std::ranges::lower_bound(neighbours, n, {}, &Neighbour::from); next != neighbours.end() && next->from == n;
                 ++next) {
                if (turn[next->to] != Turn::Unknown) continue;
                turn[next->to] = (turn[n] == Turn::Turned) != next->same ? Turn::Turned : Turn::Kept;
                open.push_back(next->to);
            }
        }
    }
    for (const std::uint32_t n : which)
        if (turn[n] == Turn::Turned) std::swap(triangles[n].y, triangles[n].z);
}

}  // namespace

void dropBackFaces(Mesh& mesh) {
    const std::vector<std::uint32_t> index = positionIndices(mesh);
    const std::vector<Face> faces = facesOf(mesh, index);
    Sets parts(mesh.positions.size());
    for (const Face& f : faces)
        for (const int other : {1, 2}) parts.join(f.corners[0], f.corners[static_cast<std::size_t>(other)]);
    std::vector<bool> isSingle(mesh.positions.size(), false), isKept(mesh.triangles.size(), true);  // the former by part
    const auto forGroups = [&](auto work) {
        for (std::size_t first = 0, end = 0; first < faces.size(); first = end) {
            while (end < faces.size() && faces[end].corners == faces[first].corners) ++end;
            work(first, end, parts.of(faces[first].corners[0]));
        }
    };
    forGroups([&](std::size_t first, std::size_t end, std::uint32_t part) {
        if ((end - first) % 2 != 0) isSingle[part] = true;
    });
    std::vector<std::uint32_t> doubled;
    forGroups([&](std::size_t first, std::size_t end, std::uint32_t part) {
        if (isSingle[part]) return;
        doubled.push_back(faces[first].triangle);
        for (std::size_t n = first + 1; n < end; ++n) isKept[faces[n].triangle] = false;
    });
    if (doubled.empty()) return;
    std::ranges::sort(doubled);
    orient(mesh.triangles, index, doubled);
    std::size_t n = 0;
    std::erase_if(mesh.triangles, [&](const glm::uvec3&) { return !isKept[n++]; });
}

}  // namespace wisp
