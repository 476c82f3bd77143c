// SPDX-License-Identifier: MIT
// Pictures at default settings show no grain from the ray steps.
#include "compute/picture/volume_renderer.h"
#include "compute/scene/motion.h"
#include "compute/sim/fluid_simulator.h"
#include "compute/sim/shaders.h"
#include "files/scene/scene.h"
#include "tests/support/gpu_test.h"
#include "tests/support/verification.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <tuple>
#include <vector>

namespace wisp::test {
namespace {

struct Picture {
    std::vector<std::uint8_t> bytes;  // RGBA, display values
    std::vector<float> radiance;      // RGBA
};

class Grain : public GpuTest {
protected:
    Picture drawn(const Settings& s, engine::Recorder& rec, FluidSimulator& simulator) {
        VolumeRenderer renderer(device(), s);
        renderer.setCamera(cameraAt(s, simulator.time()));
        Picture picture;
        rec.begin();
        renderer.draw(rec, simulator.fields());
        rec.read(renderer.display(), [&](std::span<const std::byte> bytes) {
            picture.bytes.resize(bytes.size());
            std::memcpy(picture.bytes.data(), bytes.data(), bytes.size());
        });
        rec.submit();
        rec.finish();
        picture.radiance = download(renderer.radiance());
        return picture;
    }

    /// Rms of display values over the pixels that show smoke. These are the pixels that are brighter in `glowing`, where the smoke emits
    /// light.
    static double difference(const Picture& a, const Picture& b, const Picture& glowing) {
        double sum = 0.0;
        std::size_t count = 0;
        for (std::size_t i = 0; i < a.bytes.size(); i += 4) {
            if (glowing.radiance[i] <= a.radiance[i]) continue;
            for (std::size_t c = 0; c < 3; ++c) sum += std::pow(static_cast<double>(a.bytes[i + c]) - b.bytes[i + c], 2.0);
            count += 3;
        }
        EXPECT_GT(count, a.bytes.size() / 4) << "smoke covers less than a third of the picture";
        return std::sqrt(sum / static_cast<double>(count));
    }

    /// Difference between a picture of a built-in scene after 0.75 s and one with steps of an eighth of a scalar cell. The picture is an
    /// eighth of the full picture along each edge, around `target`, with pixels of the same size. The suite uses a grid with `coarse` times
    /// as many cells along an edge.
    double grainOf(const std::string& scene, glm::vec3 target, double coarse) {
        Settings s = loadScene(findScene(scene));
        if (!fullSizes()) scaleGrid(s.grid, coarse);
        s.render.size /= 8u;
        s.camera.fov = 2.0f * std::atan(std::tan(0.5f * s.camera.fov) / 8.0f);
        s.camera.target = target;
        for (CameraKey& key : s.camera.keys) key.target = target;
        const PooledLibrary shaders = pooledLibrary(device(), embeddedShaders(), shaderOptions(s));
        FluidSimulator simulator(device(), s);
        engine::Recorder rec(device(), *shaders,
                             {.timing = engine::Timing::Off, .readbackBytes = 4u * s.render.size.x * s.render.size.y + kSolveReadback});
        for (int n = 0; n < 90; ++n) {
            rec.begin();
            if (n == 0) simulator.reset(rec);
            simulator.step(rec);
            rec.submit();
        }
        rec.finish();
        Settings fine = s, glowing = s;
        fine.render.step = s.grid.cellSize() / static_cast<float>(8 * s.grid.scalarRatio);
        glowing.medium.emission = glm::vec3(100.0f);
        return difference(drawn(s, rec, simulator), drawn(fine, rec, simulator), drawn(glowing, rec, simulator));
    }
};

// The default step is one scalar cell, and longer in thin smoke. The coarser grid of the suite has longer steps. In small pictures of a
// complete scene, with 160 pixels along the longer edge, the difference is 1 to 2: the steps of a ray use four points of the pixel in turn,
// which is too few for a large pixel.
TEST_F(Grain, WithDefaultStepsIsBelowOneDisplayValue) {
    for (const auto& [scene, target, coarse] :
         {std::tuple("smoke", glm::vec3(0.55f, 0.42f, 0.45f), 0.2), {"plume", glm::vec3(0.5f, 0.3f, 0.5f), 0.3}}) {
        const double grain = grainOf(scene, target, coarse);
        EXPECT_LE(grain, 1.0) << scene;
        RecordProperty(scene, std::to_string(grain));
    }
}

}  // namespace
}  // namespace wisp::test
