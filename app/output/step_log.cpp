// SPDX-License-Identifier: MIT
#include "app/output/step_log.h"

#include "app/output/report.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>

namespace wisp::app {
namespace {

std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "null"; }

}  // namespace

void StepLog::recorded(std::uint64_t step, double time) { open_.push_back({step, time, std::nullopt, std::nullopt}); }

void StepLog::measured(std::uint64_t step, const Quality& quality) {
    for (Line& line : open_)
        if (line.step == step) line.quality = quality;
    writeReady();
}

void StepLog::timed(const std::vector<PassTime>& passes) {
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

namespace {

std::string vector(const std::array<double, 3>& v) { return fmt::format("[{},{},{}]", number(v[0]), number(v[1]), number(v[2])); }

std::string momentumText(const Quality& q) {
    std::string text = q.momentum ? R"(,"momentum":)" + vector(*q.momentum) : "";
    if (!q.momentumBudget) return text;
    const char* separator = R"(,"momentum_budget":{)";
    for (const auto& [name, change] : momentumChanges(*q.momentumBudget)) {
        text += fmt::format(R"({}"{}":{})", separator, name, vector(change));
        separator = ",";
    }
    return text + '}';
}

std::string bodiesText(const std::vector<BodyForce>& bodies) {
    if (bodies.empty()) return "";
    std::string text = R"(,"bodies":[)";
    const char* separator = "";
    for (const BodyForce& b : bodies) {
        text += fmt::format(R"({}{{"force":{},"torque":{},"friction":{}}})", separator, vector(b.force), vector(b.torque),
                            vector(b.friction));
        separator = ",";
    }
    return text + ']';
}

}  // namespace

// Writes text directly, because destructors of the JSON library allocate memory and must not throw.
void StepLog::writeFront() {
    const Line& line = open_.front();
    std::string text = fmt::format(R"({{"step":{},"time":{})", line.step, line.time);
    for (const auto& [name, value] : qualityNumbers(*line.quality)) text += fmt::format(R"(,"{}":{})", name, number(value));
    if (!line.quality->residuals.empty()) {
        if (!line.quality->sparse) text += fmt::format(R"(,"fine_divergence_before":{})", number(line.quality->fineDivergenceBefore));
        text += R"(,"residuals":[)";
        for (std::size_t i = 0; i < line.quality->residuals.size(); ++i) text += (i == 0 ? "" : ",") + number(line.quality->residuals[i]);
        text += ']';
    }
    text += momentumText(*line.quality) + bodiesText(line.quality->bodies);
    text += fmt::format(R"(,"finite":{},"passes":[)", line.quality->finite());
    const char* separator = "";
    for (const PassTime& pass : line.passes.value_or(std::vector<PassTime>{})) {
        if (pass.scope) continue;
        text += fmt::format(R"({}{{"name":{},"calls":{},"ms":{}}})", separator, Json(pass.name).dump(), pass.calls, pass.ms);
        separator = ",";
    }
    file_.write(text + "]}\n");
    open_.pop_front();
}

void StepLog::finish() {
    while (!open_.empty() && open_.front().quality) writeFront();
    file_.commit();
}

}  // namespace wisp::app
