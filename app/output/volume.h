// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <glm/gtc/packing.hpp>

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

namespace wisp::app {

/// Content of a volume file, see docs/volumes.md.
enum class VolumeKind {
    NanoVdb,  ///< fields of smoke and the velocity
    OpenVdb,  ///< the same
    Atlas,    ///< velocity and aperture, as slices in one EXR image
};

/// Fields of a .vdb or .nvdb file, in the order of kVolumeFields.
enum class VolumeField : unsigned { Density, Temperature, Flame, Fuel, Velocity };
inline constexpr std::array<const char*, 5> kVolumeFields{"density", "temperature", "flame", "fuel", "vel"};  ///< names of their grids

/// What .vdb and .nvdb files contain.
struct VolumeChoice {
    std::bitset<kVolumeFields.size()> fields{0b10111};  ///< by VolumeField. Fields that are not simulated are left out
    float threshold = 1e-4f;                            ///< density or share of burning fuel from which cells are active
    bool upIsZ = false;                                 ///< z is up instead of y: (x, y, z) of the scene is (x, -z, y) of the file
    double fps = 60.0;                                  ///< for the file's metadata
    [[nodiscard]] bool has(VolumeField f) const { return fields[static_cast<std::size_t>(f)]; }
    bool operator==(const VolumeChoice&) const = default;
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
    float ambient = 0.0f;      ///< [K], temperature where that of the simulation is 0
    float ignition = 0.0f;     ///< [K] above ambient, from which fuel burns
    double time = 0.0;         ///< [s]
    std::size_t frame = 0;     ///< number of the file
    VolumeChoice choice;
};

/// Number of bytes of each field that a volume kind needs. 0: the field is not needed.
struct VolumeBytes {
    std::uint64_t velocity = 0, scalars = 0, aperture = 0, slots = 0;
    [[nodiscard]] std::uint64_t sum() const { return velocity + scalars + aperture + slots; }
};
/// Of a dense simulation.
VolumeBytes bytesOfVolume(VolumeKind kind, const Settings& settings);

/// Why OpenVDB cannot be used; empty: it can. Loads it.
std::string openVdbProblem();

/// Encodes a complete file. `volume` must contain only the fields that its kind needs. @throws Failure Output if an encoder fails.
std::string encodeVolume(VolumeKind kind, const Volume& volume);
std::string encodeNanoVdb(const Volume& volume);
std::string encodeOpenVdb(const Volume& volume);
std::string encodeAtlas(const Volume& volume);

/// All 16-bit floats, as floats: a look-up is several times as fast as the conversion.
const std::array<float, 65536>& halves();

/// Reads numbers from a readback of GPU memory.
class StoredNumbers {
public:
    StoredNumbers(std::span<const std::byte> bytes, Precision precision) : bytes_(bytes), half_(precision == Precision::Half) {}
    [[nodiscard]] float at(std::size_t n) const { return half_ ? halves_[read<std::uint16_t>(n)] : read<float>(n); }
    /// Rounded to the nearest 16-bit float.
    [[nodiscard]] std::uint16_t halfAt(std::size_t n) const { return half_ ? read<std::uint16_t>(n) : glm::packHalf1x16(at(n)); }

private:
    template <class T>
    [[nodiscard]] T read(std::size_t n) const {
        T value;
        std::memcpy(&value, bytes_.data() + n * sizeof value, sizeof value);
        return value;
    }
    std::span<const std::byte> bytes_;
    const float* halves_ = halves().data();
    bool half_;
};

}  // namespace wisp::app
