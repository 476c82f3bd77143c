// SPDX-License-Identifier: MIT
#include "files/scene/files_in_use.h"

#include "files/base/embedded_file.h"

#include <system_error>

namespace wisp {

FileStamps stampsOf(const std::vector<std::filesystem::path>& files) {
    FileStamps stamps;
    for (const std::filesystem::path& file : files) {
        if (isEmbedded(file)) {  // it never changes
            stamps.emplace_back();
            continue;
        }
        std::error_code error;
        const auto time = std::filesystem::last_write_time(file, error);
        if (error) return {};
        const std::uintmax_t size = std::filesystem::file_size(file, error);
        if (error) return {};
        stamps.emplace_back(time, size);
    }
    return stamps;
}

}  // namespace wisp
