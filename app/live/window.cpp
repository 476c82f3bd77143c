// SPDX-License-Identifier: MIT
#include "app/live/window.h"

#include "app/live/icon.h"
#include "files/base/failure.h"

#include <vulkan/vulkan_core.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <glm/common.hpp>

#include <algorithm>
#include <utility>

namespace wisp::app {
namespace {

std::string lastProblem() {
    const char* text = nullptr;
    glfwGetError(&text);
    return text ? text : "unknown reason";
}

constexpr int kLeastSeen = 64;  // minimum visible size of a window along both axes [screen coordinates]

Window::Place rectangle(GLFWmonitor* monitor) {
    const GLFWvidmode* const mode = glfwGetVideoMode(monitor);
    Window::Place place{{0, 0}, {mode->width, mode->height}};
    glfwGetMonitorPos(monitor, &place.position.x, &place.position.y);
    return place;
}

/// Size of the intersection of two rectangles; not above 0 if it is empty.
glm::ivec2 overlap(const Window::Place& a, const Window::Place& b) {
    return glm::min(a.position + a.size, b.position + b.size) - glm::max(a.position, b.position);
}

/// The monitor with the largest part of the rectangle.
GLFWmonitor* monitorOf(const Window::Place& place) {
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    GLFWmonitor* best = glfwGetPrimaryMonitor();
    int most = 0;
    for (int i = 0; i < count; ++i) {
        const glm::ivec2 shared = overlap(place, rectangle(monitors[i]));
        if (shared.x <= 0 || shared.y <= 0 || shared.x * shared.y <= most) continue;
        most = shared.x * shared.y;
        best = monitors[i];
    }
    return best;
}

}  // namespace

Window::Window(const std::string& title, const Placement& placement) {
    glfwSetErrorCallback(nullptr);
    if (!glfwInit())
        throw Failure(Exit::NoDevice,
                      fmt::format("cannot open a window: there is no display ({}). Use wisp render to write a video.", lastProblem()));
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    // A restored size already includes the scale.
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, placement.monitor.empty() ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);  // until it is placed
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "wisp");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "wisp");
    window_ = glfwCreateWindow(placement.size.x, placement.size.y, title.c_str(), nullptr, nullptr);
    if (!window_) {
        const std::string problem = lastProblem();
        glfwTerminate();
        throw Failure(Exit::NoDevice, fmt::format("cannot open a window ({}). Use wisp render to write a video.", problem));
    }
    glfwSetWindowSizeLimits(window_, 160, 120, GLFW_DONT_CARE, GLFW_DONT_CARE);
    setIcon(window_);
    listen();
    put(placement);
}

void Window::listen() {
    glfwSetWindowUserPointer(window_, this);
    double mouseX = 0.0, mouseY = 0.0;
    glfwGetCursorPos(window_, &mouseX, &mouseY);
    cursor_ = {static_cast<float>(mouseX), static_cast<float>(mouseY)};
    glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int mods) {
        auto& self = *static_cast<Window*>(glfwGetWindowUserPointer(w));
        self.events_.push_back({.kind = action == GLFW_PRESS ? InputEvent::Kind::Press : InputEvent::Kind::Release,
                                .at = self.cursor_,
                                .code = button,
                                .shift = (mods & GLFW_MOD_SHIFT) != 0,
                                .ctrl = (mods & GLFW_MOD_CONTROL) != 0});
    });
    glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double x, double y) {
        auto& self = *static_cast<Window*>(glfwGetWindowUserPointer(w));
        self.cursor_ = {static_cast<float>(x), static_cast<float>(y)};
        self.events_.push_back({.kind = InputEvent::Kind::Move, .at = self.cursor_, .shift = self.isDown(GLFW_KEY_LEFT_SHIFT)});
    });
    glfwSetScrollCallback(window_, [](GLFWwindow* w, double, double y) {
        auto& self = *static_cast<Window*>(glfwGetWindowUserPointer(w));
        const bool ctrl = self.isDown(GLFW_KEY_LEFT_CONTROL) || self.isDown(GLFW_KEY_RIGHT_CONTROL);
        self.events_.push_back({.kind = InputEvent::Kind::Wheel, .at = self.cursor_, .ctrl = ctrl, .wheel = static_cast<float>(y)});
    });
    glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
        auto& self = *static_cast<Window*>(glfwGetWindowUserPointer(w));
        self.files_.insert(self.files_.end(), paths, paths + count);
    });
    glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int, int action, int mods) {
        auto& self = *static_cast<Window*>(glfwGetWindowUserPointer(w));
        if (action != GLFW_PRESS) return;
        self.events_.push_back({.kind = InputEvent::Kind::Key,
                                .at = self.cursor_,
                                .code = key,
                                .shift = (mods & GLFW_MOD_SHIFT) != 0,
                                .ctrl = (mods & GLFW_MOD_CONTROL) != 0});
    });
}

std::vector<std::string> Window::takeFiles() { return std::exchange(files_, {}); }
std::vector<InputEvent> Window::takeEvents() { return std::exchange(events_, {}); }

glm::vec2 Window::size() const {
    int width = 0, height = 0;
    glfwGetWindowSize(window_, &width, &height);
    return {static_cast<float>(width), static_cast<float>(height)};
}

bool Window::isDown(int key) const { return glfwGetKey(window_, key) == GLFW_PRESS; }

Window::~Window() {
    glfwDestroyWindow(window_);
    glfwTerminate();
}

VkSurfaceKHR Window::makeSurface(VkInstance instance) const {
    VkSurfaceKHR surface = VK_NULL_HANDLE;
    if (glfwCreateWindowSurface(instance, window_, nullptr, &surface) != VK_SUCCESS)
        throw Failure(Exit::NoDevice, fmt::format("cannot create a Vulkan surface for the window: {}", lastProblem()));
    return surface;
}

void Window::poll() { glfwPollEvents(); }

bool Window::anythingNew() {
    poll();
    return !events_.empty();
}

void Window::wait(double seconds) { glfwWaitEventsTimeout(seconds); }
bool Window::closing() const { return glfwWindowShouldClose(window_) != 0; }
void Window::close() { glfwSetWindowShouldClose(window_, GLFW_TRUE); }

bool Window::visible() const {
    const glm::uvec2 size = pixels();
    return glfwGetWindowAttrib(window_, GLFW_ICONIFIED) == 0 && size.x > 0 && size.y > 0;
}

glm::uvec2 Window::pixels() const {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    return {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
}

float Window::scale() const {
    float x = 1.0f, y = 1.0f;
    glfwGetWindowContentScale(window_, &x, &y);
    return std::max(x, 0.5f);
}

bool Window::fullScreen() const { return glfwGetWindowMonitor(window_) != nullptr; }
bool Window::maximised() const { return glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) != 0; }

void Window::remember() {
    if (fullScreen() || maximised()) return;
    glfwGetWindowPos(window_, &restored_.position.x, &restored_.position.y);
    glfwGetWindowSize(window_, &restored_.size.x, &restored_.size.y);
}

Placement Window::placement() {
    remember();
    GLFWmonitor* const monitor = monitorOf(restored_);
    const char* const name = monitor ? glfwGetMonitorName(monitor) : nullptr;
    return {.size = restored_.size,
            .monitor = name ? name : "",
            .position = monitor ? restored_.position - rectangle(monitor).position : glm::ivec2(0),
            .maximised = fullScreen() ? wasMaximised_ : maximised(),
            .fullScreen = fullScreen()};
}

void Window::put(const Placement& placement) {
    int count = 0;
    GLFWmonitor** const monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; ++i) {
        if (placement.monitor.empty() || placement.monitor != glfwGetMonitorName(monitors[i])) continue;
        const Place screen = rectangle(monitors[i]), wanted{screen.position + placement.position, placement.size};
        const glm::ivec2 seen = overlap(wanted, screen);
        if (seen.x < kLeastSeen || seen.y < kLeastSeen) continue;
        glfwSetWindowPos(window_, wanted.position.x, wanted.position.y);
        break;
    }
    glfwShowWindow(window_);
    remember();
    if (placement.maximised) glfwMaximizeWindow(window_);
    if (placement.fullScreen) setFullScreen(true);
}

void Window::setFullScreen(bool on) {
    if (on == fullScreen()) return;
    if (!on) {
        glfwSetWindowMonitor(window_, nullptr, restored_.position.x, restored_.position.y, restored_.size.x, restored_.size.y,
                             GLFW_DONT_CARE);
        if (wasMaximised_) glfwMaximizeWindow(window_);
        return;
    }
    remember();
    wasMaximised_ = maximised();
    GLFWmonitor* const monitor = monitorOf(restored_);
    const GLFWvidmode* const mode = glfwGetVideoMode(monitor);
    glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

}  // namespace wisp::app
