// SPDX-License-Identifier: MIT
#include "compute/ordinates.h"

#include "shaders/shared/ordinates.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>

namespace wisp {
namespace {

constexpr double kPi = glm::pi<double>();
using Matrix = std::array<std::array<double, WISP_ORDINATES>, WISP_ORDINATES>;

double henyeyGreenstein(double cosine, double g) {
    const double d = 1.0 + g * g - 2.0 * g * cosine;
    return (1.0 - g * g) / (4.0 * kPi * d * std::sqrt(d));
}

double phaseOf(const PhaseSettings& p, double cosine, double narrowness) {
    const double g = narrowness * static_cast<double>(p.g), back = narrowness * static_cast<double>(p.gBack), blend = static_cast<double>(p.blend);
    return (1.0 - blend) * henyeyGreenstein(cosine, g) + blend * henyeyGreenstein(cosine, back);
}

double meanCosine(const PhaseSettings& p) {
    return std::lerp(static_cast<double>(p.g), static_cast<double>(p.gBack), static_cast<double>(p.blend));
}

Matrix matrixOf(const PhaseSettings& p, double narrowness) {
    Matrix P{};
    for (std::size_t k = 0; k < P.size(); ++k) {
        double sum = 0.0;
        for (std::size_t l = 0; l < P.size(); ++l) {
            const double cosine = std::clamp(glm::dot(ordinates()[k].direction, ordinates()[l].direction), -1.0, 1.0);
            P[k][l] = ordinates()[l].weight * phaseOf(p, cosine, narrowness);
            sum += P[k][l];
        }
        for (double& share : P[k]) share /= sum;
    }
    return P;
}

double meanCosine(const Matrix& P) {
    double mean = 0.0;
    for (std::size_t k = 0; k < P.size(); ++k)
        for (std::size_t l = 0; l < P.size(); ++l) mean += ordinates()[k].weight * P[k][l] * glm::dot(ordinates()[k].direction, ordinates()[l].direction);
    return mean;
}

// By bisection for how narrow the lobes are: with wide ones and narrow ones the mean cosine lies on either side.
Matrix scatteringMatrix(const PhaseSettings& p) {
    const double wanted = meanCosine(p);
    double wide = 0.0, narrow = 1.0;
    for (int i = 0; i < 40; ++i) {
        const double middle = 0.5 * (wide + narrow);
        (std::abs(meanCosine(matrixOf(p, middle))) > std::abs(wanted) ? narrow : wide) = middle;
    }
    return matrixOf(p, narrow);
}

}  // namespace

const std::array<Ordinate, 14>& ordinates() {
    static const std::array<Ordinate, 14> all = [] {
        std::array<Ordinate, 14> rule{};
        for (int k = 0; k < 6; ++k) rule[static_cast<std::size_t>(k)].direction[k / 2] = k % 2 == 0 ? -1.0 : 1.0;
        for (int n = 0; n < 8; ++n) {
            const glm::dvec3 corner((n & 1) * 2 - 1, (n >> 1 & 1) * 2 - 1, (n >> 2) * 2 - 1);
            rule[static_cast<std::size_t>(6 + n)].direction = glm::normalize(corner);
        }
        for (std::size_t k = 0; k < rule.size(); ++k) rule[k].weight = k < 6 ? 1.0 / 15.0 : 3.0 / 40.0;
        return rule;
    }();
    return all;
}

double phaseMean(const PhaseSettings& phase, double angle) {
    // Rings of equal solid angle, each at places of equal turns: exact enough for lobes as narrow as scenes may have (g <= 0.99 is seen at 0.5 degrees).
    constexpr int kRings = 64, kTurns = 128;
    constexpr double kCap = 1.0 / 7.0;  // 1 - cosine at the rim of a cone of 4 pi / 14
    double sum = 0.0;
    for (int r = 0; r < kRings; ++r) {
        const double cosine = 1.0 - kCap * (r + 0.5) / kRings, sine = std::sqrt(1.0 - cosine * cosine);
        for (int t = 0; t < kTurns; ++t) {
            const double turned = std::cos(angle) * cosine + std::sin(angle) * sine * std::cos(2.0 * kPi * (t + 0.5) / kTurns);
            sum += phaseOf(phase, std::clamp(turned, -1.0, 1.0), 1.0);
        }
    }
    return sum / (kRings * kTurns);
}

std::vector<float> phaseTable(const PhaseSettings& phase) {
    std::vector<float> table;
    for (const auto& row : scatteringMatrix(phase))
        for (const double share : row) table.push_back(static_cast<float>(share));
    for (int n = 0; n <= WISP_PHASE_ANGLES; ++n) table.push_back(static_cast<float>(phaseMean(phase, kPi * n / WISP_PHASE_ANGLES)));
    return table;
}

}  // namespace wisp
