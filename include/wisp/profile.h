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

/// A number that the driver tells of a compiled pass.
struct PipelineStatistic {
    std::string name;    ///< that the driver gives it, such as "Register Count"
    double value = 0.0;  ///< as the driver counts it
};

/// What a pass does in one step, or in one picture: the sum over its dispatches. See Simulation::inspect.
struct PassWork {
    std::string name;                         ///< as in PassTime
    std::uint64_t invocations = 0;            ///< counted by the device, in whole work groups; 0: it cannot count them
    std::uint64_t operations = 0;             ///< arithmetic ones of each component; a fused multiply-add counts as two
    std::uint64_t samples = 0;                ///< filtered image samples
    std::uint64_t fetches = 0;                ///< single texels read
    std::uint64_t bufferWords = 0;            ///< 32-bit words loaded from storage buffers
    std::vector<PipelineStatistic> pipeline;  ///< with DeviceOptions::pipelineStatistics, if the driver has any
};

/// Measured peaks of a device, for a roofline model. 0: there was too little memory to measure it.
struct DevicePeaks {
    double copy = 0.0;            ///< bytes read and written [1/s]
    bool copiedByShader = false;  ///< a shader copies faster than vkCmdCopyBuffer
    double operations = 0.0;      ///< 32-bit float operations; a fused multiply-add counts as two [1/s]
    double samples = 0.0;         ///< trilinear samples of a 3D image that fits into the caches [1/s]
    double fetches = 0.0;         ///< texel fetches from the same image [1/s]
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
