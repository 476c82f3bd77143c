// SPDX-License-Identifier: MIT
#include "files/scene/input_files.h"

#include "files/base/extension.h"
#include "files/base/frame_pattern.h"
#include "files/base/json.h"
#include "files/base/text_file.h"

#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>

namespace wisp {
namespace {

constexpr std::uintmax_t kMaxGltfBytes = std::uintmax_t{1} << 30;

/// "a%20b" as a file name.
std::string decoded(std::string_view uri) {
    std::string name;
    for (std::size_t n = 0; n < uri.size(); ++n) {
        unsigned char byte = 0;
        const bool coded = uri[n] == '%' && n + 2 < uri.size() &&
                           std::from_chars(uri.data() + n + 1, uri.data() + n + 3, byte, 16).ptr == uri.data() + n + 3;
        name += coded ? static_cast<char>(byte) : uri[n];
        if (coded) n += 2;
    }
    return name;
}

void addBuffers(const std::filesystem::path& gltf, std::vector<std::filesystem::path>& files) {
    Json json;
    try {
        json = parseJson(readBytes(gltf, kMaxGltfBytes));
    } catch (const Json::exception& e) {
        throw std::runtime_error(e.what());
    }
    if (!json.is_object() || !json.contains("buffers") || !json["buffers"].is_array()) return;
    for (const Json& buffer : json["buffers"]) {
        if (!buffer.is_object() || !buffer.contains("uri") || !buffer["uri"].is_string()) continue;
        const auto uri = buffer["uri"].get<std::string>();
        if (!uri.starts_with("data:")) files.push_back(gltf.parent_path() / decoded(uri));
    }
}

}  // namespace

bool isSequence(const std::filesystem::path& file) {
    return file.filename().string().find('%') != std::string::npos || isPatternOfOthers(file);  // which is refused where it is parsed
}

std::vector<std::filesystem::path> inputFiles(const std::filesystem::path& file) {
    std::vector<std::filesystem::path> files;
    if (isSequence(file)) {
        const FramePattern pattern = parseInputPattern(file);
        const FileNumbers numbers = numbersOfFiles(pattern);
        for (std::size_t n = 0; n < numbers.count; ++n) files.push_back(pattern.name(numbers.first + n));
        return files;
    }
    files.push_back(file);
    if (extensionOf(file) == ".gltf") addBuffers(file, files);
    return files;
}

}  // namespace wisp
