// SPDX-License-Identifier: MIT
#ifndef WISP_PROFILE_H
#define WISP_PROFILE_H

#include <cstdint>
#include <string>
#include <vector>

namespace wisp {

/// What GPU times a simulation and its renderers measure.
enum class Timing : int {
    Off = 0,
    Scopes = 1,  ///< of steps and of pictures, which does not affect them
    Passes = 2   ///< also of each pass, which makes steps slightly slower
};

/// GPU time of a pass in one submit: the sum over its dispatches. Of a scope, "step" or "frame" (a picture), the time from its begin to its
/// end.
struct PassTime {
    std::string name;           ///< see docs/passes.md
    std::uint32_t calls = 0;    ///< number of dispatches; of scopes
    double ms = 0.0;            ///< [ms]
    bool scope = false;         ///< a scope, which contains passes
    std::uint64_t threads = 0;  ///< invocations; 0 for a transfer
    std::uint64_t bytes = 0;    ///< least memory traffic that the pass needs, see docs/performance.md
};

/// Times of one submit of a simulation or of a renderer.
struct SubmitTimes {
    std::uint64_t step = 0;        ///< number of steps up to its end
    bool stepped = false;          ///< it contains the last of these steps; otherwise it is of a picture, or of something else
    double recordMs = 0.0;         ///< CPU time of recording it [ms]
    double submitMs = 0.0;         ///< CPU time of submitting it [ms]
    std::vector<PassTime> passes;  ///< in order of first appearance
};

/// Begin and end of a scope, or of consecutive dispatches of one pass, on the GPU.
struct TraceRange {
    std::string name;        ///< of the pass or scope
    bool scope = false;      ///< a scope, which contains passes
    std::int64_t begin = 0;  ///< [ns] of std::chrono::steady_clock
    std::int64_t end = 0;    ///< [ns]
};

/// One submit on the clock of the host. All times are in nanoseconds of std::chrono::steady_clock.
struct SubmitTrace {
    std::int64_t wait = 0;        ///< when the CPU began to wait for the submit before the last
    std::int64_t record = 0;      ///< when it began to record
    std::int64_t submit = 0;      ///< when it began to submit
    std::int64_t end = 0;         ///< when it had submitted
    std::vector<TraceRange> gpu;  ///< what Timing asks for
};

/// How GPU times are converted to the clock of the host.
struct TraceClock {
    bool calibrated = false;     ///< by VK_EXT_calibrated_timestamps; otherwise estimated from a submit, and late at most by its length
    std::int64_t deviation = 0;  ///< largest error [ns]
};

}  // namespace wisp

#endif
