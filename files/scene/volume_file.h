// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/volume_data.h"
#include "files/scene/volume_head.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace wisp {

/// Largest volume file [bytes].
inline constexpr std::uintmax_t kMaxVolumeFile = std::uintmax_t{1} << 34;

// Of .vdb and .nvdb files. All functions throw std::runtime_error with the reason, without the name of the file.

VolumeHead readVolumeHead(const std::filesystem::path& file);
/// A grid of floats. Inactive voxels are 0. @param head of this grid, which is valid
VolumeLattice readVolumeLattice(const std::filesystem::path& file, const VolumeGridHead& head);

/// A grid of vectors. @param head as above
VolumeVelocity readVolumeVelocity(const std::filesystem::path& file, const VolumeGridHead& head);
/// Checks where the voxels of a grid of vectors are, and how many. readVolumeHead checks grids of floats.
void checkVelocityHead(const VolumeGridHead& head);
/// The same of a grid of floats.
void checkVolumePlace(const VolumeGridHead& head);

VolumeHead readNanoVdbHead(const std::filesystem::path& file);
/// @param zero what active voxels with the value 0 get
VolumeLattice readNanoVdbLattice(const std::filesystem::path& file, const std::string& name, float zero = 0.0f);
VolumeVelocity readNanoVdbVelocity(const std::filesystem::path& file, const std::string& name);

/// What to read from a file or a sequence.
struct VolumeRequest {
    std::filesystem::path file;                              ///< of a sequence: its name contains %0Nd
    std::optional<float> fps = {};                           ///< of a sequence; none: as the first file says, else 24
    std::optional<std::size_t> first = {};                   ///< number of the file at t = 0; none: the lowest one
    bool density = true, temperature = false, fuel = false;  ///< fields that the files must have
    bool velocity = false;                                   ///< reads the velocity of files that have one
    float ambient = 0.0f;                                    ///< [K], which is subtracted from temperatures
    bool operator==(const VolumeRequest&) const = default;
};

/// Opens files, and checks the heads of all of them. It keeps the frames that were used last, and reads the next one ahead.
std::shared_ptr<VolumeFrames> openVolume(const VolumeRequest& request);
/// The same files, also with their velocity; null for frames that are not files. @throws Failure Usage if their velocity cannot be read.
std::shared_ptr<VolumeFrames> withVelocity(const VolumeFrames& frames);
/// As openVolume. While a volume is in use, its files are not opened again, unless they have changed.
std::shared_ptr<VolumeFrames> sharedVolume(const VolumeRequest& request);

}  // namespace wisp
