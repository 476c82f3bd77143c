// SPDX-License-Identifier: MIT
#include "files/volume/volume.h"

#include "files/base/exr_file.h"

#include <array>
#include <vector>

namespace wisp {
const std::array<float, 65536>& halves() {
    static const auto table = [] {
        std::array<float, 65536> all{};
        for (std::size_t n = 0; n < all.size(); ++n) all[n] = glm::unpackHalf1x16(static_cast<std::uint16_t>(n));
        return all;
    }();
    return table;
}

PackChoice packChoice(const VolumeChoice& choice) {
    return {.threshold = choice.threshold,
            .temperature = choice.has(VolumeField::Temperature),
            .allFuel = choice.has(VolumeField::Fuel),
            .velocity = choice.has(VolumeField::Velocity)};
}

namespace {

/// Bytes of the fields of an atlas.
std::uint64_t atlasBytes(const Settings& s) {
    return countOf(s.grid.cells) * 4 * (s.grid.precision == Precision::Half ? 2 : 4) + countOf(s.grid.cells + 1u) * 4;
}

}  // namespace

std::uint64_t volumeReadback(VolumeKind kind, const Settings& settings) {
    constexpr std::uint64_t kPadding = 32;  // every field is aligned to 16 bytes
    return kind == VolumeKind::Atlas ? atlasBytes(settings) + kPadding : kPackReadback;
}

std::string encodeVolume(VolumeKind kind, const Volume& volume) {
    switch (kind) {
        case VolumeKind::NanoVdb: return encodeNanoVdb(volume);
        case VolumeKind::OpenVdb: return encodeOpenVdb(volume);
        case VolumeKind::Atlas: break;
    }
    return encodeAtlas(volume);
}

/// Cell (x, y, z) is the pixel in column x and row z * cells.y + y from the top.
std::string encodeAtlas(const Volume& volume) {
    const glm::uvec3 cells = volume.grid.cells;
    const StoredNumbers velocity(volume.velocity, volume.grid.precision);
    const std::size_t pixels = std::size_t{cells.x} * cells.y * cells.z;
    std::array<std::vector<std::uint16_t>, 4> planes;  // in the order A, B, G, R
    for (auto& plane : planes) plane.resize(pixels);
    std::size_t n = 0;
    for (std::size_t z = 0; z < cells.z; ++z)
        for (std::size_t y = 0; y < cells.y; ++y)
            for (std::size_t x = 0; x < cells.x; ++x, ++n) {
                const std::size_t texel = (z * (cells.y + 1) + y) * (cells.x + 1) + x;
                planes[0][n] = glm::packHalf1x16(static_cast<float>(std::to_integer<unsigned>(volume.aperture[4 * texel + 3])) / 255.0f);
                for (std::size_t axis = 0; axis < 3; ++axis) planes[3 - axis][n] = velocity.halfAt(4 * n + axis);
            }
    std::vector<ExrChannel> channels;
    for (std::size_t c = 0; c < 4; ++c) channels.push_back({.name = {"ABGR"[c]}, .values = std::as_bytes(std::span(planes[c]))});
    const std::array attributes{ExrAttribute("gridOrigin", volume.grid.origin), ExrAttribute("cellSize", volume.grid.cellSize()),
                                ExrAttribute("gridCells", glm::ivec3(cells))};
    return encodeExr({cells.x, cells.y * cells.z}, channels, attributes);
}

}  // namespace wisp
