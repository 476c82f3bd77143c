// SPDX-License-Identifier: MIT
// Path tracing: random numbers, directions, complete paths compared with their twins, and sums over an image.
#include "compute/picture/environment_sampling.h"
#include "compute/picture/path_tracer.h"
#include "tests/gpu/pass_test.h"
#include "tests/reference/path.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace wisp::test {
namespace {

struct PhasePush {
    glm::vec3 ray;
    float g, gBack, blend;
};
WISP_MEMBERS(PhasePush, ray, g, gBack, blend)

class PathRandom : public PassTest {
protected:
    static constexpr std::uint32_t kCount = 1 << 16;
    void SetUp() override {
        PassTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        useConstants({}, testShaders());
    }
    void sample(const PhasePush& push) {
        const engine::Buffer bits = buffer("bits", kCount * 16), directions = buffer("directions", kCount * 16);
        pass("path_random", ivec3(kCount, 1, 1), {{"bits", bits}, {"directions", directions}}, push);
        const std::vector<std::byte> bytes = downloadBytes(bits);
        hashes.resize(kCount);
        std::memcpy(hashes.data(), bytes.data(), bytes.size());
        values = download(directions);
    }
    std::vector<std::array<std::uint32_t, 4>> hashes;
    std::vector<float> values;  // direction and density, four values per sample
};

TEST_F(PathRandom, HashesMatchTheTwin) {
    sample({{0, 0, 1}, 0.0f, 0.0f, 0.0f});
    for (std::uint32_t i = 0; i < kCount; ++i) ASSERT_EQ(hashes[i], hash4({i, 2 * i, 3, 5})) << i;
}

TEST_F(PathRandom, DirectionsMatchTheTwinAndTheirDensity) {
    const PhasePush cases[] = {{{0, 0, 1}, 0.0f, 0.0f, 0.0f}, {{0.6f, 0, -0.8f}, 0.8f, -0.3f, 0.3f}, {{0, -1, 0}, 0.001f, 0.95f, 0.4f}};
    for (const PhasePush& c : cases) {
        sample(c);
        const dvec3 ray(c.ray);
        constexpr int kBins = 20;
        std::vector<double> bins(kBins), expected(kBins);
        for (std::uint32_t i = 0; i < kCount; ++i) {
            const dvec3 d(values[4 * i], values[4 * i + 1], values[4 * i + 2]);
            const dvec4 u = uniform4(i, 2 * i, 3, 5);
            const dvec3 twin = samplePhase(ray, double(c.g), double(c.gBack), double(c.blend), dvec3(u));
            // 1 - g + 2 g u has a relative error of up to eps / (1 - g). Close to the ray, the square root of the sine loses half of its
            // digits.
            ASSERT_LT(glm::distance(d, twin), 1e-3) << i;
            ASSERT_NEAR(values[4 * i + 3], phase(glm::dot(d, ray), double(c.g), double(c.gBack), double(c.blend)),
                        2e-3 * (1.0 + values[4 * i + 3]));
            bins[static_cast<std::size_t>(std::clamp(int((glm::dot(d, ray) + 1.0) / 2.0 * kBins), 0, kBins - 1))] += 1.0;
        }
        double chi2 = 0.0;
        for (int b = 0; b < kBins; ++b) {
            // Midpoint rule in each bin.
            double share = 0.0;
            for (int k = 0; k < 1000; ++k) {
                const double cosine = -1.0 + 2.0 * (b + (k + 0.5) / 1000.0) / kBins;
                share += 2.0 * glm::pi<double>() * phase(cosine, double(c.g), double(c.gBack), double(c.blend)) * 2.0 / kBins / 1000.0;
            }
            const double expect = share * kCount;
            chi2 += std::pow(bins[static_cast<std::size_t>(b)] - expect, 2.0) / expect;
        }
        EXPECT_LT(chi2, 43.8) << c.g;  // 19 degrees of freedom: exceeded once in a thousand
    }
}

TEST(PhaseSampling, HasMeanCosineG) {
    // Midpoint rule over u of a smooth function: error below its largest second derivative / (24 n^2), < 1e-6 here.
    for (const double g : {-0.9, -0.3, 0.0, 1e-6, 0.5, 0.9}) {
        double mean = 0.0;
        const int n = 20000;
        for (int i = 0; i < n; ++i) mean += henyeyGreensteinCosine((i + 0.5) / n, g) / n;
        // The division by 2 g magnifies roundings if g is small.
        EXPECT_NEAR(mean, g, 1e-5) << g;
    }
}

// The usual test step with three obstacles in an odd grid. Smoke is uniform. Majorants of bricks are up to three times as large.
class PassPath : public PassTest {
protected:
    void SetUp() override {
        PassTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        step = makeStep({.cells = {17, 12, 9}, .ratio = 2, .scalarRatio = 2});
        View v{};
        v.eye = {0.2f, 0.7f, 1.9f};
        v.forward = glm::normalize(glm::vec3(-0.05f, -0.15f, -1.0f));
        v.right = glm::normalize(glm::cross(v.forward, glm::vec3(0, 1, 0))) * 0.4f;
        v.up = glm::normalize(glm::cross(v.right, v.forward)) * 0.3f;
        v.pixels = {40, 30};
        v.extinction = 4.0f;
        v.albedo = {0.9f, 0.7f, 0.5f};
        v.emission = {0.5f, 0.1f, 0.3f};
        v.g = 0.5f;
        v.gBack = -0.3f;
        v.blend = 0.25f;
        v.surfaces[0] = {{0.6f, 0.5f, 0.4f}, 0.2f, 0.5f};
        v.surfaces[1] = {{0.2f, 0.5f, 0.8f}, 0.04f, 0.3f};
        v.surfaces[2] = {{0.6f, 0.5f, 0.4f}, 0.0f, 1.0f};
        v.surfaces[WISP_MAX_OBSTACLES] = {{0.3f, 0.5f, 0.7f}, 0.0f, 1.0f};
        v.lights[0] = {glm::normalize(glm::vec3(0.4f, 0.8f, 0.45f)), WISP_SUN, {2.0f, 1.5f, 1.0f}};
        v.lights[1] = {step.origin + glm::vec3(0.42f, 1.57f, 0.11f), WISP_POINT, {0.1f, 0.2f, 0.3f}};
        view = v;
        setEnvironment(Field(ivec3(1), dvec4(0.2, 0.3, 0.4, 0.0)));
        mean = image("mean", {v.pixels, 1}, VK_FORMAT_R32G32B32A32_SFLOAT, true);
        spread = image("spread", {v.pixels, 1}, VK_FORMAT_R32G32B32A32_SFLOAT, true);
        scalars = Field(step.scalarCells, dvec4(0.5, 0.0, 0.0, 0.0));
        occupied = random((step.scalarCells + WISP_BRICK - 1) / WISP_BRICK, 1, 0.5, 1.5);
        alias = buffer("alias", sizeof(gpu::AliasEntry));
    }
    void TearDown() override {
        alias = {};
        PassTest::TearDown();
    }
    /// Sets an environment that paths sample. Later calls of useScene() enable the sampling.
    void sampleEnvironment(const Field& map, double rotation) {
        EnvironmentImage texels{glm::uvec2(map.size()), {}};
        for (const dvec4& v : map.values()) texels.texels.emplace_back(v);
        const std::vector<double> chances = environmentProbabilities(texels);
        Field withDensity(map.size());
        std::ranges::copy(environmentTexels(texels, chances), withDensity.values().begin());
        setEnvironment(withDensity, rotation);
        table = aliasTable(chances);
        std::vector<float> words(2 * table.size());
        std::memcpy(words.data(), table.data(), 4 * words.size());
        alias = target(words.size());
        upload(alias, words);
    }
    [[nodiscard]] PathScene scene() const {
        return {step, *view, scalars, occupied, surroundings, 2, hasGround, table, coloured ? &colours : nullptr};
    }
    void trace(const gpu::PathPush& push) {
        pass("path", {view->pixels, 1},
             {{"scalars", smoke},
              {"occupancy", bricks},
              {"environmentAlias", alias},
              {"fireTable", alias},
              {"pathMean", mean},
              {"pathMoments", spread}},
             push);
    }
    void useScene(bool ground) {
        useConstants({{"kLights", 2},
                      {"kHasGround", ground ? 1 : 0},
                      {"kHasColours", coloured ? 1 : 0},
                      {"kEnvironmentSampled", table.empty() ? 0 : 1}});
        smoke = toGpu(scalars, VK_FORMAT_R32_SFLOAT);
        bricks = toGpu(occupied, VK_FORMAT_R32_SFLOAT);
        hasGround = ground;
    }
    /// Fraction of pixels whose sample differs from the twin's by more than the relative `tolerance`.
    double mismatches(const gpu::PathPush& push, double tolerance) {
        trace(push);
        const Field gpu = fromGpu(mean), counts = fromGpu(spread);
        double different = 0.0;
        forEach(gpu.size(), [&](ivec3 pixel) {
            const PathSample twin = pathSample(scene(), push, pixel);
            bool same = counts(pixel).y == twin.segments && std::abs(counts(pixel).w - twin.depth) < tolerance;
            for (int n = 0; n < 4; ++n) same = same && std::abs(gpu(pixel)[n] - twin.radiance[n]) <= tolerance * (0.1 + twin.radiance[n]);
            different += same ? 0.0 : 1.0;
            EXPECT_EQ(counts(pixel).z, 0.0) << "the path was cut short";
        });
        return different / static_cast<double>(gpu.count());
    }

    Field scalars, occupied, colours;
    engine::Image smoke, bricks, mean, spread;
    engine::Buffer alias;
    std::vector<gpu::AliasEntry> table;
    bool hasGround = false, coloured = false;
};

TEST_F(PassPath, MatchesItsTwin) {
    for (const bool ground : {false, true}) {
        useScene(ground);
        for (const int bounces : {0, 1, 3}) {
            // The filter is exact in uniform smoke. A path differs if rounding changes a choice, once in 1e5, or if a ray grazes an
            // obstacle, which the pass finds to 1e-4 cells. With about ten vertices this affects less than one path in a hundred.
            EXPECT_LT(mismatches({.index = 0, .seed = 11, .bounces = bounces, .spread = ground ? 1 : 0}, 1e-2), 0.01);
        }
    }
}

TEST_F(PassPath, MatchesItsTwinWithASpotAndANonUniformEnvironment) {
    const glm::vec3 lamp = step.origin + glm::vec3(0.4f, 1.2f, 0.6f);
    view->lights[1] = {lamp, WISP_SPOT,   {0.3f, 0.6f, 0.9f}, glm::normalize(step.origin + glm::vec3(0.45f, 0.3f, 0.2f) - lamp),
                       0.9f, 1.0f / 0.05f};
    setEnvironment(random({8, 5, 1}, 3, 0.0, 1.0), 2.9);
    useScene(true);
    // The paths of the test above, which light does not change. atan has an error of 2^-10 of pi and shifts the map by at most 3e-3 texels.
    EXPECT_LT(mismatches({.index = 0, .seed = 11, .bounces = 0, .spread = 1}, 1e-2), 0.01);
}

TEST_F(PassPath, MatchesItsTwinWithLightsWithAnExtent) {
    view->lights[0].width = 0.2f;
    view->lights[1].width = 0.3f;
    useScene(true);
    // The paths of the first test. If rounding decides, the light's disc is rotated about another axis, which is as rare as other
    // differences.
    EXPECT_LT(mismatches({.index = 0, .seed = 11, .bounces = 0, .spread = 1}, 1e-2), 0.01);
}

TEST_F(PassPath, MatchesItsTwinWithALampAndASpotInSmoke) {
    const glm::vec3 size(boxSize(step));
    view->lights[0] = {step.origin + glm::vec3(0.6f, 0.4f, 0.7f) * size, WISP_POINT, {0.3f, 0.2f, 0.1f}};
    view->lights[1] = {step.origin + glm::vec3(0.4f, 0.7f, 0.6f) * size, WISP_SPOT, {0.3f, 0.6f, 0.9f},
                       glm::normalize(glm::vec3(0.3f, -0.8f, 0.4f)),     0.7f,      1.0f / 0.1f};
    view->lights[1].width = 0.1f;
    useScene(false);
    // The paths of the first test. Every second ray is near a lamp, and the angle that the lamp sees of it is rounded: by up to 1e-6 of
    // the angle's tangent, which changes the place of the sample by much less than the tolerance.
    for (const int bounces : {0, 1, 3}) EXPECT_LT(mismatches({.index = 0, .seed = 11, .bounces = bounces, .spread = 1}, 1e-2), 0.02);
}

TEST_F(PassPath, MatchesItsTwinWithEnvironmentSampling) {
    // Half of the texels are black. A third of the rows are at the poles, where directions are mirrored.
    Field map = random({8, 6, 1}, 3, -1.0, 1.0);
    for (dvec4& v : map.values()) v = glm::max(v, dvec4(0.0));
    sampleEnvironment(map, 2.9);
    for (const bool ground : {false, true}) {
        useScene(ground);
        view->groundRadius = ground ? 0.3f : 0.0f;
        // Paths and tolerance of the tests above. Environment samples add one shadow ray per vertex, which grazes an obstacle as rarely.
        for (const int bounces : {0, 1}) EXPECT_LT(mismatches({.index = 0, .seed = 11, .bounces = bounces, .spread = 1}, 1e-2), 0.015);
    }
    sampleEnvironment(random({1, 1, 1}, 3, 0.5, 1.0), 0.0);
    useScene(false);
    EXPECT_LT(mismatches({.index = 0, .seed = 11, .bounces = 0, .spread = 1}, 1e-2), 0.015);
}

TEST_F(PassPath, MatchesItsTwinInNonUniformSmoke) {
    scalars = smoothField(step.scalarCells, 1, 0.2, 0.5);
    occupied = occupancy(step, scalars);
    useScene(true);
    // A hardware filter has an error of up to kFilter times the steepest difference, relative to a majorant of at least 0.2. This is the
    // probability that it changes one of about thirty choices of a path.
    EXPECT_LT(mismatches({.index = 0, .seed = 5, .bounces = 0, .spread = 1}, 2e-2), 0.01 + 30.0 * kFilter * steepest(scalars) / 0.2);
}

TEST_F(PassPath, MatchesItsTwinWithColours) {
    colours = smoothField(step.scalarCells, 3, 0.1, 0.5);
    const engine::Image K = toGpu(colours, VK_FORMAT_R32G32B32A32_SFLOAT);
    smokeColour = &K;
    coloured = true;
    useScene(true);
    // From the fifth vertex on, Russian roulette depends on the largest component of a path's weight. At each of about five such vertices,
    // the filter's error is kFilter times the steepest difference over the density. The error of a colour is within the tolerance.
    EXPECT_LT(mismatches({.index = 0, .seed = 11, .bounces = 0, .spread = 1}, 5.0 * 2.0 * kFilter * steepest(colours) / 0.5 + 1e-2), 0.01);
}

TEST_F(PassPath, KeepsMeanAndDeviationsOfTwoSamples) {
    useScene(true);
    trace({.index = 0, .seed = 3, .bounces = 0, .spread = 1});
    const Field before = fromGpu(mean), counts = fromGpu(spread);
    trace({.index = 1, .seed = 3, .bounces = 0, .spread = 1});
    const Field after = fromGpu(mean), now = fromGpu(spread);
    double different = 0.0;
    forEach(after.size(), [&](ivec3 p) {
        const dvec4 sample = 2.0 * after(p) - before(p);  // the second sample: `after` is the mean of both
        const dvec4 twin = pathSample(scene(), {.index = 1, .seed = 3, .bounces = 0, .spread = 1}, p).radiance;
        if (glm::distance(sample, twin) > 1e-2 * (0.1 + glm::length(twin))) different += 1.0;
        const auto l = [](dvec4 c) { return 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z; };
        // Each of two values differs from their mean by half of their difference.
        const double difference = l(sample) - l(before(p)), scale = 1.0 + l(sample) + l(before(p));
        EXPECT_NEAR(now(p).x, difference * difference / 2.0, 8.0 * kEps * scale * scale);
        EXPECT_GT(now(p).y, counts(p).y);
    });
    EXPECT_LT(different / static_cast<double>(after.count()), 0.01);
}

TEST_F(PassPath, MeasureSumsTheImage) {
    view->pixels = {61, 23};
    Field means = random({61, 23, 1}, 4, 0.0, 1.0), spreads = random({61, 23, 1}, 4, 0.0, 1.0);
    forEach(means.size(), [&](ivec3 p) {
        if (p.x % 3 == 0) means(p).w = 0.0;  // the camera ray hits nothing
    });
    const auto flat = [&](Field& f) {
        engine::Image i = image("flat", glm::uvec3(f.size()), VK_FORMAT_R32G32B32A32_SFLOAT, true);
        std::vector<float> v;
        for (const dvec4& t : f.values())
            for (int n = 0; n < 4; ++n) v.push_back(static_cast<float>(t[n]));
        upload(i, v);
        return i;
    };
    const engine::Image m = flat(means), s = flat(spreads);
    constexpr std::size_t kGroups = 6;  // of 256, for 1403 pixels
    const engine::Buffer partials = target(8 * kGroups), record = target(8);
    for (const bool metOnly : {false, true}) {
        pass("path_measure", {256 * kGroups, 1, 1}, {{"pathMean", m}, {"pathMoments", s}, {"partialsOut", partials}},
             PathMeasurePush{{61, 23, 1}, metOnly ? 1 : 0});
        pass("reduce_final", {256, 1, 1}, {{"partialsIn", partials}, {"partialsOut", record}}, static_cast<std::uint32_t>(kGroups));
        dvec4 sums(0.0);
        double count = 0.0;
        forEach(means.size(), [&](ivec3 p) {
            if (metOnly && means(p).w == 0.0) return;
            sums.x += 0.2126 * means(p).x + 0.7152 * means(p).y + 0.0722 * means(p).z;
            for (int n = 0; n < 3; ++n) sums[n + 1] += spreads(p)[n];
            count += 1.0;
        });
        const std::vector<float> got = download(record);
        for (int n = 0; n < 4; ++n) EXPECT_NEAR(got[static_cast<std::size_t>(n)], sums[n], 20.0 * kEps * sums[n]);  // a tree of 11 levels
        EXPECT_EQ(got[4], count);
        EXPECT_EQ(count < 61 * 23, metOnly);
    }

    const engine::Image radiance = image("radiance", {61, 23, 1}, VK_FORMAT_R32G32B32A32_SFLOAT, true);
    const engine::Image depth = image("depth", {61, 23, 1}, VK_FORMAT_R32_SFLOAT, true);
    pass("path_resolve", {61, 23, 1}, {{"pathMean", m}, {"pathMoments", s}, {"radiance", radiance}, {"depth", depth}});
    EXPECT_EQ(download(radiance), download(m));
    const Field depths = fromGpu(depth), a = fromGpu(m), b = fromGpu(s);
    forEach(depths.size(), [&](ivec3 p) {
        if (a(p).w == 0.0) EXPECT_TRUE(std::isinf(depths(p).x));
        else EXPECT_NEAR(depths(p).x, b(p).w / a(p).w, 4.0 * kEps * b(p).w / a(p).w);
    });
}

}  // namespace
}  // namespace wisp::test
