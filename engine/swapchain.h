// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device.h"

#include <glm/vec2.hpp>

#include <array>
#include <functional>
#include <vector>

namespace wisp::engine {

/// The images of a window. Follows the window's size; what the window system takes away is made again.
///
/// A frame: `Recorder::begin`, `acquire`, `Recorder::present(words, swapchain)`, `Recorder::submit`, `present`.
class Swapchain {
public:
    using MakeSurface = std::function<VkSurfaceKHR(VkInstance)>;  ///< throws where it cannot

    /// @throws Error NoDevice if the device's queue cannot present to the surface, or not in 8 bits of red, green, blue.
    Swapchain(Device& device, MakeSurface makeSurface);
    ~Swapchain();
    Swapchain(const Swapchain&) = delete;
    Swapchain& operator=(const Swapchain&) = delete;

    /// Takes the next image for a window of `size` pixels; call after `Recorder::begin`. False: there is none now (the window has
    /// no area, or changes under our hands), and nothing may be presented in this frame.
    bool acquire(glm::uvec2 size);
    /// Shows the acquired image once what was submitted has run.
    void present();

    [[nodiscard]] glm::uvec2 size() const { return {extent_.width, extent_.height}; }  ///< of the images [pixels]
    [[nodiscard]] bool blueFirst() const { return blueFirst_; }                        ///< words of a pixel are 0xAARRGGBB, not 0xAABBGGRR

    /// Waits for the display before each picture (the default); without, the newest picture is shown at once where that can be.
    void setVsync(bool vsync);
    [[nodiscard]] VkPresentModeKHR presentMode() const { return mode_; }

    struct Counters {
        std::uint64_t made = 0;  ///< swapchains
        std::uint64_t surfaces = 0;
        std::uint64_t presented = 0;
    };
    Counters counters;

private:
    friend class Recorder;
    void makeSurface();
    void chooseFormat();
    [[nodiscard]] VkPresentModeKHR chooseMode() const;
    bool make(glm::uvec2 size);
    bool isLost(VkResult result);
    void destroyImages() noexcept;
    void destroySurface() noexcept;

    Device& device_;
    MakeSurface makeSurface_;
    VkSurfaceKHR surface_ = VK_NULL_HANDLE;
    VkSwapchainKHR swapchain_ = VK_NULL_HANDLE;
    VkSurfaceFormatKHR format_{};
    VkPresentModeKHR mode_ = VK_PRESENT_MODE_FIFO_KHR;
    VkExtent2D extent_{};
    bool blueFirst_ = false;
    bool vsync_ = true;
    glm::uvec2 asked_{0};  ///< size of the window at the last acquire
    bool stale_ = true;    ///< the images no longer fit the window
    bool lost_ = false;    ///< the surface
    bool acquired_ = false;
    std::uint32_t index_ = 0;  ///< of the acquired image
    std::uint32_t slot_ = 0;   ///< of the semaphore that it comes with
    std::vector<VkImage> images_;
    std::vector<VkSemaphore> drawn_;          ///< by image: what was submitted for it has run
    std::array<VkSemaphore, 3> available_{};  ///< in turn; frames in flight and one more
};

}  // namespace wisp::engine
