// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/gui.h"
#include "app/live/hands.h"
#include "app/live/panels.h"
#include "app/live/window.h"

namespace wisp::app {

/// What a key does that was pressed, as controls() lists them: mostly a wish, for whoever runs the loop.
void pressKey(const InputEvent& event, PanelState& state, Window& window, const Gui& gui, Hands& hands);

}  // namespace wisp::app
