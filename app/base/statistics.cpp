// SPDX-License-Identifier: MIT
#include "app/base/statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace wisp::app {

double mannWhitney(std::span<const double> a, std::span<const double> b) {
    if (a.empty() || b.empty()) return 1.0;
    std::vector<std::pair<double, bool>> all;  // value, and true if it belongs to a
    for (const double v : a) all.emplace_back(v, true);
    for (const double v : b) all.emplace_back(v, false);
    std::sort(all.begin(), all.end());
    const auto m = static_cast<double>(a.size()), n = static_cast<double>(b.size()), N = m + n;
    // rankSum: of a. ties: sum of t^3 - t over groups of t equal values.
    double rankSum = 0.0, ties = 0.0;
    for (std::size_t first = 0, last = 0; first < all.size(); first = last) {
        while (last < all.size() && all[last].first == all[first].first) ++last;
        const double rank = 0.5 * static_cast<double>(first + 1 + last), t = static_cast<double>(last - first);
        for (std::size_t i = first; i < last; ++i) rankSum += all[i].second ? rank : 0.0;
        ties += t * t * t - t;
    }
    const double U = rankSum - m * (m + 1.0) / 2.0;
    const double variance = m * n / 12.0 * (N + 1.0 - ties / (N * (N - 1.0)));
    if (!(variance > 0.0)) return 1.0;
    const double z = std::max(0.0, std::abs(U - m * n / 2.0) - 0.5) / std::sqrt(variance);
    return std::erfc(z / std::sqrt(2.0));
}

}  // namespace wisp::app
