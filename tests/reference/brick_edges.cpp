// SPDX-License-Identifier: MIT
#include "tests/reference/brick_edges.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <optional>

namespace wisp::reference {
namespace {

struct Line {
    dvec3 from, to;  // xy in pixels, z along the view axis [m]
};

// Number of active bricks around the edge that starts at a corner of the bricks. Bricks past the box have no cells.
int bricksAround(const Step& s, const BrickStates& states, ivec3 corner, int axis) {
    int count = 0;
    for (int n = 0; n < 4; ++n) {
        const ivec3 brick = corner - (n & 1) * unit((axis + 1) % 3) - (n >> 1) * unit((axis + 2) % 3);
        const ivec3 cell = brick * kBrickEdge;
        const bool holdsCells = cell.x < s.cells.x && cell.y < s.cells.y && cell.z < s.cells.z;
        if (states.contains(brick) && holdsCells && states(brick).active) ++count;
    }
    return count;
}

std::optional<Line> lineOf(const View& v, dvec3 a, dvec3 b, double nearest) {
    const dvec3 eye(v.eye), forward(v.forward), right(v.right), up(v.up);
    const double za = glm::dot(a - eye, forward), zb = glm::dot(b - eye, forward);
    if (std::max(za, zb) <= nearest) return std::nullopt;
    if ((za < nearest) != (zb < nearest)) (za < nearest ? a : b) = a + (nearest - za) / (zb - za) * (b - a);
    const auto projected = [&](dvec3 x) {
        const dvec3 d = x - eye;
        const double z = glm::dot(d, forward);
        return dvec3(0.5 * (1.0 + glm::dot(d, right) / glm::dot(right, right) / z) * v.pixels.x,
                     0.5 * (1.0 - glm::dot(d, up) / glm::dot(up, up) / z) * v.pixels.y, z);
    };
    return Line{projected(a), projected(b)};
}

void addLine(Grid<LineCover>& cover, const Step& s, const View& v, const Line& line, double width, double margin) {
    const glm::dvec2 from(line.from), way = glm::dvec2(line.to) - from;
    forEach(cover.size(), [&](ivec3 pixel) {
        const glm::dvec2 d = glm::dvec2(pixel.x + 0.5, pixel.y + 0.5) - from;
        const double along = glm::dot(way, way) > 0.0 ? std::clamp(glm::dot(d, way) / glm::dot(way, way), 0.0, 1.0) : 0.0;
        const double share = std::clamp(0.5 * (width + 1.0) - glm::length(d - along * way), 0.0, 1.0);
        if (share <= 0.0) return;
        const dvec3 ray = cameraRay(v, pixel);
        const double t = 1.0 / ((1.0 - along) / line.from.z + along / line.to.z) / glm::dot(ray, dvec3(v.forward));
        const auto hidden = [&](double grown) { return obstacleHit(s, v.eye, ray, t + grown, grown).obstacle >= 0; };
        if (!hidden(margin)) cover(pixel).sure = std::max(cover(pixel).sure, share);
        if (!hidden(-margin)) cover(pixel).perhaps = std::max(cover(pixel).perhaps, share);
    });
}

}  // namespace

Grid<LineCover> drawBricks(const Step& s, const View& v, const BrickStates& states, const gpu::BrickLines& push, double margin) {
    Grid<LineCover> cover(ivec3(v.pixels, 1), LineCover{});
    forEach(states.size() + 1, [&](ivec3 corner) {
        for (int axis = 0; axis < 3; ++axis) {
            const int count = bricksAround(s, states, corner, axis);
            if (count == 0 || count == 4) continue;
            const auto position = [&](ivec3 c) { return world(s, dvec3(glm::min(c * kBrickEdge, s.cells))); };
            const auto line = lineOf(v, position(corner), position(corner + unit(axis)), double(push.nearest));
            if (line) addLine(cover, s, v, *line, double(push.width), margin);
        }
    });
    return cover;
}

Field blendBricks(const Field& radiance, const Numbers& cover, const gpu::BrickBlend& push) {
    Field result = radiance;
    forEach(result.size(), [&](ivec3 c) {
        const double share = double(push.opacity) * cover(c);
        result(c) = (1.0 - share) * radiance(c) + share * dvec4(dvec3(push.colour), 1.0);
    });
    return result;
}

}  // namespace wisp::reference
