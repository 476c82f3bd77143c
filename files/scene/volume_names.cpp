// SPDX-License-Identifier: MIT
#include "files/scene/volume_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace wisp {
namespace {

std::string lowered(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

/// Why this grid cannot be smoke, or "".
std::string smokeProblem(const VolumeGridHead& grid) {
    if (!grid.problem.empty()) return grid.problem;
    if (!grid.isFloat) return fmt::format("{}: has values of type {}, must be float", grid.name, grid.type);
    if (grid.isLevelSet) return fmt::format("{}: is a level set, must be a fog volume", grid.name);
    return {};
}

/// Why this grid cannot be a velocity, or "".
std::string velocityProblem(const VolumeGridHead& grid) {
    if (!grid.problem.empty()) return grid.problem;
    if (!grid.isVector) return fmt::format("{}: has values of type {}, must be vectors of floats", grid.name, grid.type);
    return {};
}

/// The first grid of a name, written in small letters, that has no problem and is not empty; else the first one that has no problem.
/// @param problem of the others, if it is empty
template <class ProblemOf>
const VolumeGridHead* gridNamed(const VolumeHead& head, const std::string& name, ProblemOf problemOf, std::string& problem) {
    const VolumeGridHead* empty = nullptr;
    for (const VolumeGridHead& grid : head.grids) {
        if (lowered(grid.name) != name) continue;
        const std::string why = problemOf(grid);
        if (!why.empty() && problem.empty()) problem = why;
        if (!why.empty()) continue;
        if (grid.activeVoxels > 0) return &grid;
        if (!empty) empty = &grid;
    }
    return empty;
}

/// Whether b has the points of a, shifted by so many of their voxels along each axis, to the rounding of floats: programs compute the
/// transform of each grid from positions that are floats.
bool isShifted(const VolumeGridHead& a, const VolumeGridHead& b, glm::dvec3 voxels) {
    const glm::dmat3 linear(a.toWorld);
    const double edge = std::max({glm::length(linear[0]), glm::length(linear[1]), glm::length(linear[2])});
    for (int column = 0; column < 3; ++column)
        if (glm::distance(a.toWorld[column], b.toWorld[column]) > 1e-6 * edge) return false;
    const glm::dvec3 origin(a.toWorld[3]), shift = glm::dvec3(b.toWorld[3]) - origin - linear * voxels;
    return glm::length(shift) <= 1e-5 * edge + 1e-7 * glm::length(origin);
}

/// Three grids of components at the same points, or each at the faces along its axis, half a voxel before the centres.
bool areComponents(const VelocityHeads& parts) {
    const bool valid = std::ranges::all_of(parts, [](const VolumeGridHead* p) { return p && p->isLinear; });
    return valid && (atFaces(parts) ||
                     std::ranges::all_of(parts, [&](const VolumeGridHead* p) { return isShifted(*parts[0], *p, glm::dvec3(0.0)); }));
}

}  // namespace

const std::vector<std::string>& volumeNames(VolumeRole role) {
    static const std::vector<std::string> density{"density"}, temperature{"temperature", "temp"},
        fuel{"fuel", "flame", "flames", "fire", "burn", "heat"}, flame{"flame", "flames", "fire", "burn", "heat", "fuel"},
        velocity{"vel", "velocity", "v"};
    switch (role) {
        case VolumeRole::Density: return density;
        case VolumeRole::Temperature: return temperature;
        case VolumeRole::Fuel: return fuel;
        case VolumeRole::Flame: return flame;
        default: return velocity;
    }
}

std::vector<std::string> namesIn(const std::vector<VolumeHead>& heads, VolumeRole role) {
    std::string problem;
    for (const std::string& name : volumeNames(role))
        if (std::ranges::any_of(heads, [&](const VolumeHead& head) { return gridNamed(head, name, smokeProblem, problem) != nullptr; }))
            return {name};
    return volumeNames(role);
}

const VolumeGridHead* smokeGrid(const VolumeHead& head, const std::vector<std::string>& names) {
    std::string problem;
    for (const std::string& name : names)
        if (const VolumeGridHead* grid = gridNamed(head, name, smokeProblem, problem)) return grid;
    if (!problem.empty()) throw std::runtime_error(problem);
    return nullptr;
}

VelocityHeads velocityGrids(const VolumeHead& head) {
    std::string problem, ofPart;
    for (const std::string& name : volumeNames(VolumeRole::Velocity)) {
        if (const VolumeGridHead* grid = gridNamed(head, name, velocityProblem, problem)) return {grid};
        VelocityHeads parts;
        for (const char* axis : {".x", ".y", ".z"}) parts.push_back(gridNamed(head, name + axis, smokeProblem, ofPart));
        if (areComponents(parts)) return parts;
    }
    if (!problem.empty()) throw std::runtime_error(problem);
    return {};
}

bool atFaces(const VelocityHeads& parts) {
    // From the faces along x to the centres, and from there to the faces along the axis.
    const auto isAtFace = [&](std::size_t axis) {
        glm::dvec3 shift(0.5, 0.0, 0.0);
        shift[static_cast<int>(axis)] -= 0.5;
        return isShifted(*parts[0], *parts[axis], shift);
    };
    return parts.size() == 3 && isAtFace(1) && isAtFace(2);
}

std::vector<const VolumeGridHead*> namesakes(const VolumeHead& head, const VolumeGridHead& grid) {
    std::vector<const VolumeGridHead*> all;
    for (const VolumeGridHead& g : head.grids)
        if (lowered(g.name) == lowered(grid.name)) all.push_back(&g);
    return all;
}

std::string namesOf(const VolumeHead& head) {
    std::vector<std::string> names;
    for (const VolumeGridHead& g : head.grids) names.push_back(g.name.empty() ? "one without a name" : g.name);
    return names.empty() ? "no grids" : fmt::format("only {}", fmt::join(names, ", "));
}

}  // namespace wisp
