// SPDX-License-Identifier: MIT
#pragma once

struct GLFWwindow;

namespace wisp::app {

/// Sets the window icon (app/desktop/wisp.png, embedded at build).
void setIcon(GLFWwindow* window);

}  // namespace wisp::app
