// SPDX-License-Identifier: MIT
#include "compute/scene/mesh_report.h"

#include "compute/scene/mesh_grid.h"
#include "compute/scene/mesh_tree.h"
#include "compute/scene/thin_bodies.h"
#include "compute/scene/validate.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace wisp {
namespace {

/// In a closed mesh each edge occurs twice, once in each direction.
void countEdges(const Mesh& mesh, MeshReport& report) {
    struct Edge {
        std::uint64_t ends;
        int turn;
    };
    const std::vector<std::uint32_t> index = positionIndices(mesh);
    std::vector<Edge> edges;
    edges.reserve(3 * mesh.triangles.size());
    for (const glm::uvec3& t : mesh.triangles) {
        const glm::uvec3 c(index[t.x], index[t.y], index[t.z]);
        if (c.x == c.y || c.y == c.z || c.z == c.x) continue;  // a line: exporters leave such triangles where they merge vertices
        for (int n = 0; n < 3; ++n) {
            const std::uint64_t a = c[n], b = c[(n + 1) % 3];
            edges.push_back({std::min(a, b) << 32 | std::max(a, b), a < b ? 1 : -1});
        }
    }
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.ends < b.ends; });
    for (std::size_t first = 0, end = 0; first < edges.size(); first = end) {
        int turns = 0;
        for (end = first; end < edges.size() && edges[end].ends == edges[first].ends; ++end) turns += edges[end].turn;
        ++report.edges;
        if (end - first == 1) ++report.openEdges;
        else if (end - first != 2 || turns != 0) ++report.crossedEdges;
    }
}

/// Whether the line enters and leaves at the same places, so that nothing is inside.
bool inPairs(std::vector<MeshHit> hits) {
    constexpr double kSame = 1e-6;  // of the bounding box: rounding of floats
    std::ranges::sort(hits, {}, &MeshHit::distance);
    for (std::size_t n = 0; n + 1 < hits.size(); n += 2)
        if (hits[n + 1].distance - hits[n].distance > kSame || hits[n].leaves == hits[n + 1].leaves) return false;
    return hits.size() % 2 == 0;
}

/// Intersects the mesh with 32 x 32 lines through its bounding box, along each axis.
void countLeaks(const MeshTree& tree, const MeshBounds& bounds, MeshReport& report) {
    constexpr int kLines = 32;
    for (int axis = 0; axis < 3; ++axis) {
        int met = 0, leaking = 0, cancelled = 0;
        for (int n = 0; n < kLines * kLines; ++n) {
            const int column = n % kLines, row = n / kLines;
            // Shifted from the centre of its square by irrational fractions, so that lines miss edges at round coordinates.
            glm::dvec3 at(0.0);
            at[axis] = -0.5;
            at[(axis + 1) % 3] = (column + 0.5 + 0.1 * std::sqrt(2.0)) / kLines;
            at[(axis + 2) % 3] = (row + 0.5 + 0.1 * std::sqrt(3.0)) / kLines;
            glm::dvec3 along(0.0);
            along[axis] = bounds.size()[axis];
            const std::vector<MeshHit> hits = meshHits(tree, glm::dvec3(bounds.low) + at * bounds.size(), along);
            const auto leaving = std::count_if(hits.begin(), hits.end(), [](const MeshHit& h) { return h.leaves; });
            if (!hits.empty()) ++met;
            if (2 * static_cast<std::size_t>(leaving) != hits.size()) ++leaking;
            if (!hits.empty() && inPairs(hits)) ++cancelled;
        }
        if (2 * cancelled <= met && met > 0) report.isDoubled = false;
        report.leaks[static_cast<std::size_t>(axis)] = met > 0 ? static_cast<double>(leaking) / met : 0.0;
    }
}

/// Share of the surface behind which the solid is thinner than `thickness`: a ray from a triangle's centre straight into the solid leaves
/// it.
double thinShare(const MeshTree& tree, double thickness) {
    constexpr std::size_t kRays = 20000;
    const std::size_t stride = (tree.triangles.size() + kRays - 1) / kRays;
    double thin = 0.0, all = 0.0, volume = 0.0;
    for (const gpu::MeshTriangle& t : tree.triangles) volume += glm::dot(glm::dvec3(t.a), glm::cross(glm::dvec3(t.b), glm::dvec3(t.c)));
    for (std::size_t i = 0; i < tree.triangles.size(); i += stride) {
        const glm::dvec3 a(tree.triangles[i].a), b(tree.triangles[i].b), c(tree.triangles[i].c);
        const glm::dvec3 n = glm::cross(b - a, c - a);
        const double area = glm::length(n);
        if (area == 0.0) continue;
        all += area;
        const glm::dvec3 inward = (volume < 0.0 ? n : -n) / area;  // a mesh may be inside out
        const double clear = 1e-4 * thickness;                     // so that the ray does not hit its own triangle
        for (const MeshHit& hit : meshHits(tree, (a + b + c) / 3.0 + clear * inward, inward)) {
            if (hit.distance > thickness) continue;
            thin += area;
            break;
        }
    }
    return all > 0.0 ? thin / all : 0.0;
}

bool isMesh(const ObstacleSettings& o) { return o.shape.kind == ShapeKind::Mesh; }

MeshReport reportOn(const Settings& s, const ObstacleSettings& o) {
    return inspectMesh(*s.meshes[o.shape.mesh], static_cast<double>(leakingCells(s, o) * s.grid.cellSize() / o.shape.scale));
}

glm::dvec3 sizeInCells(const Settings& s, const ObstacleSettings& o) {
    return boundsOf(*s.meshes[o.shape.mesh]).size() * static_cast<double>(o.shape.scale) / static_cast<double>(s.grid.cellSize());
}

/// Whether the bounding sphere of the mesh, which holds it in any rotation, is outside the box.
bool outsideTheBox(const Settings& s, const ObstacleSettings& o) {
    const double radius = 0.5 * glm::length(boundsOf(*s.meshes[o.shape.mesh]).size()) * static_cast<double>(o.shape.scale);
    const glm::dvec3 low(s.grid.origin), high = low + glm::dvec3(s.grid.size), centre(o.shape.centre);
    return glm::distance(centre, glm::clamp(centre, low, high)) > radius;
}

}  // namespace

MeshReport inspectMesh(const Mesh& mesh, double thickness) {
    MeshReport report{.isDoubled = true};
    report.triangles = mesh.triangles.size();
    countEdges(mesh, report);
    const MeshBounds bounds = boundsOf(mesh);
    const glm::dvec3 size = bounds.size();
    // Centred and scaled to size 1, so that coordinates far from the origin keep their precision.
    const double scale = 1.0 / std::max({size.x, size.y, size.z});
    const MeshTree tree = buildMeshTree(mesh, bounds.middle(), scale);
    const glm::vec3 half(0.5 * scale * size);
    countLeaks(tree, {-half, half}, report);
    if (thickness > 0.0) report.thin = thinShare(tree, thickness * scale);
    return report;
}

bool isThin(const Mesh& mesh, double thickness) {
    const MeshBounds bounds = boundsOf(mesh);
    const double scale = 1.0 / std::max({bounds.size().x, bounds.size().y, bounds.size().z});
    return thinShare(buildMeshTree(mesh, bounds.middle(), scale), thickness * scale) > kThinShare;
}

std::string leakProblem(const MeshReport& report) {
    if (2 * report.openEdges > report.edges)  // parallel sheets leak along one axis only, and enclose nothing
        return fmt::format("is not closed: {} of {} edges are open, at most half may be", report.openEdges, report.edges);
    if (report.isDoubled)
        return "has all of its surface twice, with opposite orientation, so that nothing is inside: export it without back faces";
    std::array<double, 3> leaks = report.leaks;
    std::sort(leaks.begin(), leaks.end());
    if (leaks[1] <= kMaxMeshLeaks) return {};
    return fmt::format(
        "is not closed: of the lines along x, y and z, {:.0f} %, {:.0f} % and {:.0f} % enter and leave it a different number of times; "
        "at most {:.0f} % may along two axes ({} of {} edges are open, {} are crossed)",
        100.0 * report.leaks[0], 100.0 * report.leaks[1], 100.0 * report.leaks[2], 100.0 * kMaxMeshLeaks, report.openEdges, report.edges,
        report.crossedEdges);
}

namespace {

/// `solid`: smoke must not pass through it.
void warnOf(const Settings& s, const std::string& key, const ObstacleSettings& o, bool solid, std::vector<Problem>& warnings) {
    const MeshReport r = reportOn(s, o);
    if (const std::string leaks = leakProblem(r); !leaks.empty()) warnings.push_back({key, leaks});
    else if (!r.closed())
        warnings.push_back({key, fmt::format("has {} open and {} crossed edges of {}: near them inside and outside may be confused",
                                             r.openEdges, r.crossedEdges, r.edges)});
    if (solid && r.thin > kThinShare)
        warnings.push_back({key, fmt::format("is thinner than {} cells behind {:.1f} % of its surface, where smoke may pass through: "
                                             "use a finer grid or a larger scale",
                                             leakingCells(s, o), 100.0 * r.thin)});
    const double finest = static_cast<double>(s.grid.cellSize()) / static_cast<double>(o.shape.scale);
    if (const double voxel = meshGrids(s)[o.shape.mesh].voxel; voxel > 1.01 * finest)
        warnings.push_back({key, fmt::format("has a distance grid of {:.3g} cells per voxel: it has at most {} voxels along an edge",
                                             voxel / finest, kMaxMeshVoxels)});
    const double cells = s.meshes[o.shape.mesh]->range.speed * static_cast<double>(s.timeStep) / finest;
    if (solid && cells > 1.0)
        warnings.push_back(
            {key, fmt::format("moves by up to {:.3g} cells in a step, so smoke may pass through it: use a shorter time.step", cells)});
    if (o.keys.empty() && o.velocity == glm::vec3(0.0f) && outsideTheBox(s, o))
        warnings.push_back({key, "is outside the box and never enters it"});
}

/// An emitter as if it were an obstacle.
ObstacleSettings bodyOf(const EmitterSettings& e) { return {.shape = e.shape, .rotation = e.rotation, .keys = e.keys}; }

}  // namespace

std::vector<Problem> meshWarnings(const Settings& s) {
    std::vector<Problem> warnings;
    for (std::size_t i = 0; i < s.obstacles.size(); ++i)
        if (isMesh(s.obstacles[i])) warnOf(s, fmt::format("obstacle[{}].file", i), s.obstacles[i], true, warnings);
    for (std::size_t i = 0; i < s.emitters.size(); ++i)
        if (const ObstacleSettings body = bodyOf(s.emitters[i]); isMesh(body))
            warnOf(s, fmt::format("emitter[{}].file", i), body, false, warnings);
    return warnings;
}

namespace {

std::string motionOf(const Settings& s, const ObstacleSettings& o) {
    const Mesh& mesh = *s.meshes[o.shape.mesh];
    if (!mesh.motion) return {};
    return fmt::format(", deforms by up to {:.3g} m/s", mesh.range.speed * static_cast<double>(o.shape.scale));
}

}  // namespace

std::string describeMesh(const Settings& s, const ObstacleSettings& o) {
    const MeshReport r = reportOn(s, o);
    const glm::dvec3 cells = sizeInCells(s, o);
    const glm::uvec3 voxels = meshGrids(s)[o.shape.mesh].size;
    return fmt::format(
        "{} triangles, {:.1f}x{:.1f}x{:.1f} cells, {}x{}x{} voxels, {} ({} open and {} crossed of {} edges), "
        "{:.1f} % thinner than {} cells{}",
        r.triangles, cells.x, cells.y, cells.z, voxels.x, voxels.y, voxels.z, r.closed() ? "closed" : "not closed", r.openEdges,
        r.crossedEdges, r.edges, 100.0 * r.thin, leakingCells(s, o), motionOf(s, o));
}

std::string describeMesh(const Settings& s, const EmitterSettings& e) { return describeMesh(s, bodyOf(e)); }

}  // namespace wisp
