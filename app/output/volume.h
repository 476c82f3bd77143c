// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace wisp::app {

/// What a file of a frame's fields holds: docs/volumes.md.
enum class VolumeKind {
    NanoVdb,  ///< density, temperature and velocity
    Atlas,    ///< velocity and openness, as an EXR picture of slices
};

/// Fields as they lie in the GPU's memory, x fastest, in halves or floats as the grid's precision says.
struct Volume {
    GridSettings grid;                    ///< where it is in this frame
    std::span<const std::byte> velocity;  ///< at cell centres [m/s], four numbers each, the last one unused
    std::span<const std::byte> scalars;   ///< at scalar cells: density, and temperature [K] where there is any
    std::span<const std::byte> openness;  ///< Fields::openness
};

/// Bytes of each of them that `kind` needs; 0: not at all.
struct VolumeBytes {
    std::uint64_t velocity = 0, scalars = 0, openness = 0;
    [[nodiscard]] std::uint64_t sum() const { return velocity + scalars + openness; }
};
VolumeBytes bytesOfVolume(VolumeKind kind, const Settings& settings);

/// A whole file's bytes; of a volume only what its kind needs has to be there. @throws Failure Output if an encoder fails.
std::string encodeVolume(VolumeKind kind, const Volume& volume);
std::string encodeNanoVdb(const Volume& volume);
std::string encodeAtlas(const Volume& volume);

/// Numbers that the GPU wrote.
class StoredNumbers {
public:
    StoredNumbers(std::span<const std::byte> bytes, Precision precision) : bytes_(bytes), half_(precision == Precision::Half) {}
    [[nodiscard]] float at(std::size_t n) const;
    [[nodiscard]] std::uint16_t halfAt(std::size_t n) const;  ///< the nearest one

private:
    std::span<const std::byte> bytes_;
    bool half_;
};

}  // namespace wisp::app
