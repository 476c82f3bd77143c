// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/input.h"

#include <glm/vec2.hpp>
#include <vulkan/vulkan_core.h>

#include <memory>
#include <string>

struct GLFWwindow;

namespace wisp::app {

/// Position and state of a window, to be restored in the next run.
struct Placement {
    glm::ivec2 size{1280, 720};  ///< of the contents [screen coordinates], when neither maximised nor in full screen
    std::string monitor;         ///< with most of the window; empty: placed by the desktop, and scaled for the monitor
    glm::ivec2 position{0};      ///< of the contents, relative to the corner of the monitor
    bool maximised = false, fullScreen = false;
    bool operator==(const Placement&) const = default;
};

/// A GLFW window; at most one per process. Its input is also passed to Dear ImGui.
class Window {
public:
    /// If the window would not be visible at `placement`, for example because the monitor is gone, the desktop places it.
    /// @throws Failure NoDevice if there is no display.
    Window(const std::string& title, const Placement& placement);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    [[nodiscard]] GLFWwindow* handle() const { return window_; }
    /// For engine::Swapchain. @throws Failure NoDevice.
    [[nodiscard]] VkSurfaceKHR makeSurface(VkInstance instance) const;

    void poll();                       ///< processes pending events
    [[nodiscard]] bool anythingNew();  ///< polls; returns whether takeEvents() would return events
    /// Events since the last call. The constructor sets the callbacks before the GLFW backend of Dear ImGui does, which calls them as well,
    /// so that both receive the events.
    std::vector<InputEvent> takeEvents();
    /// Paths of files that were dropped on the window since the last call.
    std::vector<std::string> takeFiles();
    /// Mouse position at the last event [screen coordinates]. The current position may be far from it on a slow machine.
    [[nodiscard]] glm::vec2 mouse() const { return cursor_; }
    [[nodiscard]] glm::vec2 size() const;  ///< [screen coordinates]; may differ from pixels()
    [[nodiscard]] bool isDown(int key) const;
    void wait(double seconds);  ///< waits for an event, at most this long
    [[nodiscard]] bool closing() const;
    void close();
    [[nodiscard]] bool visible() const;       ///< not minimised, and not of size 0
    [[nodiscard]] glm::uvec2 pixels() const;  ///< size of the framebuffer
    [[nodiscard]] float scale() const;        ///< content scale: 1 at 96 dpi

    void setFullScreen(bool on);  ///< on the monitor with most of the window
    [[nodiscard]] bool fullScreen() const;
    /// Call regularly: the placement of a maximised window is that of the last call before it was maximised.
    [[nodiscard]] Placement placement();

    struct Place {
        glm::ivec2 position{0}, size{0};  ///< on the desktop [screen coordinates]
    };

private:
    void listen();
    void put(const Placement& placement);
    void remember();
    [[nodiscard]] bool maximised() const;
    GLFWwindow* window_ = nullptr;
    std::vector<InputEvent> events_;
    glm::vec2 cursor_{0.0f};
    std::vector<std::string> files_;
    Place restored_;             // last rectangle when neither maximised nor in full screen
    bool wasMaximised_ = false;  // before full screen
};

}  // namespace wisp::app
