// SPDX-License-Identifier: MIT
#include "app/output/background.h"

#include "files/base/extension.h"
#include "files/base/failure.h"
#include "files/base/srgb.h"
#include "files/base/text_file.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <stdexcept>

namespace wisp::app {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{1} << 30;

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
    throw Failure(Exit::Usage, fmt::format("--background {}: {}", text, why));
}

/// Of a text such as "#ff8000"; empty for another one.
std::vector<std::byte> colourOf(const std::string& text) {
    if (text.size() != 7 || text[0] != '#' || text.find_first_not_of("0123456789abcdefABCDEF", 1) != std::string::npos) return {};
    const unsigned long word = std::stoul(text.substr(1), nullptr, 16);
    return {std::byte(word >> 16 & 0xff), std::byte(word >> 8 & 0xff), std::byte(word & 0xff), std::byte{255}};
}

std::vector<std::byte> pictureOf(const std::string& file, glm::uvec2 size) {
    std::string bytes;
    try {
        bytes = readBytes(file, kMaxFileBytes);
    } catch (const std::runtime_error& e) {
        refuse(file, fmt::format("must be \"transparent\", a colour such as \"#ff8000\", or a .png file, which {}", e.what()));
    }
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) == 0) refuse(file, png.message);
    const glm::uvec2 found(png.width, png.height);
    std::vector<std::byte> pixels;
    if (found == size) {
        png.format = PNG_FORMAT_RGBA;
        pixels.resize(PNG_IMAGE_SIZE(png));
        png_image_finish_read(&png, nullptr, pixels.data(), 0, nullptr);
    }
    const std::string problem = png.message;
    png_image_free(&png);
    if (found != size)
        refuse(file, fmt::format("has {}x{} pixels, the pictures have {}x{}: must be the same", found.x, found.y, size.x, size.y));
    if (!problem.empty()) refuse(file, problem);
    return pixels;
}

double lightOf(std::byte value) { return linearLight(std::to_integer<std::uint8_t>(value)); }

/// A pixel over black as colour and alpha, so that alpha times colour is the pixel. Flames are brighter than their coverage: they get more.
void separate(std::span<std::byte, 4> pixel) {
    const unsigned alpha = std::to_integer<unsigned>(std::max({pixel[0], pixel[1], pixel[2], pixel[3]}));
    for (std::size_t n = 0; n < 3; ++n)
        pixel[n] = alpha == 0 ? std::byte{0} : static_cast<std::byte>((255 * std::to_integer<unsigned>(pixel[n]) + alpha / 2) / alpha);
    pixel[3] = static_cast<std::byte>(alpha);
}

}  // namespace

Background::Background(const std::string& text, const std::filesystem::path& out, glm::uvec2 size) {
    const std::string extension = extensionOf(out);
    const bool isLinear = extension == ".exr" || extension == ".pfm";
    if (text == "transparent") {
        if (extension == ".mp4" || extension == ".pfm")
            refuse(text, fmt::format("a {} file has no alpha; use .png or .exr, or a colour", extension));
        return;
    }
    if (isLinear) refuse(text, fmt::format("is for .png and .mp4; a {} file has linear radiance", extension));
    behind_ = colourOf(text);
    if (behind_.empty()) behind_ = pictureOf(text, size);
}

void Background::putBehind(std::span<std::byte> pixels) const {
    for (std::size_t i = 0; i + 3 < pixels.size(); i += 4) {
        const auto pixel = pixels.subspan(i).first<4>();
        if (isTransparent()) {
            separate(pixel);
            continue;
        }
        const std::size_t at = behind_.size() == 4 ? 0 : i;
        const double through = 1.0 - std::to_integer<int>(pixel[3]) / 255.0;
        for (std::size_t n = 0; n < 3; ++n)
            if (through > 0.0) pixel[n] = static_cast<std::byte>(srgbValue(lightOf(pixel[n]) + through * lightOf(behind_[at + n])));
        pixel[3] = std::byte{255};
    }
}

}  // namespace wisp::app
