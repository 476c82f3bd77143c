// SPDX-License-Identifier: MIT
#include "compute/smoke/volume_sources.h"

#include "compute/scene/shape_data.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace wisp {
namespace {

using engine::Traffic;

constexpr int kMostParts = 16;  // a scalar cell has at most 16^3 samples

std::array<const VolumeLattice*, 3> latticesOf(const VolumeData& data) { return {&data.density, &data.temperature, &data.fuel}; }

/// The blocks around all blocks of a lattice.
struct BlockBox {
    glm::ivec3 first{0}, count{0};
};
BlockBox boxOf(const VolumeLattice& lattice) {
    if (lattice.empty()) return {};
    glm::ivec3 low = lattice.blocks.front().corner, high = low;
    for (const VolumeLattice::Block& b : lattice.blocks) {
        low = glm::min(low, b.corner);
        high = glm::max(high, b.corner);
    }
    return {low >> 3, (high >> 3) - (low >> 3) + 1};
}

/// Samples of a scalar cell along each axis, so that they are at most a spacing of the points apart.
int partsOf(const glm::dmat4& toIndex, double cell) {
    double farthest = 0.0;
    for (int axis = 0; axis < 3; ++axis) farthest = std::max(farthest, cell * glm::length(glm::dvec3(toIndex[axis])));
    return std::clamp(static_cast<int>(std::ceil(farthest * (1.0 - 1e-6))), 1, kMostParts);
}

gpu::VolumeSource sourceOf(const VolumeData& data, const VolumePlacement& placement, const GridSettings& grid) {
    gpu::VolumeSource source{};
    std::uint32_t table = 0;
    const auto lattices = latticesOf(data);
    for (std::size_t n = 0; n < lattices.size(); ++n) {
        const VolumeLattice& lattice = *lattices[n];
        if (lattice.empty()) continue;
        const BlockBox box = boxOf(lattice);
        glm::dmat4 corner(1.0);
        corner[3] = glm::dvec4(glm::dvec3(grid.origin), 1.0);
        const glm::dmat4 toIndex = glm::inverse(placement.matrix() * lattice.toWorld) * corner;
        gpu::Lattice& l = source.lattices[n];
        for (int row = 0; row < 3; ++row) l.toIndex[row] = glm::vec4(toIndex[0][row], toIndex[1][row], toIndex[2][row], toIndex[3][row]);
        l.firstBlock = box.first;
        l.blocks = box.count;
        l.table = table;
        l.parts = partsOf(toIndex, static_cast<double>(grid.cellSize()) / grid.scalarRatio);
        table += static_cast<std::uint32_t>(countOf(glm::uvec3(box.count)));
    }
    return source;
}

/// A buffer of at least so many bytes. A larger one replaces it with room for growth, because frames of a sequence grow.
void require(engine::Recorder& rec, engine::Buffer& buffer, const char* name, std::uint64_t bytes, bool byAddress) {
    if (buffer && buffer.bytes() >= bytes) return;
    const std::uint64_t more = buffer ? bytes + bytes / 2 : bytes;
    buffer = {};
    buffer = engine::Buffer(rec.device(), {.name = name, .bytes = std::max<std::uint64_t>(more, 4), .byAddress = byAddress});
}

}  // namespace

void VolumeSources::upload(engine::Recorder& rec, Entry& entry) {
    static_assert(sizeof(VolumeLattice::Block) == (3 + 512) * sizeof(float));  // as the shader reads it
    std::vector<std::uint32_t> table;
    std::uint64_t blocks = 0;
    for (const VolumeLattice* lattice : latticesOf(*entry.data)) blocks += lattice->blocks.size();
    require(rec, entry.values, "volume values", blocks * sizeof(VolumeLattice::Block), true);
    std::uint32_t number = 0;
    for (const VolumeLattice* lattice : latticesOf(*entry.data)) {
        if (lattice->empty()) continue;
        rec.upload(entry.values, number * sizeof(VolumeLattice::Block), std::as_bytes(std::span(lattice->blocks)));
        const BlockBox box = boxOf(*lattice);
        const std::size_t first = table.size();
        table.resize(first + countOf(glm::uvec3(box.count)));
        for (const VolumeLattice::Block& b : lattice->blocks) {
            const glm::ivec3 at = (b.corner >> 3) - box.first;
            table[first + static_cast<std::size_t>((at.z * box.count.y + at.y) * box.count.x + at.x)] = ++number;
        }
    }
    require(rec, entry.table, "volume table", table.size() * sizeof(std::uint32_t), false);
    if (!table.empty()) rec.upload(entry.table, 0, std::as_bytes(std::span(table)));
}

VolumeSources::Entry& VolumeSources::entryOf(engine::Recorder& rec, const VolumeSettings& source,
                                             const std::shared_ptr<const VolumeData>& data) {
    auto found = std::ranges::find_if(entries_, [&](const auto& e) { return e->frames == source.frames; });
    if (found == entries_.end()) {
        entries_.push_back(std::make_unique<Entry>(Entry{.frames = source.frames}));
        found = entries_.end() - 1;
        (*found)->source = engine::Buffer(rec.device(), {.name = "volume source", .bytes = sizeof(gpu::VolumeSource)});
    }
    if ((*found)->data != data) {
        (*found)->data = data;
        upload(rec, **found);
    }
    return **found;
}

void VolumeSources::record(engine::Recorder& rec, const Domain& d, const Target& smoke, const Shape& shape, const VolumeSettings& source,
                           const gpu::VolumeAmounts& amounts, double time) {
    const std::shared_ptr<const VolumeData> data = source.frames->at(time - static_cast<double>(source.start));
    if (!data) return;
    const VolumePlacement placement = source.placement(shape);
    const VolumeBounds bounds = placed(data->bounds(), placement);
    Shape box{.kind = ShapeKind::Box};
    box.centre = 0.5 * (bounds.low + bounds.high);
    box.half = 0.5 * (bounds.high - bounds.low);
    const CellBox cells = cellsTouched(box, d.grid, d.grid.cellSize() / static_cast<float>(d.grid.scalarRatio), d.scalarCells());
    Entry& entry = entryOf(rec, source, data);
    const gpu::VolumeSource numbers = sourceOf(*data, placement, d.grid);
    rec.update(entry.source, std::as_bytes(std::span(&numbers, 1)));
    gpu::VolumeAmounts push = amounts;
    push.first = cells.first;
    const auto run = [&](const char* pass, const engine::Image& written, const char* out, std::vector<engine::Binding> more) {
        more.insert(more.end(), {{"scalarsIn", smoke.scalars},
                                 {"aperture", d.aperture},
                                 {"volume", entry.source},
                                 {"volumeTable", entry.table},
                                 {"volumeValues", Traffic::none(entry.values)},
                                 {out, written}});
        rec.dispatch(pass, cells.size, more, engine::PushConstants::of(push));
    };
    if (smoke.colours) run("volume_colours", *smoke.colours, "coloursOut", {{"coloursIn", *smoke.colours}});
    run("volume_scalars", smoke.scalars, "scalarsOut", {});
}

}  // namespace wisp
