// SPDX-License-Identifier: MIT
#include "app/step_log.h"

#include "app/report.h"

namespace wisp::app {

void StepLog::recorded(std::uint64_t step, double time) { open_.push_back({step, time, std::nullopt, std::nullopt}); }

void StepLog::measured(std::uint64_t step, const Quality& quality) {
    for (Line& line : open_)
        if (line.step == step) line.quality = quality;
    writeReady();
}

void StepLog::timed(const std::vector<engine::PassTime>& passes) {
    for (Line& line : open_)
        if (!line.passes) {
            line.passes = passes;
            break;
        }
    writeReady();
}

void StepLog::writeReady() {
    while (!open_.empty() && open_.front().quality && open_.front().passes) writeFront();
}

void StepLog::writeFront() {
    const Line& line = open_.front();
    Json json = {{"step", line.step}, {"time", line.time}};
    json.update(qualityJson(*line.quality));
    json["passes"] = Json::array();
    if (line.passes)
        for (const engine::PassTime& pass : *line.passes)
            if (!pass.scope) json["passes"].push_back({{"name", pass.name}, {"calls", pass.calls}, {"ms", pass.ms}});
    file_.write(json.dump() + "\n");
    open_.pop_front();
}

void StepLog::finish() {
    while (!open_.empty() && open_.front().quality) writeFront();
    file_.commit();
}

}  // namespace wisp::app
