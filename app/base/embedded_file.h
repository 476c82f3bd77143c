// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

namespace wisp::app {

/// A file within the program.
struct EmbeddedFile {
    std::string_view name;  ///< its path in the folder `scenes`, such as "looks/studio.toml"
    std::span<const unsigned char> bytes;
};
/// By name, rising. Generated: see cmake/EmbedFile.cmake.
std::span<const EmbeddedFile> embeddedFiles();

/// What stands for the folder of embedded files in a path: "builtin:/knot.toml". Such a path is absolute.
inline constexpr std::string_view kEmbedded = "builtin:";
bool isEmbedded(const std::filesystem::path& file);
/// What an embedded file holds; none if there is no such file.
std::optional<std::string_view> embeddedText(const std::filesystem::path& file);

}  // namespace wisp::app
