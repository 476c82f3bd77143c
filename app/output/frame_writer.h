// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/log.h"
#include "files/base/image.h"

#include <cstdint>
#include <limits>
#include <memory>

namespace wisp::app {

/// Writes frames to files.
class FrameWriter {
public:
    virtual ~FrameWriter() = default;
    /// Maximum number of threads that may call `write` at the same time. With more than 1, frames arrive in any order. With 1, in order.
    [[nodiscard]] virtual std::size_t threads() const = 0;
    /// Most bytes of frames that wait or are being written. A larger frame waits until it is alone.
    [[nodiscard]] virtual std::uint64_t mostBytes() const { return std::numeric_limits<std::uint64_t>::max(); }
    virtual void write(std::size_t index, std::span<const std::byte> frame) = 0;  ///< @throws Failure Output
    virtual void finish() = 0;  ///< completes the files after the last `write`. @throws Failure Output
};

struct OutputRequest {
    std::filesystem::path out;  ///< video.mp4, a folder, one image, or a pattern such as out/%04d.exr
    glm::uvec2 size{0};         ///< [pixels]
    double fps = 60.0;
    std::size_t frames = 0;
    std::size_t first = 0;   ///< number of the first frame
    char plane = 'Z';        ///< see encode
    bool instead = true;     ///< write images if no video can be encoded; false: throw a Failure
    bool overwrite = false;  ///< these images may replace existing files
};

/// Creates the writer for `out` and its folder, and checks that files can be written. For the format of frames see pixelFormatOf.
/// @throws Failure Usage for an unknown kind of file, Output if nothing can be written.
std::unique_ptr<FrameWriter> openWriter(const OutputRequest& request, const Log& log);

}  // namespace wisp::app
