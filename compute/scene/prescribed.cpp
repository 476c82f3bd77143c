// SPDX-License-Identifier: MIT
#include "compute/scene/prescribed.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>

namespace wisp {

static_assert(kArrows == WISP_ARROW_ROWS);

double maxCellThroughput(const Settings& s) {
    const PrescribedSettings& p = s.prescribed;
    const double U = static_cast<double>(p.speed);
    const glm::dvec3 size(s.grid.size);
    switch (p.field) {
        case PrescribedField::None: return 0.0;
        case PrescribedField::Uniform: {
            const glm::dvec3 u = glm::abs(glm::dvec3(p.velocity));
            return u.x + u.y + (s.grid.isFlat() ? 0.0 : u.z);
        }
        case PrescribedField::Rotation: return U * (size.x + size.y) / std::min(size.x, size.y);  // at a corner
        case PrescribedField::Shear: return U;
        case PrescribedField::Sine: return std::sqrt(2.0) * U;
        case PrescribedField::TaylorGreen: return 2.0 * U * std::max(1.0, 2.0 * size.y / size.x);
        case PrescribedField::Arrows: return 4.0 * U;  // fluid may enter a cell through all its faces
    }
    return 0.0;
}

float greatestSpeed(const Settings& s) {
    const PrescribedSettings& p = s.prescribed;
    const glm::vec2 size(s.grid.size);
    switch (p.field) {
        case PrescribedField::None: return 0.0f;
        case PrescribedField::Uniform: return glm::length(glm::vec2(p.velocity));
        case PrescribedField::Rotation: return p.speed * glm::length(size) / std::min(size.x, size.y);
        case PrescribedField::TaylorGreen: {
            const auto waves = [&](unsigned axis) { return (s.grid.periodicAxes() >> axis & 1u) != 0 ? 2.0f : 1.0f; };
            return p.speed * std::max(1.0f, waves(0) * size.y / (waves(1) * size.x));
        }
        case PrescribedField::Shear:
        case PrescribedField::Sine:
        case PrescribedField::Arrows: return p.speed;
    }
    return 0.0f;
}

float arrowAngle(const PrescribedSettings& p, glm::uvec2 at) {
    const auto turned = std::ranges::find(p.arrows.rbegin(), p.arrows.rend(), at, &ArrowSettings::at);
    return turned != p.arrows.rend() ? turned->angle : std::atan2(p.velocity.y, p.velocity.x);
}

void setArrowAngle(PrescribedSettings& p, glm::uvec2 at, float angle) {
    std::erase_if(p.arrows, [&](const ArrowSettings& a) { return a.at == at; });
    p.arrows.push_back({at, angle});
}

gpu::PrescribedData prescribedData(const PrescribedSettings& p) {
    gpu::PrescribedData data{.field = static_cast<int>(p.field), .speed = p.speed, .velocity = p.velocity, .arrows = {}};
    if (p.field != PrescribedField::Arrows) return data;
    for (std::uint32_t y = 0; y < kArrows; ++y)
        for (std::uint32_t x = 0; x < kArrows; ++x) {
            const float angle = arrowAngle(p, {x, y});
            data.arrows[y * kArrows + x] = p.speed * glm::vec2(std::cos(angle), std::sin(angle));
        }
    return data;
}

std::uint32_t upwindSteps(const Settings& s) {
    const double edge = static_cast<double>(s.grid.cellSize()) / s.grid.scalarRatio,
                 courant = maxCellThroughput(s) * static_cast<double>(s.timeStep) / edge;
    // The tolerance is for floats: a Courant number of 1 up to rounding needs one step.
    return static_cast<std::uint32_t>(std::clamp(std::ceil((1.0 - 1e-6) * courant), 1.0, 4e9));
}

}  // namespace wisp
