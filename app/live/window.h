// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/input.h"

#include <glm/vec2.hpp>
#include <vulkan/vulkan_core.h>

#include <memory>
#include <string>

struct GLFWwindow;

namespace wisp::app {

/// Where a window is, so that it can be there again.
struct Placement {
    glm::ivec2 size{1280, 720};  ///< of its contents [screen coordinates], when neither maximised nor in full screen
    std::string monitor;         ///< that most of it is on; empty: wherever the desktop puts it, as large as suits the monitor's scale
    glm::ivec2 position{0};      ///< of its contents then, from the monitor's corner
    bool maximised = false, fullScreen = false;
    bool operator==(const Placement&) const = default;
};

/// A window of the desktop, by GLFW; one a process. Its keys and mouse go to Dear ImGui.
class Window {
public:
    /// Where it is not to be seen there, because the monitor is gone, say, the desktop places it.
    /// @throws Failure NoDevice where there is no display, with what to do instead.
    Window(const std::string& title, const Placement& placement);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    [[nodiscard]] GLFWwindow* handle() const { return window_; }
    /// For engine::Swapchain. @throws Failure NoDevice.
    [[nodiscard]] VkSurfaceKHR makeSurface(VkInstance instance) const;

    void poll();                       ///< takes what has happened since
    [[nodiscard]] bool anythingNew();  ///< polls: whether there are events that nobody has taken
    /// Events since the last call; before Dear ImGui is told of the window, so that both hear of them.
    std::vector<InputEvent> takeEvents();
    /// Paths of files that were dropped on the window since the last call.
    std::vector<std::string> takeFiles();
    /// Where the mouse was at the last event that was taken [screen coordinates]. The window system would say where it is now, which
    /// on a slow machine is far from where a button went down.
    [[nodiscard]] glm::vec2 mouse() const { return cursor_; }
    [[nodiscard]] glm::vec2 size() const;  ///< the same; a monitor may have more pixels than those
    [[nodiscard]] bool isDown(int key) const;
    void wait(double seconds);  ///< until something happens, at most so long
    [[nodiscard]] bool closing() const;
    void close();
    [[nodiscard]] bool visible() const;       ///< neither minimised nor without area
    [[nodiscard]] glm::uvec2 pixels() const;  ///< of the picture in it
    [[nodiscard]] float scale() const;        ///< of text: 1 for 96 dots an inch

    void setFullScreen(bool on);  ///< on the monitor that most of the window is on
    [[nodiscard]] bool fullScreen() const;
    /// To be called now and then: what it was before it was maximised is what the call before saw.
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
    Place restored_;             // when neither maximised nor in full screen
    bool wasMaximised_ = false;  // before full screen
};

}  // namespace wisp::app
