// SPDX-License-Identifier: MIT
// Motion blur in closed form: the fixture of shutter.cpp and shutter_bodies.cpp.
#pragma once

#include "compute/picture/camera.h"
#include "tests/physics/simulation.h"
#include "tests/reference/light.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace wisp::test {

inline constexpr float kH = 1.0f / 32;
inline constexpr float kExposure = 0.5f;  // [s]
inline constexpr std::uint32_t kMoments = 32, kPaths = 400;
inline constexpr int kTimes = 2000;  // of the quadrature of the closed form

// The deviation that the largest of `pixels` correct pixels exceeds with a probability of 0.01: exp(-x^2 / 2) is an upper bound of the
// probability to exceed x (both signs together).
inline double largestDeviation(double pixels) { return std::sqrt(2.0 * std::log(pixels / 0.01)); }

// Alpha over the time of an exposure: its mean, how much it changes in total, and the share of the time for which the ray meets something.
struct Blurred {
    double mean = 0.0, variation = 0.0, seen = 0.0;
};
inline constexpr double kSeen = 3e-4;  // alpha
inline Blurred blurred(const std::function<double(double)>& alphaAt) {
    Blurred b;
    double last = 0.0;
    for (int k = 0; k < kTimes; ++k) {
        const double alpha = alphaAt(((k + 0.5) / kTimes - 0.5) * double{kExposure});
        b.mean += alpha / kTimes;
        if (alpha > kSeen) b.seen += 1.0 / kTimes;
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
            simulation.recorder.clear(flow.divergenceFree(), u);
            simulation.recorder.clear(flow.coarseDivergenceFree(), u);
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

    // At the start all bricks are listed. Those without smoke close after some steps, in which nothing moves.
    void closeEmptyBricks(Simulation& simulation) {
        simulation.step(WISP_IDLE_STEPS + 4);
        const Bricks& bricks = *simulation.simulator.fields().domain.bricks;
        gpu::BrickList list{};
        std::memcpy(&list, downloadBytes(bricks.list).data(), sizeof list);
        EXPECT_LT(list.kept + list.opened + list.halo, bricks.count() / 2);
    }

    // Alpha with a shutter. `velocity`: null if the scene has its own.
    Field alphaOf(const Settings& s, const Velocity& velocity) {
        Simulation simulation(device(), s);
        if (s.grid.sparse && velocity) closeEmptyBricks(simulation);
        if (velocity) setVelocity(simulation, velocity);
        simulation.renderer.setExposure({.seconds = kExposure, .from = {}, .to = {}});
        if (s.render.mode == RenderMode::Path) {
            EXPECT_EQ(simulation.trace(kPaths).cut, 0.0);  // also of samples that met a density above the majorant
            return fieldOf(simulation.renderer.path()->mean());
        }
        simulation.draw();
        return fieldOf(simulation.renderer.radiance());
    }

    // Compares alpha with `alphaAt`, of a ray at a time. `error`: of alpha by the resolution of the grid, while the ray meets smoke;
    // otherwise kSeen. At the edge of a puff, where alpha is kSeen, interpolation is wrong by less than half of it.
    void expectBlur(Settings s, const Velocity& velocity, double error,
                    const std::function<double(dvec3 eye, dvec3 ray, double time)>& alphaAt) {
        gpu::ViewData view{};
        setCamera(view, s.camera, s.render.size);
        view.pixels = s.render.size;
        for (const RenderMode mode : {RenderMode::Raymarch, RenderMode::Path}) {
            s.render.mode = mode;
            const Field alpha = alphaOf(s, velocity);
            double worst = 0.0, still = 0.0, most = 0.0, sum = 0.0, expected = 0.0, variance = 0.0,
                   errors = 0.0;  // the last two: of the sum
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
                const double ofGrid = error > 0.0 ? exact.seen * error + (1.0 - exact.seen) * kSeen : 0.0;
                worst = std::max(worst, std::abs(alpha(p).w - exact.mean) / (noise + ofGrid));
                still = std::max(still, std::abs(alphaAt(eye, ray, 0.0) - exact.mean) / (noise + ofGrid));
                errors += ofGrid;
                sum += alpha(p).w;
                expected += exact.mean;
                variance += mode == RenderMode::Raymarch ? std::pow(0.5 * exact.variation / kMoments, 2.0) : ownVariance;
                most = std::max(most, exact.mean);
            });
            const char* name = mode == RenderMode::Raymarch ? "raymarch" : "path";
            EXPECT_LE(worst, 1.0) << name;
            EXPECT_GT(still, 2.0) << name << ": the test would not notice a picture without blur";
            EXPECT_GT(most, 0.05) << name;
            // The errors of pixels by the moments that they see have no common sign. Numbers in a range vary by at most half of it.
            const double tolerance = 4.0 * std::sqrt(variance) + errors;
            EXPECT_GT(expected, 2.0 * tolerance) << name << ": the test would not notice that half is missing";
            EXPECT_NEAR(sum, expected, tolerance) << name;
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

}  // namespace wisp::test
