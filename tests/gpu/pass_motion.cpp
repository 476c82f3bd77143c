// SPDX-License-Identifier: MIT
// Advection, viscosity and forces.
#include "compute/smoke/push.h"
#include "tests/gpu/pass_advection.h"
#include "tests/gpu/pass_test.h"
#include "tests/reference/bricks.h"
#include "tests/reference/motion.h"
#include "tests/reference/projection.h"
#include "tests/reference/tracers.h"

#include <algorithm>
#include <cmath>

namespace wisp::test {
namespace {

class PassAdvection : public EveryCase {
protected:
    void SetUp() override {
        EveryCase::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        fineAperture = aperture();
        apertureImage = toGpu(fineAperture, VK_FORMAT_R8G8B8A8_UNORM);
        velocity = randomVelocity(step);
        velocityImage = toGpu(velocity, vectorFormat());
        Step earlier = step;  // obstacles at the start of the step
        for (int n = 0; n < step.obstacleCount; ++n) earlier.obstacles[n].shape.centre -= step.dt * step.obstacles[n].velocity;
        before = obstacles(earlier);
        wrapFaces(step, before);
        beforeImage = toGpu(before, VK_FORMAT_R8G8B8A8_UNORM);
        distanceBefore = solidDistance(earlier);
        distanceBeforeImage = toGpu(distanceBefore, VK_FORMAT_R16_SFLOAT);
        paths = trace(step, centreVelocity(step, velocity), distanceBefore, distanceField());
        back = vectorsToGpu(paths.back);
        ahead = vectorsToGpu(paths.ahead);
        scalars = random(step.scalarCells, 2, 0.0, 1.0);
        scalarImage = toGpu(scalars, scalarFormat());
    }

    // Error of a path's end [cells]: a sampled displacement (16 roundings of 1.5 cells) and three coordinates below 64.
    static constexpr double kPathError = (16.0 * 1.5 + 3.0 * 64.0) * kEps;
    // Error of a value sampled there: neighbours differ by at most 2 along each axis, and a sample has 16 roundings.
    static constexpr double kSample = 3.0 * 2.0 * kPathError + 16.0 * kEps;

    // Number of results with a path that may end on the other side of a branch. Such a path ends within its error of a texel border along
    // an axis (where MacCormack's bounds change), of a side of the box, or of the aperture 0.999. There are about eight borders.
    static std::size_t flips(const Field& field) {
        return static_cast<std::size_t>(8.0 * 2.0 * kPathError * 3.0 * static_cast<double>(field.count()));
    }

    static double difference(const Field& a, const Field& b) {
        Field c = a;
        for (std::size_t i = 0; i < c.count(); ++i) c.values()[i] -= b.values()[i];
        return largest(c);
    }

    Field fineAperture, before, distanceBefore, velocity, scalars;
    Paths paths;
    engine::Image apertureImage, beforeImage, distanceBeforeImage, velocityImage, scalarImage;
    engine::Buffer back, ahead;
};
INSTANTIATE_TEST_SUITE_P(Cases, PassAdvection, testing::ValuesIn(passCases()), nameOf);

TEST_P(PassAdvection, Trace) {
    Field centre = randomVectors(step.cells, 1.0);
    const engine::Image image = toGpu(centre, vectorFormat());
    const engine::Buffer b = vectorTarget(step.cells), a = vectorTarget(step.cells);
    const Numbers uncut = pathReach(step, trace(step, centre, Field(step.cells, dvec4(1e3)), Field(step.cells, dvec4(1e3))).back,
                                    reachGroup());
    const engine::Buffer reach = target(uncut.count());
    pass("backtrace", step.cells,
         {{"centre", image}, {"distanceBefore", distanceBeforeImage}, {"backOut", b}, {"aheadOut", a}, {"reachOut", reach}});
    const Paths twin = trace(step, centre, distanceBefore, distanceField());
    // The midpoint is a coordinate below 32 with three roundings. Neighbours differ by 2 along each axis. 1.5 cells per m/s.
    const double tolerance = 1.5 * (3.0 * 2.0 * 3.0 * 32.0 + 18.0) * kEps;
    // The end of a path that is cut at a surface has the error of the distances there (three coordinates below 32) over the slope towards
    // the surface. The slope is at least 1/10, except for grazing paths. The path's direction has the path's own error.
    const double cut = 10.0 * (tolerance + 16.0 * 32.0 * kEps);
    expectNear(vectorsFromGpu(b, step.cells), twin.back, cut, half());
    expectNear(vectorsFromGpu(a, step.cells), twin.ahead, cut, half());
    expectNear(fromGpu(reach, uncut.size()), uncut, tolerance);  // of uncut paths: never too short
}

TEST_P(PassAdvection, Velocity) {
    const engine::Image result = target(faces(step), vectorFormat());
    pass("advect_velocity", faces(step), {{"velocity", velocityImage}, {"back", back}, {"velocityOut", result}},
         AdvectVelocityPush{0.875f, evenAir(step.inflow)});
    const Field twin = advectVelocity(step, velocity, paths.back, 0.875);
    expectNear(fromGpu(result), twin, kSample, half(), flips(twin));
}

// Constant 21. The inflow through open sides is the ambient flow at its position, wherever the box is in the noise's lattice.
TEST_P(PassAdvection, Gusts) {
    useConstants({{"kExactFilter", 1}, {"kGusts", 1}});
    const gpu::AmbientFlow air{
        .wind = step.inflow, .gust = 0.4f, .lattice = {-7, 1000000, 3}, .beyond = {0.25f, 0.875f, 0.4f}, .perCell = 0.375f, .seed = 5};
    const engine::Image result = target(faces(step), vectorFormat());
    pass("advect_velocity", faces(step), {{"velocity", velocityImage}, {"back", back}, {"velocityOut", result}},
         AdvectVelocityPush{0.875f, air});
    const Field twin = advectVelocity(step, velocity, paths.back, 0.875, &air);
    // A position in the lattice, below 32, has the path's error and three roundings.
    const double place = double(air.perCell) * kPathError + 3.0 * 32.0 * kEps,
                 gust = double(air.gust) * (3.0 * kNoiseSlope * place + kNoiseRoundings * kEps);
    expectNear(fromGpu(result), twin, kSample + gust, half(), flips(twin));
    if (step.sidesLow.x == WISP_INFLOW && step.cells.x > 1) {
        EXPECT_GT(difference(twin, advectVelocity(step, velocity, paths.back, 0.875)), 0.1);
    }
}

TEST_P(PassAdvection, VelocityCorrect) {
    Field forward = advectVelocity(step, velocity, paths.back, 1.0);
    wrapFaces(step, forward);
    const engine::Image f = toGpu(forward, vectorFormat());
    for (const int correction : {WISP_UNCLAMPED, WISP_CLAMPED, WISP_COMPENSATE, WISP_LIMIT}) {
        useConstants({{"kExactFilter", 1}, {"kBfecc", correction >= WISP_COMPENSATE ? 1 : 0}});
        const engine::Image result = target(faces(step), vectorFormat());
        pass("advect_velocity_correct", faces(step),
             {{"velocity", velocityImage},
              {"back", back},
              {"ahead", ahead},
              {"aperture", apertureImage},
              {"forward", f},
              {"velocityOut", result}},
             CorrectVelocityPush{0.875f, correction});
        const Field twin = advectVelocityCorrect(step, velocity, paths, fineAperture, forward, 0.875, correction);
        // Half a sample's error. Unclamped values are up to twice as rough.
        expectNear(fromGpu(result), twin, kSample, half(), flips(twin));
    }
}

// An unclamped correction exceeds the bounds of the values that it corrects.
TEST_P(PassAdvection, VelocityCorrectIsLimited) {
    for (dvec4& u : velocity.values()) u = 1e4 * glm::sign(u);
    Field forward = advectVelocity(step, velocity, paths.back, 1.0);
    wrapFaces(step, forward);
    const engine::Image u = toGpu(velocity, vectorFormat()), f = toGpu(forward, vectorFormat()),
                        result = target(faces(step), vectorFormat());
    pass("advect_velocity_correct", faces(step),
         {{"velocity", u}, {"back", back}, {"ahead", ahead}, {"aperture", apertureImage}, {"forward", f}, {"velocityOut", result}},
         CorrectVelocityPush{1.0f, WISP_UNCLAMPED});
    const Field twin = advectVelocityCorrect(step, velocity, paths, fineAperture, forward, 1.0, WISP_UNCLAMPED);
    expectNear(fromGpu(result), limited(twin), 1e4 * kSample, half(), flips(twin));
    if (std::min({step.cells.x, step.cells.y, step.cells.z}) > 1) {
        EXPECT_GT(largest(twin), 1.01e4);
    }
}

TEST_P(PassAdvection, Scalars) {
    const gpu::InflowPush inflow{.value = {0.9f, 0.3f, 0.0f, 0.0f},
                                 .shift = {0.03f, 0.04f, 0.0f},
                                 .width = 0.07f,
                                 .along = {0.6f, 0.8f, 0.0f},
                                 .pattern = (GetParam().scalarRatio + GetParam().periodic) % 3};
    const engine::Image result = target(step.scalarCells, scalarFormat());
    pass("advect_scalars", inLayers(step.scalarCells),
         {{"back", back}, {"aperture", apertureImage}, {"apertureBefore", beforeImage}, {"scalarsIn", scalarImage}, {"scalarsOut", result}},
         AdvectScalarsPush{{0.75f, 0.5f, 1.0f, 1.0f}, inflow});
    const Field twin = advectScalars(step, paths.back, fineAperture, before, scalars, {0.75, 0.5, 1.0, 1.0}, inflow);
    // Two texels per cell make a field twice as steep. A fluid weight below 1e-4 counts as none. A weight close to it would amplify the
    // roundings of its terms by 1e4, but no path here ends in such a small corner.
    expectNear(fromGpu(result), twin, step.scalarRatio * kSample, half(), flips(twin));
}

TEST_P(PassAdvection, ScalarsCorrect) {
    Field forward = advectScalars(step, paths.back, fineAperture, before, scalars, dvec4(1.0));
    const engine::Image f = toGpu(forward, scalarFormat());
    for (const int correction : {WISP_UNCLAMPED, WISP_CLAMPED, WISP_COMPENSATE, WISP_LIMIT}) {
        useConstants({{"kExactFilter", 1}, {"kBfecc", correction >= WISP_COMPENSATE ? 1 : 0}});
        const engine::Image result = target(step.scalarCells, scalarFormat());
        pass("advect_scalars_correct", inLayers(step.scalarCells),
             {{"back", back},
              {"ahead", ahead},
              {"aperture", apertureImage},
              {"scalarsIn", scalarImage},
              {"forward", f},
              {"scalarsOut", result}},
             CorrectScalarsPush{{0.75f, 0.5f, 1.0f, 1.0f}, correction, {0.9f, -0.3f, 0.0f, 0.0f}});
        const Field twin = advectScalarsCorrect(step, paths, fineAperture, scalars, forward, {0.75, 0.5, 1.0, 1.0}, correction,
                                                glm::vec4(0.9f, -0.3f, 0.0f, 0.0f));
        expectNear(fromGpu(result), twin, step.scalarRatio * kSample, half(), flips(twin));
    }
}

// Constant 19. Near obstacles the pass samples like the others, so there are no obstacles here.
TEST_P(PassAdvection, Cubic) {
    step.obstacleCount = 0;
    useConstants({{"kExactFilter", 1}, {"kCubic", 1}});
    const engine::Image rho = target(step.scalarCells, scalarFormat());
    pass("advect_scalars", inLayers(step.scalarCells),
         {{"back", back}, {"aperture", apertureImage}, {"apertureBefore", beforeImage}, {"scalarsIn", scalarImage}, {"scalarsOut", rho}},
         AdvectScalarsPush{{0.75f, 0.5f, 1.0f, 1.0f}});
    const Field scalarTwin = advectScalars(step, paths.back, fineAperture, before, scalars, {0.75, 0.5, 1.0, 1.0}, {}, true);
    // A cubic through values in [-1, 1] has a slope of at most 2, like a line. The cubic terms along the other axes are at most 0.5 and
    // change by twice that. Seven samples have 16 roundings each, and their sum has 12.
    constexpr double kTolerance = 3.0 * 4.0 * kPathError + (7.0 * 16.0 + 12.0) * kEps;
    expectNear(fromGpu(rho), scalarTwin, step.scalarRatio * kTolerance, half(), flips(scalarTwin));
}

// Density times colour is advected like the scalars, in images of other formats.
TEST_P(PassAdvection, Colours) {
    Field colours = random(step.scalarCells, 3, 0.0, 1.0);
    const engine::Image K = toGpu(colours, vectorFormat()), first = target(step.scalarCells, vectorFormat()),
                        second = target(step.scalarCells, vectorFormat());
    pass("advect_scalars", inLayers(step.scalarCells),
         {{"back", back}, {"aperture", apertureImage}, {"apertureBefore", beforeImage}, {"scalarsIn", K}, {"scalarsOut", first}},
         AdvectScalarsPush{glm::vec4(0.75f)});
    const Field twin = advectScalars(step, paths.back, fineAperture, before, colours, dvec4(0.75));
    expectNear(fromGpu(first), twin, step.scalarRatio * kSample, half(), flips(twin));
    Field forward = advectScalars(step, paths.back, fineAperture, before, colours, dvec4(1.0));
    const engine::Image f = toGpu(forward, vectorFormat());
    pass("advect_scalars_correct", inLayers(step.scalarCells),
         {{"back", back}, {"ahead", ahead}, {"aperture", apertureImage}, {"scalarsIn", K}, {"forward", f}, {"scalarsOut", second}},
         CorrectScalarsPush{glm::vec4(0.75f), WISP_CLAMPED});
    expectNear(fromGpu(second), advectScalarsCorrect(step, paths, fineAperture, colours, forward, dvec4(0.75), WISP_CLAMPED),
               step.scalarRatio * kSample, half(), flips(twin));
}

// The hardware filter, without branches that depend on its coarse weights: no obstacles, no clamp, and a velocity that vanishes towards the
// sides, so that no path leaves the box.
class PassFilter : public PassTest {
protected:
    void SetUp() override {
        PassTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        useConstants({{"kExactFilter", 0}});
        step = makeStep({.cells = {17, 12, 9}, .obstacles = false});
        velocity = Field(faces(step));
        forEach(faces(step), [&](ivec3 c) {
            for (int axis = 0; axis < 3; ++axis) {
                if (!faceExists(step, c, axis)) continue;
                const dvec3 p = facePoint(c, axis) / dvec3(step.cells), bump = 4.0 * p * (1.0 - p);
                velocity(c)[axis] = 0.8 * bump.x * bump.y * bump.z * std::sin(5.0 * p[(axis + 1) % 3] + axis);
            }
        });
        velocityImage = toGpu(velocity, VK_FORMAT_R32G32B32A32_SFLOAT);
        centre = centreVelocity(step, velocity);
        paths = trace(step, centre, distanceField(), distanceField());
        back = vectorsToGpu(paths.back);
        ahead = vectorsToGpu(paths.ahead);
    }
    static double tolerance(const Field& field) { return kFilter * steepest(field) + 1e-5; }  // 1e-5: rounding, as above

    Field velocity, centre;
    Paths paths;
    engine::Image velocityImage;
    engine::Buffer back, ahead;
};

TEST_F(PassFilter, Trace) {
    const engine::Image image = toGpu(centre, VK_FORMAT_R32G32B32A32_SFLOAT);
    const engine::Buffer result = vectorTarget(step.cells), other = vectorTarget(step.cells);
    pass("backtrace", step.cells,
         {{"centre", image},
          {"distanceBefore", distanceImage()},
          {"backOut", result},
          {"aheadOut", other},
          {"reachOut", target(pathReach(step, centre, reachGroup()).count())}});
    expectNear(vectorsFromGpu(result, step.cells), paths.back, 1.5 * tolerance(centre), false);
    expectNear(vectorsFromGpu(other, step.cells), paths.ahead, 1.5 * tolerance(centre), false);
}

TEST_F(PassFilter, Velocity) {
    const engine::Image result = target(faces(step), VK_FORMAT_R32G32B32A32_SFLOAT);
    pass("advect_velocity", faces(step), {{"velocity", velocityImage}, {"back", back}, {"velocityOut", result}},
         AdvectVelocityPush{1.0f, evenAir(step.inflow)});
    expectNear(fromGpu(result), advectVelocity(step, velocity, paths.back, 1.0), tolerance(velocity), false);
}

TEST_F(PassFilter, Scalars) {
    Field scalars = smoothField(step.scalarCells, 2, 0.0, 1.0), open(faces(step), dvec4(1.0));
    const engine::Image s = toGpu(scalars, VK_FORMAT_R32G32_SFLOAT), openImage = toGpu(open, VK_FORMAT_R8G8B8A8_UNORM);
    const engine::Image result = target(step.scalarCells, VK_FORMAT_R32G32_SFLOAT),
                        corrected = target(step.scalarCells, VK_FORMAT_R32G32_SFLOAT);
    pass("advect_scalars", inLayers(step.scalarCells),
         {{"back", back}, {"aperture", openImage}, {"apertureBefore", openImage}, {"scalarsIn", s}, {"scalarsOut", result}},
         AdvectScalarsPush{glm::vec4(1.0f)});
    expectNear(fromGpu(result), advectScalars(step, paths.back, open, open, scalars, dvec4(1.0)), tolerance(scalars), false);
    pass("advect_scalars_correct", inLayers(step.scalarCells),
         {{"back", back}, {"ahead", ahead}, {"aperture", openImage}, {"scalarsIn", s}, {"forward", result}, {"scalarsOut", corrected}},
         CorrectScalarsPush{glm::vec4(1.0f), WISP_UNCLAMPED});
    const Field forward = fromGpu(result);
    expectNear(fromGpu(corrected), advectScalarsCorrect(step, paths, open, scalars, forward, dvec4(1.0), WISP_UNCLAMPED),
               0.5 * tolerance(forward), false);
}

class PassForces : public EveryCase {
protected:
    void SetUp() override {
        EveryCase::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        velocity = randomVelocity(step);
        velocityImage = toGpu(velocity, vectorFormat());
        centre = random(step.cells, 3, -1.0, 1.0);
        centreVectors = vectorsToGpu(centre);
    }
    // Error at obstacles: a distance of 0.1 cells to the surface, computed from distances of up to two cells, has 40 roundings. So has its
    // weight in a mean of speeds that differ by 1 or 2.
    static constexpr double kStickingError = 2.0 * 40.0 * kEps;
    Field velocity, centre;
    engine::Image velocityImage;
    engine::Buffer centreVectors;
};
INSTANTIATE_TEST_SUITE_P(Cases, PassForces, testing::ValuesIn(passCases()), nameOf);

TEST_P(PassForces, Diffuse) {
    const engine::Image result = target(faces(step), vectorFormat());
    pass("diffuse", faces(step), {{"velocityIn", velocityImage}, {"velocityOut", result}}, 0.125f);
    expectNear(wrapped(fromGpu(result)), wrapped(diffuse(step, velocity, distanceField(), 0.125)), 18.0 * kEps + kStickingError,
               half());  // six times: a difference, a product, a sum
}

TEST_P(PassForces, DiffuseSweep) {
    for (const float amount : {0.125f, 30.0f}) {
        Field before = randomVelocity(step);
        const engine::Image b = toGpu(before, vectorFormat()), result = target(faces(step), vectorFormat());
        pass("diffuse_sweep", faces(step), {{"velocityBefore", b}, {"velocityIn", velocityImage}, {"velocityOut", result}}, amount);
        expectNear(wrapped(fromGpu(result)), wrapped(diffuseSweep(step, before, velocity, distanceField(), double(amount))),
                   16.0 * kEps + kStickingError, half());  // a mean of seven, weights of seven sums, a quotient
    }
}

TEST_P(PassForces, VorticityCurl) {
    const engine::Buffer result = vectorTarget(step.cells);
    pass("vorticity_curl", step.cells, {{"centre", centreVectors}, {"curl", result}});
    // Two slopes of at most 2 / 2h with five roundings each. The length of three components adds four roundings of sqrt(3) times this size.
    expectNear(vectorsFromGpu(result, step.cells), curl(step, centre), (10.0 + 4.0 * 1.8) * 2.0 / double(step.h) * kEps, half());
}

TEST_P(PassForces, Forces) {
    Field omega = curl(step, centre), scalars = random(step.scalarCells, expands ? 4 : 2, 0.0, 1.0);
    const engine::Buffer w = vectorsToGpu(omega), result = vectorTarget(step.cells);
    const engine::Image s = toGpu(scalars, expands ? vectorFormat() : scalarFormat());
    const ForcesPush push{{0.0f, -0.8f, 0.6f}, 1.5f, 0.25f, 0.5f, 1.5f};
    useConstants({{"kFire", expands ? 1 : 0}});
    pass("forces", step.cells, {{"curl", w}, {"scalars", s}, {"acceleration", result}}, push);
    const Field twin = forces(step, omega, scalars, {dvec3(push.down), 1.5, 0.25, 0.5, expands ? 1.5 : 0.0});
    // The gradient of |omega| has 2 roundings of the largest omega over h. N divides it by at least 1e-3 |omega| / h, and the result is
    // multiplied by |omega|. So 2e3 roundings of epsilon h omega are left, plus 20 of the buoyancy.
    double largestOmega = 0.0;
    for (const dvec4& v : omega.values()) largestOmega = std::max(largestOmega, v.w);
    expectNear(vectorsFromGpu(result, step.cells), twin, (2e3 * 0.5 * double(step.h) * largestOmega + 20.0 * 1.75) * kEps, half());
}

TEST_P(PassForces, Accelerate) {
    Field acceleration = randomVectors(step.cells, 10.0);
    addDivergence(acceleration);
    Numbers x = randomNumbers(step.cells, -1.0, 1.0);
    const engine::Buffer a = vectorsToGpu(acceleration), potential = floatsToGpu(x);
    pass("accelerate", faces(step),
         {{"acceleration", a}, {"potential", potential}, {"velocityIn", velocityImage}, {"velocityOut", velocityImage}});
    Field twin = accelerate(step, acceleration, velocity);
    if (step.ratio > 1) twin = presmoothVelocity(step, x, twin);
    // A difference of two potentials, doubled on open sides.
    expectNear(wrapped(fromGpu(velocityImage)), wrapped(twin), 5.0 * (1.0 + 4.0 + 10.0 * double(step.dt)) * kEps, half());
}

// The velocity stays finite in a step that is far too long, and a NaN stays a NaN.
TEST_P(PassForces, AccelerateIsLimited) {
    Field acceleration(step.cells, dvec4(6e4, -6e4, 6e4, 0.0));
    Field fast(faces(step), dvec4(9984.0, -9984.0, 0.0, 0.0));  // exact in half precision
    const ivec3 bad(0);
    fast(bad).x = std::numeric_limits<double>::quiet_NaN();
    const engine::Buffer a = vectorsToGpu(acceleration);
    const engine::Image image = toGpu(fast, vectorFormat());
    Numbers none(step.cells);
    const engine::Buffer potential = floatsToGpu(none);
    pass("accelerate", faces(step), {{"acceleration", a}, {"potential", potential}, {"velocityIn", image}, {"velocityOut", image}});
    const Field result = fromGpu(image);
    ASSERT_GT(6e4 * double(step.dt), 16.0);  // so that the limit is exceeded
    EXPECT_TRUE(std::isnan(result(bad).x));
    EXPECT_EQ(result(bad + ivec3(1, 0, 0)).x, 1e4);
    EXPECT_EQ(result(bad).y, -1e4);
}

}  // namespace
}  // namespace wisp::test
