// SPDX-License-Identifier: MIT
#include "app/live/free_name.h"

#include <fmt/format.h>

namespace wisp::app {

std::filesystem::path freeName(const std::string& scene, const char* extension) {
    const std::string name = std::filesystem::path(scene).filename().string();  // never in another folder
    for (int n = 0;; ++n) {
        std::filesystem::path path = fmt::format("{}-{:03}{}", name.empty() ? "wisp" : name, n, extension);
        if (!std::filesystem::exists(path)) return path;
    }
}

}  // namespace wisp::app
