// SPDX-License-Identifier: MIT
#pragma once

#include "gpu.h"
#include "painter.h"
#include "world.h"

#include <wisp/wisp.h>

#include <array>
#include <cstdint>
#include <optional>

/// The loop of frames: in each, wisp simulates and draws in the command buffer in which this program draws. Two frames are in flight.
class Frames {
public:
    /// @param target format of the pictures
    Frames(Gpu& gpu, VkFormat target);
    ~Frames();

    /// Before the first frame, and whenever the size of the pictures changes. Waits for all frames.
    void resize(VkExtent2D size);
    /// Simulates without pictures.
    void skip(std::uint32_t steps) { simulation_.step(steps); }

    void waitForSlot();  ///< waits for the frame before the last one
    /// Does that and starts a new frame. The commands are in the recording state.
    VkCommandBuffer begin();
    /// Records a step of the smoke and a picture into `target`, an image in VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL.
    void draw(VkImageView target);
    /// Submits the frame. `wait`: a binary semaphore before `target` is written; null: none. `signal`: when the frame is done; null: none.
    void submit(VkSemaphore wait = VK_NULL_HANDLE, VkSemaphore signal = VK_NULL_HANDLE);
    void finish();  ///< waits for all frames
    /// Number of the slot of the current frame, 0 or 1.
    [[nodiscard]] std::size_t slot() const { return begun_ % slots_.size(); }

private:
    void waitFor(std::uint64_t value);

    struct Slot {
        Owned<VkCommandPool> pool;
        VkCommandBuffer commands = VK_NULL_HANDLE;  ///< goes with its pool
    };
    Gpu& gpu_;
    World world_ = makeWorld();
    Painter painter_;
    VkExtent2D size_{};
    std::array<Slot, 2> slots_;
    Owned<VkSemaphore> timeline_;              ///< reaches n when frame n is done
    std::uint64_t begun_ = 0, submitted_ = 0;  ///< number of the last frame, from 1
    wisp::Device device_;
    wisp::Simulation simulation_;
    std::optional<wisp::Renderer> renderer_;
};
