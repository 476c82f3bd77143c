// SPDX-License-Identifier: MIT
// The program moves a sphere through smoke along a circle, and prints the force of the smoke on it. usage: move_sphere [STEPS]
#include <wisp/wisp.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) try {
    const int steps = argc > 1 ? std::atoi(argv[1]) : 60;
    const wisp::Device device;
    const wisp::Scene scene = wisp::Scene::parse(R"(
        [grid]
        cells = [64, 64, 64]
        size = [1.0, 1.0, 1.0]
        [[initial]]
        shape = "box"
        min = [0.1, 0.1, 0.1]
        max = [0.9, 0.6, 0.9]
        density = 1.0
        [[obstacle]]
        shape = "sphere"
        centre = [0.75, 0.5, 0.5]
        radius = 0.1
    )");
    wisp::Simulation simulation(device, scene);
    wisp::Obstacle sphere = simulation.obstacle(0);
    for (int n = 1; n <= steps; ++n) {
        const double angle = 2.0 * simulation.timeStep() * n;  // 2 rad/s
        sphere.place({static_cast<float>(0.5 + 0.25 * std::cos(angle)), 0.5f, static_cast<float>(0.5 + 0.25 * std::sin(angle))});
        simulation.step();
        if (n % 10 != 0) continue;
        const auto centre = sphere.centre();
        const auto force = simulation.quality().bodies.at(0).force;
        std::printf("%.2f s: sphere at (%.3f, %.3f, %.3f), force (%+.5f, %+.5f, %+.5f) N\n", simulation.time(),
                    static_cast<double>(centre[0]), static_cast<double>(centre[1]), static_cast<double>(centre[2]), force[0], force[1],
                    force[2]);
    }
} catch (const wisp::Error& e) {
    std::fprintf(stderr, "error %d: %s\n", static_cast<int>(e.code()), e.what());
    return 1;
}
