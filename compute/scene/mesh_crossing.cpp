// SPDX-License-Identifier: MIT
#include "compute/scene/mesh_crossing.h"

#include "compute/scene/mesh_tree.h"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace wisp {
namespace {

constexpr double kShallow = 1e-5;  // of a mesh of length 1
constexpr std::size_t kMostCounted = 100;

using Corners = std::array<glm::dvec3, 3>;

/// The point at which the segment from p to q passes through the inside of the triangle, by at least kShallow at both ends.
std::optional<glm::dvec3> crossing(const Corners& t, glm::dvec3 p, glm::dvec3 q) {
    const glm::dvec3 n = glm::cross(t[1] - t[0], t[2] - t[0]);
    const double twice = glm::length(n);
    if (twice < kShallow * kShallow) return std::nullopt;
    const double above = glm::dot(n, p - t[0]) / twice, below = glm::dot(n, q - t[0]) / twice;
    if (above * below >= 0.0 || std::min(std::abs(above), std::abs(below)) < kShallow) return std::nullopt;
    const glm::dvec3 x = glm::mix(p, q, above / (above - below));
    for (std::size_t k = 0; k < 3; ++k) {  // distance from each edge, positive inside
        const glm::dvec3 edge = t[(k + 1) % 3] - t[k];
        if (glm::dot(glm::cross(n, edge), x - t[k]) < kShallow * twice * glm::length(edge)) return std::nullopt;
    }
    return x;
}

std::optional<glm::dvec3> crossing(const Corners& a, const Corners& b) {
    for (std::size_t k = 0; k < 3; ++k) {
        if (const auto x = crossing(a, b[k], b[(k + 1) % 3])) return x;
        if (const auto x = crossing(b, a[k], a[(k + 1) % 3])) return x;
    }
    return std::nullopt;
}

bool haveCommonVertex(const Corners& a, const Corners& b) {
    return std::ranges::any_of(a, [&](const glm::dvec3& p) { return std::ranges::find(b, p) != b.end(); });
}

class Search {
public:
    explicit Search(const Mesh& mesh) {
        const MeshBounds bounds = boundsOf(mesh);
        const glm::dvec3 size = bounds.size();
        middle_ = bounds.middle();
        length_ = std::max({size.x, size.y, size.z});
        tree_ = buildMeshTree(mesh, middle_, 1.0 / length_);
        for (const std::uint32_t i : tree_.order) {
            const glm::uvec3& t = mesh.triangles[i];
            const auto corner = [&](std::uint32_t v) { return (glm::dvec3(mesh.positions[v]) - middle_) / length_; };
            corners_.push_back({corner(t.x), corner(t.y), corner(t.z)});
        }
    }

    std::string run() {
        for (std::size_t i = 0; i < corners_.size() && found_ < kMostCounted; ++i) visit(i);
        if (found_ == 0) return {};
        const glm::dvec3 x = first_ * length_ + middle_;
        return fmt::format(
            "intersects itself near [{:.4g}, {:.4g}, {:.4g}] ({}{} pairs of triangles cross): mend the mesh, or set overlap "
            "= true if all that its surfaces enclose is solid",
            x.x, x.y, x.z, found_ == kMostCounted ? "at least " : "", found_);
    }

private:
    /// Compares a triangle with those after it.
    void visit(std::size_t i) {
        const Corners& t = corners_[i];
        const glm::dvec3 low = glm::min(t[0], glm::min(t[1], t[2])) - kShallow, high = glm::max(t[0], glm::max(t[1], t[2])) + kShallow;
        waiting_.assign(1, 0);
        while (!waiting_.empty()) {
            const gpu::MeshNode& n = tree_.nodes[waiting_.back()];
            waiting_.pop_back();
            if (glm::any(glm::greaterThan(glm::dvec3(n.low), high)) || glm::any(glm::lessThan(glm::dvec3(n.high), low))) continue;
            const auto first = static_cast<std::size_t>(n.first);
            if (n.count == 0) waiting_.insert(waiting_.end(), {first, first + 1});
            for (std::size_t k = std::max(first, i + 1); k < first + static_cast<std::size_t>(n.count); ++k) {
                if (haveCommonVertex(t, corners_[k])) continue;
                const auto x = crossing(t, corners_[k]);
                if (!x) continue;
                if (found_++ == 0) first_ = *x;
            }
        }
    }

    glm::dvec3 middle_{0.0};
    double length_ = 1.0;
    MeshTree tree_;
    std::vector<Corners> corners_;  ///< in the tree's order, around the origin, of length 1
    std::vector<std::size_t> waiting_;
    std::size_t found_ = 0;
    glm::dvec3 first_{0.0};
};

}  // namespace

std::string crossingProblem(const Mesh& mesh) { return Search(mesh).run(); }

}  // namespace wisp
