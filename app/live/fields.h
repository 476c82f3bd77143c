// SPDX-License-Identifier: MIT
// Rows of a panel: a label on the left, and a field that fills the rest.
#pragma once

#include <cstdint>

namespace wisp::app {

/// Draws a label. The next item gets the rest of the row, minus `reserved` [pixels].
void fieldLabel(const char* label, float reserved = 0.0f);

/// A number field: drag, or Ctrl + click to type. A bar along the bottom edge shows the position in the range. Returns whether the value
/// has changed.
bool dragNumber(const char* id, float* value, float low, float high, const char* format, bool logarithmic = false);
bool dragNumber(const char* id, std::uint32_t* value, std::uint32_t low, std::uint32_t high, const char* format, bool logarithmic = false);

/// Tooltip of the last item.
void tip(const char* text);

/// Puts a button with this label on the same row if it fits, else on the next row. Call before the button.
void flowButton(const char* label);

}  // namespace wisp::app
