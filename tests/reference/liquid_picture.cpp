// SPDX-License-Identifier: MIT
#include "tests/reference/liquid_picture.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace wisp::reference {

LiquidSample liquidDistance(const Step& s, const std::vector<dvec3>& positions, const gpu::LiquidDistance& kernel, dvec3 p) {
    const double reach = double(kernel.reach);
    LiquidSample result{reach - double(kernel.alone), 0.0, 0};
    dvec3 mean(0.0);
    double weights = 0.0;
    // 1: the particle itself. 0 and 2: its mirror images in the lower and the upper wall.
    forEach(ivec3(3), [&](ivec3 image) {
        for (int a = 0; a < 3; ++a)
            if ((image[a] == 0 && s.sidesLow[a] != WISP_WALL) || (image[a] == 2 && s.sidesHigh[a] != WISP_WALL)) return;
        for (dvec3 x : positions) {
            for (int a = 0; a < 3; ++a)
                if (image[a] != 1) x[a] = double(image[a]) * s.cells[a] - x[a];
            const double u = 1.0 - glm::dot(x - p, x - p) / (reach * reach);
            if (u <= 0.0) continue;
            mean += u * u * u * x;
            weights += u * u * u;
            result.nearest = std::max(result.nearest, u);
            ++result.count;
        }
    });
    if (weights == 0.0) return result;
    const double share = std::min(weights / double(kernel.plane), 1.0);
    result.phi = std::min(result.phi,
                          glm::distance(p, mean / weights) - ((1.0 - share) * double(kernel.alone) + share * double(kernel.radius)));
    return result;
}

bool isWellInside(const Step& s, const Field& filled, const gpu::LiquidDistance& kernel, ivec3 c) {
    const double between = 1.0 / s.scalarRatio, reach = double(kernel.reach);
    const dvec3 first = (dvec3(c / 2 * 2) + 0.5) * between;
    const ivec3 low = glm::floor(first - reach), high = glm::floor(first + between + reach);
    bool all = true;
    forEach(high - low + 1, [&](ivec3 o) {
        ivec3 cell = low + o;
        for (int a = 0; a < 3; ++a) {
            if ((cell[a] < 0 && s.sidesLow[a] != WISP_WALL) || (cell[a] >= s.cells[a] && s.sidesHigh[a] != WISP_WALL)) all = false;
            cell[a] = cell[a] < 0 ? -1 - cell[a] : cell[a] >= s.cells[a] ? 2 * s.cells[a] - 1 - cell[a] : cell[a];
        }
        all = all && filled(cell).x > 0.0;
    });
    return all;
}

double fresnel(double cosine, double eta) {
    const double sine = eta * std::sqrt(1.0 - cosine * cosine);
    if (sine >= 1.0) return 1.0;
    const double in = std::acos(cosine), out = std::asin(sine);
    if (in < 1e-6) return std::pow((eta - 1.0) / (eta + 1.0), 2.0);
    const double s = std::sin(in - out) / std::sin(in + out), p = std::tan(in - out) / std::tan(in + out);
    return 0.5 * (s * s + p * p);
}

}  // namespace wisp::reference
