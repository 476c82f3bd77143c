// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/frame_pattern.h"
#include "app/output/frame_writer.h"

namespace wisp::app {

struct ImagePattern {
    FramePattern names;
    ImageKind kind = ImageKind::Png;
};

/// Reads a folder, or a pattern of names. @throws Failure Usage.
ImagePattern parseImagePattern(const std::filesystem::path& out, std::size_t frames);

/// What a frame of `out` is made of: one of a video, or of an image of its kind.
PixelFormat pixelFormatOf(const std::filesystem::path& out);

/// One image file a frame, each whole or not there.
class ImageSequence : public FrameWriter {
public:
    /// `plane`: see encode.
    ImageSequence(ImagePattern pattern, glm::uvec2 size, char plane = 'Z');
    [[nodiscard]] std::size_t threads() const override { return 8; }
    void write(std::size_t index, std::span<const std::byte> pixels) override;
    void finish() override {}

private:
    ImagePattern pattern_;
    glm::uvec2 size_;
    char plane_;
};

}  // namespace wisp::app
