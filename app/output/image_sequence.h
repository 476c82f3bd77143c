// SPDX-License-Identifier: MIT
#pragma once

#include "files/base/frame_pattern.h"
#include "files/base/frame_writer.h"
#include "files/base/image.h"
#include "wisp/renderer.h"

namespace wisp::app {

struct ImagePattern {
    FramePattern names;
    ImageKind kind = ImageKind::Png;
};

/// Parses the path of a folder or a pattern of file names. @throws Failure Usage.
ImagePattern parseImagePattern(const std::filesystem::path& out, std::size_t frames);

/// Pixel format of a frame for the output `out`, by its kind of image or video.
PixelFormat pixelFormatOf(const std::filesystem::path& out);

/// What such frames are made of.
PictureContent contentOf(const std::filesystem::path& out);

/// One image file per frame. Each file appears only when it is complete.
class ImageSequence : public FrameWriter {
public:
    /// `plane`, `alpha`: see encode.
    ImageSequence(ImagePattern pattern, glm::uvec2 size, char plane = 'Z', bool alpha = false);
    [[nodiscard]] std::size_t threads() const override { return 8; }
    void write(std::size_t index, std::span<const std::byte> pixels) override;
    void finish() override {}

private:
    ImagePattern pattern_;
    glm::uvec2 size_;
    char plane_;
    bool alpha_;
};

}  // namespace wisp::app
