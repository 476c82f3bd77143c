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

constexpr const char *kValues = "volume values", *kTable = "volume table";
constexpr const char *kVelocities = "volume velocities", *kVelocityTable = "volume table of velocities";
constexpr int kMostLayers = 4096;  // as many cells as a grid can have along an axis
constexpr int kMostParts = 16;     // a scalar cell has at most 16^3 samples

std::array<const VolumeLattice*, 3> latticesOf(const VolumeData& data) { return {&data.density, &data.temperature, &data.fuel}; }

/// Samples of a scalar cell along each axis, so that they are at most a spacing of the points apart.
int partsOf(const glm::dmat4& toIndex, double cell) {
    double farthest = 0.0;
    for (int axis = 0; axis < 3; ++axis) farthest = std::max(farthest, cell * glm::length(glm::dvec3(toIndex[axis])));
    return std::clamp(static_cast<int>(std::ceil(farthest * (1.0 - 1e-6))), 1, kMostParts);
}

/// From positions relative to the low corner of the box [m] to indices of points.
glm::dmat4 toIndexOf(const glm::dmat4& toWorld, const VolumePlacement& placement, const GridSettings& grid) {
    glm::dmat4 corner(1.0);
    corner[3] = glm::dvec4(glm::dvec3(grid.origin), 1.0);
    return glm::inverse(placement.matrix() * toWorld) * corner;
}

gpu::Lattice latticeOf(const glm::dmat4& toIndex, const BlockBox& box) {
    gpu::Lattice l{.firstBlock = box.first, .blocks = box.count};
    for (int row = 0; row < 3; ++row) l.toIndex[row] = glm::vec4(toIndex[0][row], toIndex[1][row], toIndex[2][row], toIndex[3][row]);
    return l;
}

gpu::VolumeSource sourceOf(const VolumeData& data, const VolumePlacement& placement, const GridSettings& grid) {
    gpu::VolumeSource source{};
    std::uint32_t table = 0;
    const auto lattices = latticesOf(data);
    for (std::size_t n = 0; n < lattices.size(); ++n) {
        const VolumeLattice& lattice = *lattices[n];
        if (lattice.empty()) continue;
        const BlockBox box = boxOf(lattice);
        const glm::dmat4 toIndex = toIndexOf(lattice.toWorld, placement, grid);
        gpu::Lattice& l = source.lattices[n] = latticeOf(toIndex, box);
        l.table = table;
        l.parts = partsOf(toIndex, static_cast<double>(grid.cellSize()) / grid.scalarRatio);
        table += static_cast<std::uint32_t>(box.blocks());
    }
    return source;
}

/// A buffer of at least so many bytes. A larger one replaces it with room for growth, because frames of a sequence grow.
void require(engine::Device& device, engine::Buffer& buffer, const char* name, std::uint64_t bytes, bool byAddress) {
    if (buffer.bytes() >= std::max<std::uint64_t>(bytes, 4)) return;
    const std::uint64_t more = buffer.bytes() > 0 ? bytes + bytes / 2 : bytes;
    buffer = {};
    buffer = engine::Buffer(device, {.name = name, .bytes = std::max<std::uint64_t>(more, 4), .byAddress = byAddress});
}

/// Adds a lattice to a table: for each block of its box, the number of the stored block plus 1. `number`: of blocks before.
template <class Lattice>
void addToTable(std::vector<std::uint32_t>& table, const Lattice& lattice, std::uint32_t number) {
    const BlockBox box = boxOf(lattice);
    const std::size_t first = table.size();
    table.resize(first + box.blocks());
    for (const auto& b : lattice.blocks) {
        const glm::ivec3 at = (b.corner >> 3) - box.first;
        table[first + static_cast<std::size_t>((at.z * box.count.y + at.y) * box.count.x + at.x)] = ++number;
    }
}

}  // namespace

VolumeSources::VolumeSources(engine::Device& device, const Settings& settings) {
    const auto add = [&](const VolumeSettings& source) {
        if (!source.frames) return;
        Entry& entry = entryOf(device, source);
        const VolumeRoom room = source.frames->room();
        require(device, entry.values, kValues, room.blocks * sizeof(VolumeLattice::Block), true);
        require(device, entry.table, kTable, room.table * sizeof(std::uint32_t), false);
        if (room.velocityBlocks == 0) return;
        require(device, entry.velocities, kVelocities, room.velocityBlocks * sizeof(VolumeVelocity::Block), true);
        require(device, entry.velocityTable, kVelocityTable, room.velocityTable * sizeof(std::uint32_t), false);
    };
    for (const InitialSettings& i : settings.initial) add(i.volume);
    for (const EmitterSettings& e : settings.emitters) add(e.volume);
}

std::uint64_t VolumeSources::bytes() const {
    std::uint64_t sum = 0;
    for (const auto& e : entries_) sum += e->values.bytes() + e->table.bytes() + e->velocities.bytes() + e->velocityTable.bytes();
    return sum;
}

void VolumeSources::upload(engine::Recorder& rec, Entry& entry) {
    static_assert(sizeof(VolumeLattice::Block) == (3 + 512) * sizeof(float));  // as the shader reads it
    std::vector<std::uint32_t> table;
    require(rec.device(), entry.values, kValues, roomOf(*entry.data).blocks * sizeof(VolumeLattice::Block), true);
    std::uint32_t number = 0;
    for (const VolumeLattice* lattice : latticesOf(*entry.data)) {
        if (lattice->empty()) continue;
        rec.upload(entry.values, number * sizeof(VolumeLattice::Block), std::as_bytes(std::span(lattice->blocks)));
        addToTable(table, *lattice, number);
        number += static_cast<std::uint32_t>(lattice->blocks.size());
    }
    require(rec.device(), entry.table, kTable, table.size() * sizeof(std::uint32_t), false);
    if (!table.empty()) rec.upload(entry.table, 0, std::as_bytes(std::span(table)));
    if (!entry.data->velocity.empty()) uploadVelocity(rec, entry);
}

void VolumeSources::uploadVelocity(engine::Recorder& rec, Entry& entry) {
    static_assert(sizeof(VolumeVelocity::Block) == sizeof(gpu::VelocityBlock));
    const VolumeVelocity& velocity = entry.data->velocity;
    require(rec.device(), entry.velocities, kVelocities, velocity.blocks.size() * sizeof(VolumeVelocity::Block), true);
    rec.upload(entry.velocities, 0, std::as_bytes(std::span(velocity.blocks)));
    std::vector<std::uint32_t> table;
    addToTable(table, velocity, 0);
    require(rec.device(), entry.velocityTable, kVelocityTable, table.size() * sizeof(std::uint32_t), false);
    rec.upload(entry.velocityTable, 0, std::as_bytes(std::span(table)));
}

VolumeSources::Entry& VolumeSources::entryOf(engine::Device& device, const VolumeSettings& source) {
    const auto found = std::ranges::find_if(entries_, [&](const auto& e) { return e->frames == source.frames; });
    if (found != entries_.end()) return **found;
    entries_.push_back(std::make_unique<Entry>(Entry{.frames = source.frames}));
    Entry& entry = *entries_.back();
    entry.source = engine::Buffer(device, {.name = "volume source", .bytes = sizeof(gpu::VolumeSource)});
    if (source.exposure > 0.0f) entry.motion = engine::Buffer(device, {.name = "volume motion", .bytes = sizeof(gpu::VolumeMotion)});
    return entry;
}

VolumeSources::Entry& VolumeSources::entryOf(engine::Recorder& rec, const VolumeSettings& source,
                                             const std::shared_ptr<const VolumeData>& data) {
    Entry& entry = entryOf(rec.device(), source);
    if (entry.data != data) {
        entry.data = data;
        upload(rec, entry);
    }
    return entry;
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

void VolumeSources::recordVelocity(engine::Recorder& rec, const Domain& d, const Flow& flow, const Shape& shape,
                                   const VolumeSettings& source, double time) {
    const std::shared_ptr<const VolumeData> data = source.frames->at(time - static_cast<double>(source.start));
    if (!data || data->velocity.empty() || source.exposure <= 0.0f) return;
    const Entry& entry = entryOf(rec, source, data);
    const VolumePlacement placement = source.placement(shape);
    const glm::dmat4 toIndex = toIndexOf(data->velocity.toWorld, placement, d.grid), turn = placement.matrix();
    gpu::VolumeMotion motion{.lattice = latticeOf(toIndex, boxOf(data->velocity))};
    for (int row = 0; row < 3; ++row) motion.turn[row] = glm::vec3(turn[0][row], turn[1][row], turn[2][row]);
    rec.update(entry.motion, std::as_bytes(std::span(&motion, 1)));
    // Smoke comes from half an exposure away, and the velocity there is interpolated.
    const double farthest = 0.5 * static_cast<double>(source.exposure) * static_cast<double>(data->velocity.fastest * placement.scale);

    const auto run = [&](const Flow& f, const engine::Buffer& step, double h, const engine::Threads& cells, const engine::Threads& faces) {
        rec.dispatch("volume_velocity", cells,
                     {{"stepData", step},
                      {"motion", entry.motion},
                      {"volumeTable", entry.velocityTable},
                      {"velocities", Traffic::none(entry.velocities)},
                      {"centreOut", f.projected}},
                     gpu::VelocityPush{partsOf(toIndex, h)});
        const engine::Image *known = &f.projected, *next = &f.scratch;
        const double layers = std::min(farthest / h + 2.0, static_cast<double>(kMostLayers));
        for (int stride = 1; stride - 1 < layers; stride *= 2) {
            rec.dispatch("spread_velocity", cells, {{"stepData", step}, {"centreIn", *known}, {"centreOut", *next}},
                         gpu::SpreadPush{stride});
            std::swap(known, next);
        }
        rec.dispatch("face_velocity", faces, {{"stepData", step}, {"centreIn", *known}, {"velocityOut", f.velocity}});
    };
    const auto h = static_cast<double>(d.grid.cellSize());
    if (!d.bricks) return run(flow, d.step, h, d.cells(), d.faces());
    const engine::Threads listed = d.bricks->over(BrickPart::Listed, WISP_BRICK_EDGE);
    run(flow, d.step, h, listed, listed);
    const engine::ShaderConstants dense{{"kSparse", 0}};
    run(flow.coarse->flow, flow.coarse->step, h * d.grid.pressureRatio, {d.pressureCells(), dense}, {d.pressureFaces(), dense});
}

}  // namespace wisp
