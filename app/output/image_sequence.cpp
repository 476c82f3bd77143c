// SPDX-License-Identifier: MIT
#include "app/output/image_sequence.h"

#include "app/base/pending_file.h"

#include <fmt/format.h>

#include <optional>

namespace wisp::app {

namespace fs = std::filesystem;

namespace {

constexpr PatternOption kOut{"--out", "images", "a .mp4 file, a folder, or a pattern such as out/%04d.png, .exr or .pfm"};

std::optional<ImageKind> kindOf(const fs::path& name) {
    const std::string extension = name.extension().string();
    if (extension == ".png") return ImageKind::Png;
    if (extension == ".pfm") return ImageKind::Pfm;
    if (extension == ".exr") return ImageKind::Exr;
    return std::nullopt;
}

}  // namespace

ImagePattern parseImagePattern(const fs::path& out, std::size_t frames) {
    std::error_code ignored;
    if (!out.has_extension() || fs::is_directory(out, ignored)) {
        if (out.filename().string().find('%') != std::string::npos) kOut.refuse(out, "the extension is missing");
        return {{.folder = out, .prefix = {}, .suffix = ".png"}, ImageKind::Png};
    }
    const auto kind = kindOf(out);
    if (!kind) kOut.refuse(out, fmt::format("{} is not a known kind", out.extension().string()));
    return {parsePattern(kOut, out, frames), *kind};
}

ImageSequence::ImageSequence(ImagePattern pattern, glm::uvec2 size, char plane) : pattern_(std::move(pattern)), size_(size), plane_(plane) {
    pattern_.names.prepare();
}

void ImageSequence::write(std::size_t index, std::span<const std::byte> pixels) {
    writeWhole(pattern_.names.name(index), encode(pattern_.kind, size_, pixels, plane_));
}

}  // namespace wisp::app
