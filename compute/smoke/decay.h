// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"

#include <cmath>

namespace wisp {

/// Exponential decay of a field. In half storage, which rounds to 2^-12 of a value at best, steps too short to be told from a rounding
/// are put off until they come to 2^-7: rounding then changes the rate by a sixteenth at most, and by far less in the mean.
class Decay {
public:
    Decay() = default;
    explicit Decay(double due) : due_(due) {}
    /// What was put off, as an exponent.
    [[nodiscard]] double due() const { return due_; }

    /// What is left of the field after a step of `dt` seconds at `rate` [1/s].
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

/// Factors of a step's advection.
struct Kept {
    float velocity = 1.0f;
    float density = 1.0f;
};

}  // namespace wisp
