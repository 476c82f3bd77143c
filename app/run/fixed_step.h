// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace wisp::app {

/// Number of steps of fixed length per image, so that the simulation runs in real time. Time that exceeds `most` steps is dropped
/// immediately, so a slow machine shows slow motion instead of an ever longer queue of steps.
class FixedStep {
public:
    /// @param step length of a step [s], above 0
    explicit FixedStep(double step) : step_(step) {}

    void setStep(double step) { step_ = step; }
    double speed = 1.0;      ///< simulated seconds per second, at least 0
    std::uint32_t most = 8;  ///< maximum number of steps per image, at least 1

    /// Number of steps for an image that is drawn `elapsed` seconds after the previous one.
    std::uint32_t advance(double elapsed);
    /// Achieved fraction of `speed`, averaged over the last images. 1: real time is kept.
    [[nodiscard]] double pace() const { return pace_; }

private:
    double step_;
    double due_ = 0.0;  ///< simulated time that is not yet stepped [s]
    double pace_ = 1.0;
};

}  // namespace wisp::app
