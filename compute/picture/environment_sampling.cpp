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

// Integral of sin(angle) times the lower half of a row's hat function, over the angle to the axis. The hat function is 1 at the centre of
// the row and 0 at the next centre. Below the centre of the last row it is 1 down to the pole. The upper half is the lower half of the
// mirrored row.
double belowCentre(std::uint32_t row, std::uint32_t rows) {
    const double step = kPi / rows, angle = step * (row + 0.5);
    if (row + 1 == rows) return std::cos(angle) + 1.0;
    return std::cos(angle) - (std::sin(angle + step) - std::sin(angle)) / step;
}

}  // namespace

std::vector<double> environmentProbabilities(const EnvironmentImage& image) {
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
    std::vector<double> left(chances.begin(), chances.end());  // remaining probabilities, in units of an entry's probability
    std::vector<gpu::AliasEntry> table(left.size());
    std::vector<std::uint32_t> small, large;
    for (std::uint32_t i = 0; i < left.size(); ++i) {
        left[i] *= static_cast<double>(left.size());
        table[i] = {1.0f, i};
        (left[i] < 1.0 ? small : large).push_back(i);
    }
    // The mean of the remaining probabilities is always 1. So at the end, when one list is empty, all are 1 except for rounding.
    while (!small.empty() && !large.empty()) {
        const std::uint32_t i = small.back(), j = large.back();
        small.pop_back();
        table[i] = {static_cast<float>(left[i]), j};
        left[j] -= 1.0 - left[i];
        if (left[j] >= 1.0) continue;
        large.pop_back();
        small.push_back(j);
    }
    return table;
}

std::vector<glm::vec4> environmentTexels(const EnvironmentImage& map, std::span<const double> chances) {
    std::vector<glm::vec4> texels;
    texels.reserve(map.texels.size());
    // The texels span 2 pi around the axis times pi along it.
    const double perChance = double(map.size.x) * double(map.size.y) / (2.0 * kPi * kPi);
    for (std::size_t i = 0; i < map.texels.size(); ++i)
        texels.emplace_back(map.texels[i], chances.empty() ? 0.0f : static_cast<float>(perChance * chances[i]));
    return texels;
}

}  // namespace wisp
