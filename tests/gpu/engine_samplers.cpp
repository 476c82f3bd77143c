// SPDX-License-Identifier: MIT
#include "tests/support/gpu_test.h"

#include <glm/common.hpp>
#include <glm/vec2.hpp>

#include <cmath>
#include <random>

namespace wisp::engine {
namespace {

constexpr glm::ivec3 kSource{6, 5, 4}, kTarget{12, 10, 8};  // two points per texel along each axis
constexpr float kOffset = 0.37f;

class EngineSamplers : public test::GpuTest {
protected:
    // Texel of the source. Coordinates repeat along the axes whose bits are set and are clamped along the others.
    [[nodiscard]] float texel(glm::ivec3 c, std::uint32_t repeatAxes) const {
        for (int a = 0; a < 3; ++a) {
            const bool repeats = (repeatAxes >> a & 1) != 0;
            c[a] = repeats ? (c[a] + kSource[a]) % kSource[a] : glm::clamp(c[a], 0, kSource[a] - 1);
        }
        return values[static_cast<std::size_t>((c.z * kSource.y + c.y) * kSource.x + c.x)];
    }

    [[nodiscard]] glm::vec2 bounds(glm::ivec3 point, std::uint32_t repeatAxes) const {
        const glm::vec3 at = (glm::vec3(point) + kOffset) / glm::vec3(kTarget) * glm::vec3(kSource);
        const glm::ivec3 base(glm::floor(at - 0.5f));
        glm::vec2 found(1e30f, -1e30f);
        for (int n = 0; n < 8; ++n) {
            const float v = texel(base + glm::ivec3(n & 1, n >> 1 & 1, n >> 2), repeatAxes);
            found = {std::min(found.x, v), std::max(found.y, v)};
        }
        return found;
    }

    std::vector<float> values;
};

TEST_F(EngineSamplers, MinimumAndMaximumOfTheSurroundingTexels) {
    // If the device has no such samplers, a specialization constant makes the shader skip them.
    const bool reductions = device().report().reductions;
    RecordProperty("device can reduce", reductions ? "yes" : "no");
    std::mt19937 random(7);
    std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
    values.resize(static_cast<std::size_t>(kSource.x * kSource.y * kSource.z));
    for (float& v : values) v = uniform(random);
    const Image source = image("source", kSource), target = image("target", kTarget, VK_FORMAT_R32G32_SFLOAT);
    upload(source, values);
    for (const std::uint32_t repeatAxes : {0u, 5u}) {
        const auto shaders = library(test::testShaders(), {.constants = {}, .repeatAxes = repeatAxes});
        run(*shaders, [&](Recorder& rec) { rec.dispatch("engine_reduce", kTarget, {{"source", source}, {"target", target}}, kOffset); });
        const std::vector<float> got = download(target);
        std::size_t i = 0;
        for (int z = 0; z < kTarget.z; ++z)
            for (int y = 0; y < kTarget.y; ++y)
                for (int x = 0; x < kTarget.x; ++x, i += 2)
                    ASSERT_EQ(glm::vec2(got[i], got[i + 1]), reductions ? bounds({x, y, z}, repeatAxes) : glm::vec2(0.0f))
                        << x << " " << y << " " << z << ", axes " << repeatAxes;
    }
}

}  // namespace
}  // namespace wisp::engine
