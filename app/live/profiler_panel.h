// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/profile.h"
#include "engine/device.h"
#include "wisp/device.h"

namespace wisp::app {

/// Profiler panel: GPU time of the passes, frame times, quality numbers and memory.
class ProfilerPanel {
public:
    /// @param device of the window @param library the library on it, which has memory of its own
    ProfilerPanel(engine::Device& device, const Device& library) : device_(device), library_(library) {}

    /// Draws into the current ImGui frame, unless `open` is false.
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
    const Device& library_;
    std::vector<Holder> memory_;                                ///< summed by name, largest first
    std::uint64_t allocations_ = 0, used_ = 0, available_ = 0;  ///< at the last update of memory_
};

}  // namespace wisp::app
