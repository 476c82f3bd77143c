// SPDX-License-Identifier: MIT
#include "compute/picture/blue_noise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace wisp {
namespace {

constexpr int kEdge = kBlueNoiseEdge, kPixels = kEdge * kEdge;

/// Points of the tile, and the density of points at each pixel: the sum of exp(-d^2 / (2 sigma^2)) over the points. In integers, so that
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
        isPoint_[static_cast<std::size_t>(pixel)] = on;
        for (int y = 0; y < kEdge; ++y) {
            const std::int64_t* row = &weights_[static_cast<std::size_t>((y - pixel / kEdge) & (kEdge - 1)) * kEdge];
            std::int64_t* density = &density_[static_cast<std::size_t>(y) * kEdge];
            for (int x = 0; x < kEdge; ++x) density[x] += on ? row[(x - pixel) & (kEdge - 1)] : -row[(x - pixel) & (kEdge - 1)];
        }
    }

    /// The point with the highest density, or the empty pixel with the lowest.
    [[nodiscard]] int tightestCluster() const { return extreme(true, 1); }
    [[nodiscard]] int largestVoid() const { return extreme(false, -1); }

private:
    [[nodiscard]] int extreme(bool on, std::int64_t sign) const {
        int best = -1;
        for (int i = 0; i < kPixels; ++i) {
            const auto n = static_cast<std::size_t>(i);
            if (isPoint_[n] == on && (best < 0 || sign * density_[n] > sign * density_[static_cast<std::size_t>(best)])) best = i;
        }
        return best;
    }

    std::array<std::int64_t, kPixels> weights_{}, density_{};
    std::array<bool, kPixels> isPoint_{};
};

std::vector<std::uint16_t> voidAndCluster() {
    // Starts with random points. Moves the tightest cluster to the largest void until both are the same pixel.
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
        from = start.tightestCluster();
        start.set(from, false);
        to = start.largestVoid();
        start.set(to, true);
    }
    std::vector<std::uint16_t> ranks(kPixels);
    // Downwards: the tightest cluster gets the highest of the remaining ranks. Upwards: the largest void gets the next rank.
    Pattern down = start;
    for (int rank = points - 1; rank >= 0; --rank) {
        const int pixel = down.tightestCluster();
        down.set(pixel, false);
        ranks[static_cast<std::size_t>(pixel)] = static_cast<std::uint16_t>(rank);
    }
    for (int rank = points; rank < kPixels; ++rank) {
        const int pixel = start.largestVoid();
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
