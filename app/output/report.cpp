// SPDX-License-Identifier: MIT
#include "app/output/report.h"

#include "app/output/liquid_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace wisp::app {

TimeSpread timeSpread(std::vector<double> values) {
    if (values.empty()) return {};
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    const double median = 0.5 * (values[(n - 1) / 2] + values[n / 2]);
    const auto rank = static_cast<std::size_t>(std::ceil(0.95 * static_cast<double>(n)));  // nearest rank
    return {median, values[rank - 1], values.front()};
}

std::vector<std::pair<const char*, double>> qualityNumbers(const Quality& q) {
    std::vector<std::pair<const char*, double>> numbers = {{"divergence_rms", q.divergenceRms},
                                                           {"divergence_max", q.divergenceMax},
                                                           {"fine_divergence_rms", q.fineDivergenceRms},
                                                           {"split_blocks", q.splitBlocks},
                                                           {"residual", q.residual},
                                                           {"cycles", static_cast<double>(q.cycles)},
                                                           {"mass", q.mass},
                                                           {"leaked_mass", q.leakedMass},
                                                           {"kinetic_energy", q.kineticEnergy},
                                                           {"max_speed", q.maxSpeed}};
    if (q.crossedMass) numbers.emplace_back("crossed_mass", *q.crossedMass);
    if (q.sparse) {
        numbers.emplace_back("active_bricks", q.sparse->activeBricks);
        numbers.emplace_back("active_share", q.sparse->activeShare);
        numbers.emplace_back("bricks_refused", q.sparse->refusedBricks);
        numbers.emplace_back("dropped_mass", q.sparse->droppedMass);
    }
    if (q.fire)
        numbers.insert(numbers.end(), {{"heat_released", q.fire->heatReleased},
                                       {"fuel", q.fire->fuel},
                                       {"hottest", q.fire->hottest},
                                       {"outflow", q.fire->outflow},
                                       {"expansion", q.fire->expansion}});
    if (q.fadedMass) numbers.emplace_back("faded_mass", *q.fadedMass);
    if (q.error)
        numbers.insert(
            numbers.end(),
            {{"error_l1", q.error->l1}, {"error_l2", q.error->l2}, {"overshoot", q.error->overshoot}, {"error_mass", q.error->mass}});
    if (q.liquid) addLiquidNumbers(numbers, *q.liquid);
    return numbers;
}

std::vector<std::pair<const char*, std::array<double, 3>>> momentumChanges(const MomentumBudget& b) {
    return {{"sources", b.sources}, {"forces", b.forces}, {"bodies", b.bodies}, {"sides", b.sides}, {"error", b.error}};
}

std::string qualityWarning(const Quality& q, std::uint64_t particleCapacity) {
    return q.liquid ? liquidWarning(*q.liquid, particleCapacity) : "";
}

Json qualityJson(const Quality& q) {
    Json json;
    for (const auto& [name, value] : qualityNumbers(q)) json[name] = value;
    json["finite"] = q.finite();
    if (q.momentum) json["momentum"] = *q.momentum;
    if (q.momentumBudget)
        for (const auto& [name, change] : momentumChanges(*q.momentumBudget)) json["momentum_budget"][name] = change;
    for (const BodyForce& b : q.bodies) json["bodies"].push_back({{"force", b.force}, {"torque", b.torque}, {"friction", b.friction}});
    if (!q.residuals.empty()) {
        json["residuals"] = q.residuals;
        if (!q.sparse) json["fine_divergence_before"] = q.fineDivergenceBefore;
    }
    return json;
}

void TimingTable::add(const std::vector<PassTime>& frame) {
    for (const PassTime& time : frame) {
        auto row = std::find_if(rows_.begin(), rows_.end(), [&](const TimingRow& r) { return r.name == time.name; });
        if (row == rows_.end()) row = rows_.insert(rows_.end(), {.name = time.name});
        row->calls = std::max(row->calls, time.calls);
        row->threads = std::max(row->threads, time.threads);
        row->bytes = std::max(row->bytes, time.bytes);
        row->ms.push_back(time.ms);
    }
}

const TimingRow* TimingTable::find(const std::string& name) const {
    const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const TimingRow& r) { return r.name == name; });
    return row == rows_.end() ? nullptr : &*row;
}

TimeSpread TimingTable::spread(const std::string& name) const {
    const TimingRow* row = find(name);
    return row ? timeSpread(row->ms) : TimeSpread{};
}

}  // namespace wisp::app
