// SPDX-License-Identifier: MIT
// usage: wisp_library_steps SCENE WARMUP STEPS [KEY=VALUE...]. Prints the time of a step through the library in milliseconds: the mean of
// STEPS steps after WARMUP steps, waiting included. scripts/library_steps.py compares it with `wisp bench`.
#include <wisp/wisp.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

namespace {

void run(int count, char** arguments) {
    wisp::Scene scene = wisp::Scene::load(arguments[1]);
    for (int n = 4; n < count; ++n) {
        const std::string option = arguments[n];
        const std::size_t equals = option.find('=');
        scene.set(option.substr(0, equals), wisp::Value::toml(option.substr(equals + 1)));
    }
    const auto warmup = static_cast<std::uint32_t>(std::atoi(arguments[2])), steps = static_cast<std::uint32_t>(std::atoi(arguments[3]));
    const wisp::Device device;
    wisp::Simulation simulation(device, scene);
    simulation.step(warmup);
    simulation.wait();
    const auto start = std::chrono::steady_clock::now();
    simulation.step(steps);
    simulation.wait();
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    std::printf("%.6f\n", time.count() / steps);
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 4 || std::atoi(arguments[3]) < 1) {
        std::fputs("usage: wisp_library_steps SCENE WARMUP STEPS [KEY=VALUE...]\n", stderr);
        return 2;
    }
    try {
        run(count, arguments);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "error: %s\n", e.what());
        return 1;
    }
}
