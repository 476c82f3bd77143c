// SPDX-License-Identifier: MIT
#include "app/report.h"

#include <algorithm>
#include <cmath>

namespace wisp::app {

Spread spreadOf(std::vector<double> values) {
    if (values.empty()) return {};
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    const double median = 0.5 * (values[(n - 1) / 2] + values[n / 2]);
    const auto rank = static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(n)));  // nearest rank
    return {median, values[rank - 1]};
}

Json qualityJson(const Quality& q) {
    Json json = {{"divergence_rms", q.divergenceRms},
            {"divergence_max", q.divergenceMax},
            {"fine_divergence_rms", q.fineDivergenceRms},
            {"split_blocks", q.splitBlocks},
            {"residual", q.residual},
            {"mass", q.mass},
            {"leaked_mass", q.leakedMass},
            {"kinetic_energy", q.kineticEnergy},
            {"max_speed", q.maxSpeed},
            {"finite", q.finite()}};
    if (!q.residuals.empty()) {
        json["residuals"] = q.residuals;
        json["fine_divergence_before"] = q.fineDivergenceBefore;
    }
    return json;
}

void TimingTable::add(const std::vector<engine::PassTime>& frame) {
    for (const engine::PassTime& time : frame) {
        auto row = std::find_if(rows_.begin(), rows_.end(), [&](const TimingRow& r) { return r.name == time.name; });
        if (row == rows_.end()) row = rows_.insert(rows_.end(), {time.name, 0, {}});
        row->calls = std::max(row->calls, time.calls);
        row->ms.push_back(time.ms);
    }
}

Spread TimingTable::spread(const std::string& name) const {
    const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const TimingRow& r) { return r.name == name; });
    return row == rows_.end() ? Spread{} : spreadOf(row->ms);
}

}  // namespace wisp::app
