// SPDX-License-Identifier: MIT
// Passes of motion blur.
#include "tests/gpu/pass_test.h"

#include "compute/picture/shutter.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wisp::test {
namespace {

class PassShutter : public PassTest {};

// The maximum of numbers is exact.
TEST_F(PassShutter, ReachIsTheFastestComponent) {
    step = makeStep({.cells = {19, 13, 11}});
    Field velocity = randomVelocity(step);
    velocity(ivec3(19, 12, 10)).x = -1.5;  // on the last face, which only x has
    const engine::Image image = toGpu(velocity, VK_FORMAT_R32G32B32A32_SFLOAT);
    const engine::Buffer fastest = target(3);
    upload(fastest, std::vector<float>(3, 0.0f));
    pass("shutter_reach", step.cells + 1, {{"velocity", image}, {"fastestOut", fastest}});
    dvec3 most(0.0);
    forEach(velocity.size(), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis)
            if (faceExists(step, c, axis)) most[axis] = std::max(most[axis], std::abs(velocity(c)[axis]));
    });
    const std::vector<float> found = download(fastest);
    for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(double{found[static_cast<std::size_t>(axis)]}, most[axis]) << axis;
}

// The largest value of all bricks from which smoke may come: exact, too.
TEST_F(PassShutter, OccupancyIsTheLargestWithinReach) {
    struct Case {
        ivec3 cells;
        int periodic;
        dvec3 speed;  // [m/s]
    };
    // A brick has 8 cells. The last one of 44 cells is smaller, so that smoke that crosses a periodic side comes one brick farther.
    for (const Case& c : {Case{{44, 24, 16}, 0, {0.9, 1.1, 0.0}}, {{44, 24, 40}, 5, {0.9, 0.2, 2.0}}, {{40, 24, 16}, 1, {1e6, 1e6, 1e6}}}) {
        step = makeStep({.cells = c.cells, .periodic = c.periodic});
        const ivec3 bricks = (step.scalarCells + 7) / 8;
        view = View{};
        view->bricks = bricks;
        Field occupancy = random(bricks, 2, 0.0, 1.0);
        const engine::Image in = toGpu(occupancy, VK_FORMAT_R32G32_SFLOAT);
        const engine::Buffer fastest = target(3);
        upload(fastest, std::vector<float>{static_cast<float>(c.speed.x), static_cast<float>(c.speed.y), static_cast<float>(c.speed.z)});
        const double edge = 8.0 * double{step.h}, time = edge;  // a speed of 1 reaches one brick
        const engine::Image a = target(bricks, VK_FORMAT_R32G32_SFLOAT), b = target(bricks, VK_FORMAT_R32G32_SFLOAT);
        const engine::Image* from = &in;
        for (int axis = 0; axis < 3; ++axis) {
            const engine::Image& to = axis == 1 ? b : a;
            pass("shutter_occupancy", bricks,
                 {{"occupancyIn", *from}, {"occupancyOut", to}, {"fastest", fastest}, {"smokeBoxOut", fastest}},
                 ShutterOccupancyPush{axis, static_cast<float>(time)});
            from = &to;
        }
        const Field found = fromGpu(a);
        forEach(bricks, [&](ivec3 at) {
            dvec4 most(0.0);
            forEach(bricks, [&](ivec3 other) {
                for (int axis = 0; axis < 3; ++axis) {
                    int reach = static_cast<int>(std::min(std::ceil(c.speed[axis]), double(bricks[axis])));
                    int apart = std::abs(at[axis] - other[axis]);
                    if ((c.periodic >> axis & 1) != 0) {
                        reach += step.scalarCells[axis] % 8 != 0 ? 1 : 0;
                        apart = std::min(apart, bricks[axis] - apart);
                    }
                    if (apart > reach) return;
                }
                most = glm::max(most, occupancy(other));
            });
            ASSERT_EQ(found(at).x, most.x) << at.x << " " << at.y << " " << at.z;
            ASSERT_EQ(found(at).y, most.y);
        });
    }
}

TEST_F(PassShutter, MeanOfMoments) {
    step = makeStep({.cells = {1, 1, 1}});
    const ivec3 size(13, 9, 1);
    constexpr int kMoments = 5;
    const double infinite = std::numeric_limits<double>::infinity();
    const auto flat = [&](const Field& field, VkFormat format) {
        engine::Image result = image("flat", glm::uvec3(size), format, true);
        run(*pooledLibrary(device(), embeddedShaders()), [&](engine::Recorder& rec) { rec.upload(result, texelsOf(field, format)); });
        return result;
    };
    const auto output = [&](VkFormat format) { return image("output", glm::uvec3(size), format, true); };
    const engine::Image mean = output(VK_FORMAT_R32G32B32A32_SFLOAT), meanDepth = output(VK_FORMAT_R32G32_SFLOAT),
                        radiance = output(VK_FORMAT_R32G32B32A32_SFLOAT), depth = output(VK_FORMAT_R32_SFLOAT);
    Field sum(size), ways(size);
    for (int n = 1; n <= kMoments; ++n) {
        Field moment = random(size, 4, 0.0, 1.0), way = random(size, 1, 1.0, 2.0);
        forEach(size, [&](ivec3 p) {
            if (p.x < 2 || (p.x + n) % 4 == 0) way(p).x = infinite;  // some pixels see nothing, some not at every moment
            sum(p) += moment(p) / double(kMoments);
            if (!std::isinf(way(p).x)) ways(p) += dvec4(moment(p).w * way(p).x, moment(p).w, 0.0, 0.0) / double(kMoments);
        });
        pass("shutter_mean", size,
             {{"moment", flat(moment, VK_FORMAT_R32G32B32A32_SFLOAT)},
              {"momentDepth", flat(way, VK_FORMAT_R32_SFLOAT)},
              {"mean", mean},
              {"meanDepth", meanDepth},
              {"radiance", radiance},
              {"depth", depth}},
             n);
    }
    // Each of the five updates rounds a difference, a quotient and a sum of numbers up to 2. A depth is a quotient of two such means, of
    // which the second may be as small as 1/10 here.
    const double tolerance = 15.0 * 2.0 * kEps;
    expectNear(fromGpu(radiance), sum, tolerance, false);
    const Field found = fromGpu(depth);
    forEach(size, [&](ivec3 p) {
        if (ways(p).y == 0.0) ASSERT_EQ(found(p).x, infinite);
        else ASSERT_NEAR(found(p).x, ways(p).x / ways(p).y, tolerance * 3.0 / ways(p).y);
    });
}

}  // namespace
}  // namespace wisp::test
