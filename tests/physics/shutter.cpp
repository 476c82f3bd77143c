// SPDX-License-Identifier: MIT
// Motion blur, in closed form: a Gaussian puff, a ball and a brick that move while the shutter is open.
#include "compute/picture/camera.h"
#include "tests/physics/simulation.h"
#include "tests/reference/light.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace wisp::test {
namespace {

constexpr float kH = 1.0f / 32;
constexpr float kExposure = 0.5f;  // [s]
constexpr std::uint32_t kMoments = 32, kPaths = 400;
constexpr int kTimes = 2000;  // of the quadrature of the closed form

// The deviation that the largest of `pixels` correct pixels exceeds with a probability of 0.01: exp(-x^2 / 2) is an upper bound of the
// probability to exceed x (both signs together).
double largestDeviation(double pixels) { return std::sqrt(2.0 * std::log(pixels / 0.01)); }

// Alpha over the time of an exposure: its mean, and how much it changes in total.
struct Blurred {
    double mean = 0.0, variation = 0.0;
};
Blurred blurred(const std::function<double(double)>& alphaAt) {
    Blurred b;
    double last = 0.0;
    for (int k = 0; k < kTimes; ++k) {
        const double alpha = alphaAt(((k + 0.5) / kTimes - 0.5) * double{kExposure});
        b.mean += alpha / kTimes;
        if (k > 0) b.variation += std::abs(alpha - last);
        last = alpha;
    }
    return b;
}

class MotionBlur : public PhysicsTest {
protected:
    static Settings scene(glm::uvec3 cells) {
        Settings s = stillBox(cells, kH);
        s.camera.shutter = glm::pi<float>();
        const glm::vec3 middle = 0.5f * s.grid.size;
        s.camera.target = middle;
        s.camera.eye = middle + glm::vec3(0.0f, 0.0f, 12.0f);
        s.camera.fov = 2.0f * std::atan(0.45f * s.grid.size.y / 12.0f);  // all rays leave the box through its back
        s.render.size = {24, 24};
        s.render.antialias = false;
        s.render.shutterSamples = kMoments;
        s.medium = {.extinction = 8.0f, .albedo = glm::vec3(0.0f), .octaves = 1};
        s.lights.clear();
        s.environment.colour = glm::vec3(1.0f);
        return s;
    }

    using Velocity = std::function<dvec3(dvec3 x)>;
    // Sets the velocity. In a sparse box it must be the same everywhere, and along all axes.
    void setVelocity(Simulation& simulation, const Velocity& velocity, double h = double{kH}) {
        const Flow& flow = simulation.simulator.fields().flow;
        simulation.recorder.begin();
        if (flow.coarse) {
            const auto u = static_cast<float>(velocity(dvec3(0.0)).x);
            simulation.recorder.clear(flow.velocity, u);
            simulation.recorder.clear(flow.coarse->flow.velocity, u);
        } else {
            std::vector<float> faces;
            forEach(ivec3(flow.velocity.size()), [&](ivec3 c) {
                for (int axis = 0; axis < 3; ++axis) {
                    dvec3 x = (dvec3(c) + 0.5) * h;
                    x[axis] -= 0.5 * h;
                    faces.push_back(static_cast<float>(velocity(x)[axis]));
                }
                faces.push_back(0.0f);
            });
            simulation.recorder.upload(flow.velocity, std::as_bytes(std::span(faces)));
        }
        simulation.recorder.submit();
        simulation.recorder.finish();
    }

    // Alpha with a shutter.
    Field alphaOf(const Settings& s, const Velocity& velocity) {
        Simulation simulation(device(), s);
        if (velocity) setVelocity(simulation, velocity);
        simulation.renderer.setExposure({.seconds = kExposure, .from = {}, .to = {}});
        if (s.render.mode == RenderMode::Path) {
            EXPECT_EQ(simulation.trace(kPaths).cut, 0.0);  // also of samples that met a density above the majorant
            return fieldOf(simulation.renderer.path()->mean());
        }
        simulation.draw();
        return fieldOf(simulation.renderer.radiance());
    }

    // Compares alpha with `alphaAt`, of a ray at a time. `error`: of alpha by the resolution of the grid.
    void expectBlur(Settings s, const Velocity& velocity, double error,
                    const std::function<double(dvec3 eye, dvec3 ray, double time)>& alphaAt) {
        gpu::ViewData view{};
        setCamera(view, s.camera, s.render.size);
        view.pixels = s.render.size;
        for (const RenderMode mode : {RenderMode::Raymarch, RenderMode::Path}) {
            s.render.mode = mode;
            const Field alpha = alphaOf(s, velocity);
            double worst = 0.0, still = 0.0, sum = 0.0, expected = 0.0, variance = 0.0, most = 0.0;  // variance: of the sum
            forEach(alpha.size(), [&](ivec3 p) {
                const dvec3 eye(view.eye), ray = cameraRay(view, p);
                const Blurred exact = blurred([&](double t) { return alphaAt(eye, ray, t); });
                // Raymarch takes one value in each part of the exposure, so its error is at most the change of alpha over the number of
                // parts. Samples of path mode are hits or not, and no more spread than independent ones; a rare hit counts as one more.
                const double share = std::clamp(exact.mean, 1.0 / kPaths, 1.0 - 1.0 / kPaths);
                const double ownVariance = share * (1.0 - share) / kPaths;
                const double noise = mode == RenderMode::Raymarch
                                         ? exact.variation / kMoments + 1.0 / 1024.0
                                         : largestDeviation(double(alpha.count())) * std::sqrt(ownVariance) + 1.0 / kPaths;
                worst = std::max(worst, std::abs(alpha(p).w - exact.mean) / (noise + error));
                still = std::max(still, std::abs(alphaAt(eye, ray, 0.0) - exact.mean) / (noise + error));
                sum += alpha(p).w;
                expected += exact.mean;
                variance += mode == RenderMode::Raymarch ? std::pow(exact.variation / kMoments, 2.0) : ownVariance;
                most = std::max(most, exact.mean);
            });
            const char* name = mode == RenderMode::Raymarch ? "raymarch" : "path";
            EXPECT_LE(worst, 1.0) << name;
            EXPECT_GT(still, 2.0) << name << ": the test would not notice a picture without blur";
            EXPECT_GT(most, 0.05) << name;
            // The errors of pixels have no common sign.
            EXPECT_NEAR(sum, expected, 4.0 * std::sqrt(variance) + error * double(alpha.count())) << name;
        }
    }

    // A puff of the standard deviation 3 h that moves along the diagonal of the box by `velocity` m/s along each axis. Smoke that was
    // outside of the box is none.
    void expectPuff(Settings s, glm::vec3 centre, float velocity) {
        addPuff(s, centre);
        const bool isPeriodic = s.grid.side(0) == Side::Periodic;
        expectBlur(
            s, [&](dvec3) { return dvec3(double{velocity}); }, kGridError,
            [&](dvec3 eye, dvec3 ray, double time) {
                const dvec3 moved(time * double{velocity}), size(s.grid.size);
                double depth = 0.0;
                for (int n = 0; n < 27; ++n) {
                    const dvec3 period = isPeriodic ? size * dvec3(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1) : dvec3(0.0);
                    const Span inBox = spanOf(dvec3(0.0), size, eye, ray), before = spanOf(moved, size + moved, eye, ray);
                    depth += isPeriodic ? depthOf(s, dvec3(centre) + moved + period, eye, ray, inBox)
                                        : depthOf(s, dvec3(centre) + moved, eye, ray,
                                                  {std::max(inBox.low, before.low), std::min(inBox.high, before.high)});
                    if (!isPeriodic) break;
                }
                return 1.0 - std::exp(-depth);
            });
    }

    struct Span {
        double low = 0.0, high = 1e30;
    };
    static Span spanOf(dvec3 low, dvec3 high, dvec3 x, dvec3 d) {
        Span span;
        for (int axis = 0; axis < 3; ++axis) {
            const double a = (low[axis] - x[axis]) / d[axis], b = (high[axis] - x[axis]) / d[axis];
            span = {std::max(span.low, std::min(a, b)), std::min(span.high, std::max(a, b))};
        }
        return span;
    }
    static void addPuff(Settings& s, glm::vec3 centre) {
        s.initial.push_back(
            {.field = InitialField::Gaussian, .shape = {.centre = centre, .radius = static_cast<float>(kSigma)}, .density = 1.0f});
    }
    // Optical depth of a puff along a part of a ray.
    static double depthOf(const Settings& s, dvec3 centre, dvec3 eye, dvec3 ray, Span span) {
        if (span.low >= span.high) return 0.0;
        const dvec3 w = centre - eye;
        const double along = glm::dot(w, ray), apart2 = glm::dot(w, w) - along * along, root = kSigma * std::sqrt(2.0);
        return 0.5 * double{s.medium.extinction} * root * std::sqrt(glm::pi<double>()) * std::exp(-apart2 / (2.0 * kSigma * kSigma)) *
               (std::erf((span.high - along) / root) - std::erf((span.low - along) / root));
    }
    static constexpr double kSigma = 3.0 * double{kH};
    // Trilinear interpolation is wrong by up to h^2 / 8 times the second derivative along each axis, which is at most 1 / sigma^2. Along a
    // ray the errors of one axis cancel out. x exp(-x) <= exp(-1) for an optical depth x. Rays skip bricks with an optical depth of 5e-3.
    static constexpr double kGridError = 2.0 / (8.0 * 9.0) * 0.368 + 5e-3;
};

// The puff moves by 20 h, more than two bricks of 8 cells, to either side: into bricks without smoke.
TEST_F(MotionBlur, SmokeMovesIntoEmptyBricks) {
    Settings s = scene({64, 64, 64});
    expectPuff(s, 0.5f * s.grid.size, 20.0f * kH / (0.5f * kExposure));
}

// In a sparse box the puff moves beyond the listed bricks of 16 cells: those with smoke, and those beside them.
TEST_F(MotionBlur, SmokeMovesIntoBricksThatAreNotListed) {
    Settings s = scene({96, 96, 96});
    s.grid.sparse = true;
    s.grid.pressureRatio = 2;
    expectPuff(s, glm::vec3(44.0f * kH), 34.0f * kH / (0.5f * kExposure));
}

// Along periodic axes smoke comes in at the other side. The last brick of 44 cells is smaller than the others.
TEST_F(MotionBlur, SmokeCrossesPeriodicSides) {
    Settings s = scene({44, 44, 44});
    s.grid.sides.fill(Side::Periodic);
    expectPuff(s, 0.5f * s.grid.size, 30.0f * kH / (0.5f * kExposure));
}

// Half of the puff is in the box, at a corner. No smoke follows it from outside. At the side itself interpolation takes the value of the
// first cell for half a cell more: the other part of the puff is not stored.
TEST_F(MotionBlur, NoSmokeComesFromOutside) {
    Settings s = scene({64, 64, 64});
    s.grid.sides.fill(Side::Open);
    expectPuff(s, glm::vec3(12.0f * kH, 12.0f * kH, 1.0f * kH), 20.0f * kH / (0.5f * kExposure));
}

// In a flow that turns, the midpoint rule is wrong by the third order of the angle: the Taylor series of the rotation ends after the second
// term. The rule of the first order would be wrong by half of the square of the angle.
TEST_F(MotionBlur, SmokeMovesOnACircle) {
    Settings s = scene({48, 48, 32});
    const double most = 0.8, spin = 2.0 * most / double{kExposure}, radius = 10.0 * double{kH};  // `most`: largest angle
    const dvec3 middle = 0.5 * dvec3(s.grid.size);
    addPuff(s, glm::vec3(middle) + glm::vec3(static_cast<float>(radius), 0.0f, 0.0f));
    // The mean of |angle|^3 is a quarter of the largest. A shift by x changes alpha by at most D exp(-D) x d / sigma^2 at the distance d,
    // which is below x / (2 sigma) for this column.
    const double shift = radius * std::pow(most, 3.0) / 6.0 / 4.0;
    const auto velocity = [&](dvec3 x) { return spin * dvec3(middle.y - x.y, x.x - middle.x, 0.0); };
    expectBlur(s, velocity, kGridError + 0.5 * shift / kSigma, [&](dvec3 eye, dvec3 ray, double time) {
        const dvec3 centre = middle + radius * dvec3(std::cos(spin * time), std::sin(spin * time), 0.0);
        return 1.0 - std::exp(-depthOf(s, centre, eye, ray, {}));
    });
}

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
