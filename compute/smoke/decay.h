// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <cmath>

namespace wisp {

/// Exponential decay of a field. Half floats round to 2^-12 of a value at best, so the decay of a short step would be lost. With half
/// storage it is postponed until the exponent reaches 2^-7. Rounding then changes the rate by a sixteenth at most, and on average by far
/// less.
class Decay {
public:
    Decay() = default;
    explicit Decay(double due) : due_(due) {}
    /// The postponed decay, as an exponent.
    [[nodiscard]] double due() const { return due_; }

    /// The decay factor to apply in a step of `dt` seconds at `rate` [1/s].
    float step(float rate, float dt, Precision precision) {
        constexpr double kLeast = 1.0 / 128;
        due_ += static_cast<double>(rate) * static_cast<double>(dt);
        if (precision == Precision::Half && due_ < kLeast) return 1.0f;
        const double left = std::exp(-due_);
        due_ = 0.0;
        return static_cast<float>(left);
    }

private:
    double due_ = 0.0;
};

/// Decay factors that the advection of a step applies.
struct DecayFactors {
    float velocity = 1.0f;
    float density = 1.0f;
};

}  // namespace wisp
