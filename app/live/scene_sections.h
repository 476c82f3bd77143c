// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <span>
#include <string>
#include <string_view>

namespace wisp::app {

/// Sections of the scene panel, in order. The last section, Advanced, has all keys that are in no other section.
std::span<const std::string_view> sceneSections();

/// Section of a key, table or list with this path, such as "emitter[0].radius". Keys that the scene does not use are in Advanced.
std::string_view sectionOf(std::string_view path, const Settings& settings);

/// Label of a key: "Density decay" for density_decay.
std::string labelOf(std::string_view key);

}  // namespace wisp::app
