// SPDX-License-Identifier: MIT
// The density that advection moves through bodies.
#include "compute/smoke/smoke_passes.h"
#include "tests/gpu/pass_test.h"
#include "tests/reference/crossed.h"

#include <cmath>

namespace wisp::test {
namespace {

class PassCrossed : public EveryCase {
protected:
    void SetUp() override {
        EveryCase::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        step.obstacles[1].shape.halfExtent.y = 0.3f * step.h;  // plates and rods
        step.obstacles[2].shape.radius = 0.5f * step.h;
        after = aperture();
        Step earlier = step;
        for (int n = 0; n < step.obstacleCount; ++n) earlier.obstacles[n].shape.centre -= step.dt * step.obstacles[n].velocity;
        before = obstacles(earlier);
        wrapFaces(step, before);
        afterImage = toGpu(after, VK_FORMAT_R8G8B8A8_UNORM);
        beforeImage = toGpu(before, VK_FORMAT_R8G8B8A8_UNORM);
        paths = randomVectors(step.cells, 1.5);
        back = vectorsToGpu(paths);
        scalars = random(step.scalarCells, 2, 0.0, 1.0);
        scalarImage = toGpu(scalars, scalarFormat());
    }

    /// The farthest that a point of an obstacle moves [cells].
    float motion() const {
        float speed = 0.0f;
        for (int n = 0; n < step.obstacleCount; ++n)
            speed = std::max(speed, glm::length(step.obstacles[n].velocity) +
                                        glm::length(step.obstacles[n].angularVelocity) * boundingRadius(step.obstacles[n].shape));
        return speed * step.dt / step.h;
    }

    double crossed(int bodies, const engine::Buffer& sums) {
        pass("crossed_mass", inLayers(step.scalarCells),
             {{"back", back}, {"aperture", afterImage}, {"apertureBefore", beforeImage}, {"scalarsIn", scalarImage}, {"crossed", sums}},
             gpu::CrossedPush{.bodies = bodies, .motion = motion()});
        return crossedDensity(downloadBytes(sums));
    }

    engine::Buffer emptySums() {
        engine::Buffer sums = target(2 * WISP_CROSSED_SUMS);
        upload(sums, std::vector<float>(2 * WISP_CROSSED_SUMS, 0.0f));
        return sums;
    }

    Field after, before, paths, scalars;
    engine::Image afterImage, beforeImage, scalarImage;
    engine::Buffer back;
};
INSTANTIATE_TEST_SUITE_P(Cases, PassCrossed, testing::ValuesIn(passCases()), nameOf);

TEST_P(PassCrossed, MatchesItsTwin) {
    if (step.obstacleCount == 0) return;
    for (const int bodies : {2, 4, 6}) {
        const engine::Buffer sums = emptySums();
        const double got = crossed(bodies, sums);
        // Points within 1/64 cell of a body count as on its surface.
        const Crossed twin = crossedMass(step, bodies, paths, after, before, scalars, 1.0 / 64.0);
        // The end of a path has the error 16 roundings of 1.5 cells and three of a coordinate below 64, in scalar cells, and a weight has
        // that along three axes. Every cell is rounded to a part.
        const double weight = 3.0 * step.scalarRatio * (16.0 * 1.5 + 3.0 * 64.0) * kEps;
        const double count = static_cast<double>(scalars.count());
        EXPECT_NEAR(got, twin.sum, twin.doubtful + count * (8.0 * weight + std::exp2(-25.0))) << bodies;
        EXPECT_LE(twin.doubtful, 0.1 * twin.sum + 0.5) << "the twin says nothing";
        if (scalars.count() > 600) {
            EXPECT_GT(twin.sum, 0.5);
        }
        EXPECT_EQ(crossed(bodies, emptySums()), got) << "a second run is not bit-identical";
        EXPECT_EQ(crossed(bodies, sums), 2.0 * got) << "sums go on";
        EXPECT_EQ(crossed(0, emptySums()), 0.0) << "no body is measured";
    }
}

// Densities that fill the low word of a sum several times.
TEST_P(PassCrossed, CarriesIntoTheHighWord) {
    if (step.obstacleCount == 0) return;
    const double once = crossed(6, emptySums());
    for (dvec4& v : scalars.values()) v *= 4096.0;  // exact
    scalarImage = toGpu(scalars, scalarFormat());
    const double count = static_cast<double>(scalars.count());
    EXPECT_NEAR(crossed(6, emptySums()), 4096.0 * once, 4097.0 * count * std::exp2(-25.0) + 1e-6 * 4096.0 * once);
}

}  // namespace
}  // namespace wisp::test
