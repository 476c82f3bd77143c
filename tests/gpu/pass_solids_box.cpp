// SPDX-License-Identifier: MIT
// Paths that enter the obstacles' bounding box from far outside. There, passes test for solids only if a path can reach the box.
#include "tests/gpu/pass_advection.h"
#include "tests/gpu/pass_test.h"
#include "tests/reference/bricks.h"
#include "tests/reference/motion.h"
#include "tests/reference/projection.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace wisp::test {
namespace {

/// A small moving sphere, in a stream of twelve cells per step along one axis. The bounding box is as tight as possible.
class PassSolidsBox : public PassTest, public testing::WithParamInterface<std::tuple<int, int>> {
protected:
    void SetUp() override {
        PassTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        const auto [axis, scalarRatio] = GetParam();
        // The grid is so long that a cell's other path, away from the obstacle, stays inside. Beyond the sides everything is first order.
        step = makeStep({.cells = ivec3(14) + 48 * unit(axis), .scalarRatio = scalarRatio});
        step.dt = 12.0f * step.h;
        step.obstacleCount = 1;
        const glm::vec3 middle = 0.5f * glm::vec3(step.cells) + glm::vec3(0.1f, -0.2f, 0.3f);
        step.obstacles[0] = {{step.origin + step.h * middle, WISP_SPHERE, {}, 2.3f * step.h, {0, 0, 0, 1}},
                             glm::vec3(0.05f, -0.03f, 0.04f)};
        Step earlier = step;
        earlier.obstacles[0].shape.centre -= step.dt * step.obstacles[0].velocity;
        distanceBefore = solidDistance(earlier);
        distanceBeforeImage = toGpu(distanceBefore, VK_FORMAT_R16_SFLOAT);
        fineAperture = apertureOf(step);
        before = apertureOf(earlier);
        apertureImage = toGpu(fineAperture, VK_FORMAT_R8G8B8A8_UNORM);
        beforeImage = toGpu(before, VK_FORMAT_R8G8B8A8_UNORM);
        fitBox();
        centre = smoothField(step.cells, 3, -0.1, 0.1);
        for (dvec4& u : centre.values()) u[axis] += 1.0;
        centreImage = toGpu(centre, VK_FORMAT_R32G32B32A32_SFLOAT);
        paths = trace(step, centre, distanceBefore, distanceField());
    }
    static Field apertureOf(const Step& s) {
        Field field = obstacles(s);
        for (dvec4& v : field.values()) v = glm::round(v * 255.0) / 255.0;
        return field;
    }
    // Bounding box of the cells that obstacles touch at the start or at the end of the step.
    void fitBox() {
        ivec3 low = step.cells, high(0);
        forEach(step.cells, [&](ivec3 c) {
            if (fineAperture(c).w == 1.0 && before(c).w == 1.0) return;
            low = glm::min(low, c);
            high = glm::max(high, c + 1);
        });
        step.solidsLow = low;
        step.solidsHigh = high;
    }
    [[nodiscard]] double beyondBox(dvec3 p) const {
        const dvec3 d = glm::max(dvec3(step.solidsLow) - p, p - dvec3(step.solidsHigh));
        return std::max({d.x, d.y, d.z});
    }
    // Cells farther than `beyond` from the box for which `counts` is true. A test proves something only if there are some.
    template <class F>
    [[nodiscard]] std::vector<ivec3> far(double beyond, F&& counts) const {
        std::vector<ivec3> found;
        forEach(step.cells, [&](ivec3 c) {
            if (beyondBox(dvec3(c) + 0.5) > beyond && counts(c)) found.push_back(c);
        });
        return found;
    }
    // Cells with a path that ends beside the obstacle, although only the box limits the distance to it: see shared/near_solid.glsl.
    [[nodiscard]] std::vector<ivec3> arriving(const Field& path) const {
        return far(8.5, [&](ivec3 c) { return fineAperture.sample(dvec3(c) + 0.5 + dvec3(path(c))).w < 0.999; });
    }
    // Compares fields with `perCell`^3 texels per cell in these cells only. They are so few that no branch may go the other way.
    void expectNearAt(const std::vector<ivec3>& cells, const Field& gpu, const Field& twin, int perCell) const {
        Field a(gpu.size()), b(gpu.size());
        for (const ivec3 c : cells) {
            forEach(ivec3(perCell), [&](ivec3 o) {
                a(c * perCell + o) = gpu(c * perCell + o);
                b(c * perCell + o) = twin(c * perCell + o);
            });
        }
        EXPECT_GE(cells.size(), 5u);
        expectNear(a, b, perCell * kSample, false, 0);
    }

    // As in pass_motion.cpp, with displacements below 13 cells.
    static constexpr double kPathError = (16.0 * 13.0 + 3.0 * 64.0) * kEps, kSample = 3.0 * 2.0 * kPathError + 16.0 * kEps;
    static std::size_t flips(const Field& field) {
        return static_cast<std::size_t>(8.0 * 2.0 * kPathError * 3.0 * static_cast<double>(field.count()));
    }

    Field centre, fineAperture, before, distanceBefore;
    Paths paths;
    engine::Image centreImage, apertureImage, beforeImage, distanceBeforeImage;
};
INSTANTIATE_TEST_SUITE_P(AxesAndScalarRatios, PassSolidsBox, testing::Combine(testing::Values(0, 1, 2), testing::Values(1, 2)));

TEST_P(PassSolidsBox, PathsIntoItAreCut) {
    const engine::Buffer back = vectorTarget(step.cells), ahead = vectorTarget(step.cells);
    pass("backtrace", step.cells,
         {{"centre", centreImage},
          {"distanceBefore", distanceBeforeImage},
          {"backOut", back},
          {"aheadOut", ahead},
          {"reachOut", target(pathReach(step, Field(step.cells), reachGroup()).count())}});
    // See PassAdvection.Trace: twelve cells per m/s, and neighbours that differ by less than 0.1.
    const double tolerance = 12.0 * (3.0 * 0.1 * 3.0 * 32.0 + 18.0) * kEps, cut = 10.0 * (tolerance + 16.0 * 32.0 * kEps);
    expectNear(vectorsFromGpu(back, step.cells), paths.back, cut, false);
    expectNear(vectorsFromGpu(ahead, step.cells), paths.ahead, cut, false);
    Step empty = step;
    empty.obstacleCount = 0;
    const Paths uncut = trace(empty, centre, distanceBefore, distanceField());
    EXPECT_GT(far(0.0, [&](ivec3 c) { return paths.back(c) != uncut.back(c); }).size(), 20u);
    EXPECT_GT(far(0.0, [&](ivec3 c) { return paths.ahead(c) != uncut.ahead(c); }).size(), 20u);
}

TEST_P(PassSolidsBox, VelocityIsFirstOrderWhereAPathArrives) {
    Field velocity = randomVelocity(step);
    const engine::Image u = toGpu(velocity, VK_FORMAT_R32G32B32A32_SFLOAT), result = target(faces(step), VK_FORMAT_R32G32B32A32_SFLOAT);
    const engine::Buffer back = vectorsToGpu(paths.back), ahead = vectorsToGpu(paths.ahead);
    Field forward = advectVelocity(step, velocity, paths.back, 1.0);
    const engine::Image f = toGpu(forward, VK_FORMAT_R32G32B32A32_SFLOAT);
    pass("advect_velocity_correct", faces(step),
         {{"velocity", u}, {"back", back}, {"ahead", ahead}, {"aperture", apertureImage}, {"forward", f}, {"velocityOut", result}},
         CorrectVelocityPush{1.0f, WISP_CLAMPED});
    const Field twin = advectVelocityCorrect(step, velocity, paths, fineAperture, forward, 1.0, WISP_CLAMPED);
    expectNear(fromGpu(result), twin, kSample, false, flips(twin));
    for (const Field* path : {&paths.back, &paths.ahead}) expectNearAt(arriving(*path), fromGpu(result), twin, 1);
}

TEST_P(PassSolidsBox, ScalarsSampleOnlyFluidWhereAPathArrives) {
    Field scalars = random(step.scalarCells, 2, 0.0, 1.0);
    const engine::Image s = toGpu(scalars, VK_FORMAT_R32G32_SFLOAT), first = target(step.scalarCells, VK_FORMAT_R32G32_SFLOAT),
                        second = target(step.scalarCells, VK_FORMAT_R32G32_SFLOAT);
    const engine::Buffer back = vectorsToGpu(paths.back), ahead = vectorsToGpu(paths.ahead);
    pass("advect_scalars", inLayers(step.scalarCells),
         {{"back", back}, {"aperture", apertureImage}, {"apertureBefore", beforeImage}, {"scalarsIn", s}, {"scalarsOut", first}},
         AdvectScalarsPush{glm::vec4(1.0f)});
    Field forward = advectScalars(step, paths.back, fineAperture, before, scalars, dvec4(1.0));
    expectNear(fromGpu(first), forward, step.scalarRatio * kSample, false, flips(forward));
    const engine::Image f = toGpu(forward, VK_FORMAT_R32G32_SFLOAT);
    pass("advect_scalars_correct", inLayers(step.scalarCells),
         {{"back", back}, {"ahead", ahead}, {"aperture", apertureImage}, {"scalarsIn", s}, {"forward", f}, {"scalarsOut", second}},
         CorrectScalarsPush{glm::vec4(1.0f), WISP_CLAMPED});
    const Field twin = advectScalarsCorrect(step, paths, fineAperture, scalars, forward, dvec4(1.0), WISP_CLAMPED);
    expectNear(fromGpu(second), twin, step.scalarRatio * kSample, false, flips(twin));
    expectNearAt(arriving(paths.back), fromGpu(first), forward, step.scalarRatio);
    for (const Field* path : {&paths.back, &paths.ahead}) expectNearAt(arriving(*path), fromGpu(second), twin, step.scalarRatio);
}

}  // namespace
}  // namespace wisp::test
