// SPDX-License-Identifier: MIT
// Antialiasing: a pixel at the edge of an obstacle shows the mean over its area, not the value at its centre.
#include "tests/physics/simulation.h"

#include <glm/geometric.hpp>

#include <cmath>

namespace wisp::test {
namespace {

class Edges : public PhysicsTest {
protected:
    Field draw(Settings s, bool antialias, std::uint32_t finer = 1) {
        s.render.antialias = antialias;
        s.render.size *= finer;
        Simulation simulation(device(), s);
        simulation.draw();
        return fieldOf(simulation.renderer.radiance());
    }

    Settings scene(std::uint32_t cells) {
        Settings s = stillBox(glm::uvec3(cells), 1.0f / static_cast<float>(cells));
        s.environment.colour = glm::vec3(0.2f);
        s.camera = {.eye = {0.5f, 0.5f, 3.0f}, .target = {0.5f, 0.5f, 0.5f}, .fov = 0.4f};
        s.render.size = {48, 48};
        return s;
    }
};

// The alpha of a pixel is the share of its area that the sphere covers, counted here with 32 x 32 rays. The renderer treats an edge as
// straight, and a pixel as a disc with the width of the pixel. For an edge that crosses a square along the diagonal, the corner left out
// has (sqrt(1/2) - 1/2)^2 = 0.043 of the area. A circle with a radius of 18 pixels deviates from a straight edge by 1/(8 * 18) = 0.007
// pixels within one pixel.
TEST_F(Edges, AlphaIsTheCoverageByASphere) {
    Settings s = scene(16);
    const double radius = 0.19;
    s.obstacles.push_back({.shape = {.centre = {0.52f, 0.47f, 0.5f}, .radius = static_cast<float>(radius)}});
    const Field picture = draw(s, true), hard = draw(s, false);
    constexpr int kRays = 32;
    const double half = std::tan(0.2);
    const dvec3 centre = dvec3(s.obstacles[0].shape.centre) - dvec3(s.camera.eye);
    double area = 0.0, covered = 0.0, partly = 0.0;
    forEach(picture.size(), [&](ivec3 p) {
        int inside = 0;
        for (int n = 0; n < kRays * kRays; ++n) {
            const double x = (p.x + (n % kRays + 0.5) / kRays) / 24.0 - 1.0, y = 1.0 - (p.y + (n / kRays + 0.5) / kRays) / 24.0;
            const dvec3 ray = glm::normalize(dvec3(half * x, half * y, -1.0));
            inside += glm::length(centre - glm::dot(centre, ray) * ray) < radius ? 1 : 0;
        }
        const double truth = static_cast<double>(inside) / (kRays * kRays);
        EXPECT_NEAR(picture(p).w, truth, 0.043 + 0.007 + 2.0 / kRays / kRays + 0.002) << p.x << ", " << p.y;
        EXPECT_TRUE(hard(p).w == 0.0 || hard(p).w == 1.0);
        covered += truth;
        area += picture(p).w;
        partly += truth > 0.0 && truth < 1.0 ? 1.0 : 0.0;
    });
    EXPECT_GT(partly, 60.0);
    // Errors of single pixels have both signs around the circle, so the error of the mean is smaller by the square root of the number of
    // pixels.
    EXPECT_NEAR(area / covered, 1.0, 0.05 * std::sqrt(partly) / covered);
}

// A coat reflects all light at grazing angles, but only at the very rim. The ball is lit from the camera, in a black environment. Its rim
// must be as bright as the mean of 8 x 8 smaller pixels. The error is the square of the variation of the cosine within a pixel, (1/3)^2,
// plus the error of a straight edge, see above.
TEST_F(Edges, RimOfACoatIsNotBlack) {
    Settings s = scene(16);
    s.environment.colour = glm::vec3(0.0f);
    s.lights.push_back({.direction = {0.0f, -0.3f, -1.0f}, .intensity = 3.0f});
    s.render.obstacleColour = glm::vec3(0.8f);
    s.render.obstacleSpecular = 0.04f;
    s.render.obstacleRoughness = 0.4f;
    s.obstacles.push_back({.shape = {.centre = {0.5f, 0.5f, 0.5f}, .radius = 0.3f}});
    constexpr std::uint32_t kFiner = 8;
    const Field picture = draw(s, true), fine = draw(s, false, kFiner);
    double rim = 0.0, truth = 0.0;
    forEach(picture.size(), [&](ivec3 p) {
        dvec4 mean(0.0);
        forEach(ivec3(kFiner, kFiner, 1), [&](ivec3 o) { mean += fine(ivec3(kFiner) * p * ivec3(1, 1, 0) + o) / double(kFiner * kFiner); });
        const double aside = glm::length(glm::dvec2(p.x - 23.5, p.y - 23.5)), edge = 24.0 * std::asin(0.3 / 2.5) / std::tan(0.2);
        if (std::abs(aside - edge) > 1.5) return;
        rim += picture(p).x;
        truth += mean.x;
    });
    EXPECT_GT(truth, 0.0);
    EXPECT_NEAR(rim / truth, 1.0, 1.0 / 9.0 + 0.043 + 0.007);
}

// A ray that passes close to a ball takes many short steps. The edge of the ball must still cover its pixel, although the ray ends on the
// ground far behind the ball.
TEST_F(Edges, EdgeBeforeTheGroundIsVisible) {
    Settings s = scene(16);
    s.environment = {.colour = glm::vec3(1.0f), .ground = true};
    s.render.groundColour = glm::vec3(0.0f);
    s.render.obstacleColour = glm::vec3(1.0f);
    s.render.size = {320, 320};
    s.camera.eye = {0.5f, 1.2f, 3.0f};
    s.obstacles.push_back({.shape = {.centre = {0.52f, 0.47f, 0.5f}, .radius = 0.19f}});
    const Field picture = draw(s, true);
    const dvec3 eye(s.camera.eye), forward = glm::normalize(dvec3(s.camera.target) - eye),
                                   right = glm::normalize(glm::cross(forward, dvec3(0.0, 1.0, 0.0))) * std::tan(0.2),
                                   up = glm::cross(right, forward), centre = dvec3(s.obstacles[0].shape.centre) - eye;
    int covered = 0;
    forEach(picture.size(), [&](ivec3 p) {
        const dvec3 ray = glm::normalize(forward + ((p.x + 0.5) / 160.0 - 1.0) * right + (1.0 - (p.y + 0.5) / 160.0) * up);
        const dvec3 aside = glm::dot(centre, ray) * ray - centre;
        if (glm::length(aside) > 0.19 || aside.y < 0.0) return;  // only black ground behind the lower half
        ++covered;
        EXPECT_GT(picture(p).x, 0.1) << p.x << ", " << p.y;  // at least half of the pixel, and half of the sky
    });
    EXPECT_GT(covered, 2500);
}

// If a pixel is wider than a cell, the smoke at the pixel centre is thinner than the mean over its area at the fringe of a Gaussian puff.
// The relative difference of second order is (w / sigma)^2 / 24 (r^2 / sigma^2 - 2). Gaussian quadrature leaves the fourth order,
// (w / sigma)^4 / 17280 of the fourth derivatives, which is 2e-3 at r = 4 sigma.
TEST_F(Edges, ThinSmokeIsAveragedOverThePixel) {
    Settings s = scene(32);
    const float sigma = 0.075f;
    s.initial.push_back({.field = InitialField::Gaussian, .shape = {.centre = {0.5f, 0.5f, 0.5f}, .radius = sigma}, .density = 1.0f});
    s.medium.extinction = 1.0f;
    s.render.size = glm::uvec2(20);
    constexpr int kFiner = 8;
    const Field picture = draw(s, true), middles = draw(s, false), fine = draw(s, false, kFiner);
    double truth = 0.0, mean = 0.0, middle = 0.0;
    forEach(picture.size(), [&](ivec3 p) {
        double alpha = 0.0;
        for (int n = 0; n < kFiner * kFiner; ++n)
            alpha += fine({kFiner * p.x + n % kFiner, kFiner * p.y + n / kFiner, 0}).w / (kFiner * kFiner);
        if (alpha > 0.03 || alpha < 0.003) return;
        truth += alpha;
        mean += picture(p).w;
        middle += middles(p).w;
    });
    EXPECT_NEAR(mean / truth, 1.0, 0.01);
    EXPECT_LT(middle / truth, 0.97);
}

}  // namespace
}  // namespace wisp::test
