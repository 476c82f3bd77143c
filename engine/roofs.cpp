// SPDX-License-Identifier: MIT
#include "engine/roofs.h"

#include <glm/vec4.hpp>

#include <algorithm>

namespace wisp::engine {
namespace {

struct ArithmeticPush {
    glm::vec4 a{1.0f}, b{0.0f};
};
WISP_MEMBERS(ArithmeticPush, a, b)

constexpr VkDeviceSize kMiB = VkDeviceSize{1} << 20;
constexpr std::uint32_t kRow = 16384;          // threads of a copy along x
constexpr double kLong = 2.0;                  // [ms] from which on a time says something
constexpr std::uint32_t kImage = 64;           // edge of the image that is sampled
constexpr std::uint32_t kMostLayers = 131072;  // of threads over it: a group is four deep, and every device takes 65535 of them

class Measurement {
public:
    explicit Measurement(Device& device) : device_(device), shaders_(device, roofShaders(), {.kept = false}) {}

    void copies(Roofs& roofs);
    double operations();
    double reads(std::string_view pass);

private:
    /// Of the pass in frames of it [ms]; the first, which makes pages and pipelines, is left out.
    double bestTime(std::string_view pass, const std::function<void(Recorder&)>& record) {
        constexpr int kRuns = 5;
        std::vector<double> times;
        Recorder rec(device_, shaders_, {.timing = Timing::Passes});
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

    /// What a pass does a second of which a thread does `each`, with ever more threads until it takes long enough to be timed.
    double rate(std::string_view pass, double each, glm::uvec3 threads, glm::length_t grows, std::uint32_t most,
                const std::function<void(Recorder&, glm::uvec3)>& record) {
        for (;; threads[grows] *= 8) {
            const double ms = bestTime(pass, [&](Recorder& rec) { record(rec, threads); });
            if (ms < kLong && threads[grows] * 8 <= most) continue;
            const double count = static_cast<double>(threads.x) * threads.y * threads.z;
            return ms > 0.0 ? each * count / ms * 1e3 : 0.0;
        }
    }

    Device& device_;
    ShaderLibrary shaders_;
};

/// Far more than caches hold: those of large cards hold 50 MB.
VkDeviceSize copiedBytes(Device& device) {
    const VkDeviceSize wanted = device.isCpu() ? 64 * kMiB : device.report().type == "discrete" ? 1024 * kMiB : 256 * kMiB;
    const VkDeviceSize row = kRow * sizeof(glm::uvec4), limit = device.report().limits.maxStorageBufferRange;
    return std::min({wanted, limit, device.memory().available() / 4}) / row * row;
}

void Measurement::copies(Roofs& roofs) {
    const VkDeviceSize bytes = copiedBytes(device_);
    if (bytes < kMiB) return;
    const Buffer from(device_, {.name = "copy from", .bytes = bytes}), to(device_, {.name = "copy to", .bytes = bytes});
    const auto rows = static_cast<std::uint32_t>(bytes / (kRow * sizeof(glm::uvec4)));
    {
        Recorder rec(device_, shaders_, {.timing = Timing::Off});
        rec.begin();
        rec.clear(from, 0);  // pages that nobody has touched would all be one
        rec.submit();
    }
    const double shader = bestTime("roof_copy", [&](Recorder& rec) {
        rec.dispatch("roof_copy", {kRow, rows, 1}, {{"from", from}, {"to", to}}, kRow);
    });
    const double command = bestTime("copy", [&](Recorder& rec) { rec.copy(from, to); });
    roofs.copiedByShader = shader < command;
    const double ms = std::min(shader, command);
    if (ms > 0.0) roofs.copy = 2.0 * static_cast<double>(bytes) / ms * 1e3;
}

double Measurement::operations() {
    const Buffer result(device_, {.name = "roof result", .bytes = sizeof(float)});
    const ArithmeticPush push;
    return rate("roof_arithmetic", kRoofOperations, {4096, 4, 1}, 1, 65535, [&](Recorder& rec, glm::uvec3 threads) {
        rec.dispatch("roof_arithmetic", threads, {{"result", result}}, push);
    });
}

double Measurement::reads(std::string_view pass) {
    const Buffer result(device_, {.name = "roof result", .bytes = sizeof(float)});
    const Image field(device_, {.name = "roof field", .size = glm::uvec3(kImage), .format = VK_FORMAT_R16G16B16A16_SFLOAT});
    // Noise between 1 and 2, since hardware may be quick with images that are all one value.
    std::vector<std::uint16_t> halves(field.bytes() / sizeof(std::uint16_t));
    std::uint32_t random = 1;
    for (std::uint16_t& h : halves) h = static_cast<std::uint16_t>(0x3c00u | (random = random * 1664525u + 1013904223u) >> 22);
    {
        Recorder rec(device_, shaders_, {.timing = Timing::Off});
        rec.begin();
        rec.upload(field, std::as_bytes(std::span(halves)));
        rec.submit();
        rec.finish();
    }
    return rate(pass, kRoofReads, {kImage, kImage, 4}, 2, kMostLayers, [&](Recorder& rec, glm::uvec3 threads) {
        rec.dispatch(pass, threads, {{"field", field}, {"result", result}});
    });
}

}  // namespace

double measureSamples(Device& device) {
    const double samples = Measurement(device).reads("roof_samples");
    device.collect();
    return samples;
}

Roofs measureRoofs(Device& device) {
    Roofs roofs;
    {
        Measurement m(device);
        m.copies(roofs);
        roofs.operations = m.operations();
        roofs.samples = m.reads("roof_samples");
        roofs.fetches = m.reads("roof_fetches");
    }
    device.collect();
    return roofs;
}

}  // namespace wisp::engine
