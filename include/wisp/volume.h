// SPDX-License-Identifier: MIT
#ifndef WISP_VOLUME_H
#define WISP_VOLUME_H

#include <wisp/error.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace wisp {

/// What volume files contain, see docs/volumes.md.
struct VolumeOptions {
    /// Of density, temperature, flame, fuel, vel. Empty: all that are simulated but fuel.
    std::vector<std::string> fields;
    float threshold = 1e-4f;  ///< density or share of burning fuel from which cells are active
    bool upIsZ = false;       ///< z is up in the files, as in Blender, instead of y
    double fps = 60.0;        ///< for the metadata of the files
    std::size_t first = 0;    ///< number of the first file, for the metadata: above 0 where a resumed run goes on
};

/// Unit of the temperatures in volume files. Shares are of 1000 K, as in Blender's files. Guess: shares if no temperature is above 100.
enum class VolumeTemperature { Guess, Kelvin, Share };

/// Volume files that are read: one, or a numbered sequence.
struct VolumeSequence {
    std::string files;      ///< name of a .vdb or .nvdb file; of a sequence with %0Nd, such as smoke_%04d.vdb
    double fps = 24.0;      ///< files per second of a sequence
    double start = 0.0;     ///< time of its first file [s]
    bool upIsZ = false;     ///< z is up in the files, as in Blender, instead of y
    bool velocity = false;  ///< the velocity is needed, too, for motion blur; files may lack it
    VolumeTemperature temperature = VolumeTemperature::Guess;
};

/// What volume files have.
struct WISP_API VolumeInfo {
    std::size_t first = 0;         ///< number of the first file of a sequence
    std::size_t count = 1;         ///< number of files
    std::array<double, 3> low{};   ///< low corner of the smoke of all files, in the axes of the scene [m]
    std::array<double, 3> high{};  ///< its high corner [m]
    double cell = 0.0;             ///< shortest edge of a voxel of the density in the first file that has one [m]
    bool temperature = false;      ///< whether a file has a temperature
    bool fuel = false;             ///< whether a file has fuel or burning fuel (flame) that is not 0, or gas above 1000 K

    /// Reads the heads of all files, checks that their grids can be read, and looks for fire. @throws Error File naming what is wrong.
    static VolumeInfo read(const VolumeSequence& sequence);
};

}  // namespace wisp

#endif
