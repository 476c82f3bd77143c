// SPDX-License-Identifier: MIT
// The demo at its default settings: the ball must be visible through the smoke.
#include "compute/picture/volume_renderer.h"
#include "compute/scene/motion.h"
#include "compute/sim/fluid_simulator.h"
#include "compute/sim/shaders.h"
#include "files/scene/scene.h"
#include "tests/support/gpu_test.h"
#include "tests/support/verification.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace wisp::test {
namespace {

class Demo : public GpuTest {
protected:
    using Bytes = std::vector<std::uint8_t>;

    /// Pictures with a ball of this colour, with or without smoke.
    std::unique_ptr<VolumeRenderer> pictureWith(Settings s, glm::vec3 colour, bool smoke) {
        s.render.obstacleColour = colour;
        if (!smoke) s.medium.extinction = 0.0f;
        return std::make_unique<VolumeRenderer>(device(), s);
    }

    static double difference(const Bytes& a, const Bytes& b) {
        double sum = 0.0;
        for (std::size_t i = 0; i < a.size(); ++i) sum += i % 4 == 3 ? 0.0 : std::abs(static_cast<double>(a[i]) - b[i]);
        return sum;
    }
};

// The smoke in front of the ball reduces the difference between pictures with a red and a blue ball to this fraction. A coarser grid has
// thicker smoke. The full size is that of the scene.
TEST_F(Demo, TheBallIsVisible) {
    SceneOptions options;
    options.overrides = {{"test", "render.size", "[96, 54]"}};
    if (!fullSizes())  // cheaper light, which does not change how visible the ball is
        for (const auto& [key, value] :
             {std::pair("grid.cells", "[64, 32, 32]"), {"render.scattering", "octaves"}, {"render.light_ratio", "4"}})
            options.overrides.push_back({"test", key, value});
    const Settings settings = loadScene(findScene("smoke"), options);
    const PooledLibrary shaders = pooledLibrary(device(), embeddedShaders(), shaderOptions(settings));
    FluidSimulator simulator(device(), settings);
    std::vector<std::unique_ptr<VolumeRenderer>> pictures;
    for (const bool smoke : {true, false})
        for (const glm::vec3& colour : {glm::vec3(1.0f, 0.0f, 0.0f), glm::vec3(0.0f, 0.0f, 1.0f)})
            pictures.push_back(pictureWith(settings, colour, smoke));
    engine::Recorder rec(
        device(), *shaders,
        {.timing = engine::Timing::Off, .readbackBytes = pictures.size() * pictures[0]->display().bytes() + kSolveReadback});
    double least = 1.0, sum = 0.0;
    constexpr int kFrames = 240;
    const int every = sized(4, 1);
    for (int frame = 0; frame < kFrames; frame += every) {
        std::vector<Bytes> seen(pictures.size());
        rec.begin();
        if (frame == 0) simulator.reset(rec);
        for (int n = 0; n < 2 * every; ++n) simulator.step(rec);
        for (std::size_t n = 0; n < pictures.size(); ++n) {
            pictures[n]->setCamera(cameraAt(settings, simulator.time()));
            pictures[n]->draw(rec, simulator.fields());
            rec.read(pictures[n]->display(), [&, n](std::span<const std::byte> bytes) {
                seen[n].resize(bytes.size());
                std::memcpy(seen[n].data(), bytes.data(), bytes.size());
            });
        }
        rec.submit();
        rec.finish();
        const double contrast = difference(seen[0], seen[1]), clear = difference(seen[2], seen[3]);
        ASSERT_GT(clear, 1000.0) << "frame " << frame;
        least = std::min(least, contrast / clear);
        sum += contrast / clear;
    }
    EXPECT_GE(least, 0.3);
    EXPECT_GE(sum * every / kFrames, 0.5);
    RecordProperty("least", std::to_string(least));
    RecordProperty("mean", std::to_string(sum * every / kFrames));
}

}  // namespace
}  // namespace wisp::test
