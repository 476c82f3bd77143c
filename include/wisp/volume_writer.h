// SPDX-License-Identifier: MIT
#ifndef WISP_VOLUME_WRITER_H
#define WISP_VOLUME_WRITER_H

#include <wisp/simulation.h>

#include <memory>
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
};

/// Writes the smoke of a simulation as volume files. Only blocks with smoke leave the device, and other threads encode the files.
class WISP_API VolumeWriter {
public:
    /// @throws Error Argument naming the option that is wrong.
    explicit VolumeWriter(Simulation& simulation, const VolumeOptions& options = {});
    /// Waits for the files. An error of a file is lost here: call flush before.
    ~VolumeWriter();
    VolumeWriter(VolumeWriter&&) noexcept;
    VolumeWriter& operator=(VolumeWriter&&) noexcept;

    /// Writes the fields at the end of the steps so far: .nvdb (NanoVDB) or .vdb (OpenVDB). Waits for the steps, but not for the file,
    /// which appears only when it is complete. @throws Error Argument for another kind of file; Unsupported if OpenVDB is not installed;
    /// OutOfMemory; Output for an earlier file that could not be written.
    void write(const std::string& file);
    /// Waits until all files are written. @throws Error Output if one could not be written.
    void flush();

    struct Impl;

private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace wisp

#endif
