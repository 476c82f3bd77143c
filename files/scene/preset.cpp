// SPDX-License-Identifier: MIT
#include "files/scene/preset.h"

#include "files/base/failure.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace wisp {
namespace {

using Keys = std::vector<std::pair<const char*, const char*>>;

const std::map<std::string, Keys>& presets() {
    // Sets only keys that trade accuracy for appearance or speed. The advection scheme is the choice of the scene (docs/physics.md).
    static const std::map<std::string, Keys> all{{"physical",
                                                  {{"grid.precision", "float"},
                                                   {"grid.pressure_ratio", "1"},
                                                   {"grid.sparse", "false"},
                                                   {"flow.vorticity", "0"},
                                                   {"flow.density_decay", "0"},
                                                   {"flow.velocity_decay", "0"},
                                                   {"flow.detail_decay", "0"},
                                                   {"flow.side_fade", "0"},
                                                   {"advection.filter", "exact"},
                                                   {"pressure.solver", "mgpcg"},
                                                   {"pressure.iterations", "16"},
                                                   {"pressure.tolerance", "1e-4"}}}};
    return all;
}

}  // namespace

std::vector<Override> presetOverrides(const std::string& name) {
    const auto found = presets().find(name);
    if (found == presets().end()) {
        std::string names;
        for (const auto& [known, keys] : presets()) names += (names.empty() ? "" : ", ") + known;
        throw Failure(Exit::Usage, fmt::format("--preset {}: unknown preset, must be one of: {}", name, names));
    }
    std::vector<Override> overrides;
    for (const auto& [key, value] : found->second) overrides.push_back({"--preset " + name, key, value});
    return overrides;
}

}  // namespace wisp
