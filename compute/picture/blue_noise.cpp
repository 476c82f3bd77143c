// SPDX-License-Identifier: MIT
#include "compute/picture/blue_noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace wisp {
namespace {

constexpr int kEdge = kBlueNoiseEdge, kPixels = kEdge * kEdge;

/// Points of the tile and how crowded each pixel is: the sum of exp(-d^2 / (2 sigma^2)) over the points. In integers, so that
/// a sum does not depend on its order.
class Pattern {
public:
    Pattern() {
        constexpr double sigma = 1.9;
        for (int i = 0; i < kPixels; ++i) {
            const int x = std::min(i % kEdge, kEdge - i % kEdge), y = std::min(i / kEdge, kEdge - i / kEdge);
            weights_[static_cast<std::size_t>(i)] = std::llround(std::exp(-(x * x + y * y) / (2.0 * sigma * sigma)) * double(1 << 30));
        }
    }

    void set(int pixel, bool on) {
        is_[static_cast<std::size_t>(pixel)] = on;
        for (int y = 0; y < kEdge; ++y) {
            const std::int64_t* row = &weights_[static_cast<std::size_t>((y - pixel / kEdge) & (kEdge - 1)) * kEdge];
            std::int64_t* crowd = &crowd_[static_cast<std::size_t>(y) * kEdge];
            for (int x = 0; x < kEdge; ++x) crowd[x] += on ? row[(x - pixel) & (kEdge - 1)] : -row[(x - pixel) & (kEdge - 1)];
        }
    }

    /// The point with most others near it, or the empty pixel with fewest.
    [[nodiscard]] int tightest() const { return extreme(true, 1); }
    [[nodiscard]] int emptiest() const { return extreme(false, -1); }

private:
    [[nodiscard]] int extreme(bool on, std::int64_t sign) const {
        int best = -1;
        for (int i = 0; i < kPixels; ++i) {
            const auto n = static_cast<std::size_t>(i);
            if (is_[n] == on && (best < 0 || sign * crowd_[n] > sign * crowd_[static_cast<std::size_t>(best)])) best = i;
        }
        return best;
    }

    std::array<std::int64_t, kPixels> weights_{}, crowd_{};
    std::array<bool, kPixels> is_{};
};

std::vector<std::uint16_t> voidAndCluster() {
    // Any points, moved from where they are crowded to where there are none until that is the same place.
    Pattern start;
    int points = 0;
    std::uint32_t random = 1;
    std::array<bool, kPixels> taken{};
    while (points < kPixels / 10) {
        random = random * 1664525u + 1013904223u;
        const auto pixel = random >> 20;
        if (std::exchange(taken[pixel], true)) continue;
        start.set(static_cast<int>(pixel), true);
        ++points;
    }
    for (int from = -1, to = -2; from != to;) {
        from = start.tightest();
        start.set(from, false);
        to = start.emptiest();
        start.set(to, true);
    }
    std::vector<std::uint16_t> ranks(kPixels);
    // Downwards: the most crowded point is the last of those that are there. Upwards: the next goes where fewest are.
    Pattern down = start;
    for (int rank = points - 1; rank >= 0; --rank) {
        const int pixel = down.tightest();
        down.set(pixel, false);
        ranks[static_cast<std::size_t>(pixel)] = static_cast<std::uint16_t>(rank);
    }
    for (int rank = points; rank < kPixels; ++rank) {
        const int pixel = start.emptiest();
        start.set(pixel, true);
        ranks[static_cast<std::size_t>(pixel)] = static_cast<std::uint16_t>(rank);
    }
    return ranks;
}

}  // namespace

const std::vector<std::uint16_t>& blueNoise() {
    static const std::vector<std::uint16_t> ranks = voidAndCluster();
    return ranks;
}

}  // namespace wisp
