// SPDX-License-Identifier: MIT
#include "compute/scene/mesh_tree.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

namespace wisp {
namespace {

constexpr std::size_t kLeaf = 4;  // up to this number, testing all triangles is faster than splitting them

class Builder {
public:
    Builder(const Mesh& mesh, glm::dvec3 origin, double scale) : order_(mesh.triangles.size()) {
        std::iota(order_.begin(), order_.end(), 0u);
        source_.reserve(order_.size());
        const auto vertex = [&](std::uint32_t i) { return glm::vec3((glm::dvec3(mesh.positions[i]) - origin) * scale); };
        for (const glm::uvec3& t : mesh.triangles) source_.push_back({vertex(t.x), vertex(t.y), vertex(t.z)});
    }

    MeshTree build() {
        tree_.nodes.reserve(maxMeshNodes(order_.size()));
        tree_.nodes.emplace_back();
        fill(0, order_, 0);
        tree_.triangles.reserve(order_.size());
        for (const std::uint32_t i : order_) tree_.triangles.push_back(source_[i]);
        tree_.order = std::move(order_);
        return std::move(tree_);
    }

private:
    [[nodiscard]] glm::vec3 centre(std::uint32_t i) const { return (source_[i].a + source_[i].b + source_[i].c) / 3.0f; }

    // `part` holds the triangles from index `first` on. Each child gets half of them, so the recursion depth is log2 of their number.
    void fill(std::size_t node, std::span<std::uint32_t> part, std::size_t first) {
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        glm::vec3 low(kInfinity), high(-kInfinity), lowCentre(kInfinity), highCentre(-kInfinity);
        for (const std::uint32_t i : part) {
            const gpu::MeshTriangle& t = source_[i];
            low = glm::min(low, glm::min(t.a, glm::min(t.b, t.c)));
            high = glm::max(high, glm::max(t.a, glm::max(t.b, t.c)));
            lowCentre = glm::min(lowCentre, centre(i));
            highCentre = glm::max(highCentre, centre(i));
        }
        const bool leaf = part.size() <= kLeaf;
        const std::size_t children = tree_.nodes.size();
        tree_.nodes[node] = {low, static_cast<int>(leaf ? first : children), high, leaf ? static_cast<int>(part.size()) : 0};
        if (leaf) return;
        const glm::vec3 extent = highCentre - lowCentre;
        const int axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
        const std::size_t half = part.size() / 2;
        std::nth_element(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(half), part.end(), [&](std::uint32_t a, std::uint32_t b) {
            const float x = centre(a)[axis], y = centre(b)[axis];
            return x < y || (x == y && a < b);  // so that every standard library builds the same tree
        });
        tree_.nodes.resize(children + 2);
        fill(children, part.first(half), first);
        fill(children + 1, part.subspan(half), first + half);
    }

    std::vector<std::uint32_t> order_;
    std::vector<gpu::MeshTriangle> source_;
    MeshTree tree_;
};

bool mayMeet(const gpu::MeshNode& n, glm::dvec3 from, glm::dvec3 inverse) {
    const glm::dvec3 a = (glm::dvec3(n.low) - from) * inverse, b = (glm::dvec3(n.high) - from) * inverse;
    const glm::dvec3 low = glm::min(a, b), high = glm::max(a, b);
    return std::max({low.x, low.y, low.z, 0.0}) <= std::min({high.x, high.y, high.z}) * (1.0 + 1e-9);
}

// Moeller, Trumbore 1997.
void meet(const gpu::MeshTriangle& t, glm::dvec3 from, glm::dvec3 direction, std::vector<MeshHit>& hits) {
    const glm::dvec3 ab = glm::dvec3(t.b) - glm::dvec3(t.a), ac = glm::dvec3(t.c) - glm::dvec3(t.a);
    const glm::dvec3 n = glm::cross(direction, ac), d = from - glm::dvec3(t.a);
    const double volume = glm::dot(ab, n);
    if (volume == 0.0) return;
    const glm::dvec3 m = glm::cross(d, ab);
    const double v = glm::dot(d, n) / volume, w = glm::dot(direction, m) / volume, distance = glm::dot(ac, m) / volume;
    if (v >= 0.0 && w >= 0.0 && v + w <= 1.0 && distance >= 0.0) hits.push_back({distance, volume < 0.0});
}

}  // namespace

MeshTree buildMeshTree(const Mesh& mesh, glm::dvec3 origin, double scale) { return Builder(mesh, origin, scale).build(); }

std::vector<gpu::MeshTriangle> trianglesOfPose(const MeshTree& tree, const Mesh& mesh, const std::vector<glm::vec3>& positions,
                                               glm::dvec3 origin, double scale) {
    std::vector<glm::vec3> placed;
    placed.reserve(positions.size());
    for (const glm::vec3& p : positions) placed.emplace_back((glm::dvec3(p) - origin) * scale);
    std::vector<gpu::MeshTriangle> triangles;
    triangles.reserve(tree.order.size());
    for (const std::uint32_t i : tree.order) {
        const glm::uvec3& t = mesh.triangles[i];
        triangles.push_back({placed[t.x], placed[t.y], placed[t.z]});
    }
    return triangles;
}

void refit(MeshTree& tree, std::vector<gpu::MeshTriangle> triangles) {
    tree.triangles = std::move(triangles);
    for (auto node = tree.nodes.rbegin(); node != tree.nodes.rend(); ++node) {  // children come after their parents
        const auto first = static_cast<std::size_t>(node->first);
        if (node->count == 0) {
            node->low = glm::min(tree.nodes[first].low, tree.nodes[first + 1].low);
            node->high = glm::max(tree.nodes[first].high, tree.nodes[first + 1].high);
            continue;
        }
        node->low = tree.triangles[first].a;
        node->high = node->low;
        for (std::size_t k = first; k < first + static_cast<std::size_t>(node->count); ++k) {
            const gpu::MeshTriangle& t = tree.triangles[k];
            node->low = glm::min(node->low, glm::min(t.a, glm::min(t.b, t.c)));
            node->high = glm::max(node->high, glm::max(t.a, glm::max(t.b, t.c)));
        }
    }
}

std::vector<MeshHit> meshHits(const MeshTree& tree, glm::dvec3 from, glm::dvec3 direction) {
    const glm::dvec3 inverse = 1.0 / glm::mix(direction, glm::dvec3(1e-300), glm::equal(direction, glm::dvec3(0.0)));
    std::vector<MeshHit> hits;
    std::vector<std::size_t> waiting{0};
    while (!waiting.empty()) {
        const gpu::MeshNode& n = tree.nodes[waiting.back()];
        waiting.pop_back();
        if (!mayMeet(n, from, inverse)) continue;
        const auto first = static_cast<std::size_t>(n.first);
        if (n.count == 0) waiting.insert(waiting.end(), {first, first + 1});
        for (std::size_t k = 0; k < static_cast<std::size_t>(n.count); ++k) meet(tree.triangles[first + k], from, direction, hits);
    }
    return hits;
}

}  // namespace wisp
