// SPDX-License-Identifier: MIT
// Sampling of the wind with the public header, in wisp's pass and in a third-party shader.
#include "compute/sim/wind.h"
#include "wisp/wind.h"

#include "engine/shader_compiler.h"
#include "tests/gpu/pass_advection.h"
#include "tests/gpu/pass_test.h"
#include "tests/reference/wind.h"
#include "tests/support/source_folder.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace wisp::test {
namespace {

struct WindCase {
    const char* name;
    ivec3 cells;
    int periodic;  // bits of the axes
    bool half;
};
std::string windName(const testing::TestParamInfo<WindCase>& info) { return info.param.name; }

std::array<std::uint32_t, 3> bitsOf(glm::vec3 v) {
    return {std::bit_cast<std::uint32_t>(v.x), std::bit_cast<std::uint32_t>(v.y), std::bit_cast<std::uint32_t>(v.z)};
}

class PassWind : public PassTest, public testing::WithParamInterface<WindCase> {
protected:
    void SetUp() override {
        PassTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        const WindCase& c = GetParam();
        step = makeStep(
            {.cells = c.cells, .precision = c.half ? Precision::Half : Precision::Float, .obstacles = false, .periodic = c.periodic});
        halfStorage = c.half;
        wind = {.origin = {40.3f, -7.2f, 0.9f},
                .h = 0.05f,
                .cells = c.cells,
                .periodic = c.periodic,
                .ambient = {3.0f, -0.5f, isFlat(step) ? 0.0f : 0.25f},
                .unused = 0.0f};
    }

    [[nodiscard]] VkFormat format() const { return halfStorage ? VK_FORMAT_R16G16B16A16_SFLOAT : VK_FORMAT_R32G32B32A32_SFLOAT; }
    [[nodiscard]] glm::vec3 world(dvec3 p) const { return glm::vec3(dvec3(wind.origin) + double(wind.h) * p); }

    // Positions in the box and up to 1.5 cells around it, including the corners of the box and of its rim of half a cell.
    [[nodiscard]] std::vector<glm::vec3> places() {
        std::vector<glm::vec3> result;
        const Field anywhere = random(ivec3(11), 3, 0.0, 1.0);
        for (const dvec4& v : anywhere.values()) result.push_back(world(dvec3(v) * (dvec3(wind.cells) + 3.0) - 1.5));
        const auto at = [&](int n, int a) {
            return std::array{-0.5, 0.0, 0.5, 0.5 * wind.cells[a], wind.cells[a] - 0.5, 1.0 * wind.cells[a], wind.cells[a] + 0.5}
                [static_cast<std::size_t>(n)];
        };
        forEach(ivec3(7), [&](ivec3 n) { result.push_back(world({at(n.x, 0), at(n.y, 1), at(n.z, 2)})); });
        return result;
    }

    std::vector<glm::vec3> sample(const engine::Image& faces, const std::vector<glm::vec3>& points) {
        constexpr std::size_t kMore = 70;  // more threads than points
        const engine::Buffer buffer = target(3 * (points.size() + kMore));
        std::vector<float> numbers;
        for (const glm::vec3& x : points) numbers.insert(numbers.end(), {x.x, x.y, x.z});
        numbers.resize(3 * (points.size() + kMore), 7.0f);
        upload(buffer, numbers);
        const WindPush push{wind, static_cast<std::uint32_t>(points.size())};
        pass("sample_wind", ivec3(static_cast<int>(points.size() + kMore), 1, 1), {{"faces", faces}, {"points", buffer}}, push);
        const std::vector<float> winds = download(buffer);
        std::vector<glm::vec3> result;
        for (std::size_t i = 0; i < 3 * points.size(); i += 3) result.emplace_back(winds[i], winds[i + 1], winds[i + 2]);
        EXPECT_EQ(std::count(winds.end() - 3 * kMore, winds.end(), 7.0f), 3 * kMore);
        return result;
    }

    // A position [cells], at most three boxes away, has one rounding of x - origin and five of the quotient. The texture coordinate has ten
    // of n + 1. The field changes by `steepest` per cell along three axes, and by its difference to the ambient flow. A sample adds 16
    // roundings and the mixture 4.
    [[nodiscard]] double tolerance(const Field& field) const {
        const double steep = steepest(field, ivec3(0)), size = largest(field) + 3.0,
                     place = (10.0 + 3.0 * 6.0) * (std::max({wind.cells.x, wind.cells.y, wind.cells.z}) + 2.0) * kEps;
        return kFilter * steep + place * (3.0 * steep + size) + 20.0 * size * kEps;
    }

    void expectTwin(const std::vector<glm::vec3>& winds, const std::vector<glm::vec3>& points, const Field& field) {
        ASSERT_EQ(winds.size(), points.size());
        double worst = 0.0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const dvec3 error = glm::abs(dvec3(winds[i]) - windAt(field, wind, dvec3(points[i]))),
                        p = (dvec3(points[i]) - dvec3(wind.origin)) / double(wind.h);
            const double most = error.x + error.y + error.z;
            ASSERT_TRUE(most <= 3.0 * tolerance(field))
                << "at " << p.x << " " << p.y << " " << p.z << ": " << error.x << " " << error.y << " " << error.z;
            worst = std::max(worst, most / 3.0);
        }
        EXPECT_LE(worst, tolerance(field));
    }

    // The second layer of flat grids contains no faces. Its values are so large that a weight of a thousandth would be noticed.
    engine::Image imageOf(Field& field) {
        Field stored = field;
        if (isFlat(step)) {
            forEach(field.size(), [&](ivec3 c) {
                if (c.z == 1) stored(c) = dvec4(5000.0);
            });
        }
        engine::Image result = toGpu(stored, format());
        forEach(field.size(), [&](ivec3 c) { field(c) = c.z == 1 && isFlat(step) ? dvec4(0.0) : stored(c); });
        return result;
    }

    gpu::WispWind wind{};
};

INSTANTIATE_TEST_SUITE_P(Cases, PassWind,
                         testing::Values(WindCase{"half", {12, 9, 7}, 0, true}, WindCase{"float", {9, 10, 31}, 0, false},
                                         WindCase{"thin", {1, 5, 2}, 0, false}, WindCase{"flat", {17, 9, 1}, 0, true},
                                         WindCase{"periodic", {10, 12, 6}, 7, false}, WindCase{"channel", {8, 4, 6}, 5, true},
                                         WindCase{"flatPeriodic", {10, 8, 1}, 3, false}),
                         windName);

TEST_P(PassWind, MatchesItsTwinEverywhere) {
    Field field = randomVelocity(step);
    const engine::Image faces = imageOf(field);
    const std::vector<glm::vec3> points = places();
    expectTwin(sample(faces, points), points, field);
    // Far away along periodic axes the result is the same. Outside along the other axes it is exactly the ambient flow.
    const dvec3 period = dvec3(wind.cells) * dvec3(wind.periodic & 1, wind.periodic >> 1 & 1, wind.periodic >> 2 & 1);
    std::vector<glm::vec3> far;
    for (const glm::vec3& x : points) far.emplace_back(dvec3(x) + double(wind.h) * -2.0 * period);
    expectTwin(sample(faces, far), far, field);
    for (int a = 0; a < 3; ++a) {
        if (period[a] > 0.0 || (a == 2 && isFlat(step))) continue;
        for (const double p : {-0.51, wind.cells[a] + 0.51, 1e7}) {
            dvec3 place = 0.5 * dvec3(wind.cells);
            place[a] = p;
            EXPECT_EQ(sample(faces, {world(place)}).at(0), wind.ambient) << a << " " << p;
        }
    }
}

// Linear fields are reproduced exactly at all positions at least half a cell from the sides.
TEST_P(PassWind, LinearFieldsAreExact) {
    if (wind.periodic != 0) return;  // periodic fields are not linear
    const auto linear = [&](dvec3 p, int axis) {
        return axis == 2 && isFlat(step) ? 0.0
                                         : 0.25 * axis - 0.5 + glm::dot(p, dvec3(0.125, -0.0625 * axis, isFlat(step) ? 0.0 : 0.03125));
    };
    Field field(faces(step));
    forEach(faces(step), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            if (faceExists(step, c, axis)) field(c)[axis] = linear(facePoint(c, axis), axis);
        }
    });
    const engine::Image image = imageOf(field);
    std::vector<glm::vec3> points;
    const Field inside = random(ivec3(7), 3, 0.0, 1.0);
    for (const dvec4& v : inside.values()) points.push_back(world(0.5 + dvec3(v) * (dvec3(wind.cells) - 1.0)));
    const std::vector<glm::vec3> winds = sample(image, points);
    // Multiples of 1/64 below 4 are exact in half precision. The filter's error for a change of at most 0.125 per cell, and the errors of a
    // position and a sample as above.
    const double most = kFilter * 0.125 + (3.0 * 0.125 * 16.0 * 34.0 + 20.0 * 4.0) * kEps;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const dvec3 p = (dvec3(points[i]) - dvec3(wind.origin)) / double(wind.h);
        for (int axis = 0; axis < 3; ++axis)
            EXPECT_NEAR(double(winds[i][axis]), linear(p, axis), most) << p.x << " " << p.y << " " << p.z << ", axis " << axis;
    }
}

// A NaN affects only the result at its own position. Infinite positions and those that overflow count as outside, even along periodic axes.
TEST_P(PassWind, InvalidPositions) {
    Field field = randomVelocity(step);
    const engine::Image faces = imageOf(field);
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity(),
                    kMax = std::numeric_limits<float>::max();
    const glm::vec3 middle = world(0.4 * dvec3(wind.cells));
    std::vector<glm::vec3> points;
    for (int a = 0; a < 3; ++a) {
        for (const float invalid : {kNan, -kNan, std::bit_cast<float>(0x7f800001u), kInf, -kInf, kMax, -kMax}) {
            points.insert(points.end(), {middle, middle});
            points.back()[a] = invalid;
        }
    }
    points.emplace_back(kInf, kNan, -kInf);
    const std::vector<glm::vec3> winds = sample(faces, points);
    ASSERT_EQ(winds.size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const glm::vec3 x = points[i], u = winds[i];
        if (glm::any(glm::isnan(x))) {
            EXPECT_TRUE(glm::all(glm::isnan(u))) << i;
        } else {
            EXPECT_EQ(u, x == middle ? winds[0] : wind.ambient) << i;
        }
    }
    EXPECT_TRUE(glm::all(glm::lessThanEqual(glm::abs(winds[0]), glm::vec3(1.001f))));
    // A field of NaN does not affect results outside its box.
    Field wrong(step.cells + 1, dvec4(double(kNan)));
    const engine::Image bad = toGpu(wrong, format());
    if ((wind.periodic & 1) == 0) {
        EXPECT_EQ(sample(bad, {world({-0.6, 0.5, 0.5})}).at(0), wind.ambient);
    }
    EXPECT_TRUE(std::isnan(sample(bad, {middle}).at(0).x));
}

// The header in a shader that uses nothing else of wisp, with its struct in a uniform block of that shader.
TEST_P(PassWind, WorksInAForeignShader) {
    Field field = randomVelocity(step);
    const engine::Image faces = imageOf(field);
    const std::vector<glm::vec3> points = places();
    const struct {
        float seconds;
        std::array<float, 3> gap;  // std140
        gpu::WispWind wind;
        float strength;
        std::array<float, 3> end;
    } weather{2.5f, {}, wind, 0.5f, {}};
    const engine::Buffer uniform = buffer("weather", sizeof weather), leaves = target(4 * points.size());
    std::vector<float> numbers;
    for (const glm::vec3& x : points) numbers.insert(numbers.end(), {x.x, x.y, x.z, 0.0f});
    upload(leaves, numbers);
    run(*pooledLibrary(device(), testShaders()), [&](engine::Recorder& rec) {
        rec.upload(uniform, std::as_bytes(std::span(&weather, 1)));
        rec.dispatch("foreign_wind", {points.size(), 1, 1}, {{"weather", uniform}, {"air", faces}, {"leaves", leaves}});
    });
    const std::vector<float> result = download(leaves);
    std::vector<glm::vec3> winds;
    for (std::size_t i = 0; i < result.size(); i += 4) {
        winds.emplace_back(2.0f * glm::vec3(result[i], result[i + 1], result[i + 2]));
        ASSERT_EQ(result[i + 3], 2.5f);
    }
    expectTwin(winds, points, field);
}

struct ScrollPush {
    ivec3 shift;
    gpu::AmbientFlow air;
};
WISP_MEMBERS(ScrollPush, shift, air)

// With texels and cells in powers of two, nothing is rounded. If the box moves by whole cells, values that stay inside do not change by a
// single bit.
class PassWindScroll : public PassWind {};
INSTANTIATE_TEST_SUITE_P(Cases, PassWindScroll,
                         testing::Values(WindCase{"half", {15, 7, 31}, 0, true}, WindCase{"float", {15, 7, 31}, 0, false}), windName);

TEST_P(PassWindScroll, KeepsEveryBit) {
    wind.origin = {1024.0f, -64.0f, 3.0f};
    wind.h = step.h = 1.0f / 16;
    Field field = randomVelocity(step);
    const engine::Image before = imageOf(field), after = target(faces(step), format());
    for (const ivec3 shift : {ivec3(4, -2, 6), {-3, 1, 0}, {0, 0, -30}}) {
        pass("scroll_faces", faces(step), {{"velocityIn", before}, {"velocityOut", after}}, ScrollPush{shift, evenAir(wind.ambient)});
        std::vector<glm::vec3> points;
        const Field inside = random(ivec3(9), 3, 0.0, 1.0);
        for (const dvec4& v : inside.values()) {
            const dvec3 low = 0.5 + dvec3(glm::max(shift, ivec3(0))), high = dvec3(wind.cells) - 0.5 + dvec3(glm::min(shift, ivec3(0)));
            points.push_back(world(glm::clamp(glm::round(64.0 * glm::mix(low, high, dvec3(v))) / 64.0, low, high)));
        }
        const gpu::WispWind there = wind;
        const std::vector<glm::vec3> old = sample(before, points);
        wind.origin += wind.h * glm::vec3(shift);
        const std::vector<glm::vec3> now = sample(after, points);
        wind = there;
        for (std::size_t i = 0; i < points.size(); ++i) ASSERT_EQ(bitsOf(old[i]), bitsOf(now[i])) << i;
        expectTwin(old, points, field);
    }
}

// The run-time compiler for edited shaders finds the header like the build does.
TEST(WindHeader, IsFoundAtRunTime) {
    for (const char* folder : {"/shaders", "/shaders/"})
        EXPECT_FALSE(engine::compileShader(sourceFolder() + "/shaders/measure/sample_wind.comp", sourceFolder() + folder).empty());
}

}  // namespace
}  // namespace wisp::test
