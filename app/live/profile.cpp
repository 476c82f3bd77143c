// SPDX-License-Identifier: MIT
#include "app/live/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace wisp::app {

void Profile::add(const std::vector<engine::PassTime>& passes, double frameMs, double recordMs) {
    frames_.push_back({passes, frameMs, recordMs});
    if (frames_.size() > kHistory) frames_.pop_front();
}

std::vector<Profile::Row> Profile::rows() const {
    std::map<std::string, Row> byName;
    for (const Frame& f : frames_)
        for (const engine::PassTime& p : f.passes) {
            if (p.scope) continue;
            Row& row = byName[p.name];
            row.mean += p.ms / static_cast<double>(frames_.size());
            if (&f != &frames_.back()) continue;
            row.calls = p.calls;
            row.last = p.ms;
        }
    std::vector<Row> rows;
    for (auto& [name, row] : byName) {
        row.name = name;
        rows.push_back(row);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.mean > b.mean; });
    return rows;
}

std::vector<float> Profile::gpuMs() const {
    std::vector<float> values;
    for (const Frame& f : frames_) {
        double sum = 0.0;
        for (const engine::PassTime& p : f.passes)
            if (!p.scope) sum += p.ms;
        values.push_back(static_cast<float>(sum));
    }
    return values;
}

std::vector<float> Profile::frameMs() const {
    std::vector<float> values;
    for (const Frame& f : frames_) values.push_back(static_cast<float>(f.frame));
    return values;
}

double Profile::percentile(double share) const {
    std::vector<float> values = frameMs();
    if (values.empty()) return 0.0;
    const auto n = static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)));
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n), values.end());
    return static_cast<double>(values[n]);
}

double Profile::recordMs() const {
    double sum = 0.0;
    for (const Frame& f : frames_) sum += f.record;
    return frames_.empty() ? 0.0 : sum / static_cast<double>(frames_.size());
}

std::string Profile::csv() const {
    std::string text = "pass,calls,mean_ms,last_ms\n";
    for (const Row& r : rows()) text += fmt::format("{},{},{:.4f},{:.4f}\n", r.name, r.calls, r.mean, r.last);
    return text;
}

}  // namespace wisp::app
