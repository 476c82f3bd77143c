// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec2.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace wisp::app {

/// A frame's pixels as the GPU delivers them; row 0 is the top.
enum class PixelFormat {
    Display,   ///< 32-bit 0xAABBGGRR words, tone-mapped sRGB
    Radiance,  ///< four half floats, linear; alpha as in VolumeRenderer::radiance
    Deep,      ///< all pixels as Radiance, then a float of each: see `plane` of encode
};
[[nodiscard]] std::size_t bytesPerPixel(PixelFormat format);

/// A row of the table in image.cpp each, which says all that there is to know of a kind.
enum class ImageKind { Png, Exr, Pfm };
/// By a name's extension; none: no picture.
[[nodiscard]] std::optional<ImageKind> imageKindOf(const std::filesystem::path& name);
[[nodiscard]] std::string imageExtensions(std::string_view last);  ///< ".png, .exr or .pfm": `last` stands before the last one
[[nodiscard]] PixelFormat pixelFormatOf(ImageKind kind);

/// A whole file's bytes. PNG: 8-bit RGB. PFM: little-endian float RGB. EXR: half RGBA, bit by bit, and the float as channel
/// `plane` (a capital behind R in the alphabet). `pixels` are of pixelFormatOf(kind). @throws Failure Output if the encoder fails.
std::string encode(ImageKind kind, glm::uvec2 size, std::span<const std::byte> pixels, char plane = 'Z');

}  // namespace wisp::app
