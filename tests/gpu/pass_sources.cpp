// SPDX-License-Identifier: MIT
// Emitters and initial fields.
#include "tests/gpu/pass_test.h"
#include "tests/reference/sources.h"

#include <glm/geometric.hpp>

#include <cmath>
#include <limits>

namespace wisp::test {
namespace {

// Positions are below 2 m and carry 8 roundings [m].
constexpr double kPlace = 8.0 * 2.0 * kEps;

class PassSources : public EveryCase {
protected:
    void SetUp() override {
        EveryCase::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        // Every third cell is solid, so that every shape meets fluid and solid cells.
        open = random(faces(step), 4, -0.5, 1.0);
        for (dvec4& v : open.values()) v = glm::max(v, 0.0);
        openImage = toGpu(open, VK_FORMAT_R8G8B8A8_UNORM);
    }

    Field open;
    engine::Image openImage;

    // The shapes of makeStep's obstacles, which lie askew to the grid: no cell's centre is within kPlace of a surface.
    std::vector<gpu::ShapePush> pushes() const {
        std::vector<gpu::ShapePush> result;
        for (int n = 0; n < step.obstacleCount; ++n) {
            gpu::ShapePush push{};
            push.shape = step.obstacles[n].shape;
            push.density = 0.8f;
            push.densityRate = 0.5f;
            push.temperature = n == 1 ? -20.0f : 30.0f;
            push.temperatureRate = 7.0f;
            push.velocity = {1.0f, -0.5f, 0.25f};
            push.colour = {0.9f, 0.3f * static_cast<float>(n), 0.2f};
            push.first = ivec3(-1);  // the passes start at `first` and must leave alone what is outside the grid
            result.push_back(push);
        }
        return result;
    }
};
INSTANTIATE_TEST_SUITE_P(Cases, PassSources, testing::ValuesIn(passCases()), nameOf);

TEST_P(PassSources, EmitScalars) {
    for (const gpu::ShapePush& push : pushes()) {
        Field scalars = random(step.scalarCells, 2, 0.0, 1.0);
        const engine::Image image = toGpu(scalars, scalarFormat());
        pass("emit_scalars", step.scalarCells + 2, {{"scalarsIn", image}, {"openness", openImage}, {"scalarsOut", image}}, push);
        // The profile rises by at most 1.5 over 2h; temperatures are up to 31 K.
        expectNear(fromGpu(image), emitScalars(step, push, open, scalars), 31.0 * (1.5 * kPlace / (2.0 * double(step.h)) + 8.0 * kEps), half());
    }
}

// More than a half holds becomes the most that one does; what is infinite stays so, and is found.
TEST_P(PassSources, EmitMoreThanAHalfHolds) {
    gpu::ShapePush push{};
    push.shape = {step.origin, WISP_BOX, glm::vec3(10.0f), 0.0f, {0, 0, 0, 1}};
    push.density = 1e38f;
    push.temperature = std::numeric_limits<float>::infinity();
    Field scalars = random(step.scalarCells, 2, 0.0, 1.0);
    const engine::Image image = toGpu(scalars, scalarFormat());
    pass("emit_scalars", step.scalarCells + 2, {{"scalarsIn", image}, {"openness", openImage}, {"scalarsOut", image}}, push);
    const Field result = fromGpu(image);
    std::size_t wrong = 0;
    forEach(step.scalarCells, [&](ivec3 c) {
        const dvec4 most(half() ? 65504.0 : double(push.density), double(push.temperature), 0.0, 0.0);
        const dvec4 expected = open(c / step.scalarRatio).w == 0.0 ? scalars(c) : most;
        wrong += result(c).x != expected.x || result(c).y != expected.y;
    });
    EXPECT_EQ(wrong, 0u);
}

// Held, added, and both, in smoke of all colours.
TEST_P(PassSources, EmitColours) {
    for (gpu::ShapePush push : pushes()) {
        for (const auto& [density, rate] : {std::pair(0.8f, 0.0f), {0.0f, 0.5f}, {0.8f, 0.5f}}) {
            push.density = density;
            push.densityRate = rate;
            Field scalars = random(step.scalarCells, 2, 0.0, 1.0), colours = random(step.scalarCells, 3, 0.0, 1.0);
            const engine::Image s = toGpu(scalars, scalarFormat()), K = toGpu(colours, vectorFormat());
            pass("emit_colours", step.scalarCells + 2, {{"scalarsIn", s}, {"openness", openImage}, {"coloursIn", K}, {"coloursOut", K}}, push);
            // The profile rises by at most 1.5 over 2h, and changes what is below 1 by two products.
            expectNear(fromGpu(K), emitColours(step, push, open, scalars, colours), 2.0 * 1.5 * kPlace / (2.0 * double(step.h)) + 8.0 * kEps, half());
        }
    }
}

TEST_P(PassSources, WhiteColours) {
    Field scalars = random(step.scalarCells, 2, 0.0, 1.0), colours = random(step.scalarCells, 3, 0.0, 1.0);
    const engine::Image s = toGpu(scalars, scalarFormat()), K = toGpu(colours, vectorFormat());
    pass("white_colours", step.scalarCells + 2, {{"scalarsIn", s}, {"coloursOut", K}});
    expectNear(fromGpu(K), whiteColours(scalars), 0.0, half());
}

TEST_P(PassSources, EmitVelocity) {
    for (const gpu::ShapePush& shape : pushes()) {
        const gpu::JetPush push{.shape = shape.shape, .first = shape.first, .velocity = shape.velocity, .turbulenceScale = 1.0f};
        Field velocity = randomVelocity(step);
        const engine::Image image = toGpu(velocity, vectorFormat());
        pass("emit_velocity", faces(step) + 2, {{"velocityIn", image}, {"velocityOut", image}}, push);
        expectNear(fromGpu(image), emitVelocity(step, push, velocity), 2.0 * (kPlace / double(step.h) + 4.0 * kEps), half());
    }
}

// Turbulence comes on top of the fastest that a jet may be.
TEST_P(PassSources, EmitVelocityIsLimited) {
    for (const gpu::ShapePush& shape : pushes()) {
        const gpu::JetPush push{.shape = shape.shape, .first = shape.first, .velocity = {3e4f, -3e4f, 9e3f}, .turbulenceScale = 1.0f};
        Field velocity = randomVelocity(step);
        const engine::Image image = toGpu(velocity, vectorFormat());
        pass("emit_velocity", faces(step) + 2, {{"velocityIn", image}, {"velocityOut", image}}, push);
        expectNear(fromGpu(image), limited(emitVelocity(step, push, velocity)), 3e4 * (kPlace / double(step.h) + 4.0 * kEps), half());
    }
}

TEST_P(PassSources, InitialShape) {
    for (const gpu::ShapePush& push : pushes()) {
        Field scalars = random(step.scalarCells, 2, 0.0, 1.0), velocity = randomVelocity(step);
        const engine::Image s = toGpu(scalars, scalarFormat()), u = toGpu(velocity, vectorFormat());
        pass("initial_scalars", step.scalarCells, {{"scalarsIn", s}, {"openness", openImage}, {"scalarsOut", s}}, push);
        pass("initial_velocity", faces(step), {{"velocityIn", u}, {"velocityOut", u}}, push);
        Field colours = random(step.scalarCells, 3, 0.0, 1.0);
        const engine::Image K = toGpu(colours, vectorFormat());
        pass("initial_colours", step.scalarCells, {{"coloursIn", K}, {"openness", openImage}, {"coloursOut", K}}, push);
        expectNear(fromGpu(K), initialColours(step, push, open, colours), kEps, half());  // one product
        expectNear(fromGpu(s), initialScalars(step, push, open, scalars), 2.0 * 31.0 * kEps, half());  // some devices mix by a difference and a sum
        expectNear(fromGpu(u), initialVelocity(step, push, velocity), 0.0, half());
    }
}

TEST_P(PassSources, InitialFields) {
    for (const int field : {WISP_FIELD_GAUSSIAN, WISP_FIELD_ZALESAK, WISP_FIELD_TAYLOR_GREEN}) {
        gpu::ShapePush push{};  // of a sphere for which the smallest of the grids has room, too
        const glm::vec3 cells = step.cells;
        const float radius = 0.45f * std::min({cells.x, cells.y, cells.z}) * step.h;
        push.shape = {step.origin + 0.46f * cells * step.h, WISP_SPHERE, glm::vec3(0.0f), radius, {0, 0, 0, 1}};
        push.density = 0.8f;
        push.temperature = 30.0f;
        push.velocity = {1.0f, -0.5f, 0.25f};
        push.field = field;
        push.colour = {0.25f, 1.0f, 0.6f};
        Field scalars(step.scalarCells), velocity(faces(step)), colours = random(step.scalarCells, 3, 0.0, 1.0);
        const engine::Image K = toGpu(colours, vectorFormat());
        pass("initial_colours", step.scalarCells, {{"coloursIn", K}, {"openness", openImage}, {"coloursOut", K}}, push);
        expectNear(fromGpu(K), initialColours(step, push, open, colours), kPlace / double(push.shape.radius) + 8.0 * kEps, half());  // as below
        const engine::Image s = toGpu(scalars, scalarFormat()), u = toGpu(velocity, vectorFormat());
        pass("initial_scalars", step.scalarCells, {{"scalarsIn", s}, {"openness", openImage}, {"scalarsOut", s}}, push);
        pass("initial_velocity", faces(step), {{"velocityIn", u}, {"velocityOut", u}}, push);
        // The Gaussian's slope is below 1/radius; its exponent, up to 87, carries four roundings, and x exp(-x) < 0.4. Vulkan
        // lets sin and cos be wrong by 2^-11.
        expectNear(fromGpu(s), initialScalars(step, push, open, scalars), 30.0 * (kPlace / double(push.shape.radius) + 8.0 * kEps), half());
        expectNear(fromGpu(u), initialVelocity(step, push, velocity), 2.0 / 2048.0, half());
    }
}

// Noise on the velocity of an emitter that fills the box.
class PassTurbulence : public PassTest {
protected:
    Field emitted(int seed, float time = 0.0f, ivec3 ahead = {}) {  // by so many whole `turbulenceScale`s
        step = makeStep({.cells = {24, 24, 24}, .obstacles = false});
        gpu::JetPush push{};
        push.shape = {step.origin + 0.6f, WISP_BOX, glm::vec3(2.0f), 0.0f, {0, 0, 0, 1}};
        push.velocity = {2.0f, 1.0f, -2.0f};  // of length 3
        push.turbulence = 0.5f;
        push.turbulenceScale = 0.37f * step.h;  // more than two eddies a cell: neighbours are independent
        push.seed = seed;
        const glm::vec3 carried = push.velocity * (time / push.turbulenceScale), whole = glm::floor(carried);
        push.carried = carried - whole;
        push.carriedCells = ivec3(whole) + ahead;
        Field velocity(faces(step));
        const engine::Image image = toGpu(velocity, VK_FORMAT_R32G32B32A32_SFLOAT);
        pass("emit_velocity", faces(step), {{"velocityIn", image}, {"velocityOut", image}}, push);
        return fromGpu(image);
    }
};

TEST_F(PassTurbulence, HasMeanZeroAndTheRmsAskedFor) {
    const Field u = emitted(5);
    for (int axis = 0; axis < 3; ++axis) {
        double n = 0.0, sum = 0.0, squares = 0.0;
        forEach(step.cells, [&](ivec3 c) {
            const double noise = (u(c)[axis] - dvec3(2.0, 1.0, -2.0)[axis]) / (0.5 * 3.0);
            n += 1.0;
            sum += noise;
            squares += noise * noise;
        });
        // 13824 independent values of unit variance: five standard deviations of their mean. Their squares have a variance
        // below 2; the 24 phases of an axis meet the mean of the interpolation's variance to 2 %, 3 % of the rms for three.
        EXPECT_LT(std::abs(sum / n), 5.0 / std::sqrt(n));
        EXPECT_NEAR(std::sqrt(squares / n), 1.0, 5.0 * std::sqrt(2.0 / n) / 2.0 + 0.03);
    }
}

TEST_F(PassTurbulence, RepeatsItselfAndDependsOnTheSeed) {
    EXPECT_EQ(emitted(5).values(), emitted(5).values());
    const Field a = emitted(5), b = emitted(6);
    double product = 0.0, squares = 0.0;
    for (std::size_t i = 0; i < a.count(); ++i) {
        const dvec3 x = dvec3(a.values()[i]) - dvec3(2, 1, -2), y = dvec3(b.values()[i]) - dvec3(2, 1, -2);
        if (a.values()[i].x == 0.0 || a.values()[i].y == 0.0 || a.values()[i].z == 0.0) continue;  // faces that do not exist
        product += glm::dot(x, y);
        squares += glm::dot(x, x);
    }
    EXPECT_LT(std::abs(product / squares), 5.0 / std::sqrt(3.0 * 13824.0)) << "seeds must be uncorrelated";
}

TEST_F(PassTurbulence, IsCarriedByTheEmittersVelocity) {
    // After h / (2 m/s) the pattern has moved by one cell along x, half a cell along y, minus one along z; after twice that
    // by whole cells: Taylor's frozen turbulence.
    const float time = 2.0f * 0.05f / 2.0f;
    const Field before = emitted(5), after = emitted(5, time);
    forEach(step.cells - ivec3(2, 1, 2), [&](ivec3 c) {
        // Lattice coordinates up to 80 and 12 roundings; the noise changes by at most 2 * 1.9 * 2.5 a lattice unit.
        for (int axis = 0; axis < 3; ++axis)
            EXPECT_NEAR(after(c + ivec3(2, 1, 0))[axis], before(c + ivec3(0, 0, 2))[axis], 1.5 * 9.5 * 12.0 * 80.0 * kEps);
    });
}

}  // namespace
}  // namespace wisp::test
