// SPDX-License-Identifier: MIT
#pragma once

#include "wisp/profile.h"
#include "wisp/quality.h"

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wisp::app {

/// CPU time of the calling thread [s], without waits.
double threadCpuTime();

/// CPU cost of a frame of the window [ms].
struct FrameCost {
    double frame = 0.0;   ///< wall-clock time since the previous frame
    double record = 0.0;  ///< CPU time of recording and submitting
    double panels = 0.0;  ///< CPU time of events and panels
};

/// Statistics of a series of times [ms]; all 0 for an empty series.
struct Spread {
    double mean = 0.0, median = 0.0, p95 = 0.0, p99 = 0.0, most = 0.0, last = 0.0;
};

/// A quality number in the history.
struct QualityNumber {
    const char *name, *unit;
    double Quality::*value;
};

/// Times and quality numbers of the last frames, for the profiler panel.
class Profile {
public:
    static constexpr std::size_t kHistory = 240;  ///< frames; also the number of input ages and of measurements
    static constexpr int kLayers = 8;             ///< passes with their own colour in the plot
    static const std::array<QualityNumber, 6> kQuality;

    /// Adds a frame. Passes of the same name are summed; scopes are ignored.
    void add(const std::vector<PassTime>& passes, const FrameCost& cost);
    void addQuality(const Quality& quality);
    void addInputAge(double ms);  ///< see InputAge

    struct Row {
        std::string name;
        std::uint32_t calls = 0;                   ///< in the newest frame that has the pass
        double mean = 0.0, p95 = 0.0, last = 0.0;  ///< over the history; of the newest frame [ms]
        double share = 0.0;                        ///< of the time of all passes
        int layer = kLayers;                       ///< in the plot; kLayers: "others"
    };
    /// Sorted by mean time, most expensive first. Computed once per frame.
    const std::vector<Row>& rows();

    using Layers = std::array<float, kLayers + 1>;  ///< [ms]; the last element is "others"
    /// GPU time of each frame of the history, oldest first. A pass keeps its layer while it is among the most expensive.
    const std::vector<Layers>& layers();
    /// The passes of a frame of the history, most expensive first.
    [[nodiscard]] std::vector<Row> passesOf(std::size_t picture) const;

    [[nodiscard]] std::size_t pictures() const { return frames_.size(); }
    [[nodiscard]] std::vector<float> series(double FrameCost::*member) const;
    [[nodiscard]] std::vector<float> gpu() const;  ///< sum of the passes of each frame
    [[nodiscard]] std::vector<float> inputAges() const { return {inputAges_.begin(), inputAges_.end()}; }
    [[nodiscard]] std::vector<float> quality(std::size_t number) const;  ///< of kQuality

    /// Columns name,calls,mean_ms,p95_ms,last_ms,share,value,unit. One row per pass, then rows for GPU, frame, CPU and input to picture.
    /// The rows of quality numbers have only calls, value and unit.
    [[nodiscard]] std::string csv();

private:
    struct Sample {
        std::uint32_t pass = 0;  // index into names_
        std::uint32_t calls = 0;
        float ms = 0.0f;
    };
    struct Frame {
        std::vector<Sample> passes;
        FrameCost cost;
    };
    void update();
    void chooseLayers();
    std::uint32_t passOf(const std::string& name);

    std::deque<Frame> frames_;
    std::deque<float> inputAges_;
    std::deque<std::array<float, 6>> quality_;
    std::vector<std::string> names_;
    std::map<std::string, std::uint32_t> numbers_;
    std::vector<int> layerOf_;  ///< by pass
    bool stale_ = true;         ///< rows_ and layers_ are out of date
    std::vector<Row> rows_;
    std::vector<Layers> layers_;
};

/// GPU time per step of the passes that advect smoke [ms]; none if `passes` has no step.
std::optional<double> advectionTime(const std::vector<PassTime>& passes);

Spread spreadOf(std::vector<float> values);

}  // namespace wisp::app
