// SPDX-License-Identifier: MIT
#pragma once

#include "app/scene/scene_visitor.h"

#include <filesystem>

namespace wisp::app {

/// The tables that say how a scene looks: medium, light, environment, camera, render, view. Files that they name are relative to `folder`.
void visitPicture(SceneVisitor& visitor, Settings& settings, const std::filesystem::path& folder);

}  // namespace wisp::app
