// SPDX-License-Identifier: MIT
// Emitters and initial fields.
#include "tests/gpu/pass_test.h"
#include "tests/reference/sources.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace wisp::test {
namespace {

// Positions are below 2 m and have 8 roundings [m].
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
        picture = random({7, 5, 1}, 3, 0.0, 1.0);
        for (dvec4& v : picture.values()) v.w = v.x > 0.9 ? 0.0 : std::max({v.x, v.y, v.z});
        for (dvec4& v : picture.values()) v = v.w == 0.0 ? dvec4(0.0) : v;  // part of the image is empty
        pictureImage = image("picture", glm::uvec3(picture.size()), VK_FORMAT_R16G16B16A16_SFLOAT, true);
        std::vector<float> texels;
        for (const dvec4& v : picture.values())
            for (int n = 0; n < 4; ++n) texels.push_back(static_cast<float>(v[n]));
        upload(pictureImage, texels);
        picture = fromGpu(pictureImage);
    }

    Field open, picture;
    engine::Image openImage, pictureImage;

    gpu::ShapePush patternPush(int field) const {
        gpu::ShapePush push{};
        // No square ends within kPlace of a cell's centre.
        push.shape = {glm::vec3(0.0f), WISP_SPHERE, glm::vec3(0.0f), 1.2345f * step.h, {0, 0, 0, 1}};
        push.density = 0.8f;
        push.temperature = 30.0f;
        push.field = field;
        push.colour = {0.25f, 1.0f, 0.6f};
        return push;
    }
    // The image's largest slopes [1/m] in x and y, times the error of positions, plus two mixtures of numbers below 1.
    double pictureError() const {
        return kPlace * (7.0 / (step.cells.x * double(step.h)) + 5.0 / (step.cells.y * double(step.h))) + 8.0 * kEps;
    }

    // The shapes of makeStep's obstacles. They are rotated against the grid, so no cell centre is within kPlace of a surface.
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
            push.shell = n == 0 ? 0.7f * step.h : 0.0f;
            push.first = ivec3(-1);  // the passes start at `first` and must skip cells outside the grid
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
        pass("emit_scalars", step.scalarCells + 2, {{"scalarsIn", image}, {"aperture", openImage}, {"scalarsOut", image}}, push);
        // The profile rises by at most 1.5 over 2h; temperatures are up to 31 K.
        expectNear(fromGpu(image), emitScalars(step, push, open, scalars), 31.0 * (1.5 * kPlace / (2.0 * double(step.h)) + 8.0 * kEps),
                   half());
    }
}

// A value beyond the range of half becomes the largest half. An infinite value stays infinite, so that it is detected.
TEST_P(PassSources, EmitBeyondTheRangeOfHalf) {
    gpu::ShapePush push{};
    push.shape = {step.origin, WISP_BOX, glm::vec3(10.0f), 0.0f, {0, 0, 0, 1}};
    push.density = 1e38f;
    push.temperature = std::numeric_limits<float>::infinity();
    Field scalars = random(step.scalarCells, 2, 0.0, 1.0);
    const engine::Image image = toGpu(scalars, scalarFormat());
    pass("emit_scalars", step.scalarCells + 2, {{"scalarsIn", image}, {"aperture", openImage}, {"scalarsOut", image}}, push);
    const Field result = fromGpu(image);
    std::size_t wrong = 0;
    forEach(step.scalarCells, [&](ivec3 c) {
        const dvec4 most(half() ? 65504.0 : double(push.density), double(push.temperature), 0.0, 0.0);
        const dvec4 expected = open(c / step.scalarRatio).w == 0.0 ? scalars(c) : most;
        wrong += result(c).x != expected.x || result(c).y != expected.y;
    });
    EXPECT_EQ(wrong, 0u);
}

// Held density, added density and both, in smoke of random colours.
TEST_P(PassSources, EmitColours) {
    for (gpu::ShapePush push : pushes()) {
        for (const auto& [density, rate] : {std::pair(0.8f, 0.0f), {0.0f, 0.5f}, {0.8f, 0.5f}}) {
            push.density = density;
            push.densityRate = rate;
            Field scalars = random(step.scalarCells, 2, 0.0, 1.0), colours = random(step.scalarCells, 3, 0.0, 1.0);
            const engine::Image s = toGpu(scalars, scalarFormat()), K = toGpu(colours, vectorFormat());
            pass("emit_colours", step.scalarCells + 2, {{"scalarsIn", s}, {"aperture", openImage}, {"coloursIn", K}, {"coloursOut", K}},
                 push);
            // The profile rises by at most 1.5 over 2h, and changes values below 1 by two products.
            expectNear(fromGpu(K), emitColours(step, push, open, scalars, colours),
                       2.0 * 1.5 * kPlace / (2.0 * double(step.h)) + 8.0 * kEps, half());
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
        const gpu::JetPush push{
            .shape = shape.shape, .first = shape.first, .velocity = shape.velocity, .turbulenceScale = 1.0f, .shell = shape.shell};
        Field velocity = randomVelocity(step);
        const engine::Image image = toGpu(velocity, vectorFormat());
        pass("emit_velocity", faces(step) + 2, {{"velocityIn", image}, {"velocityOut", image}}, push);
        expectNear(fromGpu(image), emitVelocity(step, push, velocity), 2.0 * (kPlace / double(step.h) + 4.0 * kEps), half());
    }
}

// Turbulence is added to the largest speed of a jet.
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
        pass("initial_scalars", step.scalarCells,
             {{"scalarsIn", s}, {"aperture", openImage}, {"initialImage", pictureImage}, {"scalarsOut", s}}, push);
        pass("initial_velocity", faces(step), {{"velocityIn", u}, {"velocityOut", u}}, push);
        Field colours = random(step.scalarCells, 3, 0.0, 1.0);
        const engine::Image K = toGpu(colours, vectorFormat());
        pass("initial_colours", step.scalarCells,
             {{"coloursIn", K}, {"aperture", openImage}, {"initialImage", pictureImage}, {"coloursOut", K}}, push);
        expectNear(fromGpu(K), initialColours(step, push, picture, open, colours), kEps, half());  // one product
        expectNear(fromGpu(s), initialScalars(step, push, picture, open, scalars), 2.0 * 31.0 * kEps,
                   half());  // some devices mix with a difference and a sum
        expectNear(fromGpu(u), initialVelocity(step, push, velocity), 0.0, half());
    }
}

TEST_P(PassSources, InitialFields) {
    for (const int field : {WISP_FIELD_GAUSSIAN, WISP_FIELD_ZALESAK, WISP_FIELD_TAYLOR_GREEN}) {
        gpu::ShapePush push{};  // a sphere that fits even into the smallest grid
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
        pass("initial_colours", step.scalarCells,
             {{"coloursIn", K}, {"aperture", openImage}, {"initialImage", pictureImage}, {"coloursOut", K}}, push);
        expectNear(fromGpu(K), initialColours(step, push, picture, open, colours), kPlace / double(push.shape.radius) + 8.0 * kEps,
                   half());  // as below
        const engine::Image s = toGpu(scalars, scalarFormat()), u = toGpu(velocity, vectorFormat());
        pass("initial_scalars", step.scalarCells,
             {{"scalarsIn", s}, {"aperture", openImage}, {"initialImage", pictureImage}, {"scalarsOut", s}}, push);
        pass("initial_velocity", faces(step), {{"velocityIn", u}, {"velocityOut", u}}, push);
        // The Gaussian's slope is below 1/radius. Its exponent, up to 87, has four roundings, and x exp(-x) < 0.4. Vulkan allows errors of
        // 2^-11 for sin and cos.
        expectNear(fromGpu(s), initialScalars(step, push, picture, open, scalars), 30.0 * (kPlace / double(push.shape.radius) + 8.0 * kEps),
                   half());
        expectNear(fromGpu(u), initialVelocity(step, push, velocity), 2.0 / 2048.0, half());
    }
}

TEST_P(PassSources, InitialPatterns) {
    for (const int field : {WISP_FIELD_CHECKERBOARD, WISP_FIELD_IMAGE}) {
        const gpu::ShapePush push = patternPush(field);
        const double error = field == WISP_FIELD_IMAGE ? pictureError() : 0.0;
        Field scalars = random(step.scalarCells, 2, 0.0, 1.0), colours = random(step.scalarCells, 3, 0.0, 1.0);
        const engine::Image s = toGpu(scalars, scalarFormat()), K = toGpu(colours, vectorFormat());
        pass("initial_scalars", step.scalarCells + 2,
             {{"scalarsIn", s}, {"aperture", openImage}, {"initialImage", pictureImage}, {"scalarsOut", s}}, push);
        pass("initial_colours", step.scalarCells + 2,
             {{"coloursIn", K}, {"aperture", openImage}, {"initialImage", pictureImage}, {"coloursOut", K}}, push);
        expectNear(fromGpu(s), initialScalars(step, push, picture, open, scalars), 31.0 * (error + 2.0 * kEps), half());
        expectNear(fromGpu(K), initialColours(step, push, picture, open, colours), 3.0 * error + 8.0 * kEps,
                   half());  // errors of the colour, its quotient and the amount
    }
}

// Points away from cell centres, and also outside the box.
TEST_P(PassSources, InitialPatternsAtAnyPoint) {
    constexpr int kCount = 500;
    const Field share = random({kCount, 1, 1}, 3, -1.5, 2.5);
    std::vector<float> places;
    for (const dvec4& v : share.values())
        for (int axis = 0; axis < 3; ++axis)
            places.push_back(step.origin[axis] + static_cast<float>(v[axis]) * static_cast<float>(step.cells[axis]) * step.h);
    useConstants({{"kExactFilter", 1}}, testShaders());
    const engine::Buffer points = target(places.size());
    upload(points, places);
    for (const int field : {WISP_FIELD_CHECKERBOARD, WISP_FIELD_IMAGE}) {
        const gpu::ShapePush push = patternPush(field);
        const engine::Image amounts = target({kCount, 1, 1}, VK_FORMAT_R32G32B32A32_SFLOAT);
        pass("initial_points", {kCount, 1, 1}, {{"points", points}, {"initialImage", pictureImage}, {"amounts", amounts}}, push);
        const Field found = fromGpu(amounts);
        std::size_t wrong = 0, some = 0;
        for (std::size_t i = 0; i < kCount; ++i) {
            const dvec4 expected = initialAmount(step, push, picture, {places[3 * i], places[3 * i + 1], places[3 * i + 2]}),
                        v = found.values()[i];
            some += expected.w > 0.0;
            // The factor 12: 3 as above, and positions are up to four times as far away.
            for (int n = 0; n < 3; ++n) wrong += std::abs(v[n] * v.w - expected[n] * expected.w) > 12.0 * pictureError() + 8.0 * kEps;
            wrong += std::abs(v.w - expected.w) > 4.0 * pictureError();
        }
        EXPECT_GT(some, kCount / 4u);
        // One point may be within the position error of a square's edge, or of a periodic seam, where the image jumps.
        EXPECT_LE(wrong, 4u) << field;
    }
}

// Noise on the velocity of an emitter that fills the box.
class PassTurbulence : public PassTest {
protected:
    Field emitted(int seed, float time = 0.0f, ivec3 ahead = {}) {  // `ahead`: in units of `turbulenceScale`
        step = makeStep({.cells = {24, 24, 24}, .obstacles = false});
        gpu::JetPush push{};
        push.shape = {step.origin + 0.6f, WISP_BOX, glm::vec3(2.0f), 0.0f, {0, 0, 0, 1}};
        push.velocity = {2.0f, 1.0f, -2.0f};  // of length 3
        push.turbulence = 0.5f;
        push.turbulenceScale = 0.37f * step.h;  // more than two eddies per cell: neighbours are independent
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

TEST_F(PassTurbulence, HasMeanZeroAndTheRequestedRms) {
    const Field u = emitted(5);
    for (int axis = 0; axis < 3; ++axis) {
        double n = 0.0, sum = 0.0, squares = 0.0;
        forEach(step.cells, [&](ivec3 c) {
            const double noise = (u(c)[axis] - dvec3(2.0, 1.0, -2.0)[axis]) / (0.5 * 3.0);
            n += 1.0;
            sum += noise;
            squares += noise * noise;
        });
        // 13824 independent values of unit variance: five standard deviations of their mean. Their squares have a variance below 2. The 24
        // phases of an axis give the mean of the interpolation's variance to 2 %, which is 3 % of the rms for three axes.
        EXPECT_LT(std::abs(sum / n), 5.0 / std::sqrt(n));
        EXPECT_NEAR(std::sqrt(squares / n), 1.0, 5.0 * std::sqrt(2.0 / n) / 2.0 + 0.03);
    }
}

TEST_F(PassTurbulence, IsReproducibleAndDependsOnTheSeed) {
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
    // Taylor's frozen turbulence: after h / (2 m/s) the pattern has moved by one cell along x, half a cell along y and minus one cell along
    // z. After twice that time it has moved by whole cells.
    const float time = 2.0f * 0.05f / 2.0f;
    const Field before = emitted(5), after = emitted(5, time);
    forEach(step.cells - ivec3(2, 1, 2), [&](ivec3 c) {
        // Lattice coordinates are up to 80 with 12 roundings. The noise changes by at most 2 * 1.9 * 2.5 per lattice unit.
        for (int axis = 0; axis < 3; ++axis)
            EXPECT_NEAR(after(c + ivec3(2, 1, 0))[axis], before(c + ivec3(0, 0, 2))[axis], 1.5 * 9.5 * 12.0 * 80.0 * kEps);
    });
}

}  // namespace
}  // namespace wisp::test
