// SPDX-License-Identifier: MIT
#include "compute/liquid/liquid.h"

#include "compute/domain/domain.h"
#include "shaders/shared/liquid/liquid.h"

namespace wisp {

namespace {

// Whole rows, because the buffers that a step starts from are fields of a checkpoint.
std::uint32_t elementsInRows(std::uint64_t elements) { return rowsOf(elements).x * rowsOf(elements).y; }

}  // namespace

Liquid::Liquid(engine::Device& device, const Settings& s)
    : capacity(elementsInRows(s.liquidCapacity())),
      most(static_cast<std::uint32_t>(s.liquidCapacity())),
      in8Lanes(!device.isCpu()),
      affine(s.liquid.transfer == LiquidTransfer::Apic) {
    const std::uint64_t cells = std::uint64_t{s.grid.cells.x} * s.grid.cells.y * s.grid.cells.z;
    const std::uint64_t faces = std::uint64_t{s.grid.cells.x + 1} * (s.grid.cells.y + 1) * (s.grid.cells.z + 1);
    constexpr std::uint64_t kWord = sizeof(std::uint32_t), kVector = 4 * sizeof(float), kScanned = WISP_SCAN_THREADS * WISP_SCAN_CELLS;
    const auto buffer = [&](const char* name, std::uint64_t bytes) { return engine::Buffer(device, {.name = name, .bytes = bytes}); };
    positions = {buffer("liquid places", capacity * kVector), buffer("liquid places, other", capacity * kVector)};
    velocities = {buffer("liquid velocities", capacity * kVector), buffer("liquid velocities, other", capacity * kVector)};
    const std::uint64_t affineBytes = (affine ? 3ull * capacity : 4ull) * kVector;
    gradients = {buffer("liquid gradients", affineBytes), buffer("liquid gradients, other", affineBytes)};
    const std::uint64_t firsts = elementsInRows(cells + 1) * kWord;
    cellFirst = {buffer("liquid in cells", firsts), buffer("liquid in cells, other", firsts)};
    counts = buffer("liquid counts", cells * kWord);
    taken = buffer("liquid parts", cells * kWord);
    spawned = buffer("liquid births", cells * kWord);
    spawnedFirst = buffer("liquid births in cells", cells * kWord);
    blocks = buffer("liquid sums", ((cells + kScanned - 1) / kScanned + 1) * 2 * kWord);
    ranks = buffer("liquid ranks", capacity * kWord);
    order = buffer("liquid order", capacity * kWord);
    known = buffer("liquid known faces", faces * kWord);
    density = buffer("liquid density", cells * kWord);
    surface = buffer("liquid surface", cells * 2 * kWord);
    densityError = buffer("liquid crowding", cells * kWord);
    densityPotential = buffer("liquid widening", cells * kWord);
    positionCorrection = engine::Image(device,
                                       {.name = "liquid spread", .size = s.grid.cells + 1u, .format = VK_FORMAT_R16G16B16A16_SFLOAT});
    air = buffer("liquid air", kWord);
    speed = buffer("liquid speed", kWord);
    respawned = {buffer("liquid respawned", 2 * kWord), buffer("liquid respawned, other", 2 * kWord)};
    removed = buffer("liquid gone", 4 * kWord);
    particleRecord = buffer("record", kRecordBytes);
    surfaceRecord = buffer("record", kRecordBytes);
}

}  // namespace wisp
