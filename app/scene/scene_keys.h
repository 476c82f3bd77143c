// SPDX-License-Identifier: MIT
#pragma once

#include "app/scene/scene_visitor.h"

#include <filesystem>

namespace wisp::app {

/// Goes through every key of a scene file; ranges are `validate`'s business. Files that it names are relative to `folder`.
void visitScene(SceneVisitor& visitor, Settings& settings, const std::filesystem::path& folder);

/// Sweeps or cycles where a scene does not say.
std::uint32_t defaultIterations(PressureSolver solver);

}  // namespace wisp::app
