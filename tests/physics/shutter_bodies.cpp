// SPDX-License-Identifier: MIT
// Motion blur of bodies and of the camera: a ball and a brick that move while the shutter is open.
#include "tests/physics/shutter.h"
#include "tests/support/meshes.h"

namespace wisp::test {
namespace {

// The share of time for which a ball of the radius R covers a ray: its centre is at most R from the ray.
TEST_F(MotionBlur, BallCoversPixelsForItsShareOfTime) {
    Settings s = scene({16, 16, 16});
    const glm::vec3 centre(0.25f), velocity(0.5f, 0.25f, -0.3f);
    s.obstacles.push_back({.shape = {.centre = centre, .radius = 0.06f}, .velocity = velocity, .colour = glm::vec3(0.0f)});
    expectBlur(s, nullptr, 0.0, [&](dvec3 eye, dvec3 ray, double time) {
        const dvec3 w = dvec3(centre) + time * dvec3(velocity) - eye;
        return glm::length(glm::cross(w, ray)) <= 0.06 ? 1.0 : 0.0;
    });
}

// A thin brick, which is oblique, turns by 90 degrees about the axis of the view.
TEST_F(MotionBlur, BrickTurnsAboutItsCentre) {
    Settings s = scene({16, 16, 16});
    const glm::vec3 centre(0.25f), half(0.2f, 0.03f, 0.05f);
    const float spin = 0.5f * glm::pi<float>() / kExposure;
    const glm::vec3 oblique(0.5f, 0.3f, 0.4f);
    s.obstacles.push_back({.shape = {ShapeKind::Box, centre, 0.0f, half},
                           .rotation = oblique,
                           .angularVelocity = {0.0f, 0.0f, spin},
                           .colour = glm::vec3(0.0f)});
    expectBlur(s, nullptr, 0.0, [&](dvec3 eye, dvec3 ray, double time) {
        // The ray meets the brick if the spans of its three pairs of faces overlap.
        const dvec3 angle(oblique);
        const glm::dquat atFirst = glm::angleAxis(glm::length(angle), glm::normalize(angle));
        const glm::dquat back = glm::conjugate(glm::angleAxis(double{spin} * time, dvec3(0.0, 0.0, 1.0)) * atFirst);
        const dvec3 x = back * (eye - dvec3(centre)), d = back * ray;
        const Span span = spanOf(-dvec3(half), dvec3(half), x, d);
        return span.low <= span.high ? 1.0 : 0.0;
    });
}

// A mesh whose vertices move along straight lines is blurred as if it moved itself. Its velocities are halves: at the ends of the
// exposure it is off by 1/2048 of its way, or of its way there.
TEST_F(MotionBlur, MeshThatDeformsMovesWithItsVertices) {
    const glm::vec3 velocity(0.5f, 0.25f, -0.3f), turn(0.0f, 0.0f, 0.5f * glm::pi<float>());
    const dvec3 own(velocity.y, -velocity.x, velocity.z);  // in the axes of the body, which is turned by 90 degrees about z
    const Mesh ball = icosphere(3, 0.06f);
    for (const RenderMode mode : {RenderMode::Raymarch, RenderMode::Path}) {
        Settings rigid = scene({16, 16, 16}), moving;
        rigid.render.mode = mode;
        rigid.obstacles.push_back({.shape = {.kind = ShapeKind::Mesh, .centre = glm::vec3(0.25f)}, .rotation = turn});
        rigid.obstacles[0].colour = glm::vec3(0.0f);
        moving = rigid;
        rigid.obstacles[0].velocity = velocity;
        rigid.meshes.push_back(shared(ball));
        moving.meshes.push_back(shared(deforming(ball, [=](dvec3 p, double t) { return p + t * own; })));
        const Field a = alphaOf(rigid, nullptr), b = alphaOf(moving, nullptr);
        double differ = 0.0, blurred = 0.0;
        for (std::size_t i = 0; i < a.count(); ++i) {
            differ += std::abs(a.values()[i].w - b.values()[i].w);
            blurred += a.values()[i].w > 0.02 && a.values()[i].w < 0.98 ? a.values()[i].w : 0.0;
        }
        EXPECT_GT(blurred, 5.0);
        // The rim of a disc that moves by x at one moment sweeps 2 / pi x / r of its area on either side; the mean of x is a half of the
        // largest, 1/2048 of the way of half an exposure. Rays end within 1/50 voxel of a mesh, which adds as much for both.
        const double way = 0.25 * double(kExposure) * double(glm::length(velocity)) / 2048.0 + 2.0 / 50.0 * double(kH);
        EXPECT_LT(differ, 4.0 / glm::pi<double>() * way / 0.06 * blurred);
    }
}

// The camera passes a ball that rests.
TEST_F(MotionBlur, CameraMovesAlongItsKeys) {
    Settings s = scene({16, 16, 16});
    const glm::vec3 centre(0.25f), velocity(0.5f, 0.25f, 0.0f);
    s.obstacles.push_back({.shape = {.centre = centre, .radius = 0.06f}, .colour = glm::vec3(0.0f)});
    for (const float t : {0.0f, 2.0f})
        s.camera.keys.push_back({t, s.camera.eye + (t - 1.0f) * velocity, s.camera.target + (t - 1.0f) * velocity});
    const Exposure exposure = exposureAt(s, 1.0, 2.0 * double{kExposure});
    ASSERT_EQ(exposure.seconds, kExposure);
    ASSERT_TRUE(exposure.from && exposure.to);
    gpu::ViewData view{};
    setCamera(view, s.camera, s.render.size);
    view.pixels = s.render.size;
    Simulation simulation(device(), s);
    simulation.renderer.setExposure(exposure);
    simulation.draw();
    const Field alpha = fieldOf(simulation.renderer.radiance());
    double still = 0.0;
    forEach(alpha.size(), [&](ivec3 p) {
        const dvec3 ray = cameraRay(view, p);
        const auto covered = [&](double time) {
            const dvec3 w = dvec3(centre) - dvec3(view.eye) - time * dvec3(velocity);
            return glm::length(glm::cross(w, ray)) <= 0.06 ? 1.0 : 0.0;
        };
        const Blurred exact = blurred(covered);
        ASSERT_NEAR(alpha(p).w, exact.mean, exact.variation / kMoments + 1.0 / 1024.0);
        still = std::max(still, std::abs(covered(0.0) - exact.mean));
    });
    EXPECT_GT(still, 0.5);
}

// Smoke, a ball and the camera that move together are sharp.
TEST_F(MotionBlur, WhatMovesWithTheCameraIsSharp) {
    Settings s = scene({64, 64, 64});
    const glm::vec3 puff = kH * glm::vec3(20.0f, 32.0f, 32.0f), ball = kH * glm::vec3(46.0f, 32.0f, 32.0f);
    const float speed = 8.0f * kH / (0.5f * kExposure), radius = 4.0f * kH;
    addPuff(s, puff);
    s.obstacles.push_back({.shape = {.centre = ball, .radius = radius}, .velocity = glm::vec3(speed), .colour = glm::vec3(0.0f)});
    Exposure exposure{.seconds = kExposure, .from = s.camera, .to = s.camera};
    for (const auto& [camera, share] : {std::pair(&exposure.from, -0.5f), std::pair(&exposure.to, 0.5f)}) {
        (*camera)->eye += share * kExposure * speed;
        (*camera)->target += share * kExposure * speed;
    }
    Simulation simulation(device(), s);
    setVelocity(simulation, [&](dvec3) { return dvec3(double{speed}); });
    simulation.renderer.setExposure(exposure);
    simulation.draw();
    const Field alpha = fieldOf(simulation.renderer.radiance());
    gpu::ViewData view{};
    setCamera(view, s.camera, s.render.size);
    view.pixels = s.render.size;
    double most = 0.0, covered = 0.0;
    forEach(alpha.size(), [&](ivec3 p) {
        const dvec3 eye(view.eye), ray = cameraRay(view, p);
        const bool hit = glm::length(glm::cross(dvec3(ball) - eye, ray)) <= double{radius};
        const double smoke = 1.0 - std::exp(-depthOf(s, dvec3(puff), eye, ray, {}));
        ASSERT_NEAR(alpha(p).w, hit ? 1.0 : smoke, kGridError + 1.0 / 1024.0) << p.x << " " << p.y;
        most = std::max(most, smoke);
        covered += hit ? 1.0 : 0.0;
    });
    EXPECT_GT(most, 0.5);
    EXPECT_GT(covered, 3.0);
}

// A ball that moves by its own length keeps the light of the sun: the light volume is that of the ball in the middle, and dark where the
// ball was then. The light of balls that rest along the way differs by what the cells of the volume resolve.
TEST_F(MotionBlur, BodiesKeepTheirLight) {
    Settings s = scene({32, 32, 32});
    const glm::vec3 centre(0.5f), velocity(0.6f, 0.0f, 0.0f);
    s.render.lightRatio = 1;
    s.render.antialias = true;
    s.obstacles.push_back({.shape = {.centre = centre, .radius = 0.15f}, .velocity = velocity, .colour = glm::vec3(0.8f)});
    s.environment.colour = glm::vec3(0.0f);
    s.lights.push_back({.direction = {-0.7f, -0.3f, -0.6f}, .intensity = 3.0f});
    const auto lightOf = [&](Simulation& simulation) {
        simulation.renderer.setExposure({.seconds = kExposure, .from = {}, .to = {}});
        simulation.draw();
        double sum = 0.0;
        const Field picture = fieldOf(simulation.renderer.radiance());
        for (const dvec4& c : picture.values()) sum += c.x;
        return sum;
    };
    Simulation moving(device(), s);
    const double light = lightOf(moving);
    double mean = 0.0, low = 1e30, high = 0.0;
    constexpr int kPositions = 8;
    s.camera.shutter = 0.0f;
    for (int k = 0; k < kPositions; ++k) {
        s.obstacles[0].shape.centre = centre + ((float(k) + 0.5f) / kPositions - 0.5f) * kExposure * velocity;
        Simulation still(device(), s);
        const double one = lightOf(still);
        mean += one / kPositions;
        low = std::min(low, one);
        high = std::max(high, one);
    }
    EXPECT_NEAR(light, mean, high - low + mean / kMoments);
}

// Single scattering by smoke beside bodies, all of which move, above a ground. With shadow rays from each sample, raymarch sees the same
// light as path mode, and its moments are as exact.
TEST_F(MotionBlur, RaymarchAndPathAgree) {
    Settings s = stillBox({24, 24, 24}, 1.0f / 24);
    s.initial.push_back({.field = InitialField::Gaussian, .shape = {.centre = {0.5f, 0.5f, 0.5f}, .radius = 0.15f}, .density = 1.0f});
    s.medium = {.extinction = 8.0f, .albedo = {0.9f, 0.8f, 0.7f}, .octaves = 1};
    s.obstacles.push_back({.shape = {.centre = {0.3f, 0.25f, 0.7f}, .radius = 0.15f}, .velocity = {0.5f, 0.2f, 0.0f}});
    s.obstacles.push_back(
        {.shape = {ShapeKind::Box, {0.75f, 0.3f, 0.4f}, 0.0f, {0.08f, 0.12f, 0.1f}}, .angularVelocity = {0.0f, 2.0f, 3.0f}});
    s.lights.push_back({.direction = {-0.6f, -0.7f, 0.35f}, .colour = {1.0f, 0.9f, 0.8f}, .intensity = 3.0f});
    s.lights.push_back({.kind = LightKind::Point, .position = {-0.3f, 0.9f, 1.5f}, .colour = {0.5f, 0.7f, 1.0f}, .intensity = 1.0f});
    s.environment = {.colour = glm::vec3(0.0f), .ground = true};
    s.camera = {.eye = {0.6f, 0.8f, 2.4f}, .target = {0.5f, 0.4f, 0.5f}, .fov = 0.5f, .shutter = glm::pi<float>()};
    s.render.size = {24, 18};
    s.render.step = 1.0f / 92;
    s.render.shadows = Shadows::March;
    s.render.bounces = 1;
    s.render.antialias = false;
    s.render.shutterSamples = kMoments;
    const Velocity velocity = [](dvec3 x) { return dvec3(0.8 - x.y, x.x - 0.5, 0.3); };
    const auto luminance = [](dvec4 c) { return 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z; };
    const auto prepare = [&](Simulation& simulation) {
        setVelocity(simulation, velocity, 1.0 / 24.0);
        simulation.renderer.setExposure({.seconds = kExposure, .from = {}, .to = {}});
    };
    Simulation marching(device(), s);
    prepare(marching);
    marching.draw();
    const Field marched = fieldOf(marching.renderer.radiance());
    s.render.mode = RenderMode::Path;
    Simulation tracing(device(), s);
    prepare(tracing);
    EXPECT_EQ(tracing.trace(kPaths).cut, 0.0);
    const Field mean = fieldOf(tracing.renderer.path()->mean()), spread = fieldOf(tracing.renderer.path()->spread());
    const double pixels = double(mean.count()), allowed = largestDeviation(pixels);
    double brightest = 0.0, bias = 0.0, total = 0.0, variance = 0.0, passed = 0.0;
    for (const dvec4& c : marched.values()) brightest = std::max(brightest, luminance(c));
    forEach(mean.size(), [&](ivec3 p) {
        const double L = luminance(marched(p)), difference = luminance(mean(p)) - L, own = spread(p).x / (kPaths - 1.0) / kPaths;
        // As in path_raymarch.cpp. A pixel of raymarch may be wrong by a part of the exposure, at each edge that passes it.
        const double error = std::sqrt(own + std::pow(brightest / kPaths, 2.0) + std::pow(L / 1024.0, 2.0) +
                                       std::pow(brightest / kMoments, 2.0));
        passed += std::abs(difference) <= allowed * error ? 1.0 : 0.0;
        bias += difference / pixels;
        total += L / pixels;
        variance += (own + std::pow(brightest / kMoments, 2.0)) / (pixels * pixels);
    });
    EXPECT_EQ(passed, pixels);
    EXPECT_NEAR(bias / total, 0.0, 3.0 * std::sqrt(variance) / total + 1.0 / 1024.0);
}

// Without an exposure, a scene with the key has the picture of the scene without it: all moments are the same, but for the offset of the
// first step. So rays meet only bodies here.
TEST_F(MotionBlur, WithoutTimeNothingMoves) {
    Settings s = scene({16, 16, 16});
    s.obstacles.push_back({.shape = {.centre = glm::vec3(0.25f), .radius = 0.1f}, .velocity = glm::vec3(1.0f)});
    s.obstacles.push_back({.shape = {ShapeKind::Box, glm::vec3(0.1f), 0.0f, glm::vec3(0.05f)}, .angularVelocity = glm::vec3(9.0f)});
    s.lights.push_back({.direction = {-0.6f, -0.7f, -0.35f}, .intensity = 5.0f});
    const Field blurredPicture = pictureOf(s);
    s.camera.shutter = 0.0f;
    const Field picture = pictureOf(s);
    // Radiances below 4 that are stored in halves twice, and sums of floats.
    for (std::size_t i = 0; i < picture.count(); ++i)
        for (int n = 0; n < 4; ++n) ASSERT_NEAR(blurredPicture.values()[i][n], picture.values()[i][n], 4.0 / 1024.0);
}

}  // namespace
}  // namespace wisp::test
