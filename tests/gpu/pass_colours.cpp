// SPDX-License-Identifier: MIT
// Coloured smoke in the raymarched image.
#include "tests/gpu/pass_light.h"

namespace wisp::test {
namespace {

// Smoke of uniform density in uniform light. Only its colours vary. The parameter holds the bits of the periodic axes.
class PassColours : public PassLight {
protected:
    void SetUp() override {
        PassLight::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        step.obstacleCount = 0;
        useLights(1, {{"kHasColours", 1}});
        view->lightCells = view->skyCells = {1, 1, 1};
    }

    // Compares the raymarched image of `colours` (density times colour) in smoke of `density` with its twin.
    void expectTwin(double density, Field colours, double tolerance) {
        scalars = Field(step.scalarCells, dvec4(density, 0.0, 0.0, 0.0));
        Field bricks((step.scalarCells + WISP_BRICK - 1) / WISP_BRICK, dvec4(1.0));
        Field light(view->lightCells, dvec4(0.6)), sky(view->skyCells, dvec4(0.4));
        Numbers noise({64, 64, 1}, 0.5);
        view->bricks = bricks.size();
        const engine::Image smoke = toGpu(scalars, VK_FORMAT_R32_SFLOAT), K = toGpu(colours, VK_FORMAT_R32G32B32A32_SFLOAT),
                            b = toGpu(bricks, VK_FORMAT_R32_SFLOAT), l = toGpu(light, VK_FORMAT_R32G32B32A32_SFLOAT),
                            s = toGpu(sky, VK_FORMAT_R32_SFLOAT);
        const engine::Image radiance = image("radiance", {view->pixels, 1}, VK_FORMAT_R32G32B32A32_SFLOAT, true),
                            depth = image("depth", {view->pixels, 1}, VK_FORMAT_R32_SFLOAT, true);
        const engine::Buffer n = toGpu(noise);
        smokeColour = &K;
        pass("raymarch", {view->pixels, 1},
             {{"scalars", smoke},
              {"occupancy", b},
              {"light", l},
              {"sky", s},
              {"scattered", s},
              {"noise", n},
              {"splats", n},
              {"splatColours", n},
              {"radiance", radiance},
              {"depth", depth}});
        smokeColour = nullptr;  // K is destroyed here
        const Field gpu = fromGpu(radiance);
        Field twin(gpu.size());
        forEach(gpu.size(), [&](ivec3 p) {
            twin(p) =
                raymarch(step, *view, scalars, bricks, light, sky, surroundings, lights, kOctaves, p, 0.5, false, false, &colours).radiance;
        });
        expectNear(gpu, twin, tolerance, false);
    }
};
INSTANTIATE_TEST_SUITE_P(PeriodicAxes, PassColours, testing::Values(0, 5));

TEST_P(PassColours, MatchTheirTwin) {
    for (const double variation : {0.0, 0.2}) {  // without variation the filter is exact
        Field colours(step.scalarCells);
        const Field wave = smoothField(step.scalarCells, 3, -variation, variation);
        forEach(step.scalarCells, [&](ivec3 c) { colours(c) = dvec4(0.4, 0.25, 0.2, 0.0) + wave(c); });
        // The filter's error of a colour at a density of 1/2 scales a source below 4. Each of 50 steps has a few roundings.
        expectTwin(0.5, colours, 4.0 * 2.0 * kFilter * steepest(colours, period(step, step.scalarCells)) + 1e-4);
    }
}

// Unclamped MacCormack advection may leave more colour than density, or negative colour. The albedo must stay in [0, 1].
TEST_P(PassColours, StayWithinZeroAndOne) {
    Field colours(step.scalarCells, dvec4(0.9, -0.1, 0.25, 0.0));
    expectTwin(0.5, colours, 1e-4);
}

}  // namespace
}  // namespace wisp::test
