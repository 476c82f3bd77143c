// SPDX-License-Identifier: MIT
#include "engine/device_peaks.h"

#include <glm/vec4.hpp>

#include <algorithm>

namespace wisp::engine {
namespace {

struct ArithmeticPush {
    glm::vec4 a{1.0f}, b{0.0f};
};
WISP_MEMBERS(ArithmeticPush, a, b)

constexpr VkDeviceSize kMiB = VkDeviceSize{1} << 20;
constexpr std::uint32_t kRow = 16384;           // threads of a copy along x
constexpr double kMinTime = 2.0;                // [ms] shorter measurements are too inaccurate
constexpr std::uint32_t kImageEdge = 64;        // of the sampled image [texels]
constexpr std::uint32_t kMaxThreadsZ = 131072;  // a group is four deep, and every device allows 65535 groups

class Measurement {
public:
    explicit Measurement(Device& device) : device_(device), shaders_(device, peakShaders(), {.kept = false}) {}

    void copies(DevicePeaks& peaks);
    double operations();
    double reads(std::string_view pass);

private:
    /// Shortest GPU time of the pass in several frames [ms]. The first frame, which touches pages and creates pipelines, does not count.
    double bestTime(std::string_view pass, const std::function<void(Recorder&)>& record) {
        constexpr int kRuns = 5;
        std::vector<double> times;
        Recorder rec(device_, shaders_, {.timing = Timing::Passes, .readbackBytes = 0});
        rec.onTimes = [&](const std::vector<PassTime>& list) {
            for (const PassTime& t : list)
                if (t.name == pass) times.push_back(t.ms);
        };
        for (int n = 0; n <= kRuns; ++n) {
            rec.begin();
            record(rec);
            rec.submit();
        }
        rec.finish();
        return *std::min_element(times.begin() + 1, times.end());
    }

    /// Work of a pass per second, where each thread does `each`. Increases the number of threads until the pass takes at least kMinTime.
    double rate(std::string_view pass, double each, glm::uvec3 threads, glm::length_t grows, std::uint32_t most,
                const std::function<void(Recorder&, glm::uvec3)>& record) {
        for (;; threads[grows] *= 8) {
            const double ms = bestTime(pass, [&](Recorder& rec) { record(rec, threads); });
            if (ms < kMinTime && threads[grows] * 8 <= most) continue;
            const double count = static_cast<double>(threads.x) * threads.y * threads.z;
            return ms > 0.0 ? each * count / ms * 1e3 : 0.0;
        }
    }

    Device& device_;
    ShaderLibrary shaders_;
};

/// Much larger than the caches, which have 50 MB on large GPUs.
VkDeviceSize copiedBytes(Device& device) {
    const VkDeviceSize wanted = device.isCpu() ? 64 * kMiB : device.report().type == "discrete" ? 1024 * kMiB : 256 * kMiB;
    const VkDeviceSize row = kRow * sizeof(glm::uvec4), limit = device.report().limits.maxStorageBufferRange;
    return std::min({wanted, limit, device.memory().available() / 4}) / row * row;
}

void Measurement::copies(DevicePeaks& peaks) {
    const VkDeviceSize bytes = copiedBytes(device_);
    if (bytes < kMiB) return;
    const Buffer from(device_, {.name = "copy from", .bytes = bytes}), to(device_, {.name = "copy to", .bytes = bytes});
    const auto rows = static_cast<std::uint32_t>(bytes / (kRow * sizeof(glm::uvec4)));
    {
        Recorder rec(device_, shaders_, {.timing = Timing::Off, .readbackBytes = 0});
        rec.begin();
        rec.clear(from, 0);  // untouched pages would all map to the same physical page
        rec.submit();
    }
    const double shader = bestTime("peak_copy", [&](Recorder& rec) {
        rec.dispatch("peak_copy", {kRow, rows, 1}, {{"from", from}, {"to", to}}, kRow);
    });
    const double command = bestTime("copy", [&](Recorder& rec) { rec.copy(from, to); });
    peaks.copiedByShader = shader < command;
    const double ms = std::min(shader, command);
    if (ms > 0.0) peaks.copy = 2.0 * static_cast<double>(bytes) / ms * 1e3;
}

double Measurement::operations() {
    const Buffer result(device_, {.name = "peak result", .bytes = sizeof(float)});
    const ArithmeticPush push;
    return rate("peak_arithmetic", kPeakOperations, {4096, 4, 1}, 1, 65535, [&](Recorder& rec, glm::uvec3 threads) {
        rec.dispatch("peak_arithmetic", threads, {{"result", result}}, push);
    });
}

double Measurement::reads(std::string_view pass) {
    const Buffer result(device_, {.name = "peak result", .bytes = sizeof(float)});
    const Image field(device_, {.name = "peak field", .size = glm::uvec3(kImageEdge), .format = VK_FORMAT_R16G16B16A16_SFLOAT});
    // Noise between 1 and 2, because hardware may process constant images faster.
    std::vector<std::uint16_t> halves(field.bytes() / sizeof(std::uint16_t));
    std::uint32_t random = 1;
    for (std::uint16_t& h : halves) h = static_cast<std::uint16_t>(0x3c00u | (random = random * 1664525u + 1013904223u) >> 22);
    {
        Recorder rec(device_, shaders_, {.timing = Timing::Off, .readbackBytes = 0});
        rec.begin();
        rec.upload(field, std::as_bytes(std::span(halves)));
        rec.submit();
        rec.finish();
    }
    return rate(pass, kPeakReads, {kImageEdge, kImageEdge, 4}, 2, kMaxThreadsZ, [&](Recorder& rec, glm::uvec3 threads) {
        rec.dispatch(pass, threads, {{"field", field}, {"result", result}});
    });
}

}  // namespace

double measureSamples(Device& device) {
    const double samples = Measurement(device).reads("peak_samples");
    device.collect();
    return samples;
}

DevicePeaks measureDevicePeaks(Device& device) {
    DevicePeaks peaks;
    {
        Measurement m(device);
        m.copies(peaks);
        peaks.operations = m.operations();
        peaks.samples = m.reads("peak_samples");
        peaks.fetches = m.reads("peak_fetches");
    }
    device.collect();
    return peaks;
}

}  // namespace wisp::engine
