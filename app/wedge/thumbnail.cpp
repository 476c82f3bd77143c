// SPDX-License-Identifier: MIT
#include "app/wedge/thumbnail.h"

#include "files/base/failure.h"
#include "files/base/text_file.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace wisp::app {
namespace {

constexpr std::uintmax_t kThumbnailBytes = 4u << 20;  // limit of a file of a thumbnail

/// The pixels that one pixel of the smaller image covers along an axis.
struct Cover {
    std::uint32_t first = 0, end = 0;
    double low = 0.0, high = 0.0;  ///< both ends, in pixels
    [[nodiscard]] double weight(std::uint32_t n) const { return std::min(high, n + 1.0) - std::max(low, static_cast<double>(n)); }
};

Cover coverOf(std::uint32_t n, std::uint32_t small, std::uint32_t large) {
    const double scale = static_cast<double>(large) / small;
    Cover cover{.low = n * scale, .high = std::min((n + 1) * scale, static_cast<double>(large))};
    cover.first = static_cast<std::uint32_t>(cover.low);
    cover.end = std::min(static_cast<std::uint32_t>(std::ceil(cover.high)), large);
    return cover;
}

std::uint32_t shorter(std::uint32_t edge, std::uint32_t longest) {
    return std::max(1u, static_cast<std::uint32_t>(std::lround(static_cast<double>(edge) * kThumbnail / longest)));
}

}  // namespace

glm::uvec2 thumbnailSize(glm::uvec2 size) {
    const std::uint32_t longest = std::max(size.x, size.y);
    return longest <= kThumbnail ? size : glm::uvec2(shorter(size.x, longest), shorter(size.y, longest));
}

SmallImage thumbnailOf(std::span<const std::byte> pixels, glm::uvec2 size) {
    SmallImage image{thumbnailSize(size), {}};
    image.pixels.reserve(4 * std::size_t{image.size.x} * image.size.y);
    for (std::uint32_t y = 0; y < image.size.y; ++y)
        for (std::uint32_t x = 0; x < image.size.x; ++x) {
            const Cover across = coverOf(x, image.size.x, size.x), down = coverOf(y, image.size.y, size.y);
            std::array<double, 4> sum{};
            double area = 0.0;
            for (std::uint32_t j = down.first; j < down.end; ++j)
                for (std::uint32_t i = across.first; i < across.end; ++i) {
                    const double weight = across.weight(i) * down.weight(j);
                    const std::span<const std::byte> pixel = pixels.subspan(4 * (std::size_t{j} * size.x + i), 4);
                    area += weight;
                    for (std::size_t c = 0; c < 4; ++c) sum[c] += weight * std::to_integer<int>(pixel[c]);
                }
            for (const double s : sum) image.pixels.push_back(static_cast<std::byte>(std::lround(s / area)));
        }
    return image;
}

SmallImage readThumbnail(const std::filesystem::path& file) {
    const auto fail = [&](std::string_view why) {
        return Failure(Exit::Usage, fmt::format("{}: is not a thumbnail of wisp wedge: {}", file.string(), why));
    };
    std::string bytes;
    try {
        bytes = readBytes(file, kThumbnailBytes);
    } catch (const std::runtime_error& e) {
        throw fail(e.what());
    }
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    SmallImage image;
    if (png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) == 0) throw fail(png.message);
    png.format = PNG_FORMAT_RGBA;
    const bool fits = png.width <= kThumbnail && png.height <= kThumbnail;
    if (fits) {
        image.size = {png.width, png.height};
        image.pixels.resize(PNG_IMAGE_SIZE(png));
    }
    const bool read = fits && png_image_finish_read(&png, nullptr, image.pixels.data(), 0, nullptr) != 0;
    const std::string message = png.message;
    png_image_free(&png);
    if (!read) throw fail(fits ? message : fmt::format("it has more than {} pixels along an edge", kThumbnail));
    return image;
}

}  // namespace wisp::app
