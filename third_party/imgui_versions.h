// SPDX-License-Identifier: MIT
// Differences between Dear ImGui 1.86 (Debian 12), which reads keys from arrays, and 1.90 (Debian 13), which gets them as events.
#pragma once

#include <imgui.h>

namespace wisp::third_party {

enum class GuiKey { Enter, A, Ctrl };

#if IMGUI_VERSION_NUM < 18700
inline constexpr int kGuiEnter = 300, kGuiA = 'A';

/// Prepares the current context for setKey.
inline void prepareKeys() {
    ImGui::GetIO().KeyMap[ImGuiKey_Enter] = kGuiEnter;
    ImGui::GetIO().KeyMap[ImGuiKey_A] = kGuiA;
}

/// From the next frame on, the key is down or up.
inline void setKey(GuiKey key, bool down) {
    ImGuiIO& io = ImGui::GetIO();
    if (key == GuiKey::Ctrl) io.KeyCtrl = down;
    else io.KeysDown[key == GuiKey::Enter ? kGuiEnter : kGuiA] = down;
}
#else
/// Prepares the current context for setKey: all events reach the next frame, as with the arrays.
inline void prepareKeys() { ImGui::GetIO().ConfigInputTrickleEventQueue = false; }

/// From the next frame on, the key is down or up.
inline void setKey(GuiKey key, bool down) {
    ImGui::GetIO().AddKeyEvent(key == GuiKey::Enter ? ImGuiKey_Enter : key == GuiKey::A ? ImGuiKey_A : ImGuiMod_Ctrl, down);
}
#endif

}  // namespace wisp::third_party
