// SPDX-License-Identifier: MIT
#include "tests/reference/screen.h"

#include <glm/geometric.hpp>

#include <algorithm>

namespace wisp::reference {
namespace {

using dvec2 = glm::dvec2;

dvec4 unpack(std::uint32_t word) {
    dvec4 c;
    for (int n = 0; n < 4; ++n) c[n] = (word >> (8 * n) & 0xffu) / 255.0;
    return c;
}

double cross(dvec2 a, dvec2 b) { return a.x * b.y - a.y * b.x; }

dvec3 pictureAt(std::span<const std::uint32_t> picture, glm::ivec2 size, dvec2 x) {
    dvec3 sum(0.0);
    const dvec2 low = glm::floor(x - 0.5), f = x - 0.5 - low;
    for (int n = 0; n < 4; ++n) {
        const glm::ivec2 o(n & 1, n >> 1), p = glm::clamp(glm::ivec2(low) + o, glm::ivec2(0), size - 1);
        const double weight = (o.x ? f.x : 1.0 - f.x) * (o.y ? f.y : 1.0 - f.y);
        sum += weight * dvec3(unpack(picture[std::size_t(p.y) * std::size_t(size.x) + std::size_t(p.x)]));
    }
    return sum;
}

}  // namespace

dvec3 screen(const gpu::ScreenPush& push, std::span<const std::uint32_t> picture, glm::ivec2 pixel) {
    const dvec2 place = (dvec2(pixel - push.corner) + 0.5) / dvec2(push.area);  // 0 to 1 across the image
    if (std::min(place.x, place.y) < 0.0 || std::max(place.x, place.y) > 1.0) return dvec3(0.0);
    return pictureAt(picture, push.picture, place * dvec2(push.picture));
}

Drawn panels(const gpu::PanelsPush& push, std::span<const gpu::ScreenTriangle> triangles, std::span<const gpu::ScreenTile> tiles,
             std::span<const std::uint32_t> entries, const Field& atlas, std::span<const std::uint32_t> words, glm::ivec2 pixel) {
    const dvec2 x = dvec2(pixel) + 0.5;
    Drawn drawn{dvec3(unpack(words[std::size_t(pixel.y) * std::size_t(push.pixels.x) + std::size_t(pixel.x)]))};
    if (push.blueFirst) drawn.colour = dvec3(drawn.colour.z, drawn.colour.y, drawn.colour.x);
    const auto tile = std::find_if(tiles.begin(), tiles.end(), [&](const gpu::ScreenTile& t) { return t.corner / 8 == pixel / 8; });
    if (tile == tiles.end()) return drawn;
    drawn.colour = dvec3(tile->ground) + double(tile->ground.w) * drawn.colour;
    const int column = pixel.x % 8, row = pixel.y % 8;
    for (const std::uint32_t entry : entries.subspan(tile->first, tile->end - tile->first)) {
        const std::uint32_t box = entry >> 20;
        if (column < int(box % 8) || row < int(box / 8 % 8) || column > int(box / 64 % 8) || row > int(box / 512)) continue;
        const gpu::ScreenCorner* v = triangles[entry % (1u << 20)].corners;
        const dvec2 p[3] = {dvec2(v[0].position), dvec2(v[1].position), dvec2(v[2].position)};
        const double area = cross(p[1] - p[0], p[2] - p[0]);
        double w[3], nearest = 1e9;
        bool inside = true;
        for (int n = 0; n < 3; ++n) {
            const dvec2 a = p[(n + 1) % 3], b = p[(n + 2) % 3];
            w[n] = cross(b - a, x - a) / area;
            inside = inside && w[n] > 0.0;
            const double along = std::clamp(glm::dot(x - a, b - a) / glm::dot(b - a, b - a), 0.0, 1.0);
            nearest = std::min(nearest, glm::distance(x, a + along * (b - a)));
        }
        drawn.clearance = std::min(drawn.clearance, nearest);
        if (!inside) continue;
        dvec4 colour(0.0);
        dvec2 uv(0.0);
        for (int n = 0; n < 3; ++n) {
            colour += w[n] * unpack(v[n].colour);
            uv += w[n] * dvec2(v[n].uv);
        }
        colour *= atlas.sample(dvec3(uv * dvec2(atlas.size().x, atlas.size().y), 0.5));
        drawn.colour = glm::mix(drawn.colour, dvec3(colour), colour.w);
    }
    return drawn;
}

}  // namespace wisp::reference
