// SPDX-License-Identifier: MIT
#pragma once

#include "files/scene/scene_visitor.h"

#include <filesystem>

namespace wisp {

/// Visits the tables for rendering: medium, light, environment, camera, render, view. File names are relative to `folder`.
void visitPicture(SceneVisitor& visitor, Settings& settings, const std::filesystem::path& folder);

}  // namespace wisp
