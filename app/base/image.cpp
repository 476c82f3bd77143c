// SPDX-License-Identifier: MIT
#include "app/base/image.h"

#include "app/base/exr_file.h"
#include "app/base/failure.h"

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

#include <fmt/format.h>
#include <glm/gtc/packing.hpp>

#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace wisp::app {
namespace {

static_assert(std::endian::native == std::endian::little, "PFM and display words are written as they lie in memory");

std::vector<std::uint16_t> halves(std::span<const std::byte> pixels) {
    std::vector<std::uint16_t> values(pixels.size() / sizeof(std::uint16_t));
    std::memcpy(values.data(), pixels.data(), values.size() * sizeof(std::uint16_t));
    return values;
}

/// The alpha channel is dropped: the picture already stands before its background.
std::string encodePng(glm::uvec2 size, std::span<const std::byte> pixels) {
    std::vector<std::byte> rgb;
    rgb.reserve(pixels.size() / 4 * 3);
    for (std::size_t i = 0; i + 3 < pixels.size(); i += 4) rgb.insert(rgb.end(), {pixels[i], pixels[i + 1], pixels[i + 2]});
    std::string file;
    const auto append = [](void* context, void* data, int bytes) {
        static_cast<std::string*>(context)->append(static_cast<const char*>(data), static_cast<std::size_t>(bytes));
    };
    const int width = static_cast<int>(size.x);
    if (stbi_write_png_to_func(append, &file, width, static_cast<int>(size.y), 3, rgb.data(), 3 * width) == 0)
        throw Failure(Exit::Output, "the PNG encoder failed");
    return file;
}

std::string encodePfm(glm::uvec2 size, std::span<const std::byte> pixels) {
    const std::vector<std::uint16_t> rgba = halves(pixels);
    std::string file = fmt::format("PF\n{} {}\n-1.0\n", size.x, size.y);  // a negative scale says little-endian
    for (std::size_t row = size.y; row-- > 0;)                            // rows go from the bottom up
        for (std::size_t column = 0; column < size.x; ++column) {
            std::array<float, 3> rgb{};
            for (std::size_t c = 0; c < 3; ++c) rgb[c] = glm::unpackHalf1x16(rgba[4 * (row * size.x + column) + c]);
            file.append(reinterpret_cast<const char*>(rgb.data()), sizeof rgb);
        }
    return file;
}

std::string encodeDeep(glm::uvec2 size, std::span<const std::byte> pixels, char plane) {
    const std::size_t count = std::size_t{size.x} * size.y;
    const std::vector<std::uint16_t> rgba = halves(pixels.first(8 * count));
    // EXR keeps channels in alphabetical order, each in a plane of its own.
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

}  // namespace

std::size_t bytesPerPixel(PixelFormat format) {
    switch (format) {
        case PixelFormat::Display: return 4;
        case PixelFormat::Radiance: return 8;
        case PixelFormat::Deep: return 12;
    }
    throw std::logic_error("unknown pixel format");
}

PixelFormat pixelFormatOf(ImageKind kind) {
    switch (kind) {
        case ImageKind::Png: return PixelFormat::Display;
        case ImageKind::Pfm: return PixelFormat::Radiance;
        case ImageKind::Exr: return PixelFormat::Deep;
    }
    throw std::logic_error("unknown image kind");
}

std::string encode(ImageKind kind, glm::uvec2 size, std::span<const std::byte> pixels, char plane) {
    if (pixels.size() != std::size_t{size.x} * size.y * bytesPerPixel(pixelFormatOf(kind)))
        throw std::logic_error("pixels of another size");
    switch (kind) {
        case ImageKind::Png: return encodePng(size, pixels);
        case ImageKind::Pfm: return encodePfm(size, pixels);
        case ImageKind::Exr: return encodeDeep(size, pixels, plane);
    }
    throw std::logic_error("unknown image kind");
}

}  // namespace wisp::app
