// SPDX-License-Identifier: MIT
#include "compute/picture/ordinates.h"

#include "shaders/shared/ordinates.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace wisp {
namespace {

constexpr double kPi = glm::pi<double>();
using Matrix = std::array<std::array<double, WISP_ORDINATES>, WISP_ORDINATES>;

double henyeyGreenstein(double cosine, double g) {
    const double d = 1.0 + g * g - 2.0 * g * cosine;
    return (1.0 - g * g) / (4.0 * kPi * d * std::sqrt(d));
}

// The matrix of one lobe: w_l p_kl, scaled symmetrically until rows add up to 1, so that no light is lost in any direction.
Matrix lobeMatrix(double g) {
    Matrix P{};
    for (std::size_t k = 0; k < P.size(); ++k)
        for (std::size_t l = 0; l < P.size(); ++l)
            P[k][l] = ordinates()[l].weight *
                      henyeyGreenstein(std::clamp(glm::dot(ordinates()[k].direction, ordinates()[l].direction), -1.0, 1.0), g);
    std::array<double, WISP_ORDINATES> scale{};
    scale.fill(1.0);
    for (int i = 0; i < 40; ++i) {
        const auto last = scale;
        for (std::size_t k = 0; k < P.size(); ++k) {
            const double sum = std::inner_product(P[k].begin(), P[k].end(), last.begin(), 0.0);
            scale[k] = std::sqrt(last[k] / sum);
        }
    }
    for (std::size_t k = 0; k < P.size(); ++k)
        for (std::size_t l = 0; l < P.size(); ++l) P[k][l] *= scale[k] * scale[l];
    return P;
}

double meanCosine(const Matrix& P) {
    double mean = 0.0;
    for (std::size_t k = 0; k < P.size(); ++k)
        for (std::size_t l = 0; l < P.size(); ++l)
            mean += ordinates()[k].weight * P[k][l] * glm::dot(ordinates()[k].direction, ordinates()[l].direction);
    return mean;
}

// Finds the width of the lobe by bisection. The mean cosines of the widest and the narrowest lobe enclose the mean cosine g.
Matrix lobeOfMeanCosine(double g) {
    double wide = 0.0, narrow = 1.0;
    for (int i = 0; i < 40; ++i) {
        const double middle = 0.5 * (wide + narrow);
        (std::abs(meanCosine(lobeMatrix(middle * g))) > std::abs(g) ? narrow : wide) = middle;
    }
    return lobeMatrix(narrow * g);
}

// Each lobe separately, because the mean cosine of both together may be 0, or may have a sign that neither lobe's matrix has.
Matrix scatteringMatrix(const PhaseSettings& p) {
    Matrix P = lobeOfMeanCosine(static_cast<double>(p.g));
    const Matrix back = lobeOfMeanCosine(static_cast<double>(p.gBack));
    for (std::size_t k = 0; k < P.size(); ++k)
        for (std::size_t l = 0; l < P.size(); ++l) P[k][l] = std::lerp(P[k][l], back[k][l], static_cast<double>(p.blend));
    return P;
}

Matrix product(const Matrix& A, const Matrix& B) {
    Matrix C{};
    for (std::size_t k = 0; k < C.size(); ++k)
        for (std::size_t l = 0; l < C.size(); ++l)
            for (std::size_t m = 0; m < C.size(); ++m) C[k][l] += A[k][m] * B[m][l];
    return C;
}

// Mean of one lobe. The lobe is cut into rings of equal light around the direction of the light, and the cone covers a known share of each.
double lobeMean(double g, double angle) {
    constexpr int kRings = 2048;
    constexpr double kRim = 1.0 - 1.0 / 7.0;  // cosine at the rim of a cone of 4 pi / 14
    double sum = 0.0;
    for (int r = 0; r < kRings; ++r) {
        const double u = (r + 0.5) / kRings, q = 1.0 - g + 2.0 * g * u;
        // As henyeyGreensteinDrop in shaders/shared/phase.glsl.
        const double cosine = 1.0 - (1.0 - g) * (1.0 - g) * (1.0 - u) * (1.0 + g + q) / (q * q);
        const double across = std::sqrt(std::max(1.0 - cosine * cosine, 0.0)) * std::sin(angle);
        sum += std::acos(std::clamp((kRim - cosine * std::cos(angle)) / std::max(across, 1e-12), -1.0, 1.0)) / kPi;
    }
    return sum / kRings / (4.0 * kPi / WISP_ORDINATES);
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

double phaseMean(const PhaseSettings& p, double angle) {
    return std::lerp(lobeMean(static_cast<double>(p.g), angle), lobeMean(static_cast<double>(p.gBack), angle),
                     static_cast<double>(p.blend));
}

std::vector<Lobe> foldedPhase(const PhaseSettings& p, int times) {
    const double g = static_cast<double>(p.g), gBack = static_cast<double>(p.gBack), blend = static_cast<double>(p.blend);
    std::vector<Lobe> lobes{{.share = 1.0, .g = 1.0}};
    for (int n = 0; n < times; ++n) {
        std::vector<Lobe> next(lobes.size() + 1);
        for (std::size_t j = 0; j < lobes.size(); ++j) {  // lobe j was scattered j times by the second lobe
            next[j].share += (1.0 - blend) * lobes[j].share;
            next[j + 1].share += blend * lobes[j].share;
            next[j].g = g * lobes[j].g;
        }
        next.back().g = gBack * lobes.back().g;
        lobes = std::move(next);
    }
    return lobes;
}

std::vector<float> phaseTable(const PhaseSettings& phase) {
    std::vector<float> table;
    const Matrix P = scatteringMatrix(phase);
    Matrix power = P;
    for (int n = 1; n < WISP_SMALL_TURNS; ++n, power = product(power, P))
        for (const auto& row : power)
            for (const double share : row) table.push_back(static_cast<float>(share));
    for (int n = 0; n <= WISP_PHASE_ANGLES; ++n) table.push_back(static_cast<float>(phaseMean(phase, kPi * n / WISP_PHASE_ANGLES)));
    for (int n = 1; n <= WISP_SMALL_TURNS; ++n)
        for (const Lobe& lobe : foldedPhase(phase, n + 1)) {
            table.push_back(static_cast<float>(lobe.share));
            table.push_back(static_cast<float>(lobe.g));
        }
    return table;
}

}  // namespace wisp
