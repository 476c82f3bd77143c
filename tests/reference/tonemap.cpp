// SPDX-License-Identifier: MIT
#include "tests/reference/light.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace wisp::reference {
namespace {

using Matrix = std::array<dvec3, 3>;  // rows

dvec3 times(const Matrix& m, dvec3 c) {
    dvec3 r(0.0);
    for (int row = 0; row < 3; ++row)
        for (int col = 0; col < 3; ++col) r[row] += m[static_cast<std::size_t>(row)][col] * c[col];
    return r;
}

// Stephen Hill's fit of the ACES reference and output transforms, sRGB in and out.
dvec3 aces(dvec3 c) {
    const Matrix in{{{0.59719, 0.35458, 0.04823}, {0.07600, 0.90834, 0.01566}, {0.02840, 0.13383, 0.83777}}};
    const Matrix out{{{1.60475, -0.53108, -0.07367}, {-0.10208, 1.10813, -0.00605}, {-0.00327, -0.07276, 1.07602}}};
    c = times(in, c);
    for (int i = 0; i < 3; ++i) c[i] = (c[i] * (c[i] + 0.0245786) - 0.000090537) / (c[i] * (0.983729 * c[i] + 0.4329510) + 0.238081);
    return times(out, c);
}

// Troy Sobotka's AgX with Benjamin Wrensch's sixth-order fit of the sigmoid. Its display gamma is converted back to linear.
dvec3 agx(dvec3 c) {
    const Matrix in{{{0.842479062253094, 0.0784335999999992, 0.0792237451477643},
                     {0.0423282422610123, 0.878468636469772, 0.0791661274605434},
                     {0.0423756549057051, 0.0784336, 0.879142973793104}}};
    const Matrix out{{{1.19687900512017, -0.0980208811401368, -0.0990297440797205},
                      {-0.0528968517574562, 1.15190312990417, -0.0989611768448433},
                      {-0.0529716355144438, -0.0980434501171241, 1.15107367264116}}};
    c = times(in, c);
    for (int i = 0; i < 3; ++i) {
        const double low = -12.47393, high = 4.026069;
        const double x = (std::clamp(std::log2(std::max(c[i], 1e-10)), low, high) - low) / (high - low);
        c[i] = (((((15.5 * x - 40.14) * x + 31.96) * x - 6.868) * x + 0.4298) * x + 0.1191) * x - 0.00232;
    }
    c = times(out, c);
    for (int i = 0; i < 3; ++i) c[i] = std::pow(std::max(c[i], 0.0), 2.2);
    return c;
}

// Timothy Lottes' curve, of a colour that is mixed with 8 % of its grey.
dvec3 filmic(dvec3 c) {
    const auto withGrey = [](dvec3 v, double share) { return (1.0 - share) * v + share * (v.x + v.y + v.z) / 3.0; };
    const double a = 1.5, d = 0.95, mid = 0.18, white = 30.0, scale = (std::pow(white, a * d) - std::pow(mid, a * d)) * mid;
    const double b = (std::pow(white, a) * mid - std::pow(mid, a)) / scale;
    const double e = (std::pow(white, a * d) * std::pow(mid, a) - std::pow(white, a) * std::pow(mid, a * d) * mid) / scale;
    c = withGrey(c, 0.08);
    for (int i = 0; i < 3; ++i) c[i] = std::min(std::pow(c[i], a) / (b * std::pow(c[i], a * d) + e), 1.0);
    return withGrey(c, -0.08 / 0.92);
}

double srgb(double c) { return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1.0 / 2.4) - 0.055; }

}  // namespace

dvec3 tonemap(const View& v, dvec3 radiance) {
    dvec3 c = radiance * double(v.exposure);
    if (v.tonemap == 0) c = aces(c);
    if (v.tonemap == 1) c = agx(c);
    if (v.tonemap == 3) c = filmic(c);
    c = glm::clamp(c, 0.0, 1.0);
    return {srgb(c.x), srgb(c.y), srgb(c.z)};
}

}  // namespace wisp::reference
