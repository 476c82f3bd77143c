// SPDX-License-Identifier: MIT
#include "files/scene/named_file.h"

#include "files/base/embedded_file.h"

namespace wisp {

namespace fs = std::filesystem;

fs::path fileNamed(const std::string& name, const fs::path& folder) {
    if (isInMemory(name)) return name;
    return (isEmbedded(name) ? fs::path(name) : folder / name).lexically_normal();
}

std::string fileFrom(const fs::path& folder, const fs::path& file) {
    if (file.empty()) return {};
    if (isInMemory(file.native())) return file;
    if (isEmbedded(file)) return isEmbedded(folder) ? file.lexically_relative(folder) : file;
    if (isEmbedded(folder)) return fs::absolute(file);
    return fs::absolute(file).lexically_proximate(fs::absolute(folder.empty() ? "." : folder).lexically_normal());
}

}  // namespace wisp
