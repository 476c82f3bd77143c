// SPDX-License-Identifier: MIT
#pragma once

#include "files/base/json.h"
#include "wisp/profile.h"
#include "wisp/quality.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace wisp::app {

/// Median, 95th percentile and minimum of a list of times [ms]. All 0 for an empty list.
struct TimeSpread {
    double median = 0.0, p95 = 0.0, min = 0.0;
};
TimeSpread timeSpread(std::vector<double> values);

/// The numbers of `quality` with their names in reports.
std::vector<std::pair<const char*, double>> qualityNumbers(const Quality& quality);
/// The changes of momentum with their names in reports [kg m/s].
std::vector<std::pair<const char*, std::array<double, 3>>> momentumChanges(const MomentumBudget& budget);
Json qualityJson(const Quality& quality);
/// A warning for the user about a run. `particleCapacity`: see Simulation::particleCapacity. Empty: no warning.
std::string qualityWarning(const Quality& quality, std::uint64_t particleCapacity);

/// The times of one pass or scope over many frames.
struct TimingRow {
    std::string name;
    std::uint32_t calls = 0;    ///< in one frame
    std::uint64_t threads = 0;  ///< in one frame
    std::uint64_t bytes = 0;    ///< in one frame; these three are maxima over all frames
    std::vector<double> ms;     ///< one per frame, the sum of all calls
};

/// Collects times of submits by name, in order of first appearance.
class TimingTable {
public:
    void add(const std::vector<PassTime>& frame);
    [[nodiscard]] const std::vector<TimingRow>& rows() const { return rows_; }
    [[nodiscard]] const TimingRow* find(const std::string& name) const;  ///< null if not found
    [[nodiscard]] TimeSpread spread(const std::string& name) const;

private:
    std::vector<TimingRow> rows_;
};

}  // namespace wisp::app
