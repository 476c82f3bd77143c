// SPDX-License-Identifier: MIT
// Passes of the light of flames.
#include "compute/picture/ordinates.h"
#include "shaders/shared/fire_lights.h"
#include "shaders/shared/ordinates.h"
#include "tests/gpu/pass_light.h"
#include "tests/reference/black_body.h"
#include "tests/reference/ordinates.h"

#include <array>
#include <cmath>
#include <cstring>

namespace wisp::test {
namespace {

constexpr VkFormat kFloats = VK_FORMAT_R32G32B32A32_SFLOAT;
constexpr double kPolynomial = 2e-3;  // error of the light of a black body, see tests/unit/black_body_test.cpp
constexpr ivec3 kCells{9, 7, 8};      // of the finest ordinates

double luminance(dvec3 c) { return 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z; }

class PassFireLight : public PassLight {
protected:
    void SetUp() override {
        PassLight::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        useLights(2, {{"kFire", 1}});
        view->ambient = 293.0f;
        view->ignition = 430.0f;
        view->glow = 0.5f;
        view->flame = 1.5f;
        view->bricks = (step.scalarCells + WISP_BRICK - 1) / WISP_BRICK;
        gas = Field(step.scalarCells);
        Field density = random(step.scalarCells, 1, 0.0, 1.0), temperature = random(step.scalarCells, 1, 200.0, 1500.0),
              fuel = random(step.scalarCells, 1, 0.0, 1.0);
        forEach(gas.size(), [&](ivec3 c) { gas(c) = {density(c).x, temperature(c).x, fuel(c).x, 0.0}; });
        // one brick is cold
        forEach(ivec3(WISP_BRICK + 2), [&](ivec3 o) {
            const ivec3 c = o - 1;
            if (c.x >= 0 && c.y >= 0 && c.z >= 0) gas(c).y = 300.0;
        });
        gasImage = toGpu(gas, kFloats);
    }
    /// Light that gas of the temperature T sends out [W/(m^3 sr)].
    [[nodiscard]] dvec3 emission(dvec4 s, double T) const {
        const double flame = s.y >= double(view->ignition) ? double(view->flame) * s.z : 0.0;
        return double(view->extinction) * double(view->glow) * (s.x * (1.0 - dvec3(view->albedo)) + flame) *
               blackBody(double(view->ambient) + T);
    }
    /// The same of a cell, with the temperature of a cubic B-spline: at the centre of a cell its weights are 1/6, 4/6, 1/6.
    dvec3 emissionOf(ivec3 c) {
        if (293.0 + gas(c).y < 700.0) return dvec3(0.0);
        double T = 0.0;
        forEach(ivec3(3), [&](ivec3 o) {
            const dvec3 w = (4.0 - 3.0 * glm::abs(dvec3(o - 1))) / 6.0;
            T += w.x * w.y * w.z * gas.nearest(c + o - 1, period(step, step.scalarCells)).y;
        });
        return emission(gas(c), T);
    }
    /// The largest density and fuel of the 2x2x2 cells of each thread count together.
    Field occupancyOf() {
        Field bricks(view->bricks);
        const ivec3 around = period(step, step.scalarCells);
        const auto greatest = [&](ivec3 first) {
            dvec4 most(0.0);
            forEach(ivec3(2), [&](ivec3 o) {
                const ivec3 c = first + o, inside = gas.inside(c, around);
                for (int a = 0; a < 3; ++a)
                    if (around[a] == 0 && inside[a] != c[a]) return;
                most = glm::max(most, gas(inside));
            });
            return most;
        };
        forEach(bricks.size(), [&](ivec3 brick) {
            forEach(ivec3(WISP_BRICK / 2 + 1), [&](ivec3 o) {
                const dvec4 most = greatest(brick * WISP_BRICK - 1 + 2 * o);
                bricks(brick).x = std::max(bricks(brick).x, most.x + double(view->flame) * most.z);
                bricks(brick).y = std::max(bricks(brick).y, most.y);
            });
        });
        return bricks;
    }
    gpu::FireLights lightsOf(const engine::Buffer& buffer) {
        gpu::FireLights result;
        const std::vector<std::byte> bytes = downloadBytes(buffer);
        std::memcpy(&result, bytes.data(), sizeof result);
        return result;
    }
    Field gas;
    engine::Image gasImage;
};

INSTANTIATE_TEST_SUITE_P(PeriodicAxes, PassFireLight, testing::Values(0, 5));

TEST_P(PassFireLight, OccupancyHoldsFlamesAndTemperatures) {
    const engine::Image bricks = target(view->bricks, kFloats);
    pass("occupancy", view->bricks * ivec3(WISP_BRICK_THREADS, 1, 1), {{"scalars", gasImage}, {"occupancyOut", bricks}});
    expectNear(fromGpu(bricks), occupancyOf(), 4.0 * kEps * 2.5, false);
}

// Sums over the cells of a brick and its border, one after the other; a brick below 700 K is left out. Filters have an error of 1/256 of
// the differences between cells, of which the light grows with a power of 13.
TEST_P(PassFireLight, RunningSumsOfTheLightOfBricks) {
    Field occupied = occupancyOf();
    const engine::Image bricks = toGpu(occupied, kFloats);
    const std::size_t count = occupied.count();
    const engine::Buffer table = target(count);
    pass("fire_power", view->bricks * ivec3(WISP_BRICK_THREADS, 1, 1), {{"scalars", gasImage}, {"occupancy", bricks}, {"powerOut", table}});
    pass("fire_table", {256, 1, 1}, {{"fireTable", table}}, static_cast<std::uint32_t>(count));
    const Numbers sums = fromGpu(table, {static_cast<int>(count), 1, 1});
    double sum = 0.0;
    int n = 0;
    forEach(occupied.size(), [&](ivec3 brick) {
        if (293.0 + occupied(brick).y > 700.0)
            forEach(ivec3(WISP_BRICK + 2), [&](ivec3 o) {
                const ivec3 c = brick * WISP_BRICK + o - 1;
                if (gas.inside(c, ivec3(0)) == c) sum += luminance(emissionOf(c));
            });
        EXPECT_NEAR(sums({n, 0, 0}), sum, (kPolynomial + 1e-5) * sum + 1e-6) << brick.x << " " << brick.y << " " << brick.z;
        ++n;
    });
    EXPECT_GT(sum, 0.0);
    if (GetParam() == 0) {
        EXPECT_EQ(occupied(ivec3(0)).y, 300.0) << "the cold brick";
    }
}

// A fire in a corner of the ordinates: cells of random light, and one beside it that is too faint to count.
TEST_P(PassFireLight, PartsAreEqualBlocksAroundTheFire) {
    Field light(kCells), thin(kCells, dvec4(0.5, 0.5, 0.5, 2.0));
    const ivec3 low{2, 1, 3}, size{5, 6, 3};
    Field brightness = random(size, 3, 0.5, 1.0);
    forEach(size, [&](ivec3 c) { light(low + c) = dvec4(dvec3(brightness(c)), 0.0); });
    light({0, 0, 0}) = dvec4(dvec3(2e-5), 0.0);
    const engine::Image glow = toGpu(light, kFloats), medium = toGpu(thin, kFloats);
    const engine::Buffer parts = target(sizeof(gpu::FireLights) / 4);
    pass("fire_box", {1024, 1, 1}, {{"glow", glow}, {"medium", medium}, {"fireLightsOut", parts}});
    const gpu::FireLights found = lightsOf(parts);
    // In cells of the finest grid, which are half as large as those that the pass looks at.
    EXPECT_EQ(found.low, 2 * low);
    EXPECT_EQ(found.edge, 6);  // cubes of 4 cells would be 3 x 3 x 2 = 18 parts, of 5 cells 2 x 3 x 2 = 12
    EXPECT_EQ(found.parts, ivec3(2, 2, 1));
}

// Without smoke in the way the intensity is the sum over cells. In even smoke the light of a cell is weakened along the way to the side.
TEST_P(PassFireLight, IntensitiesOfParts) {
    const ivec3 low{2, 1, 3};
    const dvec3 edge = boxSize(step) / dvec3(kCells);
    const double own = 1.0 / (edge.x * linearShare(2.0 * edge.x));  // of a cell's emission over what is stored
    for (const double sigma : {0.0, 1.5}) {
        Field light = random(kCells, 3, 0.5, 1.0), thick(kCells, dvec4(0.5, 0.5, 0.5, 2.0));
        for (dvec4& v : light.values()) v.w = sigma;
        const engine::Image glow = toGpu(light, kFloats), medium = toGpu(thick, kFloats);
        gpu::FireLights start{.low = low, .edge = 3, .parts = {2, 2, 1}};
        std::vector<float> words(sizeof start / 4);
        std::memcpy(words.data(), &start, sizeof start);
        const engine::Buffer parts = target(words.size());
        upload(parts, words);
        pass("fire_beams", {WISP_FIRE_LIGHTS * WISP_ORDINATES * WISP_FIRE_THREADS, 1, 1},
             {{"glow", glow}, {"medium", medium}, {"sources", glow}, {"fireLightsOut", parts}}, 0);
        pass("fire_lights", {WISP_FIRE_LIGHTS, 1, 1}, {{"fireLightsOut", parts}});
        const gpu::FireLights found = lightsOf(parts);
        for (int part = 0; part < 4; ++part) {
            const ivec3 first = low + 3 * ivec3(part % 2, part / 2, 0), end = glm::min(first + 3, kCells);
            dvec3 mean(0.0), alongX(0.0), moment(0.0);
            double power = 0.0;
            forEach(end - first, [&](ivec3 o) {
                const dvec3 x = dvec3(step.origin) + (dvec3(first + o) + 0.5) * edge, out = boxSize(step) + dvec3(step.origin) - x,
                            back = x - dvec3(step.origin);
                for (const Ordinate& d : ordinates()) {
                    double way = 1e30;
                    for (int a = 0; a < 3; ++a)
                        if (std::abs(d.direction[a]) > 1e-6)
                            way = std::min(way, (d.direction[a] > 0.0 ? out[a] : back[a]) / std::abs(d.direction[a]));
                    const dvec3 I = edge.x * edge.y * edge.z * std::exp(-sigma * way) * own * dvec3(light(first + o));
                    mean += d.weight * I;
                    alongX += 3.0 * d.weight * d.direction.x * I;
                    moment += d.weight * luminance(I) * x;
                    power += d.weight * luminance(I);
                }
            });
            // Sums of up to 378 numbers, and steps along a diagonal that are rounded to 1e-6 of a cell.
            for (int n = 0; n < 3; ++n) {
                EXPECT_NEAR(double(found.lights[part].intensity[n]), mean[n], 1e-4 * mean[n]) << part;
                EXPECT_NEAR(double(found.lights[part].alongX[n]), alongX[n], 1e-4 * mean[n]) << part;
                EXPECT_NEAR(double(found.lights[part].centre[n]), moment[n] / power, 1e-5) << part;
            }
            EXPECT_GT(found.lights[part].radius2, 0.0f);
        }
    }
}

// Flames add two parts to a source: their light that arrives from other cells and is scattered, and the share of the cell's own light that
// is not apart. In the sweep towards the camera, the light that comes straight from them has a half of the volume for itself.
TEST_P(PassFireLight, OrdinatesAddTheLight) {
    step.obstacleCount = 0;
    const double sigma = 20.0, edge = boxSize(step).x / kCells.x, tau = sigma * edge, share = linearShare(tau);
    Field even(kCells, dvec4(0.6, 0.5, 0.4, sigma)), reach(kCells, dvec4(0.5)),
        glow = smoothField(kCells, 3, 0.5, 1.0), light(view->lightCells, dvec4(0.9)), sky(view->skyCells, dvec4(0.4));
    glow({4, 3, 3}) = dvec4(1.5);  // a cell that is brighter than those around it
    Field before(kCells * ivec3(WISP_ORDINATE_TILES, WISP_ORDINATES / WISP_ORDINATE_TILES, 1), dvec4(0.5, 0.5, 0.5, 1.0));
    const std::vector<float> table = phaseTable({.g = view->g, .gBack = view->gBack, .blend = view->blend});
    Numbers numbers({static_cast<int>(table.size()), 1, 1});
    for (int n = 0; n < static_cast<int>(table.size()); ++n) numbers({n, 0, 0}) = double(table[static_cast<std::size_t>(n)]);
    const engine::Buffer phases = toGpu(numbers);
    const engine::Image medium = toGpu(even, kFloats), reachImage = toGpu(reach, kFloats), glowImage = toGpu(glow, kFloats),
                        in = toGpu(before, kFloats), lightImage = toGpu(light, kFloats), skyImage = toGpu(sky, VK_FORMAT_R32_SFLOAT);
    Field results[2], towardsEye[2];
    for (const int fire : {0, 1})
        for (const int toEye : {0, 1}) {
            useLights(2, {{"kFire", fire}});
            const engine::Image out = target(before.size(), kFloats), scattered = target(kCells * ivec3(1, 1, 2), kFloats);
            pass("ordinates", {kCells.x * kCells.y * kCells.z, WISP_ORDINATES, 1},
                 {{"medium", medium},
                  {"reach", reachImage},
                  {"glow", glowImage},
                  {"sourceIn", in},
                  {"sourceBefore", in},
                  {"sourceOut", out},
                  {"scattered", scattered},
                  {"phaseTable", phases},
                  {"light", lightImage},
                  {"sky", skyImage}},
                 gpu::OrdinatesPush{.cells = kCells, .gain = glm::vec3(1.0f), .pull = glm::vec3(1.0f), .toEye = toEye});
            (toEye ? towardsEye : results)[fire] = fromGpu(toEye ? scattered : out);
        }
    // Transmittances of a step are exact in even smoke. Each of up to 1 / (1 - exp(-tau)) steps that count has the error of a filter.
    const double filter = kFilter * steepest(glow) / (1.0 - std::exp(-tau)) + 1e-5;
    forEach(kCells, [&](ivec3 c) {
        std::array<dvec3, WISP_ORDINATES> flames;
        for (int k = 0; k < WISP_ORDINATES; ++k) flames[static_cast<std::size_t>(k)] = flamesFrom(step, even, glow, c, k);
        const dvec3 ray = glm::normalize(dvec3(step.origin) + (dvec3(c) + 0.5) / dvec3(kCells) * boxSize(step) - dvec3(view->eye));
        dvec3 seen(0.0);
        double weights = 0.0;
        for (int k = 0; k < WISP_ORDINATES; ++k) {
            const Ordinate& d = ordinates()[static_cast<std::size_t>(k)];
            const double w = d.weight * phaseMeanOf(table, glm::dot(d.direction, ray));
            seen += w * flames[static_cast<std::size_t>(k)];
            weights += w;
            const dvec3 kept = shareBetweenCells(*view, even(c), edge), albedo(even(c));
            dvec3 sum = ((1.0 - kept * albedo) / (1.0 - albedo) - share) / (share * tau) * dvec3(glow(c));
            for (int l = 0; l < WISP_ORDINATES; ++l)
                sum += kept * albedo * double(table[static_cast<std::size_t>(k * WISP_ORDINATES + l)]) *
                       flames[static_cast<std::size_t>(l)];
            const ivec3 at = c + kCells * ivec3(k % WISP_ORDINATE_TILES, k / WISP_ORDINATE_TILES, 0);
            for (int n = 0; n < 3; ++n) {
                const double with = results[1](at)[n], without = results[0](at)[n];
                EXPECT_NEAR(with - without, sum[n], (with + without) / 2048.0 + filter) << k;  // halves
            }
        }
        for (int n = 0; n < 3; ++n) {
            EXPECT_EQ(towardsEye[1](c)[n], towardsEye[0](c)[n]) << "light that was scattered before";
            EXPECT_NEAR(towardsEye[1](c + ivec3(0, 0, kCells.z))[n], seen[n] / weights, seen[n] / weights / 2048.0 + filter);
        }
    });
}

// In the free part of a cell light passes an obstacle. Gas is even, and the extinction is that of gas and obstacles together.
TEST_P(PassFireLight, LightPassesObstaclesInACell) {
    Field evenGas(step.scalarCells, dvec4(0.75, 1207.0, 0.0, 0.0)), bricks(view->bricks, dvec4(1.0, 1207.0, 0.0, 0.0)),
        light(view->lightCells, dvec4(0.9));
    const engine::Image smoke = toGpu(evenGas, kFloats), occupied = toGpu(bricks, kFloats), lightImage = toGpu(light, kFloats);
    const engine::Image medium = ordinatesMediumOf(kCells, smoke, lightImage, occupied).medium;
    const double sigma = 0.75 * double(view->extinction), edge = boxSize(step).x / kCells.x;
    const Field found = fromGpu(medium);
    int parts = 0;
    forEach(kCells, [&](ivec3 c) {
        const double solid = solidAmongFlames(step, dvec3(step.origin) + (dvec3(c) + 0.5) / dvec3(kCells) * boxSize(step), edge);
        // A share is the difference of a distance and half an edge, each rounded to 1e-6 of a cell; its logarithm has the slope
        // 1 / (1 - share), which is at most exp(8), and the depth is at most 8.
        EXPECT_NEAR(found(c).w, sigma + solid, 1e-5 * sigma + std::min(1e-6 * std::exp(solid * edge), 8e-3) / edge)
            << c.x << " " << c.y << " " << c.z;
        parts += solid > 0.0 && solid * edge < WISP_SOLID_DEPTH;
    });
    EXPECT_GT(parts, 5) << "cells that an obstacle fills in part";
}

// Bricks without smoke or fuel are not looked at. The picture of the depths is the same as without bricks.
TEST_P(PassFireLight, OpticalDepthAroundEmptyBricks) {
    forEach(gas.size(), [&](ivec3 c) { gas(c) = dvec4(c.x > gas.size().x / 2 ? 0.0 : 0.3 * gas(c).x, 0.0, 0.0, 0.0); });
    const engine::Image smoke = toGpu(gas, kFloats), bricks = target(view->bricks, kFloats);
    pass("occupancy", view->bricks * ivec3(WISP_BRICK_THREADS, 1, 1), {{"scalars", smoke}, {"occupancyOut", bricks}});
    const Field occupied = fromGpu(bricks);
    EXPECT_TRUE(std::ranges::any_of(occupied.values(), [](dvec4 v) { return v.x == 0.0; }));
    const std::vector<dvec3> ways{{0.15, 0.1, 0.0}, {-0.2, 0.0, 0.1}, {0.0, 0.0, 0.4}, {0.3, -0.3, 0.3}};  // at most 0.52 m
    const engine::Image depths = target(view->skyCells, kFloats);
    pass("optical_depth", view->skyCells, {{"scalars", smoke}, {"occupancy", bricks}, {"depth", depths}}, push(ways));
    const double tolerance = double(view->extinction) * 0.52 * (kFilter * steepest(gas, period(step, step.scalarCells)) + 1e-5);
    expectNear(fromGpu(depths), opticalDepth(step, *view, gas, ways), tolerance, false);
}

// Even gas: the emission is that of a black body, in every cell and on the coarser grid, where more of it is absorbed in its cell.
TEST_P(PassFireLight, MediumHoldsTheLight) {
    const dvec4 even(0.75, 1207.0, 0.0, 0.0);
    Field evenGas(step.scalarCells, even), bricks(view->bricks, dvec4(1.0, 1207.0, 0.0, 0.0)), light(view->lightCells, dvec4(0.9));
    const engine::Image smoke = toGpu(evenGas, kFloats), occupied = toGpu(bricks, kFloats), lightImage = toGpu(light, kFloats);
    const ivec3 coarse = (kCells + 1) / 2;
    const engine::Image mediumOut = target(coarse, kFloats), reachOut = target(coarse, kFloats), glowOut = target(coarse, kFloats);
    step.obstacleCount = 0;
    const auto [medium, reach, glow] = ordinatesMediumOf(kCells, smoke, lightImage, occupied);
    pass("ordinates_coarsen", coarse,
         {{"mediumIn", medium},
          {"reachIn", reach},
          {"glowIn", glow},
          {"mediumOut", mediumOut},
          {"reachOut", reachOut},
          {"glowOut", glowOut}},
         -1);
    const double sigma = double(view->extinction) * even.x;
    for (const engine::Image* image : {&glow, &glowOut}) {
        const double edge = boxSize(step).x / (image == &glow ? kCells : coarse).x;
        const dvec3 exact = linearShare(sigma * edge) * edge * emission(even, even.y);
        for (const Field found = fromGpu(*image); const dvec4& v : found.values()) {
            for (int n = 0; n < 3; ++n) EXPECT_NEAR(v[n], exact[n], kPolynomial * exact.x);
            EXPECT_NEAR(v.w, sigma, 1e-5 * sigma);
        }
    }
}

}  // namespace
}  // namespace wisp::test
