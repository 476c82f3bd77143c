// SPDX-License-Identifier: MIT
// Light of a sparse simulation: it is computed around the smoke only.
#include "tests/physics/simulation.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace wisp::test {
namespace {

class LightWindowTest : public PhysicsTest {
protected:
    // Two balls of smoke in a box of 64^3 cells, at least 15 cells from its sides, under a sun and beside a lamp.
    static Settings balls(bool surfaces) {
        Settings s = stillBox(glm::uvec3(64), 1.0f / 64);
        s.grid.sparse = true;
        s.grid.pressureRatio = 2;
        s.pressure = {.solver = PressureSolver::Multigrid, .iterations = 2};
        s.initial.push_back({.shape = {.centre = {0.45f, 0.4f, 0.5f}, .radius = 0.16f}, .density = 1.0f});
        s.initial.push_back({.shape = {.centre = {0.65f, 0.5f, 0.45f}, .radius = 0.1f}, .density = 0.4f});
        s.medium.extinction = 15.0f;
        s.medium.albedo = {0.6f, 0.9f, 0.99f};
        s.medium.phase = {.g = 0.6f, .gBack = 0.0f, .blend = 0.0f};
        s.environment = {.colour = {0.2f, 0.3f, 0.4f}, .ground = surfaces};
        s.lights.push_back({.direction = {-1.0f, -1.5f, 0.3f}, .intensity = 3.0f});
        s.lights.push_back({.kind = LightKind::Point, .position = {0.2f, 0.9f, 0.9f}, .intensity = 0.5f});
        // One ball touches the smoke, the other one is far away from it.
        if (surfaces) {
            s.obstacles.push_back({.shape = {.centre = {0.7f, 0.25f, 0.55f}, .radius = 0.1f}});
            s.obstacles.push_back({.shape = {.centre = {0.12f, 0.12f, 0.8f}, .radius = 0.1f}});
        }
        s.camera = {.eye = {0.5f, 0.7f, 3.0f}, .target = {0.5f, 0.4f, 0.5f}, .fov = 0.4f};
        s.render.size = {40, 40};
        return s;
    }
    // Eight times as large, on the same floor. The corners of bricks and of all cells stay where they are.
    static Settings large(Settings s) {
        s.grid.origin = {-0.5f, 0.0f, -0.5f};
        s.grid.cells = glm::uvec3(128);
        s.grid.size = glm::vec3(2.0f);
        return s;
    }
    static double brightest(const Field& picture) {
        double most = 0.0;
        for (const dvec4& v : picture.values()) most = std::max({most, v.x, v.y, v.z});
        return most;
    }
    static dvec3 mean(const Field& picture) {
        dvec3 sum(0.0);
        for (const dvec4& v : picture.values()) sum += dvec3(v);
        return sum / static_cast<double>(picture.count());
    }
};

// The window is the same in both boxes. Positions round differently, so that weights of filters may differ by 1/256. The light volume
// holds fourth roots, whose neighbours differ by at most about 0.3 at the rims of the balls: light may differ by
// 4 x 0.3 / 256 = 0.5 % in a cell, and pictures are 16-bit floats. Rays start up to 2^-22 m apart. One in about 10^5 of those through an
// edge of a shadow would miss it: none of these pictures.
TEST_F(LightWindowTest, GivesTheSamePictureInALargeBox) {
    for (const Scattering scattering : {Scattering::Ordinates, Scattering::Octaves})
        for (const bool surfaces : {false, true}) {
            SCOPED_TRACE(testing::Message() << "surfaces " << surfaces << ", octaves " << (scattering == Scattering::Octaves));
            Settings s = balls(surfaces);
            s.render.scattering = scattering;
            const Field snug = pictureOf(s), wide = pictureOf(large(s));
            const double most = brightest(snug);
            std::size_t differ = 0;
            double worst = 0.0;
            for (std::size_t i = 0; i < snug.count(); ++i) {
                double difference = 0.0;
                for (int n = 0; n < 4; ++n)
                    difference = std::max(difference, std::abs(snug.values()[i][n] - wide.values()[i][n]) / (n < 3 ? most : 1.0));
                worst = std::max(worst, difference);
                differ += difference > 0.005 ? 1 : 0;
            }
            std::printf("worst difference %.2e, %zu pixels above 0.5 %%\n", worst, differ);
            EXPECT_EQ(differ, 0u);
            EXPECT_GT(most, 0.1);
        }
}

// In the dense simulation the same cells of light cover all of the box. Only where a ray leaves the light is different.
// Without surfaces that is in clear air: a weight of the filters, 1/256, bounds the difference (0.05 % here). The ball far away fills 3 %
// of the picture, and has the light at the edge of the window: a third of its light is 1 % of the picture (0.6 % here).
TEST_F(LightWindowTest, AgreesWithTheLightOfTheWholeBox) {
    for (const bool surfaces : {false, true}) {
        SCOPED_TRACE(testing::Message() << "surfaces " << surfaces);
        const Settings s = balls(surfaces);
        Settings whole = s;
        whole.grid.sparse = false;
        const dvec3 a = mean(pictureOf(s)), b = mean(pictureOf(whole));
        std::printf("means %.4f %.4f %.4f, dense %.4f %.4f %.4f\n", a.x, a.y, a.z, b.x, b.y, b.z);
        for (int n = 0; n < 3; ++n) EXPECT_NEAR(a[n], b[n], (surfaces ? 0.01 : 1.0 / 256.0) * b[n]);
    }
}

// The window has more than 8 of the smallest cells of the ordinates along an edge, so their cells grow four times. Single
// scattering stays. Cells of 1.5 free paths change multiple scattering by 0.3 % at an albedo of 0.6 and 1.5 % at 0.99; this bound is twice
// that.
TEST_F(LightWindowTest, GrowsItsCells) {
    Settings fine = balls(false), coarse = fine;
    coarse.render.scatteringCells = 8;
    const dvec3 a = mean(pictureOf(fine)), b = mean(pictureOf(coarse));
    std::printf("means %.4f %.4f %.4f, with 8 cells %.4f %.4f %.4f\n", a.x, a.y, a.z, b.x, b.y, b.z);
    for (int n = 0; n < 3; ++n) EXPECT_NEAR(a[n], b[n], 0.03 * a[n]);
}

}  // namespace
}  // namespace wisp::test
