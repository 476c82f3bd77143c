// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/depth_push.h"
#include "shaders/shared/ordinates.h"
#include "tests/gpu/pass_test.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace wisp::test {

inline constexpr int kOctaves = 3;

// The parameter holds the bits of the periodic axes.
class PassLight : public PassTest, public testing::WithParamInterface<int> {
protected:
    void SetUp() override {
        PassTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        step = makeStep({.cells = {17, 12, 9}, .ratio = 2, .scalarRatio = 2, .periodic = GetParam()});
        useLights(2);
        view = makeView();
        setEnvironment(Field(ivec3(1), dvec4(0.2, 0.3, 0.4, 0.0)));
        scalars = smoothField(step.scalarCells, 1, 0.1, 0.9);
        scalarImage = toGpu(scalars, VK_FORMAT_R32_SFLOAT);
    }

    /// With four lights, the light volume has no channel left for the environment.
    void useLights(int number, engine::ShaderConstants constants = {}) {
        lights = number;
        constants["kOctaves"] = kOctaves;
        constants["kLights"] = static_cast<std::uint32_t>(number);
        useConstants(std::move(constants));
    }

    struct Medium {
        engine::Image medium, reach, glow;
    };
    /// What `ordinates_medium` writes for a grid of `cells`.
    Medium ordinatesMediumOf(ivec3 cells, const engine::Image& smoke, const engine::Image& light, const engine::Image& occupancy) {
        constexpr VkFormat kFormat = VK_FORMAT_R32G32B32A32_SFLOAT;
        Medium m{target(cells, kFormat), target(cells, kFormat), target(cells, kFormat)};
        pass("ordinates_medium", {cells.x * cells.y * cells.z, WISP_MEDIUM_THREADS, 1},
             {{"scalars", smoke},
              {"light", light},
              {"occupancy", occupancy},
              {"mediumOut", m.medium},
              {"reachOut", m.reach},
              {"glowOut", m.glow}});
        return m;
    }

    // A sun, a lamp inside the box, and two weaker suns. The camera is outside the box. Every ray has an optical depth below ln 10000, at
    // which a march stops.
    View makeView() const {
        View v{};
        v.eye = {0.2f, 0.7f, 1.9f};
        v.forward = glm::normalize(glm::vec3(-0.05f, -0.15f, -1.0f));
        v.right = glm::normalize(glm::cross(v.forward, glm::vec3(0, 1, 0))) * 0.4f;
        v.up = glm::normalize(glm::cross(v.right, v.forward)) * 0.3f;
        v.pixels = {20, 15};
        v.lightCells = {9, 6, 5};
        v.skyCells = {5, 3, 3};
        v.stepLength = 0.02f;
        v.minDensity = 1e-6f;
        v.extinction = 4.0f;
        v.albedo = {0.9f, 0.7f, 0.5f};
        v.emission = {0.5f, 0.1f, 0.3f};
        v.g = 0.7f;
        v.gBack = -0.3f;
        v.blend = 0.25f;
        // The first surface has no coat. The next two have coats of alpha 0.64 that reflect up to 1/8 and 1/4.
        for (int n = 0; n < WISP_MAX_OBSTACLES; ++n) v.surfaces[n] = {{0.6f, 0.5f, 0.4f}, 0.005f * static_cast<float>(n), 0.8f};
        v.exposure = 1.0f;
        v.lights[0] = {glm::normalize(glm::vec3(0.4f, 0.8f, 0.45f)), WISP_SUN, {2.0f, 1.5f, 1.0f}};
        v.lights[1] = {step.origin + glm::vec3(0.42f, 0.57f, 0.11f), WISP_POINT, {0.1f, 0.2f, 0.3f}};
        v.lights[2] = {glm::normalize(glm::vec3(-0.4f, 0.8f, 0.45f)), WISP_SUN, {0.1f, 0.2f, 0.3f}};
        v.lights[3] = {glm::normalize(glm::vec3(-0.4f, 0.8f, -0.6f)), WISP_SUN, {0.3f, 0.1f, 0.2f}};
        return v;
    }

    // A transmittance and its root change by no more than the optical depth. The filter has an error in every sample of a path, which is no
    // longer than the box's diagonal. Its optical depth is below 12, at which a march stops.
    double transmittanceTolerance() const {
        return double(view->extinction) * glm::length(boxSize(step)) * kFilter * steepest(scalars, period(step, step.scalarCells)) + 1e-5;
    }

    // Skips cells whose shadow differs between obstacles shrunk and grown by 1/40 of a cell: the pass may stop a ray that comes closer to a
    // face than 1/256 of the distance along the ray, here 0.3 m. All other cells must agree.
    void expectShadowsNear(const Field& gpu, const Field& shrunk, const Field& grown, int channels, double tolerance) {
        std::size_t unsure = 0;
        forEach(gpu.size(), [&](ivec3 c) {
            for (int n = 0; n < channels; ++n) {
                if (shrunk(c)[n] != grown(c)[n]) ++unsure;
                else EXPECT_NEAR(gpu(c)[n], shrunk(c)[n], tolerance) << c.x << " " << c.y << " " << c.z << " channel " << n;
            }
        });
        // Silhouettes have a band of 1/20 cell. It covers one light cell of forty, seen by up to eight rays.
        EXPECT_LE(unsure, gpu.count() * static_cast<std::size_t>(channels) / 5);
    }
    void expectSky(bool ground) {
        Field back = smoothField(view->skyCells, 4, 0.1, 1.5), ahead = smoothField(view->skyCells, 4, 0.2, 1.2);
        const engine::Image backImage = toGpu(back, VK_FORMAT_R32G32B32A32_SFLOAT),
                            aheadImage = toGpu(ahead, VK_FORMAT_R32G32B32A32_SFLOAT);
        const engine::Image sky = target(view->skyCells, VK_FORMAT_R32_SFLOAT);
        pass("sky_volume", view->skyCells, {{"depthBack", backImage}, {"depthAhead", aheadImage}, {"sky", sky}});
        const auto volume = [&](double m) { return skyVolume(step, *view, back, ahead, m, ground); };
        expectShadowsNear(fromGpu(sky), volume(-margin()), volume(margin()), 1, 1e-5);  // error of eight exponentials
    }
    double margin() const { return double(step.h) / 40.0; }

    // Removes the smoke from half of the box, so that some bricks are skipped.
    void clearHalf() {
        forEach(step.scalarCells, [&](ivec3 c) { scalars(c) *= std::clamp(std::min(c.x - 17, step.scalarCells.x - c.x) / 8.0, 0.0, 1.0); });
        scalarImage = toGpu(scalars, VK_FORMAT_R32_SFLOAT);
    }
    gpu::DepthPush push(const std::vector<dvec3>& ways) const {
        gpu::DepthPush result{};
        for (std::size_t n = 0; n < ways.size(); ++n) result.steps[n] = glm::vec4(ways[n] / boxSize(step), glm::length(ways[n]));
        return result;
    }
    int lights = 2;

    engine::Image bricksToGpu() {
        Field bricks = occupancy(step, scalars);
        return toGpu(bricks, VK_FORMAT_R32_SFLOAT);
    }

    Field scalars;
    engine::Image scalarImage;
};

}  // namespace wisp::test
