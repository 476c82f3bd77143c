// SPDX-License-Identifier: MIT
// Tracers: where they start, and how they move.
#include "tests/gpu/pass_test.h"
#include "tests/reference/motion.h"
#include "tests/reference/tracers.h"

#include <glm/trigonometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace wisp::test {
namespace {

constexpr float kUntouched = 77.0f;

class PassTracers : public EveryCase {
protected:
    [[nodiscard]] gpu::TracersPush pushOf(std::uint32_t count) const {
        return {.count = count, .lifetime = 2.0f, .seed = 3, .step = 0, .scrolled = {}};
    }

    // There are more threads than tracers. Entries past the last tracer must not change.
    std::vector<dvec4> tracersFrom(const engine::Buffer& buffer, std::uint32_t count) {
        const std::vector<float> numbers = download(buffer);
        std::vector<dvec4> tracers;
        for (std::size_t i = 0; i < 4 * std::size_t{count}; i += 4)
            tracers.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]);
        EXPECT_EQ(std::count(numbers.begin() + 4 * std::ptrdiff_t{count}, numbers.end(), kUntouched),
                  std::ssize(numbers) - 4 * std::ptrdiff_t{count});
        return tracers;
    }
    std::vector<dvec4> start(const gpu::TracersPush& push) {
        const engine::Buffer tracers = target(4 * push.count + 12);
        upload(tracers, std::vector<float>(4 * push.count + 12, kUntouched));
        pass("start_tracers", {push.count, 1, 1}, {{"tracers", tracers}}, push);
        return tracersFrom(tracers, push.count);
    }
    // Rounds the tracers to floats first.
    std::vector<dvec4> move(const gpu::TracersPush& push, const engine::Image& velocity, std::vector<dvec4>& tracers) {
        std::vector<float> numbers;
        for (dvec4& t : tracers) {
            t = dvec4(glm::vec4(t));
            for (int n = 0; n < 4; ++n) numbers.push_back(static_cast<float>(t[n]));
        }
        numbers.resize(numbers.size() + 12, kUntouched);
        const engine::Buffer buffer = target(numbers.size());
        upload(buffer, numbers);
        pass("move_tracers", {push.count, 1, 1}, {{"tracers", buffer}, {"velocity", velocity}}, push);
        return tracersFrom(buffer, push.count);
    }
    // Waves as long as the box, of up to 0.8 m/s or 1.2 cells per step. They match at both ends of every axis.
    Field waves() {
        Field velocity(faces(step));
        forEach(faces(step), [&](ivec3 c) {
            for (int axis = 0; axis < axes(step); ++axis) {
                const dvec3 p = glm::radians(360.0) * facePoint(c, axis) / dvec3(step.cells);
                if (faceExists(step, c, axis))
                    velocity(c)[axis] = 0.8 * std::sin(p[(axis + 1) % 3] + axis) * std::cos(p[(axis + 2) % 3] - 0.3 * axis) *
                                        std::cos(p[axis] + 0.5);
            }
        });
        wrapFaces(step, velocity);
        return velocity;
    }
    // Random positions in the box, with up to 1 s left. One tracer in fourteen expires in the step.
    std::vector<dvec4> anywhere(std::uint32_t count) {
        std::vector<dvec4> tracers;
        const Field numbers = random({static_cast<int>(count), 1, 1}, 4, 0.0, 1.0);
        for (const dvec4& v : numbers.values()) {
            tracers.push_back(v * dvec4(step.cells, 1.0));
            if (isFlat(step)) tracers.back().z = 0.5;
        }
        return tracers;
    }
    // Error of a distance to obstacles [cells]: a sample with 16 roundings, at a position below 32 with three roundings.
    [[nodiscard]] double distanceError() {
        return (3.0 * 32.0 * 3.0 * steepest(distanceField(), period(step, step.cells)) + 16.0 * 64.0) * kEps;
    }
    // Error of a position [cells]. A velocity is a sample with 16 roundings, at a position below 64 with three roundings. A step samples it
    // twice, the second time at the midpoint. Then the position has three more roundings.
    [[nodiscard]] double placeError(const Field& velocity) const {
        const double perStep = double(step.dt) / double(step.h), steep = 3.0 * steepest(velocity, period(step, step.cells));
        const double sample = (3.0 * 64.0 * steep + 16.0 * largest(velocity)) * kEps, middle = 0.5 * perStep * sample + 3.0 * 64.0 * kEps;
        return perStep * (sample + steep * middle) + 3.0 * 64.0 * kEps;
    }
};
INSTANTIATE_TEST_SUITE_P(Cases, PassTracers, testing::ValuesIn(passCases()), nameOf);

TEST_P(PassTracers, StartEverywhereOutsideOfObstacles) {
    const gpu::TracersPush push = pushOf(300);  // two groups and a part of a third
    const std::vector<dvec4> tracers = start(push);
    std::size_t unsure = 0;
    double largest = 0.0;  // largest remaining lifetime
    for (std::uint32_t n = 0; n < push.count; ++n) {
        largest = std::max(largest, tracers[n].w);
        const double left = double(push.lifetime) * (n + 0.5) / push.count;
        const Moved twin = born(step, push, distanceField(), n, left, {.place = 0.0, .phi = distanceError()});
        unsure += twin.sure ? 0 : 1;
        if (!twin.sure) continue;
        for (int a = 0; a < 3; ++a) ASSERT_NEAR(tracers[n][a], twin.tracer[a], twin.error) << n;
        ASSERT_NEAR(tracers[n].w, twin.tracer.w, 3.0 * 2.0 * kEps) << n;
        if (twin.tracer.w == 0.0) continue;
        const dvec3 p(tracers[n]);
        ASSERT_TRUE(glm::all(glm::greaterThanEqual(p, dvec3(0.0))) && glm::all(glm::lessThanEqual(p, dvec3(step.cells)))) << n;
        ASSERT_GT(obstacleAt(step, distanceField(), p), 0.0) << n;
        if (isFlat(step)) {
            ASSERT_EQ(p.z, 0.5);
        }
    }
    EXPECT_LE(unsure, 3u);
    EXPECT_EQ(start(push), tracers);
    gpu::TracersPush other = push;
    other.seed = 4;
    if (largest > 0.0) {  // otherwise the obstacles leave no room
        EXPECT_NE(start(other), tracers);
    }
}

TEST_P(PassTracers, MatchTheirTwins) {
    Field velocity = waves();
    const engine::Image image = toGpu(velocity, vectorFormat());
    for (const glm::ivec3 scrolled : {glm::ivec3(0), {1, -2, isFlat(step) ? 0 : 1}}) {
        gpu::TracersPush push = pushOf(600);
        push.step = 17;
        push.scrolled = periodicAxes(step) == 0 ? scrolled : glm::ivec3(0);  // a periodic box never scrolls
        std::vector<dvec4> before = anywhere(push.count);
        const std::vector<dvec4> after = move(push, image, before);
        const double place = placeError(velocity);
        const TracerErrors errors{.place = place,
                                  .phi = distanceError() + 3.0 * steepest(distanceField(), period(step, step.cells)) * place};
        std::size_t unsure = 0, respawned = 0;
        for (std::uint32_t n = 0; n < push.count; ++n) {
            const Moved twin = moveTracer(step, push, velocity, distanceField(), n, before[n], errors);
            respawned += twin.born ? 1 : 0;
            unsure += twin.sure ? 0 : 1;
            if (!twin.sure) continue;
            for (int a = 0; a < 3; ++a)
                ASSERT_NEAR(after[n][a], twin.tracer[a], twin.error) << n << (twin.born ? ", spawned" : "") << " axis " << a;
            ASSERT_NEAR(after[n].w, twin.tracer.w, 2.0 * kEps) << n;
            if (twin.born && twin.tracer.w > 0.0) {
                ASSERT_EQ(after[n].w, double(push.lifetime));
            }
        }
        EXPECT_LE(unsure, push.count / 50);
        EXPECT_GT(respawned, push.count / 28);  // half of the expected number of expired tracers
        if (scrolled == glm::ivec3(0) && step.obstacleCount == 0) {
            EXPECT_LT(respawned, push.count);
        }
    }
}

// Tracers with NaN, infinite or far away positions are respawned, along every axis.
TEST_P(PassTracers, InvalidPositionsAreRespawned) {
    Field velocity = waves();
    const engine::Image image = toGpu(velocity, vectorFormat());
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();
    gpu::TracersPush push = pushOf(130);
    push.step = 5;
    std::vector<dvec4> before(push.count, dvec4(0.5 * dvec3(step.cells), 1.0));
    for (std::uint32_t n = 0; n < 12; ++n) before[n][static_cast<int>(n % 3)] = std::array{kNan, kInf, -kInf, 1e30}[n / 3];
    before[12].w = kNan;
    before[13].w = 0.0;  // a tracer without a position tries again
    const std::vector<dvec4> after = move(push, image, before);
    for (std::uint32_t n = 0; n < 14; ++n) {
        if (n >= 9 && n < 12 && (periodicAxes(step) >> n % 3 & 1) != 0) continue;  // after so many periods it may be anywhere in the box
        const dvec4 twin = born(step, push, distanceField(), n, double(push.lifetime), {}).tracer;
        for (int a = 0; a < 3; ++a) EXPECT_NEAR(after[n][a], twin[a], 32.0 * kEps) << n;
        EXPECT_EQ(after[n].w, twin.w) << n;
    }
}

class PassTracersAlone : public PassTracers {};
INSTANTIATE_TEST_SUITE_P(Cases, PassTracersAlone,
                         testing::Values(PassCase{{16, 13, 21}, 1, 1, Precision::Float, false},
                                         PassCase{{16, 13, 1}, 1, 1, Precision::Float, false}),
                         nameOf);

// Positions must be uniform per axis (Kolmogorov-Smirnov) and jointly (chi squared), and ages exactly uniform. A uniform distribution fails
// each of the four tests with a probability of 1e-4.
TEST_P(PassTracersAlone, StartUniformly) {
    const gpu::TracersPush push = pushOf(20001);
    const std::vector<dvec4> tracers = start(push);
    const double count = push.count;
    std::vector<double> boxes(64);
    for (const dvec4& t : tracers) {
        const ivec3 box(glm::floor(4.0 * dvec3(t) / dvec3(step.cells)));
        ++boxes[static_cast<std::size_t>(box.x + 4 * box.y + 16 * (isFlat(step) ? 0 : box.z))];
    }
    const std::size_t used = isFlat(step) ? 16 : 64;
    double squares = 0.0;
    for (std::size_t n = 0; n < used; ++n)
        squares += (boxes[n] - count / static_cast<double>(used)) * (boxes[n] - count / static_cast<double>(used)) *
                   static_cast<double>(used) / count;
    EXPECT_LT(squares, isFlat(step) ? 44.3 : 114.0);  // of 15 and of 63 degrees of freedom
    for (int axis = 0; axis < axes(step); ++axis) {
        std::vector<double> places;
        for (const dvec4& t : tracers) places.push_back(t[axis] / step.cells[axis]);
        std::ranges::sort(places);
        double most = 0.0;
        for (std::size_t n = 0; n < places.size(); ++n)
            most = std::max(
                {most, std::abs(places[n] - static_cast<double>(n) / count), std::abs(places[n] - static_cast<double>(n + 1) / count)});
        EXPECT_LT(most * std::sqrt(count), std::sqrt(0.5 * std::log(2.0 / 1e-4))) << axis;
    }
    std::set<double> ages;
    for (const dvec4& t : tracers) ages.insert(t.w);
    EXPECT_EQ(ages.size(), push.count);
    EXPECT_NEAR(*ages.begin(), double(push.lifetime) / count / 2.0, 1e-9);
    EXPECT_NEAR(*ages.rbegin(), double(push.lifetime) * (1.0 - 0.5 / count), 4.0 * kEps);
}

// A tracer inside a sphere moves along the gradient to the sphere's surface. Only deep inside, where there is no gradient, it may be
// respawned.
TEST_P(PassTracersAlone, MoveOutOfASphere) {
    const glm::vec3 centre = 0.5f * glm::vec3(step.cells);
    const float radius = 4.0f;
    step.obstacleCount = 1;
    step.obstacles[0] = {};
    step.obstacles[0].shape = {step.origin + step.h * centre, WISP_SPHERE, {}, step.h * radius, {0, 0, 0, 1}, 0};
    step.solidsLow = centre - radius - 1.0f;
    step.solidsHigh = centre + radius + 1.0f;
    Field velocity(faces(step));
    const engine::Image image = toGpu(velocity, vectorFormat());
    const gpu::TracersPush push = pushOf(200);
    std::vector<dvec4> before;
    const Field ways = random({200, 1, 1}, 4, 0.0, 1.0);
    for (const dvec4& v : ways.values()) {
        const double angle = 2.0 * glm::radians(180.0) * v.x, up = isFlat(step) ? 0.0 : 2.0 * v.y - 1.0, r = double(radius) - 1.5 * v.z;
        before.emplace_back(
            dvec3(centre) + r * dvec3(std::sqrt(1.0 - up * up) * std::cos(angle), std::sqrt(1.0 - up * up) * std::sin(angle), up), 1.0);
    }
    const std::vector<dvec4> was = before, after = move(push, image, before);
    for (std::uint32_t n = 0; n < push.count; ++n) {
        EXPECT_EQ(after[n].w, double(1.0f - step.dt)) << n;
        const dvec3 d = dvec3(after[n]) - dvec3(centre), from = dvec3(was[n]) - dvec3(centre);
        EXPECT_GE(obstacleAt(step, distanceField(), dvec3(after[n])), -0.05) << n;
        // Between cell centres, interpolated distances are larger than exact ones by at most 1/8 of their curvature, which is 1 / r along
        // two axes (one in a flat grid). r is above 2 here.
        EXPECT_NEAR(glm::length(d), double(radius), 0.05 + 2.0 / (8.0 * 2.0)) << n;
        EXPECT_GT(glm::dot(glm::normalize(d), glm::normalize(from)), 0.97) << n;
    }
}

}  // namespace
}  // namespace wisp::test
