// SPDX-License-Identifier: MIT
#include "files/scene/other_file.h"

#include "files/base/extension.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

namespace wisp {

namespace fs = std::filesystem;

namespace {

enum class FileKind { Unknown, Volume, Mesh, Image, Video, Checkpoint };

struct Start {
    std::string_view bytes;
    FileKind kind;
    std::size_t at = 0;
};
using namespace std::string_view_literals;
constexpr std::array kStarts{
    Start{" BDV\0\0\0\0"sv, FileKind::Volume}, Start{"NanoVDB"sv, FileKind::Volume},     Start{"glTF"sv, FileKind::Mesh},
    Start{"\x89PNG"sv, FileKind::Image},       Start{"\xff\xd8\xff"sv, FileKind::Image}, Start{"\x76\x2f\x31\x01"sv, FileKind::Image},
    Start{"#?RADIANCE"sv, FileKind::Image},    Start{"#?RGBE"sv, FileKind::Image},       Start{"PF\n"sv, FileKind::Image},
    Start{"ftyp"sv, FileKind::Video, 4},       Start{"wispckpt"sv, FileKind::Checkpoint}};
constexpr std::array kEndings{
    std::pair{".vdb"sv, FileKind::Volume},     std::pair{".nvdb"sv, FileKind::Volume}, std::pair{".obj"sv, FileKind::Mesh},
    std::pair{".glb"sv, FileKind::Mesh},       std::pair{".gltf"sv, FileKind::Mesh},   std::pair{".png"sv, FileKind::Image},
    std::pair{".exr"sv, FileKind::Image},      std::pair{".hdr"sv, FileKind::Image},   std::pair{".pfm"sv, FileKind::Image},
    std::pair{".jpg"sv, FileKind::Image},      std::pair{".jpeg"sv, FileKind::Image},  std::pair{".mp4"sv, FileKind::Video},
    std::pair{".wisp"sv, FileKind::Checkpoint}};

FileKind kindOf(const fs::path& path) {
    std::array<char, 16> buffer{};
    std::ifstream file;
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) file.open(path, std::ios::binary);  // what is read from a pipe is gone
    file.read(buffer.data(), buffer.size());
    const std::string_view begin(buffer.data(), static_cast<std::size_t>(file.gcount()));
    for (const Start& s : kStarts)
        if (begin.size() >= s.at && begin.substr(s.at).starts_with(s.bytes)) return s.kind;
    const std::string ending = extensionOf(path);
    const auto* const found = std::ranges::find(kEndings, std::string_view(ending), [](const auto& e) { return e.first; });
    return found == kEndings.end() ? FileKind::Unknown : found->second;
}

/// "smoke_%04d.vdb" for "smoke_0012.vdb": the pattern of a sequence that the file may belong to.
std::string patternOf(const fs::path& path) {
    const std::string stem = path.stem().string();
    const std::size_t digits = stem.size() - (stem.find_last_not_of("0123456789") + 1);
    const std::string name = digits > 0 ? fmt::format("{}%0{}d", stem.substr(0, stem.size() - digits), digits) : stem + "_%04d";
    return (path.parent_path() / (name + path.extension().string())).string();
}

}  // namespace

std::string otherFile(const fs::path& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) {
        if (!fs::exists(path / "manifest.json", ignored)) return "is a folder: give the path of a .toml file";
        return fmt::format("is the folder of a cache: draw it with wisp render --cache {}", path.string());
    }
    switch (kindOf(path)) {
        case FileKind::Unknown: return {};
        case FileKind::Volume:
            return fmt::format(
                "is a volume, not a scene: draw it with wisp render --from {}, and several files with a pattern in quotes, "
                "which the shell does not replace, such as --from '{}'",
                path.string(), patternOf(path));
        case FileKind::Mesh:
            return "is a mesh, not a scene: name it in a scene as file of an [[obstacle]] or [[emitter]] with shape = \"mesh\"";
        case FileKind::Image:
            return "is an image, not a scene: name it in a scene as environment.image, or as file of an [[initial]] with field = \"image\"";
        case FileKind::Video: return "is a video, not a scene: give the path of a .toml file";
        case FileKind::Checkpoint: return fmt::format("is a checkpoint, not a scene: go on from it with --resume {}", path.string());
    }
    return {};
}

}  // namespace wisp
