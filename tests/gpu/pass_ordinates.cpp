// SPDX-License-Identifier: MIT
// Passes of the discrete ordinates. The images are float, but the light in them is rounded to halves.
#include "compute/picture/ordinates.h"
#include "tests/gpu/pass_light.h"
#include "tests/reference/ordinates.h"

namespace wisp::test {
namespace {

constexpr VkFormat kFloats = VK_FORMAT_R32G32B32A32_SFLOAT;

class PassOrdinates : public PassLight {
protected:
    static constexpr ivec3 kCells{5, 4, 3};
    static constexpr double kOfHalves = 1.0 / 2048;  // relative error of a value that is rounded to half

    static Field atlasOf(const Sources& sources) {
        const ivec3 cells = sources[0].size();
        Field atlas(cells * ivec3(WISP_ORDINATE_TILES, WISP_ORDINATES / WISP_ORDINATE_TILES, 1));
        for (int k = 0; k < WISP_ORDINATES; ++k)
            forEach(cells, [&](ivec3 c) {
                atlas(c + cells * ivec3(k % WISP_ORDINATE_TILES, k / WISP_ORDINATE_TILES, 0)) = sources[static_cast<std::size_t>(k)](c);
            });
        return atlas;
    }
    Sources randomSources() {
        Sources sources;
        for (Field& field : sources) {
            field = random(kCells, 4, 0.0, 1.0);
            for (dvec4& q : field.values()) q = dvec4(dvec3(glm::vec3(q)), 1.0);  // as floats
        }
        return sources;
    }
    OrdinatesMedium smoothMedium() {
        OrdinatesMedium m{smoothField(kCells, 4, 0.2, 0.9), smoothField(kCells, 4, 0.1, 1.0)};
        forEach(kCells, [&](ivec3 c) { m.medium(c).w *= 8.0; });
        return m;
    }
    /// The filter's error of a source, and of the optical depth along the box's diagonal, for light of at most 1.
    double radianceTolerance(const OrdinatesMedium& m, const Sources& sources) {
        double steep = 0.0, surroundingsMost = 0.0, slope = 0.0;
        for (const Field& field : sources) steep = std::max(steep, steepest(field));
        for (const auto& h : view->environment) surroundingsMost += double(glm::length(h));
        forEach(kCells, [&](ivec3 c) {
            for (int a = 0; a < 3; ++a)
                if (c[a] > 0) slope = std::max(slope, std::abs(m.medium(c).w - m.medium(c - unit(a)).w));
        });
        return kFilter * (steep + slope * glm::length(boxSize(step)) * (1.0 + surroundingsMost)) + 1e-4;
    }
    /// The filter's error of roots of transmittances, times four for their fourth powers, and of the visible fraction of the sky.
    double groundTolerance(const GroundLight& g) const {
        double light = 0.0, around = 0.0;
        for (int n = 0; n < g.lights; ++n)
            light += double(glm::length(view->lights[n].power)) * (view->lights[n].kind == WISP_SUN ? 1.0 : 2.0);
        for (const auto& h : view->environment) around += double(glm::length(h));
        return kFilter * (4.0 * steepest(g.light) * light + 2.0 * steepest(g.sky) * around);
    }
    /// `thin`: uniform, thin smoke without sources yet. All light comes from outside, and filters are exact.
    void expectSweep(int number, bool ground, const gpu::OrdinatesPush& push, bool thin = false) {
        useLights(number, {{"kHasGround", ground ? 1 : 0}});
        OrdinatesMedium m = thin ? OrdinatesMedium{Field(kCells, dvec4(0.9, 0.7, 0.5, 0.05)), Field(kCells, dvec4(0.4))} : smoothMedium();
        Sources last = randomSources(), before = randomSources();
        if (thin) last.fill(Field(kCells, dvec4(0.0, 0.0, 0.0, 1.0)));
        Field lastAtlas = atlasOf(last), beforeAtlas = atlasOf(before);
        const engine::Image medium = toGpu(m.medium, kFloats), reach = toGpu(m.reach, kFloats), in = toGpu(lastAtlas, kFloats),
                            old = toGpu(beforeAtlas, kFloats);
        const engine::Image out = target(lastAtlas.size(), kFloats), scattered = target(kCells, kFloats);
        Field light = thin ? Field(view->lightCells, dvec4(0.9)) : smoothField(view->lightCells, 4, 0.4, 1.0),
              sky = thin ? Field(view->skyCells, dvec4(0.4)) : smoothField(view->skyCells, 1, 0.2, 0.7);
        const engine::Image lightImage = toGpu(light, kFloats), skyImage = toGpu(sky, VK_FORMAT_R32_SFLOAT);
        const GroundLight below{light, sky, surroundings, number};
        const std::vector<float> table = phaseTable({.g = view->g, .gBack = view->gBack, .blend = view->blend});
        Numbers numbers({static_cast<int>(table.size()), 1, 1});
        for (int n = 0; n < static_cast<int>(table.size()); ++n) numbers({n, 0, 0}) = double(table[static_cast<std::size_t>(n)]);
        const engine::Buffer phaseTableBuffer = toGpu(numbers);
        pass("ordinates", {kCells.x * kCells.y * kCells.z, WISP_ORDINATES, 1},
             {{"medium", medium},
              {"reach", reach},
              {"glow", reach},  // not read without fire
              {"sourceIn", in},
              {"sourceBefore", old},
              {"sourceOut", out},
              {"scattered", scattered},
              {"phaseTable", phaseTableBuffer},
              {"light", lightImage},
              {"sky", skyImage}},
             push);
        const double tolerance = radianceTolerance(m, last) + (ground ? groundTolerance(below) : 0.0);
        if (push.toEye) {
            const Field eye = ordinatesToEye(step, *view, m, last, table, number, ground ? &below : nullptr);
            double most = 0.0;
            for (const dvec4& L : eye.values()) most = std::max({most, std::abs(L.x), std::abs(L.y), std::abs(L.z)});
            expectNear(fromGpu(scattered), eye, tolerance + kOfHalves * most, false);
            return;
        }
        const Field twin = atlasOf(ordinatesSweep(step, *view, m, last, before, table, number, push, ground ? &below : nullptr)),
                    gpu = fromGpu(out);
        const double grown = double(glm::length(push.gain * push.pull));  // rows of P add up to 1
        forEach(kCells * ivec3(WISP_ORDINATE_TILES, WISP_ORDINATES / WISP_ORDINATE_TILES, 1), [&](ivec3 c) {
            for (int n = 0; n < 4; ++n)
                EXPECT_NEAR(gpu(c)[n], twin(c)[n],
                            (push.begin ? 1e-4 : tolerance) * std::max(grown, 1.0) + kOfHalves * std::abs(twin(c)[n]))
                    << c.x << " " << c.y << " " << c.z << " channel " << n;
        });
    }
    static gpu::OrdinatesPush plain() {
        return {.cells = kCells, .gain = glm::vec3(1.0f), .pull = glm::vec3(1.0f), .begin = 0, .toEye = 0};
    }
};

INSTANTIATE_TEST_SUITE_P(PeriodicAxes, PassOrdinates, testing::Values(0, 5));

// A lamp and a spot at places where 1/r^2 at the centre of a cell says nothing about its mean: in a corner of cells, in a cell, at the
// centre of a sample. Light of a lamp in its cell, over its power and over lampAtCell(), is about 1.
TEST_P(PassOrdinates, MediumAroundLamps) {
    useLights(2);
    view->lightCells = {11, 8, 6};
    Field light = smoothField(view->lightCells, 4, 0.4, 1.0);
    const engine::Image lightImage = toGpu(light, kFloats);
    const dvec3 edge = boxSize(step) / dvec3(kCells);
    for (const dvec3& at : {dvec3(2.0, 1.0, 1.0), dvec3(2.3, 1.6, 1.1), dvec3(3.5, 2.5, 1.5)})
        for (const bool spot : {false, true}) {
            view->lights[1].towards = glm::vec3(dvec3(step.origin) + at * edge);
            view->lights[1].kind = spot ? WISP_SPOT : WISP_POINT;
            view->lights[1].axis = glm::normalize(glm::vec3(1.0f, -0.5f, 0.2f));
            view->lights[1].cosOuter = 0.9f;
            view->lights[1].perCos = 20.0f;
            const engine::Image reach = ordinatesMediumOf(kCells, scalarImage, lightImage, lightImage).reach;
            const OrdinatesMedium twin = ordinatesMedium(step, *view, scalars, light, 2, kCells);
            double most = 0.0;
            for (const dvec4& cell : twin.reach.values()) most = std::max(most, cell.y);
            EXPECT_GT(most, 0.1);
            EXPECT_LT(most, 2.0);
            // As in MediumAndBodies. Gauss's rule has an error of 0.5 % of a mean of at most 2. A root takes part with a power of at
            // most 4.
            const double density = kFilter * steepest(scalars, period(step, step.scalarCells));
            expectNear(fromGpu(reach), twin.reach, 2.0 * (2.0 * 10.0 * density + 4.0 * kFilter * steepest(light) + 0.005) + 1e-4, false);
        }
}

TEST_P(PassOrdinates, MediumAndBodies) {
    view->lightCells = {11, 8, 6};
    Field light = smoothField(view->lightCells, 4, 0.4, 1.0);
    const engine::Image lightImage = toGpu(light, kFloats);
    const auto [medium, reach, glow] = ordinatesMediumOf(kCells, scalarImage, lightImage, lightImage);
    const OrdinatesMedium twin = ordinatesMedium(step, *view, scalars, light, lights, kCells);
    // Relative errors of a mean of densities, which are at least 0.1. Roundings of a distance, 1e-6 of a cell, count 8 / edge times.
    const double density = kFilter * steepest(scalars, period(step, step.scalarCells));
    const Field gpu = fromGpu(medium);
    forEach(kCells, [&](ivec3 c) {
        EXPECT_NEAR(gpu(c).w, twin.medium(c).w, double(view->extinction) * density + 1e-3) << c.x << " " << c.y << " " << c.z;
        for (int n = 0; n < 3; ++n) EXPECT_NEAR(gpu(c)[n], twin.medium(c)[n], 10.0 * density + 1e-4);
    });
    expectNear(fromGpu(reach), twin.reach, 2.0 * 10.0 * density + 4.0 * kFilter * steepest(light) + 1e-4, false);
}

TEST_P(PassOrdinates, CoarsenOddNumbers) {
    OrdinatesMedium m = smoothMedium();
    const ivec3 size = (kCells + 1) / 2;
    const engine::Image mediumIn = toGpu(m.medium, kFloats), reachIn = toGpu(m.reach, kFloats), medium = target(size, kFloats),
                        reach = target(size, kFloats), none = target(ivec3(1), kFloats);
    pass("ordinates_coarsen", size,
         {{"mediumIn", mediumIn}, {"reachIn", reachIn}, {"glowIn", reachIn}, {"mediumOut", medium}, {"reachOut", reach}, {"glowOut", none}},
         -1);
    const OrdinatesMedium twin = ordinatesCoarsen(step, *view, m, lights, size);
    expectNear(fromGpu(medium), twin.medium, 7.2 * 30.0 * kEps, false);  // values of up to 7.2, about 30 roundings
    expectNear(fromGpu(reach), twin.reach, 30.0 * kEps, false);
}

TEST_P(PassOrdinates, Sweeps) {
    step.obstacleCount = 0;
    view->lights[1].towards = step.origin + glm::vec3(0.4f, 1.5f, 0.9f);
    gpu::OrdinatesPush push = plain();
    for (const int number : {0, 1, 4}) expectSweep(number, number == 1, push);
    push.begin = 1;
    expectSweep(2, false, push);
    push = plain();
    push.gain = {1.6f, 1.3f, 1.1f};
    expectSweep(2, false, push);
    push.pull = {1.2f, 1.1f, 1.05f};
    expectSweep(2, false, push);
}

// Light in the cell of a lamp is scattered from many directions.
TEST_P(PassOrdinates, SweepAroundLamps) {
    step.obstacleCount = 0;
    const dvec3 edge = boxSize(step) / dvec3(kCells);
    for (const dvec3& at : {dvec3(2.0, 1.0, 1.0), dvec3(2.3, 1.6, 1.1)})
        for (const bool spot : {false, true}) {
            view->lights[1].towards = glm::vec3(dvec3(step.origin) + at * edge);
            view->lights[1].kind = spot ? WISP_SPOT : WISP_POINT;
            view->lights[1].axis = glm::normalize(glm::vec3(1.0f, -0.5f, 0.2f));
            view->lights[1].cosOuter = 0.9f;
            view->lights[1].perCos = 20.0f;
            view->lights[1].power = glm::vec3(0.3f);
            expectSweep(2, false, plain());
        }
}

// The ground is brighter than the sky. It is visible in all downward directions, and in half of the cones of horizontal directions. It
// fades with distance.
TEST_P(PassOrdinates, SeeTheGroundBelow) {
    step.obstacleCount = 0;
    view->surfaces[WISP_MAX_OBSTACLES].colour = {0.9f, 0.6f, 0.3f};
    view->lights[1].towards = step.origin + glm::vec3(0.4f, 1.5f, 0.9f);
    for (const float radius : {0.0f, 0.3f}) {
        view->groundRadius = radius;
        expectSweep(2, true, plain(), true);
    }
}

// A cell whose extinction is zero in half precision may have an albedo. Cells without smoke do not contribute to their neighbours' mean
// source, so they must not send light.
TEST_P(PassOrdinates, ACellWithoutSmokeSendsNoLight) {
    step.obstacleCount = 0;
    useLights(1, {{"kHasGround", 0}});
    OrdinatesMedium m = smoothMedium();
    for (dvec4& cell : m.medium.values()) cell.w = 0.0;
    Field sources = atlasOf(randomSources());
    const engine::Image medium = toGpu(m.medium, kFloats), reach = toGpu(m.reach, kFloats), in = toGpu(sources, kFloats),
                        out = target(sources.size(), kFloats), scattered = target(kCells, kFloats);
    Numbers table({WISP_PHASE_LOBES + 50, 1, 1});
    for (double& number : table.values()) number = 1.0;
    const engine::Buffer phaseTableBuffer = toGpu(table);
    for (const int begin : {0, 1}) {
        gpu::OrdinatesPush push = plain();
        push.begin = begin;
        pass("ordinates", {kCells.x * kCells.y * kCells.z, WISP_ORDINATES, 1},
             {{"medium", medium},
              {"reach", reach},
              {"glow", reach},  // not read without fire
              {"sourceIn", in},
              {"sourceBefore", in},
              {"sourceOut", out},
              {"scattered", scattered},
              {"phaseTable", phaseTableBuffer},
              {"light", scattered},
              {"sky", scattered}},
             push);
        const Field sent = fromGpu(out);
        for (const dvec4& q : sent.values()) EXPECT_EQ(q, dvec4(0.0));
    }
}

TEST_P(PassOrdinates, ScattersTowardsTheCamera) {
    step.obstacleCount = 0;
    gpu::OrdinatesPush push = plain();
    push.toEye = 1;
    for (const bool ground : {false, true})
        for (const int number : {0, 1, 4}) expectSweep(number, ground, push);
    expectSweep(4, false, push, true);
    gpu::LightData& spot = view->lights[1];  // from outside, through the middle: its length in thin smoke is the distance
    spot.kind = WISP_SPOT;
    spot.towards = step.origin - glm::vec3(0.3f, 0.2f, 0.1f);
    spot.axis = glm::normalize(step.origin + glm::vec3(0.5 * boxSize(step)) - spot.towards);
    spot.cosOuter = 0.9f;
    spot.perCos = 20.0f;
    spot.power = glm::vec3(100.0f);  // far above the tolerance of the sources
    for (const bool thin : {false, true}) expectSweep(2, false, push, thin);
}

}  // namespace
}  // namespace wisp::test
