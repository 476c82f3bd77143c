// SPDX-License-Identifier: MIT
// Lines of a panel: a label at the left, and a field that fills the rest.
#pragma once

#include <cstdint>

namespace wisp::app {

/// The label, and room for a field behind it: what is drawn next has the rest of the line, less `less` [pixels].
void fieldLabel(const char* label, float less = 0.0f);

/// A number that is dragged, or typed after Ctrl + click. A line under it shows where it lies in its range; no thumb covers it. Returns
/// whether it has changed.
bool dragNumber(const char* id, float* value, float low, float high, const char* format, bool logarithmic = false);
bool dragNumber(const char* id, std::uint32_t* value, std::uint32_t low, std::uint32_t high, const char* format, bool logarithmic = false);

/// What is said of the last item while the mouse is on it.
void tip(const char* text);

/// The next item comes behind the last one if there is room for a button with this label, else below it.
void flowButton(const char* label);

}  // namespace wisp::app
