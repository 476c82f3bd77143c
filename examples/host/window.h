// SPDX-License-Identifier: MIT
#pragma once

#include "frames.h"
#include "gpu.h"

#include <vulkan/vulkan.h>

#include <cstdint>

struct GLFWwindow;

/// A window with its swapchain.
class Window {
public:
    /// @throws std::runtime_error if no window can be opened.
    explicit Window(VkExtent2D size);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// What the device needs to show pictures here.
    [[nodiscard]] GpuOptions needs() const;
    /// Shows the smoke until the window is closed, or for `seconds`, if that is above 0. Returns the number of pictures.
    /// @param skip steps of the simulation before the first picture
    std::uint64_t run(Gpu& gpu, double seconds, std::uint32_t skip);

private:
    struct Swapchain;
    static bool show(Gpu& gpu, Frames& frames, const Swapchain& swapchain, std::uint32_t image, VkSemaphore ready);
    GLFWwindow* window_ = nullptr;
};
