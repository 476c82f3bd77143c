// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "compute/sim/volume_packer.h"

#include <glm/gtc/packing.hpp>

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

namespace wisp {

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

/// What a file is made of, as the device stores it.
struct Volume {
    GridSettings grid;           ///< its origin is the position in this frame
    PackedBlocks blocks = {};    ///< of .vdb and .nvdb files
    std::uint32_t channels = 1;  ///< of the blocks of smoke
    // Fields of an atlas, x fastest:
    std::span<const std::byte> velocity = {};  ///< at cell centres [m/s], four numbers per cell, the last unused; in the grid's precision
    std::span<const std::byte> aperture = {};  ///< Fields::aperture
    float ambient = 0.0f;                      ///< [K], temperature where that of the simulation is 0
    float ignition = 0.0f;                     ///< [K] above ambient, from which fuel burns
    double time = 0.0;                         ///< [s]
    std::size_t frame = 0;                     ///< number of the file
    VolumeChoice choice;
};

/// What the device packs for a .vdb or .nvdb file.
PackChoice packChoice(const VolumeChoice& choice);

/// RecorderOptions::readbackBytes for a volume in each frame.
std::uint64_t volumeReadback(VolumeKind kind, const Settings& settings);

/// Encodes a complete file. @throws Failure Output if an encoder fails.
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

}  // namespace wisp
