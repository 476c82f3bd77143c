// SPDX-License-Identifier: MIT
#include "files/base/embedded_file.h"

#include <algorithm>
#include <string>

namespace wisp {

bool isEmbedded(const std::filesystem::path& file) { return !file.empty() && *file.begin() == kEmbedded; }

std::optional<std::string_view> embeddedText(const std::filesystem::path& file) {
    if (!isEmbedded(file)) return std::nullopt;
    const std::string name = file.lexically_relative(kEmbedded).string();
    const auto found = std::ranges::find(embeddedFiles(), name, &EmbeddedFile::name);
    if (found == embeddedFiles().end()) return std::nullopt;
    return std::string_view(reinterpret_cast<const char*>(found->bytes.data()), found->bytes.size());
}

}  // namespace wisp
