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

const VolumeGridHead* gridNamed(const VolumeHead& head, const std::string& name) {
    const auto found = std::ranges::find_if(head.grids, [&](const VolumeGridHead& g) { return lowered(g.name) == name; });
    return found == head.grids.end() ? nullptr : &*found;
}

bool sameTransform(const VolumeGridHead& a, const VolumeGridHead& b) {
    for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 4; ++row)
            if (a.toWorld[column][row] != b.toWorld[column][row]) return false;
    return true;
}

}  // namespace

const std::vector<std::string>& volumeNames(VolumeRole role) {
    static const std::vector<std::string> density{"density"}, temperature{"temperature", "temp"},
        fuel{"fuel", "flame", "flames", "fire", "burn", "heat"}, velocity{"vel", "velocity", "v"};
    switch (role) {
        case VolumeRole::Density: return density;
        case VolumeRole::Temperature: return temperature;
        case VolumeRole::Fuel: return fuel;
        default: return velocity;
    }
}

const VolumeGridHead* smokeGrid(const VolumeHead& head, VolumeRole role) {
    std::string problem;
    for (const std::string& name : volumeNames(role))
        for (const VolumeGridHead& grid : head.grids) {
            if (lowered(grid.name) != name) continue;
            const std::string why = smokeProblem(grid);
            if (why.empty()) return &grid;
            if (problem.empty()) problem = why;
        }
    if (!problem.empty()) throw std::runtime_error(problem);
    return nullptr;
}

VelocityHeads velocityGrids(const VolumeHead& head) {
    std::string problem;
    for (const std::string& name : volumeNames(VolumeRole::Velocity)) {
        const VolumeGridHead* grid = gridNamed(head, name);
        if (grid && grid->problem.empty() && grid->isVector) return {grid};
        if (grid && problem.empty())
            problem = grid->problem.empty() ? fmt::format("{}: has values of type {}, must be vectors of floats", grid->name, grid->type)
                                            : grid->problem;
        const VelocityHeads parts{gridNamed(head, name + ".x"), gridNamed(head, name + ".y"), gridNamed(head, name + ".z")};
        if (std::ranges::any_of(parts, [&](const VolumeGridHead* p) {
                return !p || !p->problem.empty() || !p->isFloat || !p->isLinear || !sameTransform(*p, *parts[0]);
            }))
            continue;
        return parts;
    }
    if (!problem.empty()) throw std::runtime_error(problem);
    return {};
}

std::size_t countOfName(const VolumeHead& head, const VolumeGridHead& grid) {
    return static_cast<std::size_t>(std::ranges::count(head.grids, grid.name, &VolumeGridHead::name));
}

std::string namesOf(const VolumeHead& head) {
    std::vector<std::string> names;
    for (const VolumeGridHead& g : head.grids) names.push_back(g.name.empty() ? "one without a name" : g.name);
    return names.empty() ? "no grids" : fmt::format("only {}", fmt::join(names, ", "));
}

}  // namespace wisp
