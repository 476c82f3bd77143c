// SPDX-License-Identifier: MIT
#pragma once

#include "engine/error.h"

#include <cstdint>

namespace wisp::engine {

class Device;

/// Current time on the clock of the traces [ns, std::chrono::steady_clock].
std::int64_t hostNow();

/// Converts GPU timestamps to the host's steady clock, with VK_EXT_calibrated_timestamps or VK_KHR_calibrated_timestamps. Without these
/// extensions it submits one timestamp and waits for it. The converted times are then late by up to this round trip, so that no work
/// appears to begin before its submission.
class GpuClock {
public:
    /// `estimate`: do not use the extension even if it is supported.
    explicit GpuClock(Device& device, bool estimate = false);

    void calibrate();                                                ///< repeat it: the clocks drift; does nothing without the extension
    [[nodiscard]] std::int64_t hostTime(std::uint64_t ticks) const;  ///< [ns]
    [[nodiscard]] bool isCalibrated() const { return get_ != nullptr; }
    [[nodiscard]] std::int64_t deviation() const { return deviation_; }  ///< maximum error [ns]

private:
    void estimate();
    Device& device_;
    PFN_vkGetCalibratedTimestampsEXT get_ = nullptr;
    std::uint64_t ticks_ = 0;  ///< GPU timestamp at host_
    std::int64_t host_ = 0;
    std::int64_t deviation_ = 0;
};

}  // namespace wisp::engine
