// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec2.hpp>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace wisp::app {

/// What is behind smoke and bodies in an output instead of the environment (--background).
class Background {
public:
    /// `text`: "transparent", a colour such as "#ff8000", or a .png file of this size. `out`: the output, which must be able to have it.
    /// @throws Failure Usage.
    Background(const std::string& text, const std::filesystem::path& out, glm::uvec2 size);
    /// Whether the output has alpha.
    [[nodiscard]] bool isTransparent() const { return behind_.empty(); }
    /// Puts a picture of RendererOptions::transparent, as PictureContent::Display, over the background. Transparent: makes its colours
    /// those of a file with alpha, in which each pixel is alpha times its colour over what is behind.
    void putBehind(std::span<std::byte> pixels) const;

private:
    std::vector<std::byte> behind_;  ///< 4 bytes a pixel, sRGB; of a colour one pixel
};

}  // namespace wisp::app
