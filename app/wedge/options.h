// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/log.h"
#include "app/run/options.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace wisp::app {

struct WedgeOptions {
    RenderOptions render;              ///< of every member; its paths may contain {index} and {KEY}
    std::vector<std::string> setEach;  ///< see wedgeAxes
    std::filesystem::path results;     ///< folder of the result files; empty: SCENE_wedge
    std::optional<std::size_t> index;  ///< runs this member only
    bool list = false;                 ///< prints the members and runs nothing
    bool json = false;                 ///< prints them as JSON
    bool collect = false;              ///< runs nothing: makes the sheet and the table from the result files
};

/// Renders a wedge: a scene with every combination of some values of its keys. Each combination is a member. @throws Failure, Error.
void wedge(const WedgeOptions& options, const Log& log);

}  // namespace wisp::app
