// SPDX-License-Identifier: MIT
#include "app/live/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numeric>
#include <string_view>
#include <utility>

namespace wisp::app {
namespace {

constexpr double kClearlyDearer = 1.2;  // cost ratio; prevents passes of similar cost from swapping layers all the time

template <class T>
void keep(std::deque<T>& history, T value) {
    history.push_back(std::move(value));
    if (history.size() > Profile::kHistory) history.pop_front();
}

/// Percentile, with `share` in [0, 1]. Reorders `values`.
double percentile(std::vector<float>& values, double share) {
    const auto n = static_cast<std::ptrdiff_t>(std::lround(share * static_cast<double>(values.size() - 1)));
    std::nth_element(values.begin(), values.begin() + n, values.end());
    return static_cast<double>(values[static_cast<std::size_t>(n)]);
}

}  // namespace

double threadCpuTime() {
    timespec t{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

std::optional<double> advectionTime(const std::vector<PassTime>& passes) {
    static constexpr std::array<std::string_view, 6> kCarry{"backtrace",      "smoke_bricks",           "smoke_reach",
                                                            "advect_scalars", "advect_scalars_correct", "upwind"};
    double ms = 0.0;
    std::uint32_t steps = 0;
    for (const PassTime& p : passes) {
        if (p.scope && p.name == "step") steps += p.calls;
        else if (!p.scope && std::ranges::find(kCarry, p.name) != kCarry.end()) ms += p.ms;
    }
    return steps > 0 ? std::optional(ms / steps) : std::nullopt;
}

Spread spreadOf(std::vector<float> values) {
    if (values.empty()) return {};
    Spread s;
    s.last = static_cast<double>(values.back());
    s.mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
    s.median = percentile(values, 0.5);
    s.p95 = percentile(values, 0.95);
    s.p99 = percentile(values, 0.99);
    s.most = percentile(values, 1.0);
    return s;
}

const std::array<QualityNumber, 6> Profile::kQuality{{{"residual", "", &Quality::residual},
                                                      {"divergence", "1/s", &Quality::divergenceRms},
                                                      {"fine divergence", "1/s", &Quality::fineDivergenceRms},
                                                      {"mass", "kg", &Quality::mass},
                                                      {"leaked mass", "kg", &Quality::leakedMass},
                                                      {"fastest", "m/s", &Quality::maxSpeed}}};

std::uint32_t Profile::passOf(const std::string& name) {
    const auto [at, isNew] = numbers_.emplace(name, static_cast<std::uint32_t>(names_.size()));
    if (isNew) {
        names_.push_back(name);
        layerOf_.push_back(kLayers);
    }
    return at->second;
}

void Profile::add(const std::vector<PassTime>& passes, const FrameCost& cost) {
    Frame frame{{}, cost};
    for (const PassTime& p : passes) {
        if (p.scope) continue;
        const std::uint32_t pass = passOf(p.name);
        auto sample = std::find_if(frame.passes.begin(), frame.passes.end(), [&](const Sample& s) { return s.pass == pass; });
        if (sample == frame.passes.end()) sample = frame.passes.insert(sample, {.pass = pass});
        sample->calls += p.calls;
        sample->ms += static_cast<float>(p.ms);
    }
    keep(frames_, std::move(frame));
    stale_ = true;
}

void Profile::addQuality(const Quality& quality) {
    std::array<float, kQuality.size()> values{};
    for (std::size_t i = 0; i < kQuality.size(); ++i) values[i] = static_cast<float>(quality.*kQuality[i].value);
    keep(quality_, values);
}

void Profile::addInputAge(double ms) { keep(inputAges_, static_cast<float>(ms)); }

/// Expects rows_ sorted by cost. A pass without a layer takes the layer of the cheapest pass with one, if it costs clearly more.
void Profile::chooseLayers() {
    std::array<Row*, kLayers> holders{};
    std::vector<int> layers(names_.size(), kLayers);
    for (Row& row : rows_) {
        row.layer = layerOf_[numbers_.at(row.name)];
        if (row.layer < kLayers) holders[static_cast<std::size_t>(row.layer)] = &row;
    }
    for (Row& row : rows_) {
        if (row.layer < kLayers) continue;
        const auto cheapest = std::min_element(holders.begin(), holders.end(),
                                               [](const Row* a, const Row* b) { return (a ? a->mean : -1.0) < (b ? b->mean : -1.0); });
        if (*cheapest && row.mean < kClearlyDearer * (*cheapest)->mean) break;  // the remaining passes are cheaper
        row.layer = static_cast<int>(cheapest - holders.begin());
        if (*cheapest) (*cheapest)->layer = kLayers;
        *cheapest = &row;
    }
    for (const Row& row : rows_) layers[numbers_.at(row.name)] = row.layer;
    layerOf_ = std::move(layers);
}

void Profile::update() {
    if (!std::exchange(stale_, false)) return;
    std::vector<std::vector<float>> times(names_.size());
    std::vector<Row> rows(names_.size());
    double total = 0.0;
    for (const Frame& f : frames_) {
        const bool newest = &f == &frames_.back();
        for (const Sample& s : f.passes) {
            Row& row = rows[s.pass];
            times[s.pass].push_back(s.ms);
            row.mean += static_cast<double>(s.ms);
            row.calls = s.calls;
            if (newest) row.last = static_cast<double>(s.ms);
            total += static_cast<double>(s.ms);
        }
    }
    rows_.clear();
    for (std::size_t n = 0; n < names_.size(); ++n) {
        if (times[n].empty()) continue;
        Row& row = rows[n];
        times[n].resize(frames_.size());  // 0 ms in frames without the pass
        row.name = names_[n];
        row.p95 = percentile(times[n], 0.95);
        row.share = total > 0.0 ? row.mean / total : 0.0;
        row.mean /= static_cast<double>(frames_.size());
        rows_.push_back(std::move(row));
    }
    std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.mean > b.mean; });
    chooseLayers();
    layers_.assign(frames_.size(), {});
    for (std::size_t i = 0; i < frames_.size(); ++i)
        for (const Sample& s : frames_[i].passes) layers_[i][static_cast<std::size_t>(layerOf_[s.pass])] += s.ms;
}

const std::vector<Profile::Row>& Profile::rows() {
    update();
    return rows_;
}

const std::vector<Profile::Layers>& Profile::layers() {
    update();
    return layers_;
}

std::vector<Profile::Row> Profile::passesOf(std::size_t picture) const {
    std::vector<Row> rows;
    for (const Sample& s : frames_.at(picture).passes)
        rows.push_back({.name = names_[s.pass], .calls = s.calls, .last = static_cast<double>(s.ms), .layer = layerOf_[s.pass]});
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.last > b.last; });
    return rows;
}

std::vector<float> Profile::series(double FrameCost::*member) const {
    std::vector<float> values;
    for (const Frame& f : frames_) values.push_back(static_cast<float>(f.cost.*member));
    return values;
}

std::vector<float> Profile::gpu() const {
    std::vector<float> values;
    for (const Frame& f : frames_)
        values.push_back(std::accumulate(f.passes.begin(), f.passes.end(), 0.0f, [](float sum, const Sample& s) { return sum + s.ms; }));
    return values;
}

std::vector<float> Profile::quality(std::size_t number) const {
    std::vector<float> values;
    for (const auto& q : quality_) values.push_back(q.at(number));
    return values;
}

std::string Profile::csv() {
    std::string text = "name,calls,mean_ms,p95_ms,last_ms,share,value,unit\n";
    for (const Row& r : rows())
        text += fmt::format("{},{},{:.4f},{:.4f},{:.4f},{:.4f},,\n", r.name, r.calls, r.mean, r.p95, r.last, r.share);
    const auto times = [&](const char* name, const std::vector<float>& values) {
        const Spread s = spreadOf(values);
        text += fmt::format("{},{},{:.4f},{:.4f},{:.4f},,,\n", name, values.size(), s.mean, s.p95, s.last);
    };
    times("GPU of a picture", gpu());
    times("frame", series(&FrameCost::frame));
    times("CPU recording", series(&FrameCost::record));
    times("CPU panels", series(&FrameCost::panels));
    times("input to picture", inputAges());
    for (std::size_t i = 0; i < kQuality.size() && !quality_.empty(); ++i)
        text += fmt::format("{},{},,,,,{:.6g},{}\n", kQuality[i].name, quality_.size(), quality_.back()[i], kQuality[i].unit);
    return text;
}

}  // namespace wisp::app
