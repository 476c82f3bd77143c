// SPDX-License-Identifier: MIT
#include "files/scene/volume_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

bool sameTransform(const VolumeGridHead& a, const VolumeGridHead& b) {
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 4; ++row)
            if (a.toWorld[column][row] != b.toWorld[column][row]) return false;
    return true;
}

/// Three grids of components at the same points.
bool areComponents(const VelocityHeads& parts) {
    return std::ranges::all_of(parts, [&](const VolumeGridHead* p) { return p && p->isLinear && sameTransform(*p, *parts[0]); });
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
