// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/gui.h"
#include "app/live/interaction.h"
#include "app/live/panels.h"
#include "app/live/window.h"

namespace wisp::app {

/// Handles a pressed key, see controls(). Most keys set a command in `state`, which Live executes.
void pressKey(const InputEvent& event, PanelState& state, Window& window, const Gui& gui, Interaction& interaction);

}  // namespace wisp::app
