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

namespace wisp {

/// Pixel layout of a frame as read back from the GPU. Row 0 is the top.
enum class PixelFormat {
    Display,   ///< 32-bit 0xAABBGGRR words, tone-mapped sRGB
    Radiance,  ///< four 16-bit floats, linear; alpha as in VolumeRenderer::radiance
    Deep,      ///< all pixels as Radiance, then one 32-bit float per pixel: see `plane` of encode
};
[[nodiscard]] std::size_t bytesPerPixel(PixelFormat format);

/// Each kind has one row in the table kFormats of image.cpp.
enum class ImageKind { Png, Exr, Pfm };
/// Image kind by file name extension. Returns std::nullopt for an unknown extension.
[[nodiscard]] std::optional<ImageKind> imageKindOf(const std::filesystem::path& name);
[[nodiscard]] std::string imageExtensions(std::string_view last);  ///< ".png, .exr or .pfm": `last` (" or ") precedes the last extension
[[nodiscard]] PixelFormat pixelFormatOf(ImageKind kind);

/// Encodes a complete file. PNG: 8-bit RGB, with `alpha` RGBA. PFM: little-endian float RGB. EXR: unmodified 16-bit float RGBA, and the
/// 32-bit float as channel `plane` (a capital letter after R). `pixels` must have the format pixelFormatOf(kind). @throws Failure Output if
/// the encoder fails.
std::string encode(ImageKind kind, glm::uvec2 size, std::span<const std::byte> pixels, char plane = 'Z', bool alpha = false);

}  // namespace wisp
