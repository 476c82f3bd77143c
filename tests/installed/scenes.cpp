// SPDX-License-Identifier: MIT
// A program outside of the folder in which wisp is installed. The library finds its files nevertheless. usage: scenes NAME VOLUME.
// NAME: a scene that is only in the folder of installed scenes. VOLUME: a .vdb file, which the library reads through its module.
#include <wisp/wisp.h>

#include <algorithm>
#include <cstdio>
#include <string>

int main(int argc, char** argv) try {
    if (argc != 3) return 2;
    const auto names = wisp::Scene::builtIn();
    for (const std::string& name : {std::string("smoke"), std::string(argv[1])})
        if (std::ranges::find(names, name) == names.end()) throw wisp::Error(wisp::ErrorCode::File, name + " is missing");
    wisp::Scene::load("smoke").check();
    std::printf("%s: %s\n", argv[1], wisp::Scene::load(argv[1]).get("name").c_str());

    wisp::Scene scene;
    scene.add("initial", "{shape = \"volume\", file = \"" + std::string(argv[2]) + "\", density = 1.0}");
    const wisp::Device device;
    wisp::Simulation simulation(device, scene.set("grid.cells", {16, 16, 16}).set("grid.size", {1, 1, 1}));
    const double mass = simulation.quality().mass;
    std::printf("mass %.4f kg\n", mass);
    return mass > 0.0 ? 0 : 1;
} catch (const wisp::Error& e) {
    std::fprintf(stderr, "error %d: %s\n", static_cast<int>(e.code()), e.what());
    return 1;
}
