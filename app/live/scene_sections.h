// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <span>
#include <string>
#include <string_view>

namespace wisp::app {

/// Sections of the panel of a scene, in their order. The last one, Advanced, has what stands nowhere else.
std::span<const std::string_view> sceneSections();

/// The section of a key, a table or a list by its path, such as "emitter[0].radius". What this scene does not use is in Advanced.
std::string_view sectionOf(std::string_view path, const Settings& settings);

/// A key's name in words: "Density decay" for density_decay.
std::string labelOf(std::string_view key);

}  // namespace wisp::app
