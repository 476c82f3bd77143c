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

// Vectors towards a sun, along two axes and along a diagonal. Two lengths: a first step, and a step that leaves the box from most
// positions.
TEST_P(PassLight, OpticalDepth) {
    for (const double length : {0.08, 0.4}) {
        const std::vector<dvec3> ways{length * dvec3(view->lights[0].towards),
                                      {0.0, -length, 0.0},
                                      {0.0, 0.0, length},
                                      length * glm::normalize(dvec3(-1.0, 1.0, -1.0))};
        const engine::Image depths = target(view->skyCells, VK_FORMAT_R32G32B32A32_SFLOAT);
        pass("optical_depth", view->skyCells, {{"scalars", scalarImage}, {"occupancy", scalarImage}, {"depth", depths}}, push(ways));
        // The filter's error of a sample. The exit through a side of the box is exact up to rounding.
        const double tolerance = double(view->extinction) * length * (kFilter * steepest(scalars, period(step, step.scalarCells)) + 1e-5);
        expectNear(fromGpu(depths), opticalDepth(step, *view, scalars, ways), tolerance, false);

        Field known = smoothField(view->skyCells, 4, 0.2, 1.5);
        const engine::Image knownImage = toGpu(known, VK_FORMAT_R32G32B32A32_SFLOAT);
        pass("optical_depth_double", view->skyCells, {{"depthIn", knownImage}, {"depth", depths}}, push(ways));
        // Near a side, the factor of a sample is a quotient of differences of coordinates. The coordinates have errors of 2^-24, and the
        // differences are at least half a cell.
        expectNear(fromGpu(depths), opticalDepthDouble(step, known, ways), kFilter * steepest(known) + 1e-5, false);
    }
}

// Unused directions cost nothing and contain 0. Depths stop at a limit where no light comes through.
TEST_P(PassLight, OpticalDepthOfOneSunInDenseSmoke) {
    view->extinction = 1e6f;
    const engine::Image depths = target(view->skyCells, VK_FORMAT_R32G32B32A32_SFLOAT);
    pass("optical_depth", view->skyCells, {{"scalars", scalarImage}, {"occupancy", scalarImage}, {"depth", depths}},
         push({dvec3(0.0, 0.1, 0.0)}));
    const Field gpu = fromGpu(depths);
    forEach(gpu.size(), [&](ivec3 c) { EXPECT_EQ(gpu(c), dvec4(1000.0, 0.0, 0.0, 0.0)) << c.x << " " << c.y << " " << c.z; });
}

TEST_P(PassLight, LightVolume) {
    clearHalf();
    Field sky = smoothField(view->skyCells, 1, 0.3, 0.9), depths = smoothField(view->skyCells, 4, 0.1, 1.5);
    const engine::Image light = target(view->lightCells, VK_FORMAT_R32G32B32A32_SFLOAT), bricks = bricksToGpu(),
                        skyImage = toGpu(sky, VK_FORMAT_R32_SFLOAT);
    const engine::Image depthImage = toGpu(depths, VK_FORMAT_R32G32B32A32_SFLOAT);
    for (const int number : {2, 4}) {
        useLights(number);
        pass("light_volume", view->lightCells,
             {{"scalars", scalarImage}, {"occupancy", bricks}, {"depthToSuns", depthImage}, {"sky", skyImage}, {"light", light}});
        const auto volume = [&](double m) { return lightVolume(step, *view, scalars, depths, sky, lights, m); };
        expectShadowsNear(fromGpu(light), volume(-margin()), volume(margin()), lights,
                          transmittanceTolerance() + kFilter * steepest(depths));
        if (lights == 4) continue;
        const Field gpu = fromGpu(light), twin = volume(0.0);
        forEach(gpu.size(),
                [&](ivec3 c) { EXPECT_NEAR(gpu(c).w, twin(c).w, kFilter * steepest(sky) + 1e-6) << c.x << " " << c.y << " " << c.z; });
    }
}

// A lamp at the centre of a cell, and one in a corner of cells. In uniform smoke the root is the same in all cells that are nearer than 4
// edges: exp(-optical depth of an edge).
TEST_P(PassLight, RootsAroundALampAreTheSame) {
    step.obstacleCount = 0;
    scalars = Field(step.scalarCells, dvec4(0.5));
    scalarImage = toGpu(scalars, VK_FORMAT_R32_SFLOAT);
    Field sky(view->skyCells, dvec4(0.5)), depths(view->skyCells, dvec4(0.5));
    const engine::Image light = target(view->lightCells, VK_FORMAT_R32G32B32A32_SFLOAT), bricks = bricksToGpu(),
                        skyImage = toGpu(sky, VK_FORMAT_R32_SFLOAT), depthImage = toGpu(depths, VK_FORMAT_R32G32B32A32_SFLOAT);
    const dvec3 cell = boxSize(step) / dvec3(view->lightCells);
    for (const dvec3& at : {dvec3(4.5, 2.5, 2.5), dvec3(4.0, 3.0, 2.0)}) {
        view->lights[1].towards = glm::vec3(dvec3(step.origin) + at * cell);
        pass("light_volume", view->lightCells,
             {{"scalars", scalarImage}, {"occupancy", bricks}, {"depthToSuns", depthImage}, {"sky", skyImage}, {"light", light}});
        const Field gpu = fromGpu(light), twin = lightVolume(step, *view, scalars, depths, sky, 2, 0.0);
        std::size_t near = 0;
        forEach(gpu.size(), [&](ivec3 c) {
            EXPECT_NEAR(gpu(c).y, twin(c).y, 1e-4) << c.x << " " << c.y << " " << c.z;
            if (glm::distance(dvec3(step.origin) + (dvec3(c) + 0.5) * cell, dvec3(view->lights[1].towards)) >= 4.0 * cell.x) return;
            EXPECT_NEAR(gpu(c).y, std::exp(-double(view->extinction) * 0.5 * cell.x), 1e-4);  // a few roundings of distances of 1e-3 m
            ++near;
        });
        EXPECT_GT(near, 100u);
    }
}

// Cells are so fine that the box is longer than two marched distances.
TEST_P(PassLight, LightVolumeBeyondTheMarchedCells) {
    step.obstacleCount = 0;
    view->lightCells = {27, 19, 14};
    Field sky = smoothField(view->skyCells, 1, 0.3, 0.9), depths = smoothField(view->skyCells, 4, 0.1, 1.5);
    const engine::Image light = target(view->lightCells, VK_FORMAT_R32G32B32A32_SFLOAT), bricks = bricksToGpu(),
                        skyImage = toGpu(sky, VK_FORMAT_R32_SFLOAT);
    const engine::Image depthImage = toGpu(depths, VK_FORMAT_R32G32B32A32_SFLOAT);
    pass("light_volume", view->lightCells,
         {{"scalars", scalarImage}, {"occupancy", bricks}, {"depthToSuns", depthImage}, {"sky", skyImage}, {"light", light}});
    expectNear(fromGpu(light), lightVolume(step, *view, scalars, depths, sky, lights, 0.0),
               transmittanceTolerance() + kFilter * (steepest(depths) + steepest(sky)), false);
}

// The ground blocks a light below it and half of the sky's directions.
TEST_P(PassLight, VolumesOverAGround) {
    useLights(2, {{"kHasGround", 1}});
    view->lights[0].towards = glm::normalize(glm::vec3(0.4f, -0.3f, 0.45f));
    const engine::Image light = target(view->lightCells, VK_FORMAT_R32G32B32A32_SFLOAT), bricks = bricksToGpu();
    Field sky = smoothField(view->skyCells, 1, 0.3, 0.9), depths = smoothField(view->skyCells, 4, 0.1, 1.5);
    const engine::Image skyImage = toGpu(sky, VK_FORMAT_R32_SFLOAT), depthImage = toGpu(depths, VK_FORMAT_R32G32B32A32_SFLOAT);
    pass("light_volume", view->lightCells,
         {{"scalars", scalarImage}, {"occupancy", bricks}, {"depthToSuns", depthImage}, {"sky", skyImage}, {"light", light}});
    const auto volume = [&](double m) { return lightVolume(step, *view, scalars, depths, sky, lights, m, true); };
    expectShadowsNear(fromGpu(light), volume(-margin()), volume(margin()), lights, transmittanceTolerance() + kFilter * steepest(depths));
    EXPECT_EQ(fromGpu(light)(ivec3(0)).x, 0.0);
    expectSky(true);
}

TEST_P(PassLight, SkyVolume) { expectSky(false); }

}  // namespace
}  // namespace wisp::test
