// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/image.h"
#include "app/base/log.h"

#include <memory>

namespace wisp::app {

/// Where frames end up.
class FrameWriter {
public:
    virtual ~FrameWriter() = default;
    [[nodiscard]] virtual std::size_t threads() const = 0;  ///< at most so many may `write` at once, in any order; 1: in order
    virtual void write(std::size_t index, std::span<const std::byte> frame) = 0;  ///< @throws Failure Output
    virtual void finish() = 0;  ///< after the last write; only then are the files complete. @throws Failure Output
};

struct OutputRequest {
    std::filesystem::path out;  ///< video.mp4, a folder, one image, or a pattern such as out/%04d.exr
    glm::uvec2 size{0};         ///< [pixels]
    double fps = 60.0;
    std::size_t frames = 0;
    std::size_t first = 0;   ///< number of the first that comes
    char plane = 'Z';        ///< see encode
    bool instead = true;     ///< where a video cannot be made, pictures are; otherwise that is a Failure
    bool overwrite = false;  ///< those pictures may replace files of an earlier run
};

/// Makes what `out` asks for, with its folder, and proves that it can be written. Frames are pixels, see pixelFormatOf.
/// @throws Failure Usage for a name that asks for nothing known, Output if it cannot be written.
std::unique_ptr<FrameWriter> openWriter(const OutputRequest& request, const Log& log);

}  // namespace wisp::app
