// SPDX-License-Identifier: MIT
#include "files/scene/initial_image_file.h"

#include "compute/scene/initial_image.h"
#include "files/base/srgb.h"
#include "files/base/text_file.h"
#include "files/scene/environment_file.h"
#include "files/scene/files_in_use.h"
#include "files/scene/hdr_file.h"

#include <fmt/format.h>
#include <png.h>

#include <stdexcept>
#include <string>

namespace wisp {
namespace {

void checkSize(glm::uvec2 size) {
    if (size.x > kMaxInitialImage || size.y > kMaxInitialImage)
        throw std::runtime_error(
            fmt::format("has {}x{} pixels, at most {}x{} are allowed", size.x, size.y, kMaxInitialImage, kMaxInitialImage));
}

/// Owns the memory that libpng allocates while reading.
struct Png {
    png_image image{};
    Png() { image.version = PNG_IMAGE_VERSION; }
    ~Png() { png_image_free(&image); }
    Png(const Png&) = delete;
    Png& operator=(const Png&) = delete;
    void check(int done) const {
        if (done == 0) throw std::runtime_error(fmt::format("cannot be decoded: {}", image.message));
    }
};

InitialImage readPng(const std::string& bytes) {
    Png png;
    png.check(png_image_begin_read_from_memory(&png.image, bytes.data(), bytes.size()));
    InitialImage image{{png.image.width, png.image.height}, {}};
    checkSize(image.size);
    png.image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // otherwise libpng treats 16-bit images as linear, which is rarely correct
    png.image.format = PNG_FORMAT_RGBA;
    std::vector<png_byte> pixels(PNG_IMAGE_SIZE(png.image));
    const auto bottomUp = -static_cast<png_int_32>(PNG_IMAGE_ROW_STRIDE(png.image));
    png.check(png_image_finish_read(&png.image, nullptr, pixels.data(), bottomUp, nullptr));
    image.texels.reserve(pixels.size() / 4);
    for (std::size_t i = 0; i < pixels.size(); i += 4)
        image.texels.push_back(static_cast<float>(pixels[i + 3]) / 255.0f *
                               glm::vec3(linearLight(pixels[i]), linearLight(pixels[i + 1]), linearLight(pixels[i + 2])));
    return image;
}

/// Flips the rows, because rows of environment maps start at the top.
InitialImage flipped(const EnvironmentImage& picture) {
    InitialImage image{picture.size, {}};
    image.texels.reserve(picture.texels.size());
    for (std::uint32_t row = picture.size.y; row-- > 0;) {
        const auto first = picture.texels.begin() + static_cast<std::ptrdiff_t>(std::size_t{row} * picture.size.x);
        image.texels.insert(image.texels.end(), first, first + picture.size.x);
    }
    return image;
}

}  // namespace

InitialImage readInitialImage(const std::filesystem::path& file) {
    const std::string bytes = readBytes(file, kMaxEnvironmentFileBytes);
    const bool png = bytes.starts_with("\x89PNG\r\n\x1a\n");
    if (!png && !bytes.starts_with("\x76\x2f\x31\x01") && !isHdr(bytes))
        throw std::runtime_error("is neither PNG (.png), OpenEXR (.exr) nor Radiance (.hdr)");
    InitialImage image = png ? readPng(bytes) : flipped(readEnvironment(file));
    if (const std::string problem = initialImageProblem(image); !problem.empty()) throw std::runtime_error(problem);
    image.file = file;
    return image;
}

std::shared_ptr<const InitialImage> sharedInitialImage(const std::filesystem::path& file) {
    static FilesInUse<std::filesystem::path, const InitialImage> inUse;
    return inUse.get(file, {file}, [&] { return std::make_shared<const InitialImage>(readInitialImage(file)); });
}

}  // namespace wisp
