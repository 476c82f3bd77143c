// SPDX-License-Identifier: MIT
#include "tests/reference/light.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace wisp::reference {
namespace {

// Y, Co, Cg, a.
dvec4 toBox(dvec4 c) { return {(c.x + 2.0 * c.y + c.z) / 4.0, (c.x - c.z) / 2.0, (2.0 * c.y - c.x - c.z) / 4.0, c.w}; }
dvec4 fromBox(dvec4 c) { return glm::max(dvec4(c.x + c.y - c.z, c.x + c.z, c.x - c.y - c.z, c.w), dvec4(0.0)); }

double catmullRom(double x) {
    x = std::abs(x);
    if (x >= 2.0) return 0.0;
    return x < 1.0 ? 1.0 + x * x * (1.5 * x - 2.5) : 2.0 + x * (-4.0 + x * (2.5 - 0.5 * x));
}

dvec4 cubic(const Field& field, double x, double y) {
    const auto middle = [](double v) { return std::abs(v - std::floor(v) - 0.5) < 1.0 / 256.0; };
    if (middle(x) && middle(y)) return field({static_cast<int>(x), static_cast<int>(y), 0});
    dvec4 sum(0.0);
    for (int j = static_cast<int>(y) - 3; j <= static_cast<int>(y) + 3; ++j) {
        for (int i = static_cast<int>(x) - 3; i <= static_cast<int>(x) + 3; ++i)
            sum += catmullRom(x - i - 0.5) * catmullRom(y - j - 0.5) * field(glm::clamp(ivec3(i, j, 0), ivec3(0), field.size() - 1));
    }
    return sum;
}

}  // namespace

Known known(const View& now, const View& before, const Field& depth, const Field& knownIn, ivec3 pixel) {
    const double z = depth(pixel).x;
    const dvec3 ray = cameraRay(now, pixel);
    const dvec3 to = std::isinf(z) ? ray : dvec3(now.eye) + z / glm::dot(ray, dvec3(now.forward)) * ray - dvec3(before.eye);
    const double along = glm::dot(to, dvec3(before.forward)), was = std::isinf(z) ? z : along;
    const dvec3 right(before.right), up(before.up);
    const dvec3 place((0.5 + 0.5 * glm::dot(to, right) / glm::dot(right, right) / along) * now.pixels.x,
                      (0.5 - 0.5 * glm::dot(to, up) / glm::dot(up, up) / along) * now.pixels.y, was);
    if (along <= 0.0 || place.x < 0.0 || place.y < 0.0 || place.x >= now.pixels.x || place.y >= now.pixels.y) return {place, 0.0};
    const dvec4 stored = knownIn({static_cast<int>(place.x), static_cast<int>(place.y), 0});
    const bool same = std::isinf(was) || std::isinf(stored.x) ? was == stored.x : std::abs(was - stored.x) <= 0.1 * was;
    return {place, same ? stored.y : 0.0};
}

dvec4 temporal(const Known& known, const Field& picture, const Field& meanIn, ivec3 pixel) {
    const double n = std::min(known.pictures + 1.0, 8.0);
    const dvec4 C = picture(pixel);
    if (n <= 1.0) return C;
    dvec4 low = toBox(C), high = low;
    for (int y = -1; y <= 1; ++y) {
        for (int x = -1; x <= 1; ++x) {
            const dvec4 c = toBox(picture(glm::clamp(pixel + ivec3(x, y, 0), ivec3(0), picture.size() - 1)));
            low = glm::min(low, c);
            high = glm::max(high, c);
        }
    }
    const dvec4 H = fromBox(glm::clamp(toBox(cubic(meanIn, known.place.x, known.place.y)), low, high));
    return H + (C - H) / n;
}

}  // namespace wisp::reference
