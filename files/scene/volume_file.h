// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/volume_data.h"
#include "files/scene/volume_head.h"
#include "files/scene/volume_names.h"

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
/// @param marksZeros active voxels with the value 0 get the smallest float above 0
VolumeLattice readVolumeLattice(const std::filesystem::path& file, const VolumeGridHead& head, bool marksZeros = false);

/// A velocity. @param heads as of velocityGrids, which are valid
VolumeVelocity readVolumeVelocity(const std::filesystem::path& file, const VelocityHeads& heads);
/// Checks that a grid of vectors can be read: where its voxels are, and how many.
void checkVelocityHead(const VolumeGridHead& head);
/// The same of a grid of floats.
void checkVolumePlace(const VolumeGridHead& head);

VolumeHead readNanoVdbHead(const std::filesystem::path& file);
/// @param zero what active voxels with the value 0 get
VolumeLattice readNanoVdbLattice(const std::filesystem::path& file, const std::string& key, float zero = 0.0f);
VolumeVelocity readNanoVdbVelocity(const std::filesystem::path& file, const std::string& key);

/// What to read from a file or a sequence.
struct VolumeRequest {
    std::filesystem::path file;             ///< of a sequence: its name contains %0Nd
    std::optional<float> fps = {};          ///< of a sequence; none: as the first file says, else 24
    std::optional<std::size_t> first = {};  ///< number of the file at t = 0; none: the lowest one
    /// Fields that one file at least must have. In files without them they are 0. With a temperature, fuel may be missing everywhere.
    bool density = true, temperature = false, fuel = false;
    bool velocity = false;                          ///< reads the velocity of files that have one
    float ambient = 0.0f;                           ///< [K], which is subtracted from temperatures
    TemperatureUnit unit = TemperatureUnit::Guess;  ///< of the temperatures
    bool isShown = false;                           ///< for a picture: VolumeRole::Flame instead of Fuel
    bool operator==(const VolumeRequest&) const = default;
};

/// Opens files, and checks the heads of all of them. It keeps the frames that were used last, and reads the next one ahead.
std::shared_ptr<VolumeFrames> openVolume(const VolumeRequest& request);
/// The same files, also with their velocity; null for frames that are not files. @throws Failure Usage if their velocity cannot be read.
std::shared_ptr<VolumeFrames> withVelocity(const VolumeFrames& frames);
/// What files of smoke or fire have.
struct VolumeSummary {
    bool temperature = false;  ///< in one file at least
    bool burns = false;        ///< there is fuel or flame that is not 0, or gas so hot that it shines
    double edge = 0.0;         ///< shortest edge of a voxel of the density [m], in the first file that has one
    VolumeBounds bounds;       ///< of all files
};
/// Reads at most 32 files to find fire, until one burns. @param request without temperature and fuel
VolumeSummary summaryOf(VolumeRequest request);
/// As openVolume. While a volume is in use, its files are not opened again, unless they have changed.
std::shared_ptr<VolumeFrames> sharedVolume(const VolumeRequest& request);

}  // namespace wisp
