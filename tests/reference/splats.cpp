// SPDX-License-Identifier: MIT
#include "tests/reference/splats.h"

#include "tests/reference/path.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wisp::reference {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();
constexpr int kLongest = 1024;  // most steps along a line

}  // namespace

SplatPicture::SplatPicture(const View& view, double slack, double metres)
    : view_(view),
      slack_(slack),
      metres_(metres),
      samples_(WISP_SPLAT_SAMPLES * ivec3(view.pixels.x, view.pixels.y, 0) + ivec3(0, 0, 1), Cell(kNone)) {}

dvec3 SplatPicture::projectToImage(dvec3 x) const {
    const dvec3 d = x - dvec3(view_.eye), right(view_.right), up(view_.up);
    const double z = glm::dot(d, dvec3(view_.forward)), across = glm::dot(d, right) / glm::dot(right, right) / z,
                 above = glm::dot(d, up) / glm::dot(up, up) / z;
    return {0.5 * (across + 1.0) * samples_.size().x, 0.5 * (1.0 - above) * samples_.size().y, z};
}

double SplatPicture::samplesPerMetre(double z) const { return 0.5 * samples_.size().y / glm::length(dvec3(view_.up)) / z; }

bool SplatPicture::isInPicture(dvec3 at, double reach) const {
    return at.z > 0.0 && at.x > -reach && at.y > -reach && at.x < samples_.size().x + reach && at.y < samples_.size().y + reach;
}

void SplatPicture::putDisc(dvec3 at, double radius) {
    if (!(at.z > 0.0)) return;
    const auto inside = [&](ivec3 c, double more) {
        const glm::dvec2 d = glm::abs(glm::dvec2(c) + 0.5 - glm::dvec2(at));
        return std::max(d.x, d.y) <= 0.5 + more || glm::length(d) <= radius + more;
    };
    const double slack = slack_ + (metres_ > 0.0 ? 1.0 + metres_ * samplesPerMetre(at.z) : 0.0);
    const double reach = std::max(radius, 0.5) + 1.0 + slack;
    const ivec3 low = glm::max(ivec3(glm::floor(glm::clamp(dvec3(at.x, at.y, 0.0) - reach, -1e6, 1e6))), ivec3(0)),
                high = glm::min(ivec3(glm::ceil(glm::clamp(dvec3(at.x, at.y, 0.0) + reach, -1e6, 1e6))), samples_.size() - 1);
    for (int y = low.y; y <= high.y; ++y)
        for (int x = low.x; x <= high.x; ++x) {
            Cell& sample = samples_({x, y, 0});
            if (inside({x, y, 0}, -slack)) sample.sure = std::min(sample.sure, at.z + metres_);
            if (inside({x, y, 0}, slack)) sample.perhaps = std::min(sample.perhaps, at.z - metres_);
        }
}

void drawTracers(SplatPicture& picture, const Step& s, const gpu::TracerSplats& push, std::span<const dvec4> tracers, const Wind& wind) {
    for (const dvec4& tracer : tracers) {
        if (tracer.w <= 0.0) continue;
        const dvec3 x = dvec3(s.origin) + double(s.h) * dvec3(tracer), from = picture.projectToImage(x),
                    to = picture.projectToImage(x + double(push.arrow) * wind(x));
        if (!picture.isInPicture(from, 64.0) || to.z <= 0.0) continue;
        const double radius = double(push.radius) * std::min(1.0, tracer.w / double(push.fade));
        const int steps = push.arrow == 0.0f
                              ? 0
                              : std::clamp(static_cast<int>(std::ceil(glm::distance(glm::dvec2(from), glm::dvec2(to)))), 1, kLongest);
        for (int i = 0; i <= steps; ++i) {
            const double share = steps == 0 ? 0.0 : double(i) / steps;
            picture.putDisc(glm::mix(from, to, share), radius * (1.0 - share));
        }
    }
}

Blade blade(const gpu::GrassSplats& push, const Wind& wind, std::uint32_t n) {
    const dvec4 r = uniform4(n, 0, push.seed, 0), q = uniform4(n, 0, push.seed, 1);
    Blade b{};
    const std::uint32_t column = n % push.columns, row = n / push.columns;
    b.root = {double(push.low[0]) + (column + r.x) * double(push.step[0]), double(push.low[1]),
              double(push.low[2]) + (row + r.y) * double(push.step[1])};
    const double height = double(push.height) * (0.5 + r.z);
    const dvec3 u = wind(b.root + dvec3(0.0, 0.5 * height, 0.0));
    // Tangents of the lean along x and z: from the wind, with a random stiffness, plus a random lean of each blade.
    const glm::dvec2 lean = double(push.perBend) * (0.7 + 0.6 * q.x) * glm::dvec2(u.x, u.z) + 0.5 * (glm::dvec2(q.y, q.z) - 0.5);
    const double slope = 1.0 / std::sqrt(1.0 + glm::dot(lean, lean));
    b.tip = b.root + height * slope * dvec3(lean.x, 1.0, lean.y);
    b.middle = {0.0, 0.3 * height * (1.0 + slope), 0.0};
    b.width = 0.011 * height;
    b.shade = (0.55 + 0.25 * q.w) * (1.5 - 0.5 * slope);
    return b;
}

void drawGrass(SplatPicture& picture, const gpu::GrassSplats& push, const Wind& wind) {
    for (std::uint32_t n = 0; n < push.count; ++n) {
        const Blade b = blade(push, wind, n);
        const dvec3 at = picture.projectToImage(b.root), end = picture.projectToImage(b.tip);
        const double height = glm::distance(b.root, b.tip);
        if (!picture.isInPicture(at, 2.0 * height * picture.samplesPerMetre(at.z)) || end.z <= 0.0) continue;
        const int steps = std::clamp(static_cast<int>(std::ceil(1.3 * glm::distance(glm::dvec2(at), glm::dvec2(end)))), 1, kLongest);
        for (int i = 0; i <= steps; ++i) {
            const double s = double(i) / steps;
            picture.putDisc(picture.projectToImage(b.root + 2.0 * s * (1.0 - s) * b.middle + s * s * (b.tip - b.root)),
                            std::min(b.width * picture.samplesPerMetre(at.z), 32.0) * (1.0 - s));
        }
    }
}

}  // namespace wisp::reference
