// SPDX-License-Identifier: MIT
#include "app/image_sequence.h"

#include "app/pending_file.h"

#include <fmt/format.h>

#include <cctype>
#include <optional>

namespace wisp::app {

namespace fs = std::filesystem;

namespace {

std::optional<ImageKind> kindOf(const fs::path& name) {
    const std::string extension = name.extension().string();
    if (extension == ".png") return ImageKind::Png;
    if (extension == ".pfm") return ImageKind::Pfm;
    if (extension == ".exr") return ImageKind::Exr;
    return std::nullopt;
}

[[noreturn]] void refuse(const fs::path& out, std::string_view why) {
    throw Failure(
        Exit::Usage,
        fmt::format("--out {}: {}; it may be a .mp4 file, a folder, or a pattern such as out/%04d.png, .exr or .pfm",
                    out.string(), why));
}

/// The user's pattern never reaches printf: it is taken apart here.
void splitName(FramePattern& pattern, const fs::path& out) {
    const std::string name = out.filename().string();
    const std::size_t percent = name.find('%');
    const std::size_t end = name.find('d', percent);
    if (end != percent + 3 || name[percent + 1] != '0' || std::isdigit(static_cast<unsigned char>(name[percent + 2])) == 0)
        refuse(out, "after % there must be 0, one digit and d");
    if (name.find('%', percent + 1) != std::string::npos) refuse(out, "there must be exactly one %");
    pattern.prefix = name.substr(0, percent);
    pattern.digits = static_cast<std::size_t>(name[percent + 2] - '0');
    pattern.suffix = name.substr(end + 1);
}

}  // namespace

fs::path FramePattern::name(std::size_t index) const {
    return folder / (digits == 0 ? prefix + suffix : fmt::format("{}{:0{}}{}", prefix, index, digits, suffix));
}

FramePattern parsePattern(const fs::path& out, std::size_t frames) {
    FramePattern pattern;
    std::error_code ignored;
    if (!out.has_extension() || fs::is_directory(out, ignored)) {
        if (out.filename().string().find('%') != std::string::npos) refuse(out, "the extension is missing");
        pattern.folder = out;
        pattern.suffix = ".png";
        return pattern;
    }
    const auto kind = kindOf(out);
    if (!kind) refuse(out, fmt::format("{} is not a known kind", out.extension().string()));
    pattern.kind = *kind;
    pattern.folder = out.parent_path();
    if (out.filename().string().find('%') != std::string::npos) {
        splitName(pattern, out);
    } else {
        if (frames != 1) refuse(out, fmt::format("one name for {} images", frames));
        pattern.digits = 0;
        pattern.prefix = out.filename().string();
    }
    return pattern;
}

ImageSequence::ImageSequence(FramePattern pattern, glm::uvec2 size, char plane)
    : pattern_(std::move(pattern)),
      size_(size),
      plane_(plane) {
    std::error_code error;
    if (!pattern_.folder.empty()) fs::create_directories(pattern_.folder, error);
    if (error) failOutput(pattern_.folder, "the folder cannot be made", error.value());
    PendingFile probe(pattern_.name(0));  // fails now, rather than after the first minute
}

void ImageSequence::write(std::size_t index, std::span<const std::byte> pixels) {
    writeWhole(pattern_.name(index), encode(pattern_.kind, size_, pixels, plane_));
}

}  // namespace wisp::app
