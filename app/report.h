// SPDX-License-Identifier: MIT
#pragma once

#include "compute/quality.h"
#include "engine/recorder.h"

#include <nlohmann/json.hpp>

#include <vector>

namespace wisp::app {

using Json = nlohmann::ordered_json;

/// Median and 95th percentile of a list of times [ms]; 0 for an empty one.
struct Spread {
    double median = 0.0;
    double p95 = 0.0;
};
Spread spreadOf(std::vector<double> values);

Json qualityJson(const Quality& quality);

/// The times of one pass or scope over many frames.
struct TimingRow {
    std::string name;
    std::uint32_t calls = 0;  ///< in one frame
    std::vector<double> ms;   ///< one a frame, all its calls together
};

/// Gathers `Recorder::onTimes` by name, in order of first appearance.
class TimingTable {
public:
    void add(const std::vector<engine::PassTime>& frame);
    [[nodiscard]] const std::vector<TimingRow>& rows() const { return rows_; }
    [[nodiscard]] Spread spread(const std::string& name) const;

private:
    std::vector<TimingRow> rows_;
};

}  // namespace wisp::app
