// SPDX-License-Identifier: MIT
// Simulates a plume and writes a picture of it. usage: smoke_png [FILE [STEPS]]
#include <wisp/wisp.h>

#include <png.h>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace {

void writePng(const std::string& file, const wisp::PictureData& picture) {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    png.width = picture.width;
    png.height = picture.height;
    png.format = PNG_FORMAT_RGBA;
    if (!png_image_write_to_file(&png, file.c_str(), 0, picture.rgba.data(), 0, nullptr))
        throw std::runtime_error(file + ": " + png.message);
}

}  // namespace

int main(int argc, char** argv) try {
    const wisp::Device device;
    wisp::Scene scene = wisp::Scene::load("plume");
    scene.set("grid.cells", {80, 112, 80}).set("flow.vorticity", 0.6);

    wisp::Simulation simulation(device, scene);
    simulation.step(argc > 2 ? static_cast<std::uint32_t>(std::stoul(argv[2])) : 90);

    wisp::Renderer renderer(simulation, {.width = 360, .height = 640});
    renderer.draw();
    writePng(argc > 1 ? argv[1] : "smoke.png", renderer.read());
    std::printf("%s: %.2f s of smoke, mass %.4f kg\n", device.name().c_str(), simulation.time(), simulation.quality().mass);
} catch (const wisp::Error& e) {
    std::fprintf(stderr, "error %d: %s\n", static_cast<int>(e.code()), e.what());
    return 1;
}
