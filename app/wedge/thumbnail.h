// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec2.hpp>

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace wisp::app {

inline constexpr std::uint32_t kThumbnail = 320;  ///< longer edge of a thumbnail [pixels]

/// An image of PixelFormat::Display.
struct SmallImage {
    glm::uvec2 size{0};  ///< 0: none
    std::vector<std::byte> pixels;
};

/// The size of a thumbnail of an image of this size. Smaller images are not enlarged.
glm::uvec2 thumbnailSize(glm::uvec2 size);

/// An image shrunk to thumbnailSize: each pixel is the mean of the area that it covers.
SmallImage thumbnailOf(std::span<const std::byte> pixels, glm::uvec2 size);

/// Reads a PNG file of at most kThumbnail pixels along an edge. @throws Failure Usage.
SmallImage readThumbnail(const std::filesystem::path& file);

}  // namespace wisp::app
