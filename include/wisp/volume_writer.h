// SPDX-License-Identifier: MIT
#ifndef WISP_VOLUME_WRITER_H
#define WISP_VOLUME_WRITER_H

#include <wisp/simulation.h>
#include <wisp/volume.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wisp {

/// Writes the smoke of a simulation as volume files. Only blocks with smoke leave the device, and other threads encode the files.
class WISP_API VolumeWriter {
public:
    /// @throws Error Argument naming the option that is wrong.
    explicit VolumeWriter(Simulation& simulation, const VolumeOptions& options = {});
    /// Waits for the files. An error of a file is lost here: call flush before.
    ~VolumeWriter();
    VolumeWriter(VolumeWriter&&) noexcept;
    VolumeWriter& operator=(VolumeWriter&&) noexcept;

    /// Names of the fields that files of this scene can have, in the order of VolumeOptions::fields.
    [[nodiscard]] static std::vector<std::string> fields(const Scene& scene);
    /// Of every scene.
    [[nodiscard]] static std::vector<std::string> allFields();

    /// Writes the fields at the end of the steps so far: .nvdb (NanoVDB) or .vdb (OpenVDB); or .exr, the velocity and the open
    /// share of every cell as slices of one image, whatever the options say. Waits for the steps, but not for the file, which appears only
    /// when it is complete. @throws Error Argument for another kind of file; Unsupported if OpenVDB is not installed, or for an .exr file
    /// of a simulation with grid.sparse; OutOfMemory; Output for an earlier file that could not be written.
    /// @param file its path @param number of the file, for the metadata; not given: that of the file before, plus 1
    void write(const std::string& file, std::optional<std::size_t> number = {});
    /// Waits until all files are written. @return how many this writer has written @throws Error Output if one could not be written.
    std::size_t flush();

    struct Impl;

private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace wisp

#endif
