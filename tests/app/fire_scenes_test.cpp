// SPDX-License-Identifier: MIT
// Pictures of the scenes with fire: raymarch against path tracing.
#include "compute/picture/volume_renderer.h"
#include "compute/scene/motion.h"
#include "compute/sim/fluid_simulator.h"
#include "compute/sim/shaders.h"
#include "files/scene/scene.h"
#include "tests/support/gpu_test.h"
#include "tests/support/verification.h"

#include <cmath>
#include <string>
#include <vector>

namespace wisp::test {
namespace {

class FireScenes : public GpuTest {
protected:
    std::vector<float> drawn(const Settings& s, engine::Recorder& rec, FluidSimulator& simulator, std::uint32_t samples) {
        VolumeRenderer renderer(device(), s);
        renderer.setCamera(cameraAt(s, simulator.time()));
        rec.begin();
        renderer.draw(rec, simulator.fields(), samples);
        rec.submit();
        rec.finish();
        return download(renderer.radiance());
    }
    static double luminance(const float* pixel) {
        return 0.2126 * double(pixel[0]) + 0.7152 * double(pixel[1]) + 0.0722 * double(pixel[2]);
    }
    /// After `steps` steps on a coarse grid: the means of both pictures differ by at most 10 %, and pixels by at most 25 % rms.
    void expectAlike(const std::string& scene, glm::uvec3 cells, int steps) {
        Settings s = loadScene(findScene(scene));
        s.grid.cells = cells;
        s.grid.scalarRatio = 1;
        s.render.size = {96, 54};
        const PooledLibrary shaders = pooledLibrary(device(), embeddedShaders(), shaderOptions(s));
        FluidSimulator simulator(device(), s);
        engine::Recorder rec(device(), *shaders, {.timing = engine::Timing::Off, .readbackBytes = kSolveReadback});
        for (int n = 0; n < steps; ++n) {
            rec.begin();
            if (n == 0) simulator.reset(rec);
            simulator.step(rec);
            rec.submit();
        }
        rec.finish();
        Settings path = s;
        path.render.mode = RenderMode::Path;
        const std::vector<float> marched = drawn(s, rec, simulator, 1), traced = drawn(path, rec, simulator, sized(256u, 2048u));
        double sums[2] = {}, squares = 0.0, difference = 0.0;
        for (std::size_t i = 0; i < traced.size(); i += 4) {
            const double a = luminance(&marched[i]), b = luminance(&traced[i]);
            sums[0] += a;
            sums[1] += b;
            squares += b * b;
            difference += (a - b) * (a - b);
        }
        const double mean = sums[0] / sums[1], rms = std::sqrt(difference / squares);
        RecordProperty(scene + " mean", std::to_string(mean));
        RecordProperty(scene + " rms", std::to_string(rms));
        std::printf("%s: mean of raymarch over that of path %.4f, rms difference over rms %.4f\n", scene.c_str(), mean, rms);
        EXPECT_NEAR(mean, 1.0, 0.1) << scene;
        EXPECT_LT(rms, 0.25) << scene;
    }
};

TEST_F(FireScenes, CampfireLightsItsSurroundingsAsInPathMode) { expectAlike("campfire", {32, 44, 32}, 90); }
TEST_F(FireScenes, ExplosionLightsItsSurroundingsAsInPathMode) { expectAlike("explosion", {40, 48, 40}, 60); }

}  // namespace
}  // namespace wisp::test
