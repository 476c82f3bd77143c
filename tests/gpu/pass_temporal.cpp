// SPDX-License-Identifier: MIT
// Temporal accumulation.
#include "tests/gpu/pass_test.h"

#include <glm/geometric.hpp>

#include <cmath>
#include <limits>

namespace wisp::test {
namespace {

class PassTemporal : public PassTest {
protected:
    static View camera(glm::vec3 eye, glm::vec3 towards) {
        View v{};
        v.eye = eye;
        v.forward = glm::normalize(towards);
        v.right = glm::normalize(glm::cross(v.forward, glm::vec3(0, 1, 0))) * 0.6f;
        v.up = glm::normalize(glm::cross(v.right, v.forward)) * 0.4f;
        v.pixels = {33, 22};
        return v;
    }

    engine::Image flat(Field& field, VkFormat format, int channels) {
        engine::Image result = image("flat", glm::uvec3(field.size()), format, true);
        std::vector<float> values;
        for (dvec4& v : field.values())
            for (int n = 0; n < channels; ++n) values.push_back(static_cast<float>(v[n]));
        upload(result, values);
        field = fromGpu(result);
        return result;
    }
};

TEST_F(PassTemporal, MatchesItsTwin) {
    step = makeStep({.cells = {1, 1, 1}});
    const double infinite = std::numeric_limits<double>::infinity();
    const View before = camera({0.0f, 0.1f, 2.0f}, {0.02f, -0.1f, -1.0f});
    struct Case {
        View now;
        int first;
        std::size_t blended;
    };  // `blended`: minimum number of blended pixels, of 726
    const Case cases[] = {{camera({0.05f, 0.13f, 1.93f}, {-0.03f, -0.08f, -1.0f}), 0, 300},
                          {camera({0.0f, 0.1f, 2.0f}, {-0.5f, -0.1f, -1.0f}), 0, 100},
                          {camera({0.0f, 0.1f, 2.0f}, {0.1f, 0.1f, 1.0f}), 0, 0},  // reversed view: everything was behind the camera
                          {before, 0, 300},
                          {before, 1, 0}};
    for (const auto& [now, first, least] : cases) {
        view = now;
        const ivec3 size(now.pixels, 1);
        // Images whose noise is about as large as the error of the history, so that part of the history is clamped. Previous depths are
        // about the same. A strip of the previous and of the current image is background.
        Field picture = smoothField(size, 4, 0.2, 0.8), mean = smoothField(size, 4, 0.25, 0.85), depth = smoothField(size, 1, 1.4, 1.6);
        const Field noise = random(size, 4, -0.1, 0.1), apart = random(size, 2, 0.85, 1.15);
        Field known = depth;
        forEach(size, [&](ivec3 p) {
            picture(p) += noise(p);
            known(p) = {depth(p).x * apart(p).x, std::floor(1.0 + 8.0 * (apart(p).y - 0.85) / 0.301), 0.0, 0.0};
            if (p.x > 20 && p.x < 25) depth(p).x = infinite;
            if (p.x > 21 && p.x < 27) known(p).x = infinite;
        });
        const engine::Image pictureImage = flat(picture, VK_FORMAT_R32G32B32A32_SFLOAT, 4),
                            meanImage = flat(mean, VK_FORMAT_R32G32B32A32_SFLOAT, 4), depthImage = flat(depth, VK_FORMAT_R32_SFLOAT, 1),
                            knownImage = flat(known, VK_FORMAT_R32G32_SFLOAT, 2);
        const auto output = [&](VkFormat format) { return image("output", glm::uvec3(size), format, true); };
        const engine::Image meanOut = output(VK_FORMAT_R32G32B32A32_SFLOAT), knownOut = output(VK_FORMAT_R32G32_SFLOAT),
                            radiance = output(VK_FORMAT_R32G32B32A32_SFLOAT);
        const gpu::TemporalPush push{before.eye, before.right, before.up, before.forward, first};
        pass("temporal", size,
             {{"picture", pictureImage},
              {"depth", depthImage},
              {"meanIn", meanImage},
              {"knownIn", knownImage},
              {"meanOut", meanOut},
              {"knownOut", knownOut},
              {"radiance", radiance}},
             push);
        const Field gpuMean = fromGpu(meanOut), gpuKnown = fromGpu(knownOut);
        EXPECT_EQ(gpuMean.values(), fromGpu(radiance).values());
        // A position of up to 33 pixels has 32 roundings. It acts through two slopes of a cubic, each at most 1.5 times that between
        // neighbours, and the 16 weights and products have roundings, too. After the conversion from YCoCg, a colour has the errors of
        // three numbers.
        const double place = 33.0 * 32.0 * kEps, tolerance = 3.0 * (2.0 * 1.5 * place * steepest(mean) + 32.0 * kEps);
        std::size_t unsure = 0, blended = 0;
        forEach(size, [&](ivec3 p) {
            Known is = reference::known(now, before, depth, known, p);
            if (first == 1) is.pictures = 0.0;
            const double n = std::min(is.pictures + 1.0, 8.0);
            if (gpuKnown(p).y != n) {  // the depth differs by about a tenth, or the position is between two pixels
                ++unsure;
                return;
            }
            blended += n > 1.0 ? 1 : 0;
            EXPECT_EQ(gpuKnown(p).x, depth(p).x);
            const dvec4 twin = reference::temporal(is, picture, mean, p);
            for (int c = 0; c < 4; ++c) EXPECT_NEAR(gpuMean(p)[c], twin[c], tolerance) << p.x << " " << p.y << " channel " << c;
        });
        EXPECT_LE(unsure, 2u);
        EXPECT_GE(blended, least);
        EXPECT_EQ(blended > 0, least > 0);
    }
}

}  // namespace
}  // namespace wisp::test
