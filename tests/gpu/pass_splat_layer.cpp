// SPDX-License-Identifier: MIT
// Splats in the smoke's image.
#include "shaders/shared/splats.h"
#include "tests/gpu/pass_light.h"

#include <bit>

namespace wisp::test {
namespace {

// Uniform smoke that emits light and scatters none, seen from the front. The parameter holds the bits of the periodic axes.
class PassSplatLayer : public PassLight {
protected:
    using Words = Grid<std::uint32_t>;
    struct Picture {
        Field radiance, depth;
    };

    void SetUp() override {
        PassLight::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        step.obstacleCount = 0;
        view->eye = step.origin + step.h * glm::vec3(8.5f, 6.0f, 9.0f) + glm::vec3(0.0f, 0.0f, 1.0f);  // 1 m in front of a box of 0.45 m
        view->forward = {0.0f, 0.0f, -1.0f};
        view->right = {1.0f, 0.0f, 0.0f};
        view->up = {0.0f, 1.0f, 0.0f};  // rays at the corners miss the box
        view->pixels = {15, 15};
        view->albedo = glm::vec3(0.0f);
        setEnvironment(Field(ivec3(1), dvec4(0.25, 0.5, 1.0, 0.0)));
        scalars = Field(step.scalarCells, dvec4(0.5));
        scalarImage = toGpu(scalars, VK_FORMAT_R32_SFLOAT);
        light = Field(view->lightCells, dvec4(0.8, 0.7, 0.9, 0.6));
        sky = Field(view->skyCells, dvec4(0.6));
        for (int n = 0; n < 2 * static_cast<int>(WISP_SPLAT_COLOURS); ++n)
            colours.insert(colours.end(), {0.001f * float(n), 0.5f, 1.0f - 0.0005f * float(n)});
    }
    [[nodiscard]] Words noSplats() const {
        return Words(WISP_SPLAT_SAMPLES * ivec3(view->pixels.x, view->pixels.y, 0) + ivec3(0, 0, 1), WISP_NO_SPLAT);
    }
    static std::uint32_t wordOf(float z, std::uint32_t colour) { return (std::bit_cast<std::uint32_t>(z) & ~WISP_SPLAT_BITS) | colour; }
    static ivec3 sampleOf(ivec3 pixel, int n) {
        return {WISP_SPLAT_SAMPLES * pixel.x + n % WISP_SPLAT_SAMPLES, WISP_SPLAT_SAMPLES * pixel.y + n / WISP_SPLAT_SAMPLES, 0};
    }
    [[nodiscard]] dvec3 colourOf(std::uint32_t word) const {
        const float* c = &colours[std::size_t{3} * (word & WISP_SPLAT_BITS)];
        return {c[0], c[1], c[2]};
    }

    Picture picture(const Words& words, engine::ShaderConstants constants = {{"kSplats", 1}}) {
        useLights(lights, std::move(constants));
        Field bricks = occupancy(step, scalars);
        view->bricks = bricks.size();
        Numbers noise({64, 64, 1}, 0.3);
        std::vector<float> bits;
        for (const std::uint32_t word : words.values()) bits.push_back(std::bit_cast<float>(word));
        const engine::Buffer splats = target(bits.size()), map = target(colours.size()), n = toGpu(noise);
        upload(splats, bits);
        upload(map, colours);
        const engine::Image b = toGpu(bricks, VK_FORMAT_R32_SFLOAT), l = toGpu(light, VK_FORMAT_R32G32B32A32_SFLOAT),
                            s = toGpu(sky, VK_FORMAT_R32_SFLOAT);
        const engine::Image radiance = image("radiance", {view->pixels, 1}, VK_FORMAT_R32G32B32A32_SFLOAT, true),
                            depth = image("depth", {view->pixels, 1}, VK_FORMAT_R32_SFLOAT, true);
        pass("raymarch", {view->pixels, 1},
             {{"scalars", scalarImage},
              {"occupancy", b},
              {"light", l},
              {"sky", s},
              {"scattered", s},
              {"noise", n},
              {"splats", splats},
              {"splatColours", map},
              {"radiance", radiance},
              {"depth", depth}});
        return {fromGpu(radiance), fromGpu(depth)};
    }

    Field light, sky;
    std::vector<float> colours;
};
INSTANTIATE_TEST_SUITE_P(PeriodicAxes, PassSplatLayer, testing::Values(0, 5));

// Smoke of extinction s from a to b, and splats that cover the fraction c of a pixel at t. The expected sums are exact, also those of the
// depth.
TEST_P(PassSplatLayer, CoverageBetweenSmokeInFrontAndBehind) {
    Words words = noSplats();
    const Field anywhere = random({15 * 15 * 4, 1, 1}, 2, 0.0, 1.0);
    forEach({15, 15, 1}, [&](ivec3 p) {
        const int covered = (p.x + 2 * p.y) % 5;
        for (int n = 0; n < covered; ++n) {
            const dvec4 r = anywhere.values()[static_cast<std::size_t>(60 * p.y + 4 * p.x + n)];
            words(sampleOf(p, (n + p.x) % 4)) = wordOf(
                static_cast<float>(std::array{0.5, 1.05, 2.0}[static_cast<std::size_t>(p.y % 3)] + 0.35 * r.x),
                static_cast<std::uint32_t>(511.0 * r.y));
        }
    });
    for (const float extinction : {0.0f, 4.0f, 20.0f}) {
        for (const float stepDensity : {0.0f, 0.06f}) {
            view->extinction = extinction;
            view->stepDensity = stepDensity;
            view->stepLength = 1e-3f;
            const Picture gpu = picture(words);
            forEach({15, 15, 1}, [&](ivec3 p) {
                const dvec3 ray = cameraRay(*view, p), eye(view->eye), emission(view->emission);
                const double sigma = std::max(0.5 * double(extinction), 1e-9), perDepth = 1.0 / glm::dot(ray, dvec3(view->forward));
                double cover = 0.0, t = 0.0;
                dvec3 shining(0.0);
                for (int n = 0; n < 4; ++n) {
                    const std::uint32_t word = words(sampleOf(p, n));
                    if (word == WISP_NO_SPLAT) continue;
                    cover += 0.25;
                    t += 0.25 * perDepth * double(std::bit_cast<float>(word & ~WISP_SPLAT_BITS));
                    shining += 0.25 * colourOf(word);
                }
                if (cover > 0.0) t /= cover;
                // Length of the ray in the smoke, to t and to the end. With an extinction of 2 and a density of 0.5, one metre transmits 1
                // / e.
                View measure = *view;
                measure.extinction = 2.0f;
                const auto way = [&](double far) { return -std::log(transmittance(step, measure, scalars, eye, ray, far, 1e-2)); };
                const double all = way(1e30), before = cover > 0.0 ? std::min(way(t), all) : all, enter = all > 0.0 ? 1.0 * perDepth : 0.0;
                const double first = std::exp(-sigma * before), behind = std::exp(-sigma * (all - before)), rest = 1.0 - cover,
                             T = first * rest * behind;
                const dvec3 L = emission * (1.0 - first) + first * shining + first * rest * (1.0 - behind) * emission +
                                T * dvec3(0.25, 0.5, 1.0);
                // A few roundings in each of 700 steps.
                for (int n = 0; n < 3; ++n)
                    ASSERT_NEAR(gpu.radiance(p)[n], L[n], 1e-4) << p.x << " " << p.y << " " << extinction << " " << stepDensity;
                ASSERT_NEAR(gpu.radiance(p).w, 1.0 - T, 1e-4) << p.x << " " << p.y;
                // Weighted sum of the distances in a stretch of smoke with this length that begins at x.
                const auto sum = [&](double x, double length) {
                    return x + 1.0 / sigma - (x + length + 1.0 / sigma) * std::exp(-sigma * length);
                };
                const double seen = 1.0 - T, middle = enter + before;
                if (seen < 1e-3 || extinction == 0.0f) {
                    ASSERT_EQ(std::isinf(gpu.depth(p).x), cover == 0.0) << p.x << " " << p.y;
                    if (cover > 0.0) {
                        ASSERT_NEAR(gpu.depth(p).x, t / perDepth, 1e-5);
                    }
                    return;
                }
                const double mean = (sum(enter, before) + first * cover * t + first * rest * sum(middle, all - before)) / seen;
                // The light of a step is placed at its centre. The depth is off by up to half a step or, with steps of up to 0.06 / 0.5 m,
                // by up to s d^2 / 12.
                const double longest = std::max(1e-3, double(stepDensity) / 0.5),
                             off = stepDensity == 0.0f ? 1e-3 : sigma * longest * longest / 12.0 + 1e-3;
                ASSERT_NEAR(gpu.depth(p).x, mean / perDepth, off) << p.x << " " << p.y << " " << extinction << " " << stepDensity;
            });
        }
    }
}

// Splats in front of an obstacle are visible. Splats behind it are not.
TEST_P(PassSplatLayer, AreHiddenByObstacles) {
    step.obstacleCount = 1;
    step.obstacles[0] = {};
    step.obstacles[0].shape = {view->eye + glm::vec3(0.0f, 0.0f, -1.2f), WISP_BOX, {0.15f, 0.15f, 0.1f}, 0.0f, {0, 0, 0, 1}};
    view->lights[0].towards = {0.0f, 0.0f, 1.0f};
    const ivec3 middle(7, 7, 0);
    Words behind = noSplats(), before = noSplats();
    for (int n = 0; n < 4; ++n) behind(sampleOf(middle, n)) = wordOf(1.11f, 300);
    for (int n = 0; n < 2; ++n) before(sampleOf(middle, n)) = wordOf(0.75f, 300);
    const Picture none = picture(noSplats()), hidden = picture(behind), seen = picture(before);
    EXPECT_GT(none.radiance(middle).x, 0.01);
    EXPECT_EQ(hidden.radiance.values(), none.radiance.values());
    EXPECT_EQ(hidden.depth.values(), none.depth.values());
    for (int n = 0; n < 3; ++n) EXPECT_NEAR(seen.radiance(middle)[n], 0.5 * none.radiance(middle)[n] + 0.5 * colourOf(300)[n], 1e-6);
    EXPECT_EQ(seen.radiance(middle).w, 1.0);
    EXPECT_NEAR(seen.depth(middle).x, 0.5 * none.depth(middle).x + 0.5 * 0.75, 1e-4);  // distances are truncated to a relative 2^-13
}

// Illumination of a blade: half of each light that reaches its position, from any side, plus the mean of the environment.
TEST_P(PassSplatLayer, BladesAreLit) {
    view->extinction = 0.0f;
    const ivec3 middle(7, 7, 0);
    Words words = noSplats();
    const std::uint32_t word = wordOf(1.25f, WISP_SPLAT_LIT | 400), own = wordOf(1.25f, 30);
    for (int n = 0; n < 3; ++n) words(sampleOf(middle, n)) = n < 2 ? word : own;
    useLights(1);
    const Picture gpu = picture(words);
    const dvec3 surroundingsColour(0.25, 0.5, 1.0), albedo = colourOf(word);
    const double kPi = glm::pi<double>();
    const dvec3 around = kPi * surroundingsColour * 0.6 +
                         0.5 * std::pow(0.8, 4.0) * dvec3(view->lights[0].power);  // 0.6 and 0.8 are values of the volumes
    const dvec3 expected = 0.5 * albedo / kPi * around + 0.25 * colourOf(own) + 0.25 * surroundingsColour;
    for (int n = 0; n < 3; ++n)
        EXPECT_NEAR(gpu.radiance(middle)[n], expected[n], 1e-5) << n;  // some roundings, and 0.25 of a mean over a map of one texel
}

// Without splats, the code that reads splats does not change a single bit.
TEST_P(PassSplatLayer, NoSplatsIsBitIdenticalToDisabledSplats) {
    step = makeStep({.cells = {17, 12, 9}, .ratio = 2, .scalarRatio = 2, .periodic = GetParam()});
    const std::uint32_t pixels = 15;
    view = makeView();
    view->pixels = {pixels, pixels};
    setEnvironment(Field(ivec3(1), dvec4(0.2, 0.3, 0.4, 0.0)));
    light = smoothField(view->lightCells, 4, 0.3, 1.0);
    sky = smoothField(view->skyCells, 1, 0.4, 1.0);
    scalars = smoothField(step.scalarCells, 1, 0.1, 0.9);
    scalarImage = toGpu(scalars, VK_FORMAT_R32_SFLOAT);
    lights = 2;
    for (const float density : {0.0f, 0.06f}) {
        view->stepDensity = density;
        for (const std::uint32_t ground : {0u, 1u}) {
            const Picture with = picture(noSplats(), {{"kSplats", 1}, {"kHasGround", ground}}),
                          without = picture(Words(ivec3(1), WISP_NO_SPLAT), {{"kSplats", 0}, {"kHasGround", ground}});
            EXPECT_EQ(with.radiance.values(), without.radiance.values());
            EXPECT_EQ(with.depth.values(), without.depth.values());
        }
    }
}

// Grass in clear air in front of the environment, one blade per pixel. It is as opaque as the ground on which it stands. Emissive splats do
// not depend on the ground.
TEST_P(PassSplatLayer, GrassFadesWithItsGround) {
    view->extinction = 0.0f;
    view->groundRadius = 0.6f;  // the image is about 2.6 m wide at a depth of 1.3 m
    constexpr float kDepth = 1.3f;
    for (const std::uint32_t lit : {0u, WISP_SPLAT_LIT}) {
        Words words = noSplats();
        for (std::uint32_t& word : words.values()) word = wordOf(kDepth, lit | 300u);
        const Field with = picture(words, {{"kSplats", 1}, {"kHasGround", 1}}).radiance;
        view->groundRadius = 0.0f;
        const Field whole = picture(words, {{"kSplats", 1}, {"kHasGround", 1}}).radiance;
        view->groundRadius = 0.6f;
        double least = 1.0;
        forEach({15, 7, 1}, [&](ivec3 p) {  // upward rays, which meet no ground
            const dvec3 ray = cameraRay(*view, p), x = dvec3(view->eye) + double(kDepth) / -ray.z * ray;
            const double cover = lit != 0u ? groundCover(step, *view, x) : 1.0;
            least = std::min(least, cover);
            // A depth has 13 bits. The cover changes by at most 1.5 per radius.
            const double tolerance = 1.5 / 0.6 * 2.0 * double(kDepth) / 8192.0 + 1e-5;
            for (int n = 0; n < 3; ++n)
                EXPECT_NEAR(with(p)[n], cover * whole(p)[n] + (1.0 - cover) * surroundings({0, 0, 0})[n], tolerance) << p.x << " " << p.y;
        });
        EXPECT_EQ(least, lit != 0u ? 0.0 : 1.0);
    }
}

}  // namespace
}  // namespace wisp::test
