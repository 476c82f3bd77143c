// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace wisp {

/// Bytes of RecorderOptions::readbackBytes that a frame with up to 24 steps needs for residuals and for the slots of bricks, besides the
/// reads of the caller.
inline constexpr std::uint64_t kSolveReadback = 1280;

/// Residuals |r| / |b| of one solve: before it, and after each cycle.
using Residuals = std::vector<double>;

/// Chooses the number of cycles of each solve (pressure.iterations = "auto"): as few as keep the relative residual below a tolerance.
///
/// The solves of every kPeriod-th step are traced. Their residuals change the number of cycles kDelay steps later. By then the GPU has
/// finished them if no frame has more than kPeriod steps, because two frames are in flight; so nothing waits. The choice depends on the
/// numbers of the steps and on their residuals, not on the speed of the GPU. The same run therefore always has the same result.
class CyclePlan {
public:
    static constexpr std::uint64_t kPeriod = 8, kDelay = 2 * kPeriod;  // [steps]
    static constexpr std::uint32_t kFirst = 2, kMax = 8;               // cycles

    /// A traced solve. `residuals` is filled once its frame has run.
    struct Solve {
        std::uint64_t step = 0;
        std::shared_ptr<const Residuals> residuals;
    };

    CyclePlan() = default;
    CyclePlan(std::uint32_t cycles, std::vector<Solve> traced) : cycles_(cycles), traced_(std::move(traced)) {}

    /// Returns the number of cycles in a step. Call it once per step, in order; steps are numbered from 1.
    std::uint32_t next(std::uint64_t step, double tolerance);
    /// Whether the solve of this step must be traced; then `trace` it.
    [[nodiscard]] static bool traces(std::uint64_t step) { return step % kPeriod == 0; }
    void trace(std::uint64_t step, std::shared_ptr<const Residuals> residuals) { traced_.push_back({step, std::move(residuals)}); }

    [[nodiscard]] std::uint32_t cycles() const { return cycles_; }              ///< of the last step
    [[nodiscard]] const std::vector<Solve>& traced() const { return traced_; }  ///< solves that have not been used yet

private:
    std::uint32_t cycles_ = kFirst;
    std::vector<Solve> traced_;
};

/// The number of cycles that brings the residual of such a solve below `tolerance`, estimated from the cycles that it had. One cycle less
/// than it had only if the residual before the last cycle was below half of the tolerance.
std::uint32_t cyclesFor(const Residuals& residuals, double tolerance);

}  // namespace wisp
