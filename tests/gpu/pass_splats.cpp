// SPDX-License-Identifier: MIT
// Tracers and grass as splats of an image.
#include "shaders/shared/liquid/liquid_splats.h"
#include "tests/gpu/pass_test.h"
#include "tests/reference/motion.h"
#include "tests/reference/splats.h"
#include "tests/reference/tracers.h"
#include "tests/reference/wind.h"

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace wisp::test {
namespace {

std::uint32_t wordOf(float z, std::uint32_t colour) { return (std::bit_cast<std::uint32_t>(z) & ~WISP_SPLAT_BITS) | colour; }
double distanceOf(std::uint32_t word) { return double(std::bit_cast<float>(word & ~WISP_SPLAT_BITS)); }

// A box with cells of 1 m. The camera is 16 m in front of z = 0 and sees 32 x 32 samples, one per metre at this distance.
class PassSplats : public PassTest {
protected:
    using Words = Grid<std::uint32_t>;

    void SetUp() override {
        PassTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        step = makeStep({.cells = {16, 12, 8}, .obstacles = false});
        step.h = 1.0f;
        step.origin = glm::vec3(0.0f);
        View v{};
        v.eye = {8.0f, 6.0f, 16.0f};
        v.right = {1.0f, 0.0f, 0.0f};
        v.up = {0.0f, 1.0f, 0.0f};
        v.forward = {0.0f, 0.0f, -1.0f};
        v.pixels = {16, 16};
        view = v;
        setWind([](dvec3) { return dvec3(0.0); });
    }
    // `wind`: velocity [m/s] at a position in the box [cells].
    void setWind(const Wind& wind) {
        velocity = Field(faces(step));
        forEach(faces(step), [&](ivec3 c) {
            for (int axis = 0; axis < 3; ++axis)
                if (faceExists(step, c, axis)) velocity(c)[axis] = wind(facePoint(c, axis))[axis];
        });
        velocityImage = toGpu(velocity, VK_FORMAT_R32G32B32A32_SFLOAT);
    }
    [[nodiscard]] dvec3 velocityAt(dvec3 p) const {
        return {component(step, velocity, p, 0), component(step, velocity, p, 1), component(step, velocity, p, 2)};
    }
    [[nodiscard]] dvec3 cellsAt(dvec3 x) const { return (x - dvec3(step.origin)) / double(step.h); }

    template <class Push>
    Words draw(const char* name, const Push& push, std::vector<engine::Binding> bindings) {
        return draw(name, push, std::move(bindings), push.count);
    }
    template <class Push>
    Words draw(const char* name, const Push& push, std::vector<engine::Binding> bindings, std::uint32_t count) {
        Words words(WISP_SPLAT_SAMPLES * ivec3(view->pixels.x, view->pixels.y, 0) + ivec3(0, 0, 1));
        const engine::Buffer splats = target(words.count());
        upload(splats, std::vector<float>(words.count(), std::bit_cast<float>(WISP_NO_SPLAT)));
        bindings.insert(bindings.end(), {{"velocity", velocityImage}, {"splats", splats}});
        pass(name, {static_cast<int>(count), 1, 1}, bindings, push);
        const std::vector<std::byte> bytes = downloadBytes(splats);
        std::memcpy(words.values().data(), bytes.data(), bytes.size());
        return words;
    }
    Words drawTracers(const gpu::TracerSplats& push, const std::vector<dvec4>& tracers) {
        std::vector<float> numbers;
        for (const dvec4& t : tracers)
            for (int n = 0; n < 4; ++n) numbers.push_back(static_cast<float>(t[n]));
        const engine::Buffer buffer = target(numbers.size());
        upload(buffer, numbers);
        return draw("draw_tracers", push, {{"tracers", buffer}});
    }
    static gpu::TracerSplats points(const std::vector<dvec4>& tracers) {
        return {.count = static_cast<std::uint32_t>(tracers.size()), .radius = 2.0f, .arrow = 0.0f, .perSpeed = 10.125f, .fade = 0.5f};
    }
    [[nodiscard]] gpu::GrassSplats lawn(std::uint32_t count, std::uint32_t columns) const {
        gpu::AmbientFlow air{};
        air.wind = {1.5f, 0.0f, 0.0f};
        return {.air = air,
                .columns = columns,
                .count = count,
                .step = {0.5f, 0.5f},
                .low = {-2.0f, 1.0f, 2.0f},
                .height = 1.0f,
                .perBend = 1.0f / 3.0f,
                .seed = 9};
    }
    [[nodiscard]] Wind windOver(const gpu::GrassSplats& push, bool gusts) const {
        return [this, push, gusts](dvec3 x) {
            const dvec3 ambient = gusts ? ambientFlow(push.air, cellsAt(x)) : dvec3(push.air.wind);
            return windAt(velocity,
                          {.origin = step.origin, .h = step.h, .cells = step.cells, .periodic = 0, .ambient = ambient, .unused = 0.0f}, x);
        };
    }

    // Each sample must have the certain splat, or a possible splat in front of it. A distance is truncated to a relative 2^-13 and has some
    // roundings of numbers up to 32 m.
    void expectTwin(const Words& words, const SplatPicture& twin, std::size_t least) {
        std::size_t splat = 0, wrong = 0;
        forEach(words.size(), [&](ivec3 c) {
            const std::uint32_t word = words(c);
            const SplatSample& at = twin(c);
            const double z = word == WISP_NO_SPLAT ? std::numeric_limits<double>::infinity() : distanceOf(word),
                         rounding = 32.0 * 20.0 * kEps;
            splat += word != WISP_NO_SPLAT;
            if (z <= at.sure + rounding && z >= at.perhaps * (1.0 - std::exp2(-13.0)) - rounding) return;
            if (wrong++ == 0) ADD_FAILURE() << "sample " << c.x << " " << c.y << ": " << z << ", twin " << at.sure << " or " << at.perhaps;
        });
        EXPECT_EQ(wrong, 0u);
        EXPECT_GT(splat, least);
    }
    // Error of a position in the image: twenty roundings of coordinates below 128 samples where it matters. z is a difference of two
    // numbers below 32 m and at least 1/2 m where it matters.
    static constexpr double kSlack = 128.0 * 20.0 * 64.0 * kEps;

    Field velocity;
    engine::Image velocityImage;
};

// Nothing is rounded in this test.
TEST_F(PassSplats, PointsAreDiscs) {
    setWind([](dvec3 p) { return dvec3(p.z, 0.0, 0.0); });
    const std::vector<dvec4> tracers{{8, 6, 0, 1},    {8, 6, 20, 1},    {-100, 6, 0, 1},
                                     {8, 200, 0, 1},  {0, 6, 0, 0},  // centre; behind the camera; far left; far above; no lifetime left
                                     {2, 10, 2, 0.1}, {14, 2, 8, 0.25}, {-8.5, 22, 0, 1},
                                     {14, 10, 4, 9},  {10, 8, 4, 1}};  // small; half faded; at the corner; two regular points
    std::map<std::pair<int, int>, std::uint32_t> expected;
    const auto disc = [&](double x, double y, double radius, float z, std::uint32_t colour) {
        for (int j = 0; j < 32; ++j)
            for (int i = 0; i < 32; ++i) {
                if ((i + 0.5 - x) * (i + 0.5 - x) + (j + 0.5 - y) * (j + 0.5 - y) > radius * radius) continue;
                const std::uint32_t word = wordOf(z, colour);
                const auto [at, first] = expected.insert({{i, j}, word});
                if (!first) at->second = std::min(at->second, word);
            }
    };
    disc(16.0, 16.0, 2.0, 16.0f, 5);                      // velocity at the centres of the outermost cells: 0.5 m/s
    expected[{9, 11}] = wordOf(14.0f, 20);                // 16 (1 - 6/14) = 9.14, 16 (1 - 4/14) = 11.43
    disc(16.0 * (1.0 + 6.0 / 8.0), 24.0, 1.0, 8.0f, 75);  // 7.5 m/s, half of the fade time left
    disc(-0.5, 0.0, 2.0, 16.0f, 5);
    disc(16.0 * (1.0 + 6.0 / 12.0), 16.0 * (1.0 - 4.0 / 12.0), 2.0, 12.0f, 40);
    disc(16.0 * (1.0 + 2.0 / 12.0), 16.0 * (1.0 - 2.0 / 12.0), 2.0, 12.0f, 40);
    const Words words = drawTracers(points(tracers), tracers);
    forEach(words.size(), [&](ivec3 c) {
        const auto at = expected.find({c.x, c.y});
        EXPECT_EQ(words(c), at == expected.end() ? WISP_NO_SPLAT : at->second) << c.x << " " << c.y;
    });
}

// Of two splats at one sample the nearer one is visible, in any order. Its colour is its speed. Speeds beyond the last colour get the last
// colour.
TEST_F(PassSplats, TheNearerSplatIsVisibleInTheColourOfItsSpeed) {
    setWind([](dvec3 p) { return dvec3(0.0, p.z < 4.0 ? 1.0 : 3.0, p.z < 4.0 ? 0.0 : 4.0); });
    const dvec4 far(8, 6, 2, 1), near(8, 6, 6, 1);
    for (const std::vector<dvec4>& tracers : {std::vector{far, near}, {near, far}}) {
        EXPECT_EQ(drawTracers(points(tracers), tracers)({16, 16, 0}), wordOf(10.0f, 50));
    }
    gpu::TracerSplats push = points({near});
    push.perSpeed = 1e6f;
    EXPECT_EQ(drawTracers(push, {near})({16, 16, 0}), wordOf(10.0f, WISP_SPLAT_COLOURS - 1));
}

// An arrow is widest at its tail and ends at its tip. 12 m/s for one second are 12 samples to the right.
TEST_F(PassSplats, ArrowsGetThinnerToTheirTip) {
    setWind([](dvec3) { return dvec3(12.0, 0.0, 0.0); });
    const std::vector<dvec4> tracers{{4, 6, 0, 1}};
    gpu::TracerSplats push = points(tracers);
    push.radius = 3.0f;
    push.arrow = 1.0f;
    const Words words = drawTracers(push, tracers);
    std::vector<int> thickness(32);
    forEach(words.size(), [&](ivec3 c) { thickness[static_cast<std::size_t>(c.x)] += words(c) != WISP_NO_SPLAT; });
    EXPECT_EQ(thickness[8], 0);  // the centre of the tail is at 12, and its disc begins at 9
    EXPECT_EQ(thickness[11], 6);
    EXPECT_EQ(thickness[12], 6);
    EXPECT_EQ(thickness[24], 1);  // the tip
    EXPECT_EQ(thickness[25], 0);
    for (std::size_t x = 13; x < 32; ++x) EXPECT_LE(thickness[x], thickness[x - 1]) << x;
}

// Like tracers, but each particle of a liquid has its own position and velocity. Entries past the last particle are not drawn.
TEST_F(PassSplats, ParticlesOfALiquidArePoints) {
    const std::vector<float> places{8, 6, 2, 1, 8, 6, 6, 1, 8, 6, 12, 1}, velocities{0, 1, 0, 0, 0, 3, 4, 0, 9, 0, 0, 0};
    std::vector<float> first(std::size_t(step.cells.x) * std::size_t(step.cells.y) * std::size_t(step.cells.z) + 1);
    first.back() = std::bit_cast<float>(2u);
    const engine::Buffer placesBuffer = target(places.size()), velocitiesBuffer = target(velocities.size()),
                         firstBuffer = target(first.size());
    upload(placesBuffer, places);
    upload(velocitiesBuffer, velocities);
    upload(firstBuffer, first);
    const Words words = draw("draw_liquid", gpu::LiquidSplats{.radius = 2.0f, .perSpeed = 10.125f},
                             {{"positions", placesBuffer}, {"velocities", velocitiesBuffer}, {"cellFirst", firstBuffer}}, 3);
    EXPECT_EQ(words({16, 16, 0}), wordOf(10.0f, 50));
    EXPECT_EQ(words({17, 16, 0}), wordOf(10.0f, 50));
    EXPECT_EQ(words({18, 16, 0}), WISP_NO_SPLAT);
}

TEST_F(PassSplats, TracersMatchTheirTwin) {
    view->pixels = {48, 40};
    view->forward = glm::normalize(glm::vec3(0.1f, -0.2f, -1.0f));
    view->right = 0.8f * glm::normalize(glm::cross(view->forward, glm::vec3(0, 1, 0)));
    view->up = 0.6f * glm::normalize(glm::cross(view->right, view->forward));
    setWind([](dvec3 p) { return 2.0 * dvec3(std::sin(p.y), std::cos(p.z), std::sin(p.x)); });
    std::vector<dvec4> tracers;
    const Field anywhere = random({150, 1, 1}, 4, 0.0, 1.0);
    for (const dvec4& v : anywhere.values()) tracers.emplace_back(glm::vec4(v * dvec4(16, 12, 24, 1)));  // some are behind the camera
    for (const float arrow : {0.0f, 0.7f}) {
        for (const float radius : {0.3f, 1.7f, 5.0f}) {
            gpu::TracerSplats push = points(tracers);
            push.arrow = arrow;
            push.radius = radius;
            const Words words = drawTracers(push, tracers);
            SplatPicture twin(*view, kSlack);
            reference::drawTracers(twin, step, push, tracers, [&](dvec3 x) { return velocityAt(cellsAt(x)); });
            expectTwin(words, twin, 40);
            EXPECT_EQ(drawTracers(push, tracers).values(), words.values());
        }
    }
}

// Blades inside and outside the box, seen from above and from among them. Some are directly in front of the camera.
TEST_F(PassSplats, GrassMatchesItsTwin) {
    for (const bool gusts : {false, true}) {
        useConstants({{"kExactFilter", 1}, {"kGusts", gusts ? 1 : 0}});
        setWind([](dvec3 p) { return dvec3(2.0 + std::sin(p.x), 0.3, std::cos(p.z)); });
        gpu::GrassSplats push = lawn(403, 20);  // 10 m x 10.5 m, begins 2 m beside the box and ends 4.5 m behind it
        push.air.gust = 2.0f;
        push.air.perCell = 0.25f;
        push.air.lattice = {3, -4, 5};
        for (const glm::vec3 eye : {glm::vec3(6.0f, 4.0f, 20.0f), {4.0f, 1.5f, 6.0f}, {-1.0f, 1.2f, 13.0f}}) {
            view->pixels = {64, 48};
            view->eye = eye;
            view->forward = glm::normalize(glm::vec3(0.1f, -0.1f, -1.0f));
            view->right = 0.8f * glm::normalize(glm::cross(view->forward, glm::vec3(0, 1, 0)));
            view->up = 0.6f * glm::normalize(glm::cross(view->right, view->forward));
            const Words words = draw("draw_grass", push, {});
            // For velocities that change by 1 m/s per cell, a hardware filter's error changes the lean of a blade of 1.5 m. A software
            // device filters with the precision of floats.
            const double metres = device().isCpu() ? 0.0 : 1.5 * 1.3 * double(push.perBend) * std::sqrt(2.0) * kFilter;
            SplatPicture twin(*view, kSlack, metres);
            drawGrass(twin, push, windOver(push, gusts));
            expectTwin(words, twin, 200);
            forEach(words.size(), [&](ivec3 c) { EXPECT_TRUE(words(c) == WISP_NO_SPLAT || (words(c) & WISP_SPLAT_LIT) != 0); });
            EXPECT_EQ(draw("draw_grass", push, {}).values(), words.values());
        }
    }
}

// View down from below the arch of a blade. Its root and its tip are in front of the camera, and the part between them is behind it.
TEST_F(PassSplats, BladesEndAtTheCamera) {
    setWind([](dvec3) { return dvec3(24.0, 0.0, 0.0); });
    view->eye = {8.3f, 1.16f, 4.0f};
    view->forward = {0.0f, -1.0f, 0.0f};
    view->right = {1.0f, 0.0f, 0.0f};
    view->up = {0.0f, 0.0f, -1.0f};
    gpu::GrassSplats push = lawn(1, 1);
    push.air.wind = {24.0f, 0.0f, 0.0f};
    push.step[0] = push.step[1] = 1e-3f;
    push.low[0] = 8.0f;
    push.low[2] = 4.0f;
    std::size_t seen = 0;
    for (push.seed = 0; push.seed < 100; ++push.seed) {
        const Words words = draw("draw_grass", push, {});
        forEach(words.size(), [&](ivec3 c) {
            if (words(c) == WISP_NO_SPLAT) return;
            ++seen;
            ASSERT_GT(distanceOf(words(c)), 0.0) << push.seed << ": " << c.x << " " << c.y;
        });
    }
    EXPECT_GT(seen, 100u);
}

// Seen from above: one blade in each rectangle of the lawn, and none elsewhere.
TEST_F(PassSplats, GrassStandsOnItsLawn) {
    gpu::GrassSplats push = lawn(18, 5);  // the last of four rows has three
    push.height = 1e-3f;
    view->pixels = {32, 32};
    view->eye = {-2.0f + 1.25f, 9.0f, 2.0f + 1.0f};  // above the middle of 2.5 m x 2 m
    view->forward = {0.0f, -1.0f, 0.0f};
    view->right = {0.25f, 0.0f, 0.0f};
    view->up = {0.0f, 0.0f, -0.25f};  // 2 m to each side of it: 16 samples per metre, 8 per blade
    std::map<std::pair<int, int>, int> blades;
    const Words words = draw("draw_grass", push, {});
    forEach(words.size(), [&](ivec3 c) {
        if (words(c) != WISP_NO_SPLAT) ++blades[{(c.x - 12) / 8, (c.y - 16) / 8}];
    });
    // Tips are within a thousandth of a metre of their roots: one or two samples each.
    std::map<std::pair<int, int>, int> expected;
    for (int n = 0; n < 18; ++n) expected[{n % 5, n / 5}] = 0;
    for (const auto& [at, count] : blades) {
        EXPECT_TRUE(expected.contains(at)) << at.first << " " << at.second;
        EXPECT_LE(count, 2);
    }
    EXPECT_EQ(blades.size(), expected.size());
}

// One blade, 1 km from the camera. The horizontal offset of its tip over its height is |u| / bend, times a random stiffness (uniform, +-30
// %), plus a random lean of +-1/4. The mean of 64 blades is off by more than four deviations once in 16,000 times.
TEST_F(PassSplats, BladesLeanWithTheWind) {
    setWind([](dvec3) { return dvec3(3.0, 0.0, 0.0); });
    view->pixels = {128, 128};
    view->right = {0.0015f, 0.0f, 0.0f};
    view->up = {0.0f, 0.0015f, 0.0f};  // 3 m: 85 samples per metre
    // Inside the box, and in the ambient flow, which has half of that speed.
    for (const auto& [x, lean] : {std::pair(6.0f, 1.0), {-6.0f, 0.5}}) {
        gpu::GrassSplats push = lawn(1, 1);
        push.step[0] = push.step[1] = 0.01f;
        push.low[0] = x;
        view->eye = {x, 1.5f, 1004.0f};
        double sum = 0.0;
        for (std::uint32_t seed = 0; seed < 64; ++seed) {
            push.seed = seed;
            const Words words = draw("draw_grass", push, {});
            ivec3 root(0), tip(0, 1000, 0);
            forEach(words.size(), [&](ivec3 c) {
                if (words(c) != WISP_NO_SPLAT && c.y < tip.y) tip = c;
                if (words(c) != WISP_NO_SPLAT && c.y >= root.y) root = c;
            });
            const Blade twin = blade(push, windOver(push, false), 0);
            const dvec3 way = twin.tip - twin.root;
            // The tip is one sample wide, and the root's disc at most 2.6. A blade of half a metre that leans by 60 degrees is 21 samples
            // high.
            const double tangent = double(tip.x - root.x) / (root.y - tip.y),
                         error = (1.0 + 2.6) / (root.y - tip.y) * (1.0 + std::abs(tangent));
            EXPECT_NEAR(tangent, way.x / way.y, error) << seed;
            sum += way.x / way.y;
            const std::uint32_t dark = words(root) & (WISP_SPLAT_LIT - 1), pale = words(tip) & (WISP_SPLAT_LIT - 1);
            EXPECT_NEAR(double(pale), std::min(twin.shade, 1.0) * (WISP_SPLAT_COLOURS - 1), 0.15 * WISP_SPLAT_COLOURS)
                << seed;  // near the tip
            EXPECT_LT(dark, pale / 2) << seed;
        }
        const double deviation = std::sqrt((0.6 * lean * 0.6 * lean + 0.5 * 0.5) / 12.0 / 64.0);
        EXPECT_NEAR(sum / 64.0, lean, 4.0 * deviation) << x;
    }
}

}  // namespace
}  // namespace wisp::test
