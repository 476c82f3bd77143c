// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec2.hpp>
#include <png.h>

#include <string>
#include <vector>

namespace wisp::test {

/// The bytes of a PNG file. @param format PNG_FORMAT_RGBA ... of the pixels, row 0 at the top
inline std::string pngOf(glm::uvec2 size, png_uint_32 format, const std::vector<png_byte>& pixels) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = size.x;
    image.height = size.y;
    image.format = format;
    png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::string file(bytes, '\0');
    if (pixels.size() != PNG_IMAGE_SIZE(image) || png_image_write_to_memory(&image, file.data(), &bytes, 0, pixels.data(), 0, nullptr) == 0)
        return {};
    file.resize(bytes);
    return file;
}

}  // namespace wisp::test
