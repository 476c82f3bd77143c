// SPDX-License-Identifier: MIT
// The image of a flat grid, its glow and its arrows.
#include "shaders/shared/prescribed.h"
#include "tests/gpu/pass_test.h"
#include "tests/reference/flat.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <cmath>
#include <cstring>

namespace wisp::test {
namespace {

class PassFlat : public PassTest, public testing::WithParamInterface<PassCase> {
protected:
    void SetUp() override {
        PassTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        step = makeStep(GetParam());
        view.emplace();
        for (int n = 0; n < WISP_MAX_OBSTACLES; ++n) view->surfaces[n].colour = {0.6f, 0.5f - 0.2f * static_cast<float>(n), 0.4f};
    }
    // The image extends beyond both sides of the box, so that it shows background, dye and obstacles.
    gpu::FlatPush push(float relief) const {
        const glm::vec2 box = step.h * glm::vec2(step.cells);
        return {.corner = glm::vec2(step.origin) + glm::vec2(-0.11f, 1.13f) * box,
                .pixel = 1.2f * box.x / 61.0f,
                .pixels = {61, 47},
                .depth = 2.0f,
                .relief = relief,
                .light = {1.0f, 0.9f, 0.8f},
                .towards = glm::normalize(glm::vec3(0.5f, 0.4f, 1.0f)),
                .albedo = {0.9f, 0.8f, 0.7f},
                .background = {0.1f, 0.2f, 0.4f}};
    }
};
INSTANTIATE_TEST_SUITE_P(Cases, PassFlat,
                         testing::Values(PassCase{.cells = {24, 18, 1}}, PassCase{.cells = {17, 20, 1}, .scalarRatio = 2},
                                         PassCase{.cells = {9, 8, 1}, .scalarRatio = 8, .obstacles = false},
                                         PassCase{.cells = {12, 10, 1}, .scalarRatio = 2, .obstacles = false, .periodic = 3}),
                         nameOf);

TEST_P(PassFlat, Flat) {
    // Sampler weights have 8 fractional bits: a fetch between two texels has an error of 2^-9 of their difference along each axis.
    const double sample = 2.0 * 2.0 / 512.0, taken = 2.0 * sample;  // densities are below 1, optical depths below 2
    Field scalars = random(step.scalarCells, 1, 0.0, 1.0), colours = random(step.scalarCells, 3, 0.0, 1.0);
    for (std::size_t i = 0; i < colours.count(); ++i) {
        scalars.values()[i].x = 0.5 + 0.5 * scalars.values()[i].x;
        colours.values()[i] *= scalars.values()[i].x;
    }
    const engine::Image s = toGpu(scalars, VK_FORMAT_R32_SFLOAT), K = toGpu(colours, VK_FORMAT_R32G32B32A32_SFLOAT);
    for (const bool coloured : {false, true}) {
        useConstants({{"kExactFilter", 1}, {"kHasColours", coloured ? 1u : 0u}});
        for (const float relief : {0.0f, 0.02f}) {
            const gpu::FlatPush p = push(relief);
            const engine::Image radiance = image("radiance", glm::uvec3(p.pixels, 1), VK_FORMAT_R32G32B32A32_SFLOAT, true),
                                value = image("value", glm::uvec3(p.pixels, 1), VK_FORMAT_R32_SFLOAT, true);
            pass("flat", {p.pixels, 1},
                 {{"scalars", s}, {"smokeColour", K}, {"solidDistance", distanceImage()}, {"radiance", radiance}, {"value", value}}, p);
            Field twin(ivec3(p.pixels, 1)), density(twin.size());
            std::size_t dye = 0;
            forEach(twin.size(), [&](ivec3 c) {
                const FlatSeen seen = flat(step, p, view->surfaces, scalars, coloured ? &colours : nullptr, distanceField(), c);
                twin(c) = seen.radiance;
                density(c).x = seen.density;
                dye += seen.density > 0.0;
            });
            EXPECT_GT(dye, 500u);
            // A colour is a quotient of two samples, at a density of at least 1/2. A slope is the difference of two samples over two
            // texels. Coverage by solids has the error of a sample of their distance, which changes by up to a cell along each axis from
            // one cell to the next. A pixel at the edge of the box may be covered in only one of the two results.
            const double slope = relief > 0.0f ? double(relief) * 2.0 * taken / (2.0 * double(step.h) / step.scalarRatio) : 0.0;
            const double solid = step.obstacleCount > 0 ? 2.0 * 2.0 / 512.0 * double(step.h) / double(p.pixel) : 0.0;
            const double tolerance = taken + (coloured ? 2.0 * 2.0 * sample : 0.0) + 2.0 * slope + 2.0 * solid;
            expectNear(fromGpu(radiance), twin, tolerance, false);
            expectNear(fromGpu(value), density, sample, false, solid > 0.0 ? 20 : 0);
        }
    }
}

class PassGlow : public PassTest {};

TEST_F(PassGlow, DownAndUp) {
    step = makeStep({.cells = {1, 1, 1}});
    for (const ivec3 size : {ivec3(64, 36, 1), ivec3(61, 35, 1), ivec3(2, 3, 1)}) {
        const ivec3 half = glm::max(size / ivec3(2, 2, 1), ivec3(1));
        Field fine = random(size, 4, 0.0, 1.0), coarse = random(half, 4, 0.0, 1.0);
        const auto onGpu = [&](Field& field) {
            engine::Image result = image("picture", glm::uvec3(field.size()), VK_FORMAT_R32G32B32A32_SFLOAT, true);
            std::vector<float> values;
            for (const dvec4& v : field.values())
                for (int n = 0; n < 4; ++n) values.push_back(static_cast<float>(v[n]));
            upload(result, values);
            field = fromGpu(result);
            return result;
        };
        const engine::Image finer = onGpu(fine), coarser = onGpu(coarse),
                            down = image("half", glm::uvec3(half), VK_FORMAT_R32G32B32A32_SFLOAT, true);
        pass("glow_down", half, {{"finer", finer}, {"coarserOut", down}});
        // Sampler weights: see above. With an odd size the last texels are not used.
        expectNear(fromGpu(down), glowDown(fine, half), 2.0 / 512.0, false);
        pass("glow_up", size, {{"coarser", coarser}, {"finerIn", finer}, {"finerOut", finer}}, 0.75f);
        expectNear(fromGpu(finer), glowUp(coarse, fine, 0.75), 0.75 * 2.0 / 512.0, false);
    }
}

class PassArrows : public PassTest {
protected:
    /// The image extends beyond both sides of the box. `rows`: rows of arrows in the box.
    gpu::ArrowsPush push(float rows) const {
        const glm::vec2 box = step.h * glm::vec2(step.cells);
        const float pixel = 1.2f * box.x / 211.0f;
        return {.corner = glm::vec2(step.origin) + glm::vec2(-0.1f * box.x, 1.1f * box.y),
                .pixel = pixel,
                .pixels = {211, 170},
                .low = glm::vec2(0.1f) * box / pixel,
                .spacing = box / (rows * pixel),
                .reach = 0.8f * box.y / (rows * pixel),
                .pen = 0.7f,
                .ink = 0.9f,
                .rim = 0.1f};
    }
    void expectTwin(const gpu::ArrowsPush& p, const gpu::PrescribedData& field, const std::function<glm::dvec2(glm::dvec2)>& velocity) {
        std::vector<float> words(sizeof field / sizeof(float));
        std::memcpy(words.data(), &field, sizeof field);
        const engine::Buffer prescribed = target(words.size());
        upload(prescribed, words);
        const engine::Image radiance = image("radiance", {p.pixels, 1}, VK_FORMAT_R32G32B32A32_SFLOAT, true);
        std::vector<float> floats(4 * static_cast<std::size_t>(p.pixels.x * p.pixels.y));
        for (std::size_t i = 0; i < floats.size(); ++i) floats[i] = 0.2f + 0.1f * static_cast<float>(i % 7);
        upload(radiance, floats);
        Field twin = fromGpu(radiance);
        const Field under = twin;
        pass("arrows", {p.pixels, 1}, {{"prescribed", prescribed}, {"radianceIn", radiance}, {"radianceOut", radiance}}, p);
        std::size_t covered = 0;
        forEach(twin.size(), [&](ivec3 c) {
            twin(c) = arrows(step, p, velocity, under(c), c);
            covered += twin(c) != under(c);
        });
        EXPECT_GT(covered, twin.count() / 20);
        EXPECT_LT(covered, twin.count() / 2);
        // Coverage changes by 1 per pixel. Ends of arrows have coordinates up to 211 with about ten roundings.
        expectNear(fromGpu(radiance), twin, 10.0 * 211.0 * 2.0 * kEps, false);
    }
};

TEST_F(PassArrows, ShowTheVelocityAtTheirCentres) {
    step = makeStep({.cells = {24, 20, 1}, .obstacles = false});
    const glm::dvec2 middle = 0.5 * double(step.h) * glm::dvec2(step.cells);
    gpu::PrescribedData field{};
    field.field = WISP_ROTATION;
    field.speed = 0.6f;
    // Rounding decides whether an arrow with zero velocity at its centre is drawn. An even number of rows avoids such arrows.
    expectTwin(push(10.0f), field,
               [&](glm::dvec2 x) { return double(field.speed) / middle.y * glm::dvec2(middle.y - x.y, x.x - middle.x); });
}

TEST_F(PassArrows, ShowPrescribedArrows) {
    step = makeStep({.cells = {24, 20, 1}, .obstacles = false});
    const glm::dvec2 tile = double(step.h) * glm::dvec2(step.cells) / 16.0;
    gpu::PrescribedData field{};
    field.field = WISP_ARROWS;
    for (std::size_t n = 0; n < 256; ++n)
        field.arrows[n] = glm::vec2(std::cos(static_cast<float>(n * n)), std::sin(static_cast<float>(n * n)));
    expectTwin(push(16.0f), field, [&](glm::dvec2 x) {
        const glm::ivec2 n(x / tile);
        return glm::dvec2(field.arrows[n.y * 16 + n.x]);
    });
}

}  // namespace
}  // namespace wisp::test
