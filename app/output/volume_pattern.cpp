// SPDX-License-Identifier: MIT
#include "app/output/volume_pattern.h"

#include "files/base/extension.h"
#include "files/base/openvdb_module.h"

#include <fmt/format.h>

#include <sstream>

namespace wisp::app {

namespace fs = std::filesystem;

namespace {

constexpr PatternOption kVolume{"--volume", "volumes", "a pattern such as out/%04d.vdb, .nvdb or .exr"};

}  // namespace

VolumePattern parseVolumePattern(const fs::path& volume, const fs::path& pictures, std::size_t frames) {
    const std::string extension = extensionOf(volume);
    if (extension == ".vdb")
        if (const std::string problem = openVdbProblem(); !problem.empty())
            kVolume.refuse(volume, fmt::format("OpenVDB is missing ({}). .nvdb needs no library", problem));
    if (extension != ".vdb" && extension != ".nvdb" && extension != ".exr")
        kVolume.refuse(volume, extension.empty() ? "the extension is missing" : fmt::format("{} is not a known file type", extension));
    if (!pictures.empty() && fs::absolute(volume).lexically_normal() == fs::absolute(pictures).lexically_normal())
        kVolume.refuse(volume, "--out has the same name");
    return {parsePattern(kVolume, volume, frames), extension == ".exr"};
}

std::vector<std::string> splitNames(const std::string& names) {
    std::vector<std::string> list;
    std::istringstream text(names);
    for (std::string name; std::getline(text, name, ',');) list.push_back(name);
    return list;
}

}  // namespace wisp::app
