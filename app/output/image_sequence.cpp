// SPDX-License-Identifier: MIT
#include "app/output/image_sequence.h"

#include "files/base/pending_file.h"

#include <fmt/format.h>

#include <string>
#include <system_error>

namespace wisp::app {

namespace fs = std::filesystem;

namespace {

bool isFolder(const fs::path& out) {
    std::error_code ignored;
    return !out.has_extension() || fs::is_directory(out, ignored);
}

}  // namespace

PixelFormat pixelFormatOf(const fs::path& out) {
    return isFolder(out) ? pixelFormatOf(ImageKind::Png) : pixelFormatOf(imageKindOf(out).value_or(ImageKind::Png));
}

PictureContent contentOf(const fs::path& out) {
    switch (pixelFormatOf(out)) {
        case PixelFormat::Display: return PictureContent::Display;
        case PixelFormat::Radiance: return PictureContent::Radiance;
        case PixelFormat::Deep: break;
    }
    return PictureContent::Deep;
}

ImagePattern parseImagePattern(const fs::path& out, std::size_t frames) {
    const std::string allowed = "a .mp4 file, a folder, or a pattern such as out/%04d" + imageExtensions(" or ");
    const PatternOption option{"--out", "images", allowed};
    if (out == "-") option.refuse(out, "pictures are files, not standard output");
    if (isFolder(out)) {
        if (out.filename().string().find('%') != std::string::npos) option.refuse(out, "the extension is missing");
        return {{.folder = out, .prefix = {}, .suffix = ".png"}, ImageKind::Png};
    }
    const auto kind = imageKindOf(out);
    if (!kind) option.refuse(out, fmt::format("{} is not a known file type", out.extension().string()));
    return {parsePattern(option, out, frames), *kind};
}

ImageSequence::ImageSequence(ImagePattern pattern, glm::uvec2 size, char plane, bool alpha)
    : pattern_(std::move(pattern)), size_(size), plane_(plane), alpha_(alpha) {
    pattern_.names.prepare();
}

void ImageSequence::write(std::size_t index, std::span<const std::byte> pixels) {
    writeFileAtomically(pattern_.names.name(index), encode(pattern_.kind, size_, pixels, plane_, alpha_));
}

}  // namespace wisp::app
