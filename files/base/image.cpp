// SPDX-License-Identifier: MIT
#include "files/base/image.h"

#include "files/base/exr_file.h"
#include "files/base/extension.h"
#include "files/base/failure.h"

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

#include <fmt/format.h>
#include <glm/gtc/packing.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace wisp {
namespace {

static_assert(std::endian::native == std::endian::little,
              "needs a little-endian host, because PFM files and display pixels are written in host byte order");

std::vector<std::uint16_t> halves(std::span<const std::byte> pixels) {
    std::vector<std::uint16_t> values(pixels.size() / sizeof(std::uint16_t));
    std::memcpy(values.data(), pixels.data(), values.size() * sizeof(std::uint16_t));
    return values;
}

/// Without `alpha` the channel is dropped, because the image is then already composited over its background.
std::string encodePng(glm::uvec2 size, std::span<const std::byte> pixels, char, bool alpha) {
    std::vector<std::byte> rgb;
    if (!alpha) rgb.reserve(pixels.size() / 4 * 3);
    for (std::size_t i = 0; i + 3 < pixels.size() && !alpha; i += 4) rgb.insert(rgb.end(), {pixels[i], pixels[i + 1], pixels[i + 2]});
    const int channels = alpha ? 4 : 3;
    const void* const rows = alpha ? static_cast<const void*>(pixels.data()) : rgb.data();
    std::string file;
    const auto append = [](void* context, void* data, int bytes) {
        static_cast<std::string*>(context)->append(static_cast<const char*>(data), static_cast<std::size_t>(bytes));
    };
    const int width = static_cast<int>(size.x);
    if (stbi_write_png_to_func(append, &file, width, static_cast<int>(size.y), channels, rows, channels * width) == 0)
        throw Failure(Exit::Output, "the PNG encoder failed");
    return file;
}

std::string encodePfm(glm::uvec2 size, std::span<const std::byte> pixels, char, bool) {
    const std::vector<std::uint16_t> rgba = halves(pixels);
    std::string file = fmt::format("PF\n{} {}\n-1.0\n", size.x, size.y);  // a negative scale means little-endian
    for (std::size_t row = size.y; row-- > 0;)                            // PFM stores rows from bottom to top
        for (std::size_t column = 0; column < size.x; ++column) {
            std::array<float, 3> rgb{};
            for (std::size_t c = 0; c < 3; ++c) rgb[c] = glm::unpackHalf1x16(rgba[4 * (row * size.x + column) + c]);
            file.append(reinterpret_cast<const char*>(rgb.data()), sizeof rgb);
        }
    return file;
}

std::string encodeDeep(glm::uvec2 size, std::span<const std::byte> pixels, char plane, bool) {
    const std::size_t count = std::size_t{size.x} * size.y;
    const std::vector<std::uint16_t> rgba = halves(pixels.first(8 * count));
    // EXR stores channels in alphabetical order, each in a separate plane.
    const std::array<std::pair<char, std::size_t>, 4> order{{{'A', 3}, {'B', 2}, {'G', 1}, {'R', 0}}};
    std::vector<std::uint16_t> planes(4 * count);
    std::vector<ExrChannel> channels;
    for (std::size_t c = 0; c < 4; ++c) {
        const auto values = std::span(planes).subspan(c * count, count);
        for (std::size_t i = 0; i < count; ++i) values[i] = rgba[4 * i + order[c].second];
        channels.push_back({.name = {order[c].first}, .values = std::as_bytes(values)});
    }
    channels.push_back({.name = {plane}, .values = pixels.subspan(8 * count), .half = false});
    return encodeExr(size, channels);
}

struct ImageFormat {
    ImageKind kind;
    std::string_view extension;
    PixelFormat pixels;
    std::string (*encode)(glm::uvec2 size, std::span<const std::byte> pixels, char plane, bool alpha);
};

constexpr std::array kFormats{ImageFormat{ImageKind::Png, ".png", PixelFormat::Display, encodePng},
                              ImageFormat{ImageKind::Exr, ".exr", PixelFormat::Deep, encodeDeep},
                              ImageFormat{ImageKind::Pfm, ".pfm", PixelFormat::Radiance, encodePfm}};

const ImageFormat& formatOf(ImageKind kind) {
    const auto* const found = std::ranges::find(kFormats, kind, &ImageFormat::kind);
    if (found == kFormats.end()) throw std::logic_error("unknown image kind");
    return *found;
}

}  // namespace

std::size_t bytesPerPixel(PixelFormat format) {
    switch (format) {
        case PixelFormat::Display: return 4;
        case PixelFormat::Radiance: return 8;
        case PixelFormat::Deep: return 12;
    }
    throw std::logic_error("unknown pixel format");
}

std::optional<ImageKind> imageKindOf(const std::filesystem::path& name) {
    const auto* const found = std::ranges::find(kFormats, extensionOf(name), &ImageFormat::extension);
    return found == kFormats.end() ? std::nullopt : std::optional(found->kind);
}

std::string imageExtensions(std::string_view last) {
    std::string text;
    for (const ImageFormat& format : kFormats)
        text += fmt::format("{}{}", text.empty() ? "" : &format == &kFormats.back() ? last : ", ", format.extension);
    return text;
}

PixelFormat pixelFormatOf(ImageKind kind) { return formatOf(kind).pixels; }

std::string encode(ImageKind kind, glm::uvec2 size, std::span<const std::byte> pixels, char plane, bool alpha) {
    if (pixels.size() != std::size_t{size.x} * size.y * bytesPerPixel(pixelFormatOf(kind)))
        throw std::logic_error("the size of the pixel data does not match the image size");
    return formatOf(kind).encode(size, pixels, plane, alpha);
}

}  // namespace wisp
