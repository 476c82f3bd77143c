// SPDX-License-Identifier: MIT
// Occupancy and light volumes.
#include "tests/gpu/pass_light.h"

namespace wisp::test {
namespace {

INSTANTIATE_TEST_SUITE_P(PeriodicAxes, PassLight, testing::Values(0, 5));

TEST_P(PassLight, Occupancy) {
    Field sparse = random(step.scalarCells, 1, 0.0, 1.0);
    const engine::Image s = toGpu(sparse, VK_FORMAT_R32_SFLOAT);
    const Field twin = occupancy(step, sparse);
    const engine::Image bricks = target(twin.size(), VK_FORMAT_R32_SFLOAT);
    pass("occupancy", twin.size() * ivec3(WISP_BRICK_THREADS, 1, 1), {{"scalars", s}, {"occupancyOut", bricks}});
    expectNear(fromGpu(bricks), twin, 0.0, false);
}

TEST_P(PassLight, LightVolume) {
    clearHalf();
    Field sky = smoothField(view->skyCells, 1, 0.3, 0.9);
    const engine::Image light = target(view->lightCells, VK_FORMAT_R32G32B32A32_SFLOAT), bricks = bricksToGpu(), skyImage = toGpu(sky, VK_FORMAT_R32_SFLOAT);
    for (const int number : {2, 4}) {
        useLights(number);
        pass("light_volume", view->lightCells, {{"scalars", scalarImage}, {"occupancy", bricks}, {"sky", skyImage}, {"light", light}});
        const auto volume = [&](double m) { return lightVolume(step, *view, scalars, sky, lights, m); };
        expectShadowsNear(fromGpu(light), volume(-margin()), volume(margin()), lights);
        if (lights == 4) continue;
        const Field gpu = fromGpu(light), twin = volume(0.0);
        forEach(gpu.size(), [&](ivec3 c) { EXPECT_NEAR(gpu(c).w, twin(c).w, kFilter * steepest(sky) + 1e-6) << c.x << " " << c.y << " " << c.z; });
    }
}

// The ground shadows what a light below it would reach, and half of the sky's directions.
TEST_P(PassLight, VolumesOverAGround) {
    useLights(2, {{8, 1}});
    view->lights[0].towards = glm::normalize(glm::vec3(0.4f, -0.3f, 0.45f));
    const engine::Image light = target(view->lightCells, VK_FORMAT_R32G32B32A32_SFLOAT), sky = target(view->skyCells, VK_FORMAT_R32_SFLOAT);
    const engine::Image bricks = bricksToGpu();
    pass("sky_volume", view->skyCells, {{"scalars", scalarImage}, {"occupancy", bricks}, {"sky", sky}});
    pass("light_volume", view->lightCells, {{"scalars", scalarImage}, {"occupancy", bricks}, {"sky", sky}, {"light", light}});
    const auto volume = [&](double m) { return lightVolume(step, *view, scalars, fromGpu(sky), lights, m, true); };
    expectShadowsNear(fromGpu(light), volume(-margin()), volume(margin()), lights);
    EXPECT_EQ(fromGpu(light)(ivec3(0)).x, 0.0);
    expectShadowsNear(fromGpu(sky), skyVolume(step, *view, scalars, -margin(), true), skyVolume(step, *view, scalars, margin(), true), 1);
}

TEST_P(PassLight, SkyVolume) {
    clearHalf();
    const engine::Image sky = target(view->skyCells, VK_FORMAT_R32_SFLOAT), bricks = bricksToGpu();
    pass("sky_volume", view->skyCells, {{"scalars", scalarImage}, {"occupancy", bricks}, {"sky", sky}});
    expectShadowsNear(fromGpu(sky), skyVolume(step, *view, scalars, -margin()), skyVolume(step, *view, scalars, margin()), 1);
}

}  // namespace
}  // namespace wisp::test
