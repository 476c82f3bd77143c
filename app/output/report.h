// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "compute/sim/quality.h"
#include "engine/recorder.h"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

namespace wisp::app {

using Json = nlohmann::ordered_json;

/// Median, 95th percentile and least of a list of times [ms]; 0 for an empty one.
struct TimeSpread {
    double median = 0.0, p95 = 0.0, min = 0.0;
};
TimeSpread timeSpread(std::vector<double> values);

/// Its numbers under the names of reports.
std::vector<std::pair<const char*, double>> qualityNumbers(const Quality& quality);
Json qualityJson(const Quality& quality);
/// What a user should know of it, of a run of these settings; empty: nothing.
std::string qualityWarning(const Quality& quality, const Settings& settings);

/// A stranger's JSON. @throws Json::exception, or std::runtime_error where it is nested deeper than what goes through it by recursion can
/// bear.
Json parseJson(const std::string& text);

/// JSON for people, too: indented, but lists of plain values on a line of their own. Ends with a line's end.
std::string prettyJson(const Json& json);

/// The times of one pass or scope over many frames.
struct TimingRow {
    std::string name;
    std::uint32_t calls = 0;  ///< in one frame
    engine::Work work{};      ///< likewise; the most of any frame, as `calls`
    std::vector<double> ms;   ///< one a frame, all its calls together
};

/// Gathers `Recorder::onTimes` by name, in order of first appearance.
class TimingTable {
public:
    void add(const std::vector<engine::PassTime>& frame);
    [[nodiscard]] const std::vector<TimingRow>& rows() const { return rows_; }
    [[nodiscard]] const TimingRow* find(const std::string& name) const;  ///< null if there is none
    [[nodiscard]] TimeSpread spread(const std::string& name) const;

private:
    std::vector<TimingRow> rows_;
};

}  // namespace wisp::app
