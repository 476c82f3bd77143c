// SPDX-License-Identifier: MIT
#pragma once

#include "engine/error.h"

#include <cstdint>

namespace wisp::engine {

class Device;

/// Now, on the clock that traces use [ns of std::chrono::steady_clock].
std::int64_t hostNow();

/// Brings timestamps of the GPU to the host's steady clock: by VK_EXT_calibrated_timestamps (or its KHR twin), else by one submit that
/// it waits for, and then late by as much as that took, so that no work seems to begin before it was submitted.
class GpuClock {
public:
    /// `estimate`: do without the extension even if it is there.
    explicit GpuClock(Device& device, bool estimate = false);

    void calibrate();                                                ///< anew, as the two clocks drift apart; nothing without the extension
    [[nodiscard]] std::int64_t hostTime(std::uint64_t ticks) const;  ///< [ns]
    [[nodiscard]] bool isCalibrated() const { return get_ != nullptr; }
    [[nodiscard]] std::int64_t deviation() const { return deviation_; }  ///< how far off it may be [ns]

private:
    void estimate();
    Device& device_;
    PFN_vkGetCalibratedTimestampsEXT get_ = nullptr;
    std::uint64_t ticks_ = 0;  ///< at host_
    std::int64_t host_ = 0;
    std::int64_t deviation_ = 0;
};

}  // namespace wisp::engine
