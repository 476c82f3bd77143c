// SPDX-License-Identifier: MIT
#include "compute/picture/environment_sampling.h"

#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wisp {
namespace {

constexpr double kPi = glm::pi<double>();

double luminance(glm::vec3 c) { return 0.2126 * double(c.x) + 0.7152 * double(c.y) + 0.0722 * double(c.z); }

// Integral over the angle to the axis of its sine times the half hat below the centre of a row: 1 there, 0 at the next centre;
// 1 down to the pole from the last row. The upper half is that of the row's mirror image.
double belowCentre(std::uint32_t row, std::uint32_t rows) {
    const double step = kPi / rows, angle = step * (row + 0.5);
    if (row + 1 == rows) return std::cos(angle) + 1.0;
    return std::cos(angle) - (std::sin(angle + step) - std::sin(angle)) / step;
}

}  // namespace

std::vector<double> environmentChances(const EnvironmentImage& image) {
    std::vector<double> chances;
    chances.reserve(image.texels.size());
    for (std::uint32_t row = 0; row < image.size.y; ++row) {
        const double angle = belowCentre(row, image.size.y) + belowCentre(image.size.y - 1 - row, image.size.y);
        for (std::uint32_t column = 0; column < image.size.x; ++column)
            chances.push_back(angle * luminance(image.texels[std::size_t{row} * image.size.x + column]));
    }
    const double sum = std::accumulate(chances.begin(), chances.end(), 0.0);
    if (!(sum > 0.0)) return {};
    for (double& chance : chances) chance /= sum;
    return chances;
}

std::vector<gpu::AliasEntry> aliasTable(std::span<const double> chances) {
    std::vector<double> left(chances.begin(), chances.end());  // of each chance, in entries of equal chance
    std::vector<gpu::AliasEntry> table(left.size());
    std::vector<std::uint32_t> few, many;
    for (std::uint32_t i = 0; i < left.size(); ++i) {
        left[i] *= static_cast<double>(left.size());
        table[i] = {1.0f, i};
        (left[i] < 1.0 ? few : many).push_back(i);
    }
    // What is left has a mean of 1 all the time: in the end, where only few or only many are, all are 1 but for roundings.
    while (!few.empty() && !many.empty()) {
        const std::uint32_t i = few.back(), j = many.back();
        few.pop_back();
        table[i] = {static_cast<float>(left[i]), j};
        left[j] -= 1.0 - left[i];
        if (left[j] >= 1.0) continue;
        many.pop_back();
        few.push_back(j);
    }
    return table;
}

std::vector<glm::vec4> environmentTexels(const EnvironmentImage& map, std::span<const double> chances) {
    std::vector<glm::vec4> texels;
    texels.reserve(map.texels.size());
    const double perChance = double(map.size.x) * double(map.size.y) /
                             (2.0 * kPi * kPi);  // texels in 2 pi around the axis times pi along it
    for (std::size_t i = 0; i < map.texels.size(); ++i)
        texels.emplace_back(map.texels[i], chances.empty() ? 0.0f : static_cast<float>(perChance * chances[i]));
    return texels;
}

}  // namespace wisp
