// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace wisp::app {

/// How many steps of fixed length a picture needs so that the simulation keeps up with the clock. What it cannot make up for is
/// given up at once: a slow machine shows slow motion, never a queue of steps that grows.
class FixedStep {
public:
    /// @param step length of a step [s], above 0
    explicit FixedStep(double step) : step_(step) {}

    void setStep(double step) { step_ = step; }
    double speed = 1.0;      ///< simulated seconds per second, at least 0
    std::uint32_t most = 8;  ///< steps a picture, at least 1

    /// Steps for a picture that comes `elapsed` seconds after the last one.
    std::uint32_t advance(double elapsed);
    /// The share of `speed` that is reached, in the mean of the last pictures: 1 where it keeps up.
    [[nodiscard]] double pace() const { return pace_; }

private:
    double step_;
    double due_ = 0.0;  ///< simulated time that is still to come [s]
    double pace_ = 1.0;
};

}  // namespace wisp::app
