// SPDX-License-Identifier: MIT
#include "compute/scene/volume_data.h"

#include <glm/common.hpp>

#include <limits>

namespace wisp {
namespace {

/// Extends `bounds` by the image of a box.
void add(VolumeBounds& bounds, const glm::dmat4& matrix, glm::dvec3 low, glm::dvec3 high) {
    for (int corner = 0; corner < 8; ++corner) {
        const glm::dvec3 at{(corner & 1) != 0 ? high.x : low.x, (corner & 2) != 0 ? high.y : low.y, (corner & 4) != 0 ? high.z : low.z};
        const glm::dvec3 x(matrix * glm::dvec4(at, 1.0));
        bounds.low = glm::min(bounds.low, x);
        bounds.high = glm::max(bounds.high, x);
    }
}

VolumeBounds nothing() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {glm::dvec3(kInfinity), glm::dvec3(-kInfinity)};
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
    VolumeBounds all = nothing();
    for (const VolumeLattice* lattice : {&density, &temperature, &fuel}) {
        if (lattice->empty()) continue;
        const BlockBox box = boxOf(*lattice);
        add(all, lattice->toWorld, 8.0 * glm::dvec3(box.first) - 0.5, 8.0 * glm::dvec3(box.first + box.count) - 0.5);
    }
    return all.low.x > all.high.x ? VolumeBounds{} : all;
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
    VolumeBounds all = nothing();
    add(all, placement.matrix(), bounds.low, bounds.high);
    return all;
}

}  // namespace wisp
