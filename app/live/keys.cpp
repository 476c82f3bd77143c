// SPDX-License-Identifier: MIT
#include "app/live/keys.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace wisp::app {

void pressKey(const InputEvent& event, PanelState& state, Window& window, const Gui& gui, Interaction& interaction) {
    const auto pressed = [&](int key) { return event.code == key; };
    if (event.ctrl) {
        if (pressed(GLFW_KEY_Q)) window.close();
        if (pressed(GLFW_KEY_S)) (event.shift ? state.keep : state.save) = true;
        if (gui.typing()) return;  // text fields have their own undo
        if (pressed(GLFW_KEY_Z)) (event.shift ? state.redo : state.undo) = true;
        if (pressed(GLFW_KEY_Y)) state.redo = true;
        return;
    }
    if (gui.typing()) return;
    if (pressed(GLFW_KEY_F5)) state.reload = true;
    if (pressed(GLFW_KEY_TAB)) state.panels = !state.panels;
    if (pressed(GLFW_KEY_F1)) state.help = !state.help;
    if (pressed(GLFW_KEY_F3)) state.profiler = !state.profiler;
    if (pressed(GLFW_KEY_F9)) state.record = true;
    if (pressed(GLFW_KEY_F11)) window.setFullScreen(!window.fullScreen());
    if (pressed(GLFW_KEY_F12)) state.screenshot = true;
    if (pressed(GLFW_KEY_SPACE)) state.paused = !state.paused;
    if (pressed(GLFW_KEY_N)) state.step = true;
    if (pressed(GLFW_KEY_R)) state.restart = true;
    if (pressed(GLFW_KEY_F)) state.frameAll = true;
    if (pressed(GLFW_KEY_HOME)) state.home = true;
    if (pressed(GLFW_KEY_C)) state.clear = true;
    if (pressed(GLFW_KEY_O)) state.outlines = !state.outlines;
    if (pressed(GLFW_KEY_T) && !gui.isPanel(event.at)) interaction.jump(event.at, state.time);
    constexpr ViewField kViews[] = {ViewField::Smoke, ViewField::Speed, ViewField::Pressure, ViewField::Divergence, ViewField::Vorticity};
    for (int n = 0; n < 5; ++n)
        if (pressed(GLFW_KEY_1 + n)) state.view = kViews[n];
    if (pressed(GLFW_KEY_ESCAPE)) {
        if (Gui::closeLists()) return;
        if (interaction.busy()) interaction.letGo();
        else window.setFullScreen(false);
    }
}

}  // namespace wisp::app
