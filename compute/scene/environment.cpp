// SPDX-License-Identifier: MIT
#include "compute/scene/environment.h"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>

namespace wisp {
namespace {

constexpr std::uint32_t kGradientRows = 129;  // odd, so that the kink at the horizon lies at the centre of a row
constexpr double kPi = glm::pi<double>();

bool isGradient(const EnvironmentSettings& e) { return e.top || e.bottom; }

// Fourier coefficients of a row around the y axis: integrals of the radiance times 1, sin a, cos a, sin 2a, cos 2a.
// The angle a goes from -z to +x.
using Waves = std::array<glm::dvec3, 5>;

// Exact for linear interpolation between texels: the transform of a hat function two texels wide is sinc^2.
Waves wavesOfRow(const EnvironmentImage& map, std::uint32_t row, double rotation) {
    Waves waves{};
    const double step = 2.0 * kPi / map.size.x, half = 0.5 * step;
    const double first = std::pow(std::sin(half) / half, 2.0), second = std::pow(std::sin(step) / step, 2.0);
    for (std::uint32_t column = 0; column < map.size.x; ++column) {
        const glm::dvec3 L = step * glm::dvec3(map.texels[std::size_t{row} * map.size.x + column]);
        const double a = step * (column + 0.5) - kPi - rotation;
        const double weights[5] = {1.0, first * std::sin(a), first * std::cos(a), second * std::sin(2.0 * a), second * std::cos(2.0 * a)};
        for (std::size_t n = 0; n < waves.size(); ++n) waves[n] += weights[n] * L;
    }
    return waves;
}

/// Fourier coefficients of all rows, interpolated linearly between the centres of rows.
class Sphere {
public:
    Sphere(const EnvironmentImage& map, double rotation) {
        for (std::uint32_t row = 0; row < map.size.y; ++row) rows_.push_back(wavesOfRow(map, row, rotation));
    }
    [[nodiscard]] Waves at(double y) const {
        const double v = std::acos(y) / kPi * static_cast<double>(rows_.size()) - 0.5;
        const double low = std::floor(v), part = v - low;
        const auto row = [&](double i) {
            return rows_[static_cast<std::size_t>(std::clamp(i, 0.0, static_cast<double>(rows_.size() - 1)))];
        };
        Waves a = row(low);
        const Waves b = row(low + 1.0);
        for (std::size_t n = 0; n < a.size(); ++n) a[n] = glm::mix(a[n], b[n], part);
        return a;
    }

private:
    std::vector<Waves> rows_;
};

}  // namespace

glm::uvec2 environmentMapSize(const EnvironmentSettings& e) {
    return e.image ? e.image->size : glm::uvec2(1, isGradient(e) ? kGradientRows : 1);
}

EnvironmentImage environmentMap(const EnvironmentSettings& e) {
    EnvironmentImage map{environmentMapSize(e), {}};
    if (e.image) map.texels = e.image->texels;
    else
        for (std::uint32_t row = 0; row < map.size.y; ++row) {
            const auto y = static_cast<float>(std::cos(kPi * (row + 0.5) / map.size.y));
            map.texels.push_back(glm::mix(e.colour, (y > 0.0f ? e.top : e.bottom).value_or(e.colour), std::abs(y)));
        }
    for (glm::vec3& texel : map.texels) texel *= e.intensity;
    return map;
}

std::array<glm::vec3, 9> environmentHarmonics(const EnvironmentImage& map, float rotation, bool mirrored) {
    const Sphere sphere(map, static_cast<double>(rotation));
    std::array<glm::dvec3, 9> sums{};
    // Integrates over y, in which the sphere's area is uniform, with two Gauss points in each strip. Kinks lie only between strips.
    const std::uint32_t strips = 2 * map.size.y * (1 + 512 / map.size.y);
    for (std::uint32_t strip = 0; strip < strips; ++strip) {
        const double high = std::cos(kPi * strip / strips), low = std::cos(kPi * (strip + 1) / strips), weight = 0.5 * (high - low);
        for (const double side : {-1.0, 1.0}) {
            const double y = std::clamp(0.5 * (high + low) + side * weight / std::sqrt(3.0), -1.0, 1.0), s = std::sqrt(1.0 - y * y);
            const auto [even, sine, cosine, sine2, cosine2] = sphere.at(mirrored ? std::abs(y) : y);
            // x = s sin a, z = -s cos a
            const glm::dvec3 products[9] = {even,
                                            s * sine,
                                            y * even,
                                            -s * cosine,
                                            y * s * sine,
                                            -y * s * cosine,
                                            -0.5 * s * s * sine2,
                                            (3.0 * y * y - 1.0) * even,
                                            -s * s * cosine2};
            for (std::size_t n = 0; n < sums.size(); ++n) sums[n] += weight * products[n];
        }
    }
    constexpr double kNorms[9] = {1.0, 3.0, 3.0, 3.0, 15.0, 15.0, 15.0, 1.25, 3.75};  // 4 pi over the integral of the polynomial's square
    std::array<glm::vec3, 9> result;
    for (std::size_t n = 0; n < sums.size(); ++n) result[n] = kNorms[n] / (4.0 * kPi) * sums[n];
    return result;
}

std::string environmentSizeProblem(std::int64_t width, std::int64_t height) {
    if (width >= 1 && height >= 1 && width <= kMaxEnvironmentWidth && height <= kMaxEnvironmentHeight) return {};
    return fmt::format("has {}x{} pixels, must have from 1x1 to {}x{}", width, height, kMaxEnvironmentWidth, kMaxEnvironmentHeight);
}

std::string environmentProblem(const EnvironmentImage& image) {
    const std::uint64_t count = std::uint64_t{image.size.x} * image.size.y;
    if (const std::string problem = environmentSizeProblem(image.size.x, image.size.y); !problem.empty()) return problem;
    if (image.texels.size() != count) return fmt::format("has {} texels, must have {}", image.texels.size(), count);
    for (std::size_t i = 0; i < count; ++i)
        for (int n = 0; n < 3; ++n)
            if (const float v = image.texels[i][n]; !(v >= 0.0f && v <= kMaxRadiance))
                return fmt::format("is {} in column {} of row {}, must be from 0 to {}", v, i % image.size.x, i / image.size.x,
                                   kMaxRadiance);
    return {};
}

bool samplesEnvironment(const Settings& s) {
    const EnvironmentSettings& e = s.environment;
    return s.render.mode == RenderMode::Path && e.image && e.intensity > 0.0f &&
           std::ranges::any_of(e.image->texels, [](const glm::vec3& c) { return c.r > 0.0f || c.g > 0.0f || c.b > 0.0f; });
}

}  // namespace wisp
