// SPDX-License-Identifier: MIT
#pragma once

#include "files/scene/scene_visitor.h"

#include <filesystem>

namespace wisp {

/// Visits every key of a scene file. `validate` checks the ranges. File names are relative to `folder`.
void visitScene(SceneVisitor& visitor, Settings& settings, const std::filesystem::path& folder);

/// Default of pressure.iterations: a number of sweeps, or 0 ("auto") for solvers with cycles.
std::uint32_t defaultIterations(PressureSolver solver);

}  // namespace wisp
