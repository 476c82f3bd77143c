// SPDX-License-Identifier: MIT
// The image of a liquid: distances to its surface.
#include "compute/picture/liquid/liquid_picture.h"
#include "shaders/shared/liquid/liquid_picture.h"
#include "tests/gpu/pass_light.h"
#include "tests/reference/liquid_picture.h"
#include "tests/reference/tracers.h"

namespace wisp::test {
namespace {

// Threads of liquid_normals.
ivec3 columns(ivec3 cells) { return {cells.x, cells.y, (cells.z + WISP_LIQUID_COLUMN - 1) / WISP_LIQUID_COLUMN}; }

class PassLiquidPicture : public PassTest {
protected:
    void SetUp() override {
        PassTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        step = makeStep({.cells = {11, 9, 7}, .scalarRatio = 2, .obstacles = false});
    }
    // Distances to the surface of particles, which are sorted by cell first.
    Field distances(std::vector<dvec3> positions, const gpu::LiquidDistance& kernel) {
        const auto cellOf = [&](dvec3 p) { return (int(p.z) * step.cells.y + int(p.y)) * step.cells.x + int(p.x); };
        std::ranges::stable_sort(positions, {}, cellOf);
        const std::size_t cells = std::size_t(step.cells.x) * std::size_t(step.cells.y) * std::size_t(step.cells.z);
        std::vector<float> numbers, first(cells + 1);
        for (const dvec3& p : positions) numbers.insert(numbers.end(), {float(p.x), float(p.y), float(p.z), 1.0f});
        numbers.resize(std::max<std::size_t>(numbers.size(), 4));
        for (std::size_t c = 0; c <= cells; ++c)
            first[c] = std::bit_cast<float>(
                static_cast<std::uint32_t>(std::ranges::lower_bound(positions, int(c), {}, cellOf) - positions.begin()));
        const engine::Buffer placesBuffer = target(numbers.size()), firstBuffer = target(first.size());
        upload(placesBuffer, numbers);
        upload(firstBuffer, first);
        const engine::Image result = target(step.scalarCells, VK_FORMAT_R32_SFLOAT);
        const std::vector<engine::Binding> bindings{{"positions", placesBuffer}, {"cellFirst", firstBuffer}, {"distanceOut", result}};
        pass("liquid_distance", (step.scalarCells + 1) / 2, bindings, kernel);
        const LiquidDistanceSolids solids{kernel, ivec3(0)};
        if (step.obstacleCount > 0) pass("liquid_distance_solids", step.scalarCells, bindings, solids);
        return fromGpu(result);
    }
    [[nodiscard]] dvec3 scalarPoint(ivec3 c) const { return (dvec3(c) + 0.5) / double(step.scalarRatio); }
    // Kernel for eight particles per cell, as in compute/picture/liquid/liquid_picture.cpp.
    static gpu::LiquidDistance eight() { return {.reach = 2.0f, .radius = 2.0f * 63.0f / 256.0f, .alone = 0.31f, .plane = 20.4f}; }
    // Two particles along each edge of a cell. The top layer is a quarter of a cell below `height` [cells].
    [[nodiscard]] std::vector<dvec3> pool(double height) const {
        std::vector<dvec3> positions;
        forEach(2 * step.cells, [&](ivec3 c) {
            if (const double y = height - 0.25 - 0.5 * c.y; y > 0.0) positions.push_back({0.5 * c.x + 0.25, y, 0.5 * c.z + 0.25});
        });
        return positions;
    }
};

// A particle's u = 1 - s^2 / R^2 has a few roundings. The error of its weight u^3, relative to the largest weight, is 3 times that error
// over the largest u. The mean lies within R of all particles.
TEST_F(PassLiquidPicture, DistancesMatchTheirTwin) {
    step.sidesLow = ivec3(WISP_WALL, WISP_WALL, WISP_OPEN);
    step.sidesHigh = ivec3(WISP_WALL, WISP_OPEN, WISP_WALL);
    std::vector<dvec3> positions;
    const Field anywhere = random({300, 1, 1}, 3, 0.0, 1.0);
    for (const dvec4& v : anywhere.values()) positions.emplace_back(glm::vec3(v) * glm::vec3(step.cells) * glm::vec3(1.0f, 0.7f, 1.0f));
    for (const float reach : {0.7f, 1.5f, 3.0f}) {  // less than a cell, and so far that images in walls count, too
        gpu::LiquidDistance kernel = eight();
        kernel.reach = reach;
        const Field gpu = distances(positions, kernel);
        std::size_t unsure = 0, inside = 0;
        forEach(gpu.size(), [&](ivec3 c) {
            const LiquidSample twin = liquidDistance(step, positions, kernel, scalarPoint(c));
            const double tolerance = 2.0 * double(reach) * (twin.count + 16.0) * 3.0 * 8.0 * kEps / std::max(twin.nearest, 1e-9) +
                                     20.0 * kEps;
            inside += twin.phi < 0.0;
            if (twin.count > 0 && twin.nearest < 1e-3) {
                ++unsure;
                return;
            }
            EXPECT_NEAR(gpu(c).x, twin.phi, twin.count == 0 ? 1e-6 : tolerance) << reach << ": " << c.x << " " << c.y << " " << c.z;
        });
        EXPECT_LE(unsure, gpu.count() / 50);
        EXPECT_GT(inside, 100u);
        EXPECT_EQ(distances(positions, kernel).values(), gpu.values());
    }
}

TEST_F(PassLiquidPicture, WithoutParticlesTheDistanceIsLargest) {
    const gpu::LiquidDistance kernel = eight();
    const Field gpu = distances({}, kernel);
    for (const dvec4& v : gpu.values()) EXPECT_EQ(float(v.x), kernel.reach - kernel.alone);
}

// Eight random particles in each cell except one in a corner. If all cells within reach have particles, the distance is -r. Elsewhere it
// must match the twin. A gathered distance well inside is less deep by the distance of the particles' mean from x. The latter has a Maxwell
// distribution with a deviation of 0.0508 cells along an axis (the sum of w^2 s^2 / 3 over the square of the sum of w, as integrals). It is
// more than 4.6 deviations at one of 1e4 positions.
TEST_F(PassLiquidPicture, DepthIsConstantWellInside) {
    for (const int ratio : {1, 2}) {
        step = makeStep({.cells = {9, 8, 6}, .scalarRatio = ratio, .obstacles = false});
        useConstants({});
        step.sidesLow = ivec3(WISP_WALL, WISP_WALL, WISP_OPEN);
        step.sidesHigh = ivec3(WISP_WALL);
        std::vector<dvec3> positions;
        Field filled(step.cells, dvec4(1.0));
        filled(step.cells - 1) = dvec4(0.0);
        forEach(step.cells, [&](ivec3 c) {
            const Field within = random({8, 1, 1}, 3, 0.0, 0.999);
            for (const dvec4& v : within.values())
                if (filled(c).x > 0.0) positions.emplace_back(glm::vec3(c) + glm::vec3(v));
        });
        const gpu::LiquidDistance kernel = eight();
        const Field gpu = distances(positions, kernel);
        std::size_t inside = 0;
        forEach(gpu.size(), [&](ivec3 c) {
            const LiquidSample twin = liquidDistance(step, positions, kernel, scalarPoint(c));
            const bool deep = isWellInside(step, filled, kernel, c);
            inside += deep;
            if (deep) {
                EXPECT_EQ(float(gpu(c).x), -kernel.radius);
            }
            EXPECT_NEAR(gpu(c).x, twin.phi, deep ? 4.6 * 0.0508 : 1e-4) << ratio << ": " << c.x << " " << c.y << " " << c.z;
        });
        EXPECT_GT(inside, gpu.count() / 8);
        EXPECT_LT(inside, gpu.count() / 8 * 7);
    }
}

// Layers of particles a quarter of the reach apart act as a midpoint rule for the integral of z (1 - z^2)^4 over the depth z, which is
// 1/10. The rule's error is (1/4)^2 / 24 = 1/384, so the mean lies 2.6 % too deep, 0.013 cells. Higher-order terms add half as much again.
// Walls act as mirrors, so the pool is level beside them. An obstacle in the pool leaves no gap.
TEST_F(PassLiquidPicture, APoolIsLevelAtWallsAndAtObstacles) {
    step.sidesLow = step.sidesHigh = ivec3(WISP_WALL);
    for (const bool obstacle : {false, true}) {
        if (obstacle) step = makeStep({.cells = {11, 9, 7}, .scalarRatio = 2});
        step.sidesLow = step.sidesHigh = ivec3(WISP_WALL);
        const Field solid = distanceField();
        std::vector<dvec3> positions = pool(4.25);
        std::erase_if(positions, [&](dvec3 p) { return obstacle && solid(ivec3(p)).x < 0.0; });
        const Field gpu = distances(positions, eight());
        forEach(gpu.size(), [&](ivec3 c) {
            const double above = scalarPoint(c).y - 4.25;
            if (!obstacle && above == 0.0) {
                EXPECT_NEAR(gpu(c).x, 0.0, 0.02) << c.x << " " << c.y << " " << c.z;
            }
            if (std::abs(above) > 1.0) {
                EXPECT_EQ(gpu(c).x < 0.0, above < 0.0) << c.x << " " << c.y << " " << c.z;
            }
        });
    }
}

// In obstacles and up to 0.75 cells outside them, the result is the distance at the position 0.75 cells outside. Three steps along
// interpolated distances of up to 64 cells find this position, with a few roundings of such distances. For uniform particles, the distance
// to the surface changes by no more than the position.
TEST_F(PassLiquidPicture, NoGapBesideObstacles) {
    step = makeStep({.cells = {11, 9, 7}, .scalarRatio = 2});
    step.sidesLow = step.sidesHigh = ivec3(WISP_WALL);
    const Field solid = distanceField();
    std::vector<dvec3> positions = pool(5.25);
    std::erase_if(positions, [&](dvec3 p) { return obstacleAt(step, solid, p) < 0.0; });
    const gpu::LiquidDistance kernel = eight();
    const Field gpu = distances(positions, kernel);
    const auto before = [&](dvec3 p) {  // distance to the surface 0.75 cells outside obstacles; a lower bound where it is large
        const dvec3 d = glm::max(dvec3(step.solidsLow) - p, p - dvec3(step.solidsHigh));
        const double beyond = std::max({d.x, d.y, d.z});
        return (beyond > 1.0 ? beyond : obstacleAt(step, solid, p)) - 0.75;
    };
    std::size_t moved = 0;
    forEach(gpu.size(), [&](ivec3 c) {
        dvec3 p = scalarPoint(c);
        const bool near = before(p) < 0.0;
        for (int n = 0; n < 3; ++n) {
            const double phi = before(p);
            if (phi >= 0.0) break;
            dvec3 gradient;
            for (int a = 0; a < 3; ++a) gradient[a] = before(p + 0.5 * dvec3(unit(a))) - before(p - 0.5 * dvec3(unit(a)));
            p -= phi * gradient / std::max(glm::dot(gradient, gradient), 0.25);
        }
        moved += near;
        if (near) {
            EXPECT_NEAR(gpu(c).x, liquidDistance(step, positions, kernel, p).phi, 64.0 * 8.0 * kEps) << c.x << " " << c.y << " " << c.z;
        }
    });
    EXPECT_GT(moved, gpu.count() / 20);
}

// Smoothing has the weights 1 2 1 along each axis. Gradients are central differences, smoothed across their axis. Sums of 27 values of size
// 1 have a few roundings. Bricks contain the minimum and the maximum.
TEST_F(PassLiquidPicture, SmoothDistancesAndBricks) {
    Field rough = random(step.scalarCells, 1, -1.0, 1.0);
    const engine::Image in = toGpu(rough, VK_FORMAT_R32_SFLOAT), out = target(step.scalarCells, VK_FORMAT_R32_SFLOAT),
                        normals = target(step.scalarCells, VK_FORMAT_R32G32B32A32_SFLOAT);
    pass("liquid_normals", columns(step.scalarCells), {{"distanceIn", in}, {"distanceOut", out}, {"normalsOut", normals}});
    const Field smooth = fromGpu(out), gradients = fromGpu(normals);
    forEach(rough.size(), [&](ivec3 c) {
        double mean = 0.0;
        dvec3 slope(0.0);
        forEach(ivec3(3), [&](ivec3 n) {
            const dvec3 o = dvec3(n) - 1.0, w = 0.5 - 0.25 * glm::abs(o);
            const double phi = rough.nearest(c + n - 1).x;
            mean += w.x * w.y * w.z * phi;
            slope += 0.5 * o * phi * dvec3(w.y * w.z, w.x * w.z, w.x * w.y);
        });
        EXPECT_NEAR(smooth(c).x, mean, 8.0 * kEps);
        EXPECT_NEAR(glm::distance(dvec3(gradients(c)), slope), 0.0, 8.0 * kEps);
    });
    const ivec3 size = (step.scalarCells + 7) / 8;
    const engine::Image bricks = target(size, VK_FORMAT_R32G32B32A32_SFLOAT);
    pass("liquid_bricks", size * ivec3(WISP_BRICK_THREADS, 1, 1), {{"distances", in}, {"bricksOut", bricks}});
    const Field gpu = fromGpu(bricks);
    forEach(size, [&](ivec3 b) {
        double least = 1e30, most = -1e30;
        forEach(ivec3(10), [&](ivec3 o) {
            const double phi = rough.nearest(8 * b - 1 + o).x;
            least = std::min(least, phi);
            most = std::max(most, phi);
        });
        EXPECT_EQ(gpu(b).x, least);
        EXPECT_EQ(gpu(b).y, most);
    });
}

}  // namespace
}  // namespace wisp::test
