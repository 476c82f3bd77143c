// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/stage.h"

namespace wisp::app {

/// Writes the picture, without panels, as a PNG in the current folder beside earlier ones. Returns what to tell the user.
std::string saveScreenshot(Stage& stage, engine::Device& device);

}  // namespace wisp::app
