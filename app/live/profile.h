// SPDX-License-Identifier: MIT
#pragma once

#include "compute/sim/quality.h"
#include "engine/frame_timer.h"

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wisp::app {

/// CPU time that the calling thread has used [s]: without its waits.
double threadCpuTime();

/// What a picture of the window took, besides the GPU's time [ms].
struct PictureCost {
    double frame = 0.0;   ///< by the clock, from the picture before
    double record = 0.0;  ///< CPU time of recording and submitting
    double panels = 0.0;  ///< CPU time of events and panels
};

/// How some times are spread [ms]; all 0 where there are none.
struct Spread {
    double mean = 0.0, median = 0.0, p95 = 0.0, p99 = 0.0, most = 0.0, last = 0.0;
};

/// One of the quality numbers that are kept.
struct QualityNumber {
    const char *name, *unit;
    double Quality::*value;
};

/// Times and quality numbers of the last pictures, for the profiler's panel.
class Profile {
public:
    static constexpr std::size_t kHistory = 240;  ///< pictures; as many events and measurements
    static constexpr int kLayers = 8;             ///< passes that a plot tells apart
    static const std::array<QualityNumber, 6> kQuality;

    /// A picture; passes of the same name are added up, scopes left out.
    void add(const std::vector<engine::PassTime>& passes, const PictureCost& cost);
    void addQuality(const Quality& quality);
    void addInputAge(double ms);  ///< see InputAge

    struct Row {
        std::string name;
        std::uint32_t calls = 0;                   ///< in the newest picture that has it
        double mean = 0.0, p95 = 0.0, last = 0.0;  ///< over the history's pictures; of the newest one [ms]
        double share = 0.0;                        ///< of all passes' time
        int layer = kLayers;                       ///< of the plot; kLayers: with the others
    };
    /// The dearest first. Worked out once a picture.
    const std::vector<Row>& rows();

    using Layers = std::array<float, kLayers + 1>;  ///< [ms], the last of all others
    /// GPU time of each picture of the history, the oldest first. A pass keeps its layer while it is among the dearest.
    const std::vector<Layers>& layers();
    /// The passes of such a picture, the dearest first.
    [[nodiscard]] std::vector<Row> passesOf(std::size_t picture) const;

    [[nodiscard]] std::size_t pictures() const { return frames_.size(); }
    [[nodiscard]] std::vector<float> series(double PictureCost::*member) const;
    [[nodiscard]] std::vector<float> gpu() const;  ///< sums of passes
    [[nodiscard]] std::vector<float> inputAges() const { return {inputAges_.begin(), inputAges_.end()}; }
    [[nodiscard]] std::vector<float> quality(std::size_t number) const;  ///< of kQuality

    /// name,calls,mean_ms,p95_ms,last_ms,share,value,unit: a line a pass, then GPU, frame, CPU, input to picture; quality numbers with
    /// their values alone.
    [[nodiscard]] std::string csv();

private:
    struct Sample {
        std::uint32_t pass = 0;  // index into names_
        std::uint32_t calls = 0;
        float ms = 0.0f;
    };
    struct Frame {
        std::vector<Sample> passes;
        PictureCost cost;
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
    bool stale_ = true;         ///< what follows
    std::vector<Row> rows_;
    std::vector<Layers> layers_;
};

/// GPU time of a step's passes that carry smoke [ms]; none where there is no step among these.
std::optional<double> carryingTime(const std::vector<engine::PassTime>& passes);

Spread spreadOf(std::vector<float> values);

}  // namespace wisp::app
