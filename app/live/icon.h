// SPDX-License-Identifier: MIT
#pragma once

struct GLFWwindow;

namespace wisp::app {

/// Gives the window the program's icon, where desktops show one (app/desktop/wisp.png, embedded at build).
void setIcon(GLFWwindow* window);

}  // namespace wisp::app
