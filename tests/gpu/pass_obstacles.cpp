// SPDX-License-Identifier: MIT
// Obstacles: aperture, distances, swept volumes and fresh cells.
#include "compute/domain/obstacles_push.h"
#include "compute/smoke/push.h"
#include "tests/gpu/pass_test.h"

#include <glm/geometric.hpp>

#include <cmath>

namespace wisp::test {
namespace {

class PassObstacles : public EveryCase {
protected:
    // Makes obstacles move by up to `cells` cells per step.
    void sweep(float cells) {
        for (int n = 0; n < step.obstacleCount; ++n) {
            gpu::ObstacleData& o = step.obstacles[n];
            o.velocity *= cells * step.h / (step.dt * glm::length(o.velocity));
            o.swept = step.dt * (1.0f - 1.0f / cells);
            o.positions = static_cast<int>(std::ceil(cells));
        }
    }
    // Runs the pass in two parts, as a pass over the box of the obstacles is a part of the grid. The first part stores all distances.
    void inParts(const std::vector<engine::Binding>& bindings) {
        const ivec3 all = faces(step), middle(all.x / 2, 0, 0);
        pass("obstacles", all, bindings, ObstaclesPush{ivec3(0), ivec3(0), {middle.x, all.y, all.z}});
        pass("obstacles", all - middle, bindings, ObstaclesPush{middle, middle, all - middle});
    }
    void expectTwin() {
        const engine::Image open = target(faces(step), VK_FORMAT_R8G8B8A8_UNORM), distance = target(step.cells, VK_FORMAT_R16_SFLOAT);
        const engine::Image solid = target(faces(step), vectorFormat());
        inParts({{"aperture", open}, {"distanceOut", distance}, {"solidVelocityOut", solid}});
        // Eight bits store a fraction to 1/510. Distances have an error of 17 eps of coordinates below 2 m. Of these, 9 are Vulkan's
        // allowance for a square root. The error shifts a surface by 17 * 2 eps / h = 4e-5 cells. A face that is nearly parallel to a
        // surface (slope 1/10 at these radii) turns it into 4e-4. A fraction this close to the cut-off of 0.02 may fall on either side: 4 %
        // of 1e-2 of the faces, none expected.
        expectNear(fromGpu(open), obstacles(step), 1.0 / 510.0 + 4e-4, false);
        if (step.obstacleCount > 0) expectNear(fromGpu(distance), solidDistance(step), 4e-5, true);
    }
    // Solids at faces have the velocity of the body there. No velocity is above `fastest`.
    void expectSolidVelocities(double fastest) {
        const engine::Image o = target(faces(step), VK_FORMAT_R8G8B8A8_UNORM), distance = target(step.cells, VK_FORMAT_R16_SFLOAT),
                            solid = target(faces(step), vectorFormat());
        inParts({{"aperture", o}, {"distanceOut", distance}, {"solidVelocityOut", solid}});
        const Field open = fromGpu(o), result = fromGpu(solid), twin = limited(solidVelocities(step, open));
        std::size_t wrong = 0;
        forEach(faces(step), [&](ivec3 c) {
            for (int axis = 0; axis < 3; ++axis) {
                if (!faceExists(step, c, axis) || open(c)[axis] == 1.0) continue;  // a fraction rounded to 1 may have either velocity
                // 12 roundings, plus the rounding of the storage. No face is equally near to two positions or bodies.
                wrong += !(std::abs(result(c)[axis] - twin(c)[axis]) <=
                           12.0 * fastest * kEps + (half() ? std::abs(twin(c)[axis]) / 1024.0 : 0.0));
            }
        });
        EXPECT_EQ(wrong, 0u) << "faces whose solid has another velocity";
    }
};
INSTANTIATE_TEST_SUITE_P(Cases, PassObstacles, testing::ValuesIn(passCases()), nameOf);

TEST_P(PassObstacles, AtRest) { expectTwin(); }

TEST_P(PassObstacles, None) {
    step.obstacleCount = 0;
    expectTwin();
}

TEST_P(PassObstacles, Swept) {
    for (const float cells : {1.5f, 5.0f}) {
        sweep(cells);
        expectTwin();
    }
}

TEST_P(PassObstacles, SolidVelocity) {
    sweep(3.0f);
    expectSolidVelocities(8.0);  // less than 2 m from the centre, at 4 rad/s
}

// The rim of a rotating body may be faster than the limit for the body's centre in a scene.
TEST_P(PassObstacles, SolidVelocityIsLimited) {
    for (int n = 0; n < step.obstacleCount; ++n) step.obstacles[n].angularVelocity *= 1e5f;
    expectSolidVelocities(8e5);
}

// Bodies have moved by three cells. All fresh cells, up to several cells deep, must match the twin.
TEST_P(PassObstacles, Uncover) {
    const Step old = step;
    Field before = obstacles(old), distance = solidDistance(old);
    for (int n = 0; n < step.obstacleCount; ++n) step.obstacles[n].shape.centre += 3.0f * step.h * glm::vec3(0.6f, 0.0f, 0.8f);
    Field open = aperture();
    const engine::Image b = toGpu(before, VK_FORMAT_R8G8B8A8_UNORM), o = toGpu(open, VK_FORMAT_R8G8B8A8_UNORM);
    const engine::Image d = toGpu(distance, VK_FORMAT_R16_SFLOAT);
    for (const auto& [channels, format] : {std::pair(2, scalarFormat()), {3, vectorFormat()}}) {  // density and temperature, colours
        Field scalars = random(step.scalarCells, channels, 0.0, 1.0);
        forEach(step.scalarCells, [&](ivec3 c) {
            if (before(c / step.scalarRatio).w == 0.0) scalars(c) = dvec4(0.0);
        });
        const engine::Image s = toGpu(scalars, format);
        // In two parts, as a pass over the box of the obstacles is a part of the grid.
        const ivec3 middle = step.scalarCells / 2;
        for (const ivec3 first : {ivec3(0), ivec3(middle.x, 0, 0)})
            pass("fill_fresh_cells", inLayers({step.scalarCells.x - middle.x, step.scalarCells.y, step.scalarCells.z}),
                 {{"aperture", o}, {"apertureBefore", b}, {"distanceBefore", d}, {"scalarsIn", s}, {"scalarsOut", s}},
                 FreshCellsPush{first, step.scalarCells.z});
        const Field twin = fillFreshCells(step, open, before, distance, scalars);
        // Up to 24 steps of a position below 64 with 8 roundings each, in a field whose texels differ by up to 1 along three axes. A
        // gradient of length 0.1 or more changes the path by as much again. The mean is divided by a weight of 1/4 or more.
        const double place = 24.0 * 8.0 * 64.0 * kEps;
        expectNear(fromGpu(s), twin, 4.0 * 3.0 * step.scalarRatio * place, half(), twin.count() / 500);
    }
}

}  // namespace
}  // namespace wisp::test
