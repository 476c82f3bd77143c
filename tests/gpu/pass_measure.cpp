// SPDX-License-Identifier: MIT
// Reductions to the quality numbers.
#include "compute/domain/domain.h"
#include "shaders/shared/body.h"
#include "tests/gpu/pass_test.h"
#include "tests/reference/measure.h"
#include "tests/reference/projection.h"

#include <bit>
#include <cmath>
#include <limits>

namespace wisp::test {
namespace {

class PassMeasure : public EveryCase {
protected:
    void SetUp() override {
        EveryCase::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        fineAperture = aperture();
        apertureImage = toGpu(fineAperture, VK_FORMAT_R8G8B8A8_UNORM);
        solidVelocity = solidVelocityToGpu(fineAperture);
        velocity = randomVelocity(step);
        addDivergence(velocity);
        velocityImage = toGpu(velocity, vectorFormat());
    }

    // Runs a reduction over `cells` and its final pass twice. Both results must be bit-identical.
    template <class... Push>
    std::vector<float> reduce(std::string_view name, ivec3 cells, std::vector<engine::Binding> bindings, const Push&... push) {
        const glm::uvec3 threads = reductionThreads(glm::uvec3(cells));
        const std::uint32_t groups = threads.x / 256 * threads.y;
        const engine::Buffer partials = target(8 * groups), record = target(8);
        bindings.emplace_back("partialsOut", partials);
        std::vector<float> results[2];
        for (std::vector<float>& result : results) {
            pass(name, ivec3(threads), bindings, push...);
            pass("reduce_final", {256, 1, 1}, {{"partialsIn", partials}, {"partialsOut", record}}, groups);
            result = download(record);
        }
        EXPECT_EQ(results[0], results[1]);
        return results[0];
    }

    // Error of a divergence over cells of size `edge` with ratio r: see Downsample in pass_pressure.cpp.
    static double divergenceError(int r, double edge) { return 6.0 * (2.0 * r * r + 12.0) * 4.0 * kEps / edge; }
    // Error of a sum of `count` squares, where each root has the error `error`. A tree has at most 20 roundings.
    static double squaresError(double sum, double count, double error) {
        return 2.0 * std::sqrt(count * sum) * error + count * error * error + 22.0 * kEps * sum;
    }

    Field fineAperture, velocity;
    engine::Image apertureImage, velocityImage, solidVelocity;
};
INSTANTIATE_TEST_SUITE_P(Cases, PassMeasure, testing::ValuesIn(passCases()), nameOf);

TEST_P(PassMeasure, Velocity) {
    Field after = velocity, weights = coarseAperture(step, fineAperture);
    after({0, 0, 0}).y = std::numeric_limits<double>::quiet_NaN();
    after(step.cells - 1).z = std::numeric_limits<double>::infinity();
    const engine::Image afterImage = toGpu(after, vectorFormat());
    const engine::Buffer w = weightsToGpu(weights);
    const std::vector<float> result = reduce("measure_velocity", step.pressureCells,
                                             {{"velocity", velocityImage},
                                              {"velocityNew", afterImage},
                                              {"aperture", apertureImage},
                                              {"solidVelocity", solidVelocity},
                                              {"weights", w}});
    const Measures fine = measureFine(step, velocity, fineAperture, after), coarse = measureCoarse(step, velocity, fineAperture, weights);
    // A coarse divergence is a mean of up to 64 fine ones. Each of them has at most 12 speeds of 1 over a cell.
    const double h = double(step.h), error = divergenceError(1, h), coarseError = error + 64.0 * kEps * 12.0 / h;
    EXPECT_NEAR(result[0], fine[0], squaresError(fine[0], fine[1], error));
    EXPECT_EQ(result[1], fine[1]);
    EXPECT_NEAR(result[2], fine[2], 30.0 * kEps * fine[2]);
    EXPECT_EQ(result[3], fine[3]) << "a NaN or an infinity was not counted";
    EXPECT_NEAR(result[4], coarse[0], squaresError(coarse[0], coarse[1], coarseError));
    EXPECT_EQ(result[5], coarse[1]);
    EXPECT_NEAR(result[6], coarse[6], coarseError);
    EXPECT_NEAR(result[7], fine[7], 8.0 * kEps * fine[7]);
}

// The terms cancel: speeds of 1. A term of the outflow has six roundings, its sum at most 20.
TEST_P(PassMeasure, Momentum) {
    Field acceleration = randomVectors(step.cells, 1.0);
    const engine::Buffer a = vectorsToGpu(acceleration);
    const std::vector<float> momentum = reduce("measure_momentum", step.cells, {{"velocity", velocityImage}, {"aperture", apertureImage}}),
                             force = reduce("measure_acceleration", step.cells, {{"acceleration", a}, {"aperture", apertureImage}});
    const Measures twin = measureMomentum(step, velocity, fineAperture), twinForce = measureAcceleration(step, acceleration, fineAperture);
    const double cells = step.cells.x * step.cells.y * step.cells.z;
    for (std::size_t n = 0; n < 6; ++n) EXPECT_NEAR(momentum[n], twin[n], 26.0 * kEps * 2.0 * cells) << n;
    for (std::size_t n = 0; n < 3; ++n) EXPECT_NEAR(force[n], twinForce[n], 26.0 * kEps * cells) << n;
}

TEST_P(PassMeasure, Scalars) {
    Field scalars = random(step.scalarCells, 2, 0.0, 1.0);
    scalars({0, 0, 0}).y = std::numeric_limits<double>::infinity();
    const engine::Image s = toGpu(scalars, scalarFormat());
    const std::vector<float> result = reduce("measure_scalars", step.scalarCells, {{"scalars", s}, {"aperture", apertureImage}});
    const Measures twin = measureScalars(step, scalars, fineAperture);
    EXPECT_NEAR(result[0], twin[0], 20.0 * kEps * twin[0]);
    EXPECT_NEAR(result[1], twin[1], 20.0 * kEps * twin[1]);
    EXPECT_EQ(result[2], twin[2]);
    EXPECT_EQ(result[3], 1.0f);
}

// The terms cancel, so the tolerance is relative to the sum of their magnitudes.
TEST_P(PassMeasure, ForcesOnBodies) {
    Numbers q = randomNumbers(step.pressureCells, -1.0, 1.0);
    Numbers x = randomNumbers(step.cells, -1.0, 1.0);
    const engine::Buffer pressure = cellsToGpu(q), potential = floatsToGpu(x);
    const double h = double(step.h), reach = glm::length(dvec3(step.cells) * h),
                 faceCount = 6.0 * step.cells.x * step.cells.y * step.cells.z;
    double felt = 0.0;
    for (int body = 0; body < step.obstacleCount; ++body) {
        const gpu::BodyPush pressures{.first = ivec3(0), .size = step.pressureCells, .index = body, .factor = 3.0f};
        const gpu::BodyPush frictions{.first = ivec3(0), .size = faces(step), .index = body, .factor = 3.0f, .amount = 0.125f};
        const std::vector<float> p = reduce("body_pressure", pressures.size,
                                            {{"aperture", apertureImage}, {"pressureIn", pressure}, {"potential", potential}}, pressures);
        const std::vector<float> f = reduce("body_friction", frictions.size, {{"velocity", velocityImage}}, frictions);
        const Measures twinP = bodyPressure(step, fineAperture, q, x, body, 3.0),
                       twinF = bodyFriction(step, distanceField(), velocity, body, 3.0, 0.125);
        for (std::size_t n = 0; n < 6; ++n) {
            const double arm = n < 3 ? 1.0 : reach;
            EXPECT_NEAR(p[n], twinP[n], 40.0 * kEps * 3.0 * h * h * std::sqrt(faceCount) * arm) << body << ' ' << n;
            EXPECT_NEAR(f[n], twinF[n], 40.0 * kEps * 3.0 * h * 40.0 * std::sqrt(faceCount) * arm) << body << ' ' << n;
            felt = std::max({felt, std::abs(twinP[n]), std::abs(twinF[n])});
        }
    }
    if (step.obstacleCount > 0 && fineAperture.count() > 100) {
        EXPECT_GT(felt, 0.0);
    }
}

TEST_P(PassMeasure, Blocks) {
    // Half of all faces are closed at random, so most blocks are in several pieces.
    Field open = random(faces(step), 4, -1.0, 1.0);
    for (dvec4& v : open.values()) v = glm::max(v, 0.0);
    const Level level{step.cells, 1, 1.0f, {}};
    const engine::Image image = toGpu(open, VK_FORMAT_R8G8B8A8_UNORM);  // rounds `open` to eight bits
    std::vector<float> bits;
    const Numbers faceBits = openFaces(level, open);
    for (const double v : faceBits.values()) bits.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(v)));
    const engine::Buffer bitsBuffer = target(bits.size());
    upload(bitsBuffer, bits);
    const std::vector<float> result = reduce("measure_blocks", blocks(level), {{"aperture", image}, {"openFaces", bitsBuffer}}, level);
    EXPECT_EQ(result[0], splitBlocks(level, open));
    if (open.count() > 100) {
        EXPECT_GT(result[0], 0.0f);
    }
}

}  // namespace
}  // namespace wisp::test
