// SPDX-License-Identifier: MIT
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace wisp {

/// Largest number of blocks of a lattice: 2^31 values, 8 GB.
inline constexpr std::size_t kMaxVolumeBlocks = std::size_t{1} << 22;
/// Of a velocity, which has three numbers at each point: 2^29 points, 6 GB.
inline constexpr std::size_t kMaxVelocityBlocks = std::size_t{1} << 20;

/// Values at the points of a lattice, in blocks of 8^3 points. Everywhere else the value is 0.
struct VolumeLattice {
    struct Block {
        glm::ivec3 corner;              ///< indices of its first point, multiples of 8
        std::array<float, 512> values;  ///< z fastest
    };
    glm::dmat4 toWorld{1.0};  ///< affine: from the indices of a point to its position [m]
    std::vector<Block> blocks;
    [[nodiscard]] bool empty() const { return blocks.empty(); }
};

/// The velocity [m/s] at the points of a lattice, along the axes of the file. Unlike smoke, it is not known outside of the smoke.
struct VolumeVelocity {
    struct Block {
        glm::ivec3 corner;                    ///< as of VolumeLattice
        std::array<std::uint32_t, 16> known;  ///< bit n % 32 of word n / 32: point n has a velocity
        std::array<glm::vec3, 512> values;    ///< z fastest; 0 where it is not known
    };
    glm::dmat4 toWorld{1.0};  ///< as of VolumeLattice
    std::vector<Block> blocks;
    float fastest = 0.0f;  ///< largest speed [m/s]
    [[nodiscard]] bool empty() const { return blocks.empty(); }
};

/// The blocks of 8^3 points around all blocks of a lattice.
struct BlockBox {
    glm::ivec3 first{0}, count{0};
    [[nodiscard]] std::uint64_t blocks() const {
        return static_cast<std::uint64_t>(count.x) * static_cast<std::uint64_t>(count.y) * static_cast<std::uint64_t>(count.z);
    }
};
BlockBox boxOf(const VolumeLattice& lattice);
BlockBox boxOf(const VolumeVelocity& lattice);

struct VolumeBounds {
    glm::dvec3 low{0.0}, high{0.0};  ///< [m]; equal if there is nothing
    void add(const VolumeBounds& other);
};
/// Where the trilinear interpolation of these points of a lattice is not 0: up to a spacing beyond the first and the last one.
VolumeBounds boundsOfPoints(const glm::dmat4& toWorld, glm::ivec3 first, glm::ivec3 last);

/// Smoke of a volume file.
struct VolumeData {
    VolumeLattice density, temperature, fuel;  ///< temperature above ambient [K]; a field that the file lacks is empty
    VolumeVelocity velocity;                   ///< for motion blur; empty unless it is wanted
    /// Of the points of all blocks, see boundsOfPoints. Zero size if there are none.
    [[nodiscard]] VolumeBounds bounds() const;
};

/// Memory that a frame takes on the device.
struct VolumeRoom {
    std::uint64_t blocks = 0, table = 0;                  ///< of smoke: blocks of points, entries of the table of blocks
    std::uint64_t velocityBlocks = 0, velocityTable = 0;  ///< the same of the velocity
};
VolumeRoom roomOf(const VolumeData& data);

/// Unit of the temperatures in a file. Shares are of 1000 K, as in Blender's files.
enum class TemperatureUnit : std::uint32_t { Guess, Kelvin, Share };

/// A volume file, or a numbered sequence of files.
class VolumeFrames {
public:
    virtual ~VolumeFrames() = default;
    /// The frame at this time [s] since the start of the simulation; a null pointer before the first and after the last one. May read a
    /// file, and throws then what the application throws for a file that cannot be read.
    [[nodiscard]] virtual std::shared_ptr<const VolumeData> at(double time) = 0;
    [[nodiscard]] virtual VolumeBounds bounds() const = 0;  ///< of all frames
    /// What the largest frame takes, as far as it is known. Frames may take more: buffers then grow.
    [[nodiscard]] virtual VolumeRoom room() { return {}; }
    /// What the user should know of how the files are read: sentences that begin with a name of a file.
    [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
    [[nodiscard]] virtual bool hasVelocity() const { return false; }  ///< in one file at least
};

/// Where a volume is, relative to its file.
struct VolumePlacement {
    bool upIsZ = false;                       ///< the file's z is up: its (x, y, z) is (x, z, -y)
    float scale = 1.0f;                       ///< about the origin
    glm::vec3 offset{0.0f};                   ///< [m], added after that
    [[nodiscard]] glm::dmat4 matrix() const;  ///< from positions in the file to positions in the scene
    bool operator==(const VolumePlacement&) const = default;
};

/// The same bounds after the placement.
VolumeBounds placed(const VolumeBounds& bounds, const VolumePlacement& placement);

}  // namespace wisp
