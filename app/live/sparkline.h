// SPDX-License-Identifier: MIT
#pragma once

#include <imgui.h>

#include <vector>

namespace wisp::app {

/// Line plot of values over time, in the current ImGui window. The tooltip shows the range. Peaks are preserved.
void sparkline(const std::vector<float>& values, ImVec2 size, const char* unit);

}  // namespace wisp::app
