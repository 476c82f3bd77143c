// SPDX-License-Identifier: MIT
#include "compute/sim/volume_packer.h"

#include <algorithm>
#include <cstring>

namespace wisp {
namespace {

using engine::Traffic;

constexpr std::uint32_t kEdge = WISP_PACK_EDGE;
constexpr const char *kSmokeRecords = "packed smoke", *kVelocityRecords = "packed velocity";

glm::uvec3 blocksOf(glm::uvec3 cells) { return (cells + kEdge - 1u) / kEdge; }
std::uint32_t cube(std::uint32_t edge) { return edge * edge * edge; }
/// Blocks along an edge of a brick of a sparse simulation.
std::uint32_t smokeEdge(const Domain& d) { return WISP_BRICK_EDGE * d.grid.scalarRatio / kEdge; }
constexpr std::uint32_t kFlowEdge = WISP_BRICK_EDGE / kEdge;

std::uint64_t smokeBlocks(const Domain& d) {
    return d.bricks ? std::uint64_t{d.bricks->smokeSlots} * cube(smokeEdge(d)) : countOf(blocksOf(d.scalarCells()));
}
std::uint64_t velocityBlocks(const Domain& d) {
    return d.bricks ? std::uint64_t{d.bricks->smokeSlots} * cube(kFlowEdge) : countOf(blocksOf(d.cells()));
}

/// One work group per block: of all, or of the active bricks with `edge` blocks along an edge.
engine::Threads groups(const Domain& d, glm::uvec3 cells, std::uint32_t edge) {
    if (d.bricks) return d.bricks->each(BrickPart::Active, cube(edge) * WISP_PACK_THREADS);
    return blocksOf(cells) * glm::uvec3(WISP_PACK_THREADS, 1, 1);
}

}  // namespace

VolumePacker::VolumePacker(engine::Device& device, const Settings& s, const Fields& fields, const PackChoice& choice)
    : device_(device),
      hasVelocity_(choice.velocity),
      push_{.threshold = choice.threshold,
            .ignition = s.fire.ignition,
            .channels = s.usesFuel()                                ? 3
                        : s.usesTemperature() && choice.temperature ? 2
                                                                    : 1,
            .allFuel = choice.allFuel ? 1 : 0,
            .capacity = 0},
      counts_(device, {.name = "numbers of packed blocks", .bytes = sizeof(gpu::PackCounts)}) {
    const auto bytesOf = [&](int channels) {
        const std::uint64_t number = s.grid.precision == Precision::Half ? 2 : 4;
        return WISP_PACK_HEAD * sizeof(std::uint32_t) + static_cast<std::uint64_t>(channels) * WISP_PACK_CELLS * number;
    };
    smoke_.bytes = bytesOf(push_.channels);
    velocity_.bytes = bytesOf(3);
    require(smoke_, kSmokeRecords, smokeBlocks(fields.domain) / 8 + 1);
    if (hasVelocity_) require(velocity_, kVelocityRecords, velocityBlocks(fields.domain) / 8 + 1);
    makeHolds(fields);
}

void VolumePacker::makeHolds(const Fields& fields) {
    const std::uint64_t bytes = smokeBlocks(fields.domain) * sizeof(std::uint32_t);
    if (bytes > holds_.bytes()) holds_ = engine::Buffer(device_, {.name = "blocks with smoke", .bytes = bytes});
}

void VolumePacker::require(Records& records, const char* name, std::uint64_t blocks) {
    if (blocks <= records.capacity) return;
    records.capacity = static_cast<std::uint32_t>(blocks);
    records.buffer = {};  // before the new one takes its memory
    records.buffer = engine::Buffer(
        device_, {.name = name, .bytes = blocks * records.bytes, .location = engine::Location::Readback, .byAddress = true});
}

PackedBlocks VolumePacker::pack(engine::Recorder& rec, const Fields& fields, const std::function<void()>& submit) {
    gpu::PackCounts counts = packOnce(rec, fields, submit);
    if (counts.smoke > smoke_.capacity || counts.velocity > velocity_.capacity) {
        const auto more = [](std::uint32_t blocks, std::uint64_t all) { return std::min(blocks + std::uint64_t{blocks} / 2, all); };
        require(smoke_, kSmokeRecords, more(counts.smoke, smokeBlocks(fields.domain)));
        if (hasVelocity_) require(velocity_, kVelocityRecords, more(counts.velocity, velocityBlocks(fields.domain)));
        counts = packOnce(rec, fields, submit);
    }
    const auto recordsOf = [](const Records& r, std::uint32_t count) { return r.buffer.mapped().first(count * r.bytes); };
    return {recordsOf(smoke_, counts.smoke), hasVelocity_ ? recordsOf(velocity_, counts.velocity) : std::span<const std::byte>{}};
}

gpu::PackCounts VolumePacker::packOnce(engine::Recorder& rec, const Fields& f, const std::function<void()>& submit) {
    const Domain& d = f.domain;
    makeHolds(f);
    rec.begin();
    rec.setCommon({{"stepData", d.step},
                   {"brickSlots", Traffic::none(d.bricks ? d.bricks->slots : d.step)},
                   {"brickList", Traffic::none(d.bricks ? d.bricks->list : d.step)}});
    rec.clear(counts_, 0);
    rec.clear(holds_, 0);
    push_.capacity = smoke_.capacity;
    rec.dispatch("pack_smoke", groups(d, d.scalarCells(), smokeEdge(d)),
                 {{"scalars", f.smoke.scalars[0]}, {"counts", counts_}, {"blockHolds", holds_}, {"blocks", Traffic::none(smoke_.buffer)}},
                 push_);
    if (hasVelocity_)
        rec.dispatch(
            "pack_velocity", groups(d, d.cells(), kFlowEdge),
            {{"centre", f.flow.centreVectors}, {"counts", counts_}, {"blockHolds", holds_}, {"blocks", Traffic::none(velocity_.buffer)}},
            gpu::PackVelocityPush{velocity_.capacity});
    gpu::PackCounts counts{};
    rec.read(counts_, [&](std::span<const std::byte> bytes) { std::memcpy(&counts, bytes.data(), sizeof counts); });
    rec.read(smoke_.buffer, [](std::span<const std::byte>) {});  // the host sees what the passes have written
    if (hasVelocity_) rec.read(velocity_.buffer, [](std::span<const std::byte>) {});
    submit();
    rec.finish();
    return counts;
}

}  // namespace wisp
