// SPDX-License-Identifier: MIT
#include "compute/scene/volume_data.h"

#include <glm/common.hpp>

#include <limits>

namespace wisp {
namespace {

/// Around the image of a box.
VolumeBounds imageOf(const glm::dmat4& matrix, glm::dvec3 low, glm::dvec3 high) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    VolumeBounds bounds{glm::dvec3(kInfinity), glm::dvec3(-kInfinity)};
    for (int corner = 0; corner < 8; ++corner) {
        const glm::dvec3 at{(corner & 1) != 0 ? high.x : low.x, (corner & 2) != 0 ? high.y : low.y, (corner & 4) != 0 ? high.z : low.z};
        const glm::dvec3 x(matrix * glm::dvec4(at, 1.0));
        bounds.low = glm::min(bounds.low, x);
        bounds.high = glm::max(bounds.high, x);
    }
    return bounds;
}

template <class Lattice>
BlockBox boxAround(const Lattice& lattice) {
    if (lattice.empty()) return {};
    glm::ivec3 low = lattice.blocks.front().corner, high = low;
    for (const auto& b : lattice.blocks) {
        low = glm::min(low, b.corner);
        high = glm::max(high, b.corner);
    }
    return {low >> 3, (high >> 3) - (low >> 3) + 1};
}

}  // namespace

BlockBox boxOf(const VolumeLattice& lattice) { return boxAround(lattice); }
BlockBox boxOf(const VolumeVelocity& lattice) { return boxAround(lattice); }

VolumeRoom roomOf(const VolumeData& data) {
    VolumeRoom room{.velocityBlocks = data.velocity.blocks.size(), .velocityTable = boxOf(data.velocity).blocks()};
    for (const VolumeLattice* lattice : {&data.density, &data.temperature, &data.fuel}) {
        room.blocks += lattice->blocks.size();
        room.table += boxOf(*lattice).blocks();
    }
    return room;
}

VolumeBounds VolumeData::bounds() const {
    VolumeBounds all;
    for (const VolumeLattice* lattice : {&density, &temperature, &fuel}) {
        if (lattice->empty()) continue;
        const BlockBox box = boxOf(*lattice);
        all.add(boundsOfPoints(lattice->toWorld, 8 * box.first, 8 * (box.first + box.count) - 1));
    }
    return all;
}

VolumeBounds boundsOfPoints(const glm::dmat4& toWorld, glm::ivec3 first, glm::ivec3 last) {
    return imageOf(toWorld, glm::dvec3(first) - 1.0, glm::dvec3(last) + 1.0);
}

void VolumeBounds::add(const VolumeBounds& other) {
    if (low == high) *this = other;
    if (other.low == other.high) return;
    low = glm::min(low, other.low);
    high = glm::max(high, other.high);
}

glm::dmat4 VolumePlacement::matrix() const {
    const auto s = static_cast<double>(scale);
    glm::dmat4 m(0.0);
    m[0][0] = s;
    if (upIsZ) {
        m[1][2] = -s;
        m[2][1] = s;
    } else {
        m[1][1] = m[2][2] = s;
    }
    m[3] = glm::dvec4(glm::dvec3(offset), 1.0);
    return m;
}

VolumeBounds placed(const VolumeBounds& bounds, const VolumePlacement& placement) {
    return imageOf(placement.matrix(), bounds.low, bounds.high);
}

}  // namespace wisp
