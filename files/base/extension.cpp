// SPDX-License-Identifier: MIT
#include "files/base/extension.h"

#include <algorithm>

namespace wisp {

std::string extensionOf(const std::filesystem::path& file) {
    std::string extension = file.extension().string();
    std::ranges::transform(extension, extension.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return extension;
}

}  // namespace wisp
