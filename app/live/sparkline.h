// SPDX-License-Identifier: MIT
#pragma once

#include <imgui.h>

#include <vector>

namespace wisp::app {

/// A line through values over time, in the current ImGui window; its tooltip says between which values it runs. Peaks are kept.
void sparkline(const std::vector<float>& values, ImVec2 size, const char* unit);

}  // namespace wisp::app
