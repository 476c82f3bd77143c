// SPDX-License-Identifier: MIT
#pragma once

#include "app/image.h"
#include "app/log.h"

#include <memory>

namespace wisp::app {

/// Where frames end up.
class FrameWriter {
public:
    virtual ~FrameWriter() = default;
    [[nodiscard]] virtual PixelFormat format() const = 0;
    [[nodiscard]] virtual bool concurrent() const = 0;  ///< whether `write` may run on several threads, in any order
    virtual void write(std::size_t index, std::span<const std::byte> pixels) = 0;  ///< @throws Failure Output
    virtual void finish() = 0;  ///< after the last write; only then are the files complete. @throws Failure Output
};

struct OutputRequest {
    std::filesystem::path out;  ///< video.mp4, a folder, one image, or a pattern such as out/%04d.exr
    glm::uvec2 size{0};         ///< [pixels]
    double fps = 60.0;
    std::size_t frames = 0;
    std::size_t first = 0;  ///< number of the first that comes
    char plane = 'Z';     ///< see encode
    bool instead = true;  ///< where a video cannot be made, pictures are; otherwise that is a Failure
};

/// Makes what `out` asks for, with its folder, and proves that it can be written.
/// @throws Failure Usage for a name that asks for nothing known, Output if it cannot be written.
std::unique_ptr<FrameWriter> openWriter(const OutputRequest& request, const Log& log);

}  // namespace wisp::app
