// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/profile.h"
#include "engine/device.h"

namespace wisp::app {

/// The profiler's panel: what the GPU does over the last pictures, how long pictures take, how right the numbers are, and who has
/// the memory.
class ProfilerPanel {
public:
    explicit ProfilerPanel(engine::Device& device) : device_(device) {}

    /// Into the current ImGui frame, unless `open` is false.
    void draw(bool& open, Profile& profile);

private:
    void drawStack(Profile& profile);
    void drawPicture(Profile& profile, std::size_t picture) const;
    void drawTimes(Profile& profile);
    void drawQuality(const Profile& profile) const;
    void drawMemory();
    void drawPasses(Profile& profile);
    void sumMemory();

    struct Holder {
        std::string name;
        std::size_t count = 0;
        std::uint64_t bytes = 0;
    };
    engine::Device& device_;
    std::vector<Holder> memory_;                                ///< by name, the largest first
    std::uint64_t allocations_ = 0, used_ = 0, available_ = 0;  ///< of the device, when memory_ was summed
};

}  // namespace wisp::app
