// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace wisp::app {

/// Content of a volume file, see docs/volumes.md.
enum class VolumeKind {
    NanoVdb,  ///< density, temperature and velocity
    Atlas,    ///< velocity and aperture, as slices in one EXR image
};

/// Fields in the layout of GPU memory: x fastest, 16-bit or 32-bit floats depending on the precision of the grid.
struct Volume {
    GridSettings grid;                    ///< its origin is the position in this frame
    std::span<const std::byte> velocity;  ///< at cell centres [m/s], four numbers per cell, the last unused
    std::span<const std::byte> scalars;   ///< at scalar cells: density; temperature [K]; fuel, divergence [1/s]; as many as are simulated
    std::span<const std::byte> aperture;  ///< Fields::aperture
    /// Of a sparse simulation: gpu::BrickSlots of each brick. Velocity and scalars are then in slots, see shaders/shared/storage.glsl.
    std::span<const std::byte> slots = {};
    std::size_t channels = 1;  ///< of scalars, see Settings::scalarChannels
};

/// Number of bytes of each field that a volume kind needs. 0: the field is not needed.
struct VolumeBytes {
    std::uint64_t velocity = 0, scalars = 0, aperture = 0, slots = 0;
    [[nodiscard]] std::uint64_t sum() const { return velocity + scalars + aperture + slots; }
};
/// Of a dense simulation.
VolumeBytes bytesOfVolume(VolumeKind kind, const Settings& settings);

/// Encodes a complete file. `volume` must contain only the fields that its kind needs. @throws Failure Output if an encoder fails.
std::string encodeVolume(VolumeKind kind, const Volume& volume);
std::string encodeNanoVdb(const Volume& volume);
std::string encodeAtlas(const Volume& volume);

/// Reads numbers from a readback of GPU memory.
class StoredNumbers {
public:
    StoredNumbers(std::span<const std::byte> bytes, Precision precision) : bytes_(bytes), half_(precision == Precision::Half) {}
    [[nodiscard]] float at(std::size_t n) const;
    [[nodiscard]] std::uint16_t halfAt(std::size_t n) const;  ///< rounded to the nearest 16-bit float

private:
    std::span<const std::byte> bytes_;
    bool half_;
};

}  // namespace wisp::app
