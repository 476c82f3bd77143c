// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device.h"

#include <glm/vec2.hpp>

#include <array>
#include <functional>
#include <vector>

namespace wisp::engine {

/// The swapchain of a window. Follows the window's size; recreates a swapchain or surface that was lost.
///
/// A frame: `Recorder::begin`, `acquire`, `Recorder::present(words, swapchain)`, `Recorder::submit`, `present`.
class Swapchain {
public:
    using MakeSurface = std::function<VkSurfaceKHR(VkInstance)>;  ///< throws on failure

    /// @throws Error NoDevice if the device's queue cannot present to the surface, or the surface supports no 8-bit RGB format.
    Swapchain(Device& device, MakeSurface makeSurface);
    ~Swapchain();
    Swapchain(const Swapchain&) = delete;
    Swapchain& operator=(const Swapchain&) = delete;

    /// Acquires the next image for a window of `size` pixels. Call it after `Recorder::begin`. False: no image is available now (the window
    /// has no area, is hidden or is being resized), and nothing may be presented in this frame.
    bool acquire(glm::uvec2 size);
    /// Presents the acquired image once the submitted commands have run.
    void present();

    [[nodiscard]] glm::uvec2 size() const { return {extent_.width, extent_.height}; }  ///< of the images [pixels]
    [[nodiscard]] bool blueFirst() const { return blueFirst_; }                        ///< pixels are 0xAARRGGBB, not 0xAABBGGRR

    /// True (the default): presents at the display's refresh rate. False: shows the newest image at once, if the surface supports that.
    void setVsync(bool vsync);
    [[nodiscard]] VkPresentModeKHR presentMode() const { return mode_; }

    struct Counters {
        std::uint64_t made = 0;  ///< created swapchains
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
    glm::uvec2 requestedSize_{0};  ///< size of the window at the last acquire
    bool stale_ = true;            ///< the swapchain no longer matches the window
    bool lost_ = false;            ///< the surface was lost
    bool acquired_ = false;
    std::uint32_t index_ = 0;  ///< of the acquired image
    std::uint32_t slot_ = 0;   ///< index in available_ of its semaphore
    std::vector<VkImage> images_;
    std::vector<VkSemaphore> renderFinished_;      ///< one per image: the commands that draw it have run
    std::array<VkSemaphore, 3> imageAvailable_{};  ///< used in turn; one more than frames in flight
};

}  // namespace wisp::engine
