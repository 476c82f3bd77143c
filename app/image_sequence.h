// SPDX-License-Identifier: MIT
#pragma once

#include "app/frame_writer.h"

namespace wisp::app {

/// Names of numbered images: folder/prefix0007suffix.
struct FramePattern {
    std::filesystem::path folder;
    std::string prefix;
    std::size_t digits = 4;  ///< at least; 0: one image, without a number
    std::string suffix;
    ImageKind kind = ImageKind::Png;
    [[nodiscard]] std::filesystem::path name(std::size_t index) const;
};

/// Reads a folder, or a path with exactly one %0Nd. @throws Failure Usage.
FramePattern parsePattern(const std::filesystem::path& out, std::size_t frames);

/// One image file a frame, each whole or not there.
class ImageSequence : public FrameWriter {
public:
    /// `plane`: see encode.
    ImageSequence(FramePattern pattern, glm::uvec2 size, char plane = 'Z');
    [[nodiscard]] PixelFormat format() const override { return pixelFormatOf(pattern_.kind); }
    [[nodiscard]] bool concurrent() const override { return true; }
    void write(std::size_t index, std::span<const std::byte> pixels) override;
    void finish() override {}

private:
    FramePattern pattern_;
    glm::uvec2 size_;
    char plane_;
};

}  // namespace wisp::app
