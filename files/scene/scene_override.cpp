// SPDX-License-Identifier: MIT
#include "files/scene/scene_override.h"

#include "files/base/failure.h"

#include <fmt/format.h>

namespace wisp {

Override parseOverride(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw Failure(Exit::Usage, fmt::format("--set {}: must be key.path=value, such as --set flow.vorticity=0.5", text));
    return {"--set " + text, text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace wisp
