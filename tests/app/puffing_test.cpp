// SPDX-License-Identifier: MIT
// A pool fire sheds rings of flame at 1.5 / sqrt(diameter) Hz (Cetegen, Ahmed 1993), from the statistics of the real binary.
#include "tests/app/run_program.h"
#include "tests/support/meshes.h"

#include <glm/gtc/constants.hpp>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

namespace wisp::test {
namespace {

using nlohmann::json;

// A plate with a round hole around y, at -half <= y <= half. The plate reaches as far as `outside`.
Mesh plateWithHole(float radius, float outside, float half) {
    Mesh mesh;
    constexpr std::uint32_t kAlong = 64;
    for (std::uint32_t i = 0; i < kAlong; ++i) {
        const float a = 2.0f * glm::pi<float>() * (static_cast<float>(i) + 0.5f) / kAlong;
        for (const glm::vec2 p : {glm::vec2(radius, -half), {radius, half}, {outside, half}, {outside, -half}})
            mesh.positions.emplace_back(p.x * std::cos(a), p.y, p.x * std::sin(a));
        for (std::uint32_t j = 0; j < 4; ++j) {
            const auto at = [&](std::uint32_t k, std::uint32_t l) { return 4 * (k % kAlong) + l % 4; };
            mesh.triangles.emplace_back(at(i, j), at(i + 1, j + 1), at(i, j + 1));
            mesh.triangles.emplace_back(at(i, j), at(i + 1, j), at(i + 1, j + 1));
        }
    }
    return mesh;
}

// Gas of fuel flows slowly out of a hole in the floor and burns at once. Lengths are in diameters d; the speed and the rate of burning
// are those that grow with the square root of gravity times d, and over it. With fewer than 40 cells across the hole the fire is steady.
std::string sceneOf(double d) {
    std::ostringstream s;
    s << "[grid]\ncells = [200, 280, 200]\nsize = [" << 5.0 * d << ", " << 7.0 * d << ", " << 5.0 * d << "]\norigin = [" << -2.5 * d
      << ", 0, " << -2.5 * d << "]\nsides = { y0 = \"inflow\" }\n[time]\nstep = 0.00833333333\n"
      << "[flow]\nbuoyancy = 0.0335\ninflow = [0, " << 0.16 * std::sqrt(d)
      << ", 0]\nvorticity = 0\nvelocity_decay = 0\nside_fade = " << 0.25 * d << "\n"
      << "[fire]\nburn_rate = " << 19.0 / std::sqrt(d) << "\n[[emitter]]\nshape = \"box\"\nmin = [" << -0.5 * d << ", 0, " << -0.5 * d
      << "]\nmax = [" << 0.5 * d << ", " << 0.5 * d << ", " << 0.5 * d << "]\nfuel = 1\ntemperature = 700\n"
      << "[[obstacle]]\nshape = \"mesh\"\nfile = \"plate.obj\"\ncentre = [0, 0, 0]\nscale = 1\n";
    return s.str();
}

// Share of the power of a signal without trend, at [0.4, 6] Hz, within 0.15 Hz of its strongest frequency.
struct Peak {
    double frequency = 0.0, share = 0.0;
};
Peak peakOf(std::vector<double> v, double dt) {
    double mean = 0.0, slope = 0.0, squares = 0.0, all = 0.0;
    const double middle = 0.5 * double(v.size() - 1);
    for (const double x : v) mean += x / double(v.size());
    for (std::size_t k = 0; k < v.size(); ++k) {
        slope += (double(k) - middle) * v[k];
        squares += (double(k) - middle) * (double(k) - middle);
    }
    for (std::size_t k = 0; k < v.size(); ++k)
        v[k] = (v[k] - mean - slope / squares * (double(k) - middle)) *
               (1.0 - std::cos(2.0 * glm::pi<double>() * double(k) / double(v.size())));
    constexpr double kStep = 0.01;
    std::vector<double> power;
    for (double f = 0.4; f < 6.0; f += kStep) {
        double c = 0.0, s = 0.0;
        for (std::size_t k = 0; k < v.size(); ++k) {
            c += v[k] * std::cos(2.0 * glm::pi<double>() * f * dt * double(k));
            s += v[k] * std::sin(2.0 * glm::pi<double>() * f * dt * double(k));
        }
        power.push_back(c * c + s * s);
        all += power.back();
    }
    Peak peak;
    for (std::size_t n = 15; n + 15 < power.size(); ++n) {
        double near = 0.0;
        for (std::size_t k = n - 15; k <= n + 15; ++k) near += power[k] / all;
        if (near > peak.share) peak = {0.4 + kStep * double(n), near};
    }
    return peak;
}

// What decides the test below: a puff on a trend, beside a weaker and faster one.
TEST(Puffing, ThePeakOfASignalIsFound) {
    const auto signal = [](double puff, double other) {
        std::vector<double> v;
        for (int k = 0; k < 2400; ++k) {
            const double t = k / 120.0;
            v.push_back(50.0 + 3.0 * t + puff * std::sin(2.0 * glm::pi<double>() * 2.37 * t) +
                        other * std::cos(2.0 * glm::pi<double>() * 4.1 * t));
        }
        return v;
    };
    const Peak clear = peakOf(signal(1.0, 0.5), 1.0 / 120), other = peakOf(signal(0.5, 1.0), 1.0 / 120);
    EXPECT_NEAR(clear.frequency, 2.37, 0.03);
    EXPECT_NEAR(clear.share, 0.8, 0.02);  // of 1 + 0.5^2
    EXPECT_NEAR(other.frequency, 4.1, 0.03);
}

TEST(Puffing, APoolFirePuffsAsMeasuredOnes) {
    ScratchFolder scratch;
    const Outcome info = runShell(WISP_BINARY " info --json", scratch.path());
    ASSERT_EQ(info.status, 0) << info.errors;
    const json devices = json::parse(info.output);
    if (std::ranges::all_of(devices, [](const json& d) { return d.at("type") == "cpu"; }))
        GTEST_SKIP() << "60 billion cell steps need a GPU";
    for (const double d : {0.2, 0.4}) {
        const auto f = [](double x) { return static_cast<float>(x); };
        std::ofstream(scratch.path() / "plate.obj") << objOf(plateWithHole(f(0.5 * d), f(5.0 * d), f(0.5 * d)));
        std::ofstream(scratch.path() / "pool.toml") << sceneOf(d);
        const Outcome run = runShell(
            WISP_BINARY " render pool.toml --frames 4 --steps-per-frame 660 --size 16x16 --out a%02d.png --overwrite --stats s.jsonl",
            scratch.path());
        ASSERT_EQ(run.status, 0) << run.errors;
        std::vector<double> heat;
        std::istringstream lines(readFile(scratch.path() / "s.jsonl"));
        for (std::string line; std::getline(lines, line);) heat.push_back(json::parse(line).at("heat_released"));
        ASSERT_EQ(heat.size(), 2640u);
        heat.erase(heat.begin(), heat.begin() + 240);  // 20 s remain
        const Peak peak = peakOf(heat, 1.0 / 120);
        const double expected = 1.5 / std::sqrt(d);
        std::printf("diameter %.1f m: %.2f Hz, expected %.2f; share of the spectrum %.2f\n", d, peak.frequency, expected, peak.share);
        EXPECT_NEAR(peak.frequency, expected, 0.15 * expected);
        EXPECT_GT(peak.share, 5.0 * 0.3 / 5.6) << "of a flat spectrum it would be a fifth of that";
    }
}

}  // namespace
}  // namespace wisp::test
