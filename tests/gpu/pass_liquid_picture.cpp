// SPDX-License-Identifier: MIT
// The picture of a liquid: distances to its surface, and rays through it.
#include "shaders/shared/liquid_picture.h"
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
    // Particles in the order of their cells, as the sort leaves them.
    Field distances(std::vector<dvec3> places, const gpu::LiquidDistance& kernel) {
        const auto cellOf = [&](dvec3 p) { return (int(p.z) * step.cells.y + int(p.y)) * step.cells.x + int(p.x); };
        std::ranges::stable_sort(places, {}, cellOf);
        const std::size_t cells = std::size_t(step.cells.x) * std::size_t(step.cells.y) * std::size_t(step.cells.z);
        std::vector<float> numbers, first(cells + 1);
        for (const dvec3& p : places) numbers.insert(numbers.end(), {float(p.x), float(p.y), float(p.z), 1.0f});
        numbers.resize(std::max<std::size_t>(numbers.size(), 4));
        for (std::size_t c = 0; c <= cells; ++c)
            first[c] = std::bit_cast<float>(static_cast<std::uint32_t>(std::ranges::lower_bound(places, int(c), {}, cellOf) - places.begin()));
        const engine::Buffer placesBuffer = target(numbers.size()), firstBuffer = target(first.size());
        upload(placesBuffer, numbers);
        upload(firstBuffer, first);
        const engine::Image result = target(step.scalarCells, VK_FORMAT_R32_SFLOAT);
        const std::vector<engine::Binding> bindings{{"places", placesBuffer}, {"cellFirst", firstBuffer}, {"distanceOut", result}};
        pass("liquid_distance", (step.scalarCells + 1) / 2, bindings, kernel);
        const struct {
            gpu::LiquidDistance distance;
            ivec3 first;
        } solids{kernel, ivec3(0)};
        if (step.obstacleCount > 0) pass("liquid_distance_solids", step.scalarCells, bindings, solids);
        return fromGpu(result);
    }
    [[nodiscard]] dvec3 scalarPoint(ivec3 c) const { return (dvec3(c) + 0.5) / double(step.scalarRatio); }
    // Of eight particles a cell, as compute/liquid_picture.cpp has it.
    static gpu::LiquidDistance eight() { return {.reach = 2.0f, .radius = 2.0f * 63.0f / 256.0f, .alone = 0.31f, .plane = 20.4f}; }
    // Two along each edge of a cell, the uppermost a quarter of one below a height [cells].
    [[nodiscard]] std::vector<dvec3> pool(double height) const {
        std::vector<dvec3> places;
        forEach(2 * step.cells, [&](ivec3 c) {
            if (const double y = height - 0.25 - 0.5 * c.y; y > 0.0) places.push_back({0.5 * c.x + 0.25, y, 0.5 * c.z + 0.25});
        });
        return places;
    }
};

// A particle's u = 1 - s^2 / R^2 is wrong by some roundings, its weight u^3 relative to the largest one's by 3 times that over the largest u; the mean
// lies within R of all of them.
TEST_F(PassLiquidPicture, DistancesMatchTheirTwin) {
    step.sidesLow = ivec3(WISP_WALL, WISP_WALL, WISP_OPEN);
    step.sidesHigh = ivec3(WISP_WALL, WISP_OPEN, WISP_WALL);
    std::vector<dvec3> places;
    const Field anywhere = random({300, 1, 1}, 3, 0.0, 1.0);
    for (const dvec4& v : anywhere.values()) places.emplace_back(glm::vec3(v) * glm::vec3(step.cells) * glm::vec3(1.0f, 0.7f, 1.0f));
    for (const float reach : {0.7f, 1.5f, 3.0f}) {  // of one, more beyond a wall than there is of the box
        gpu::LiquidDistance kernel = eight();
        kernel.reach = reach;
        const Field gpu = distances(places, kernel);
        std::size_t unsure = 0, inside = 0;
        forEach(gpu.size(), [&](ivec3 c) {
            const LiquidSample twin = liquidDistance(step, places, kernel, scalarPoint(c));
            const double tolerance = 2.0 * double(reach) * (twin.count + 16.0) * 3.0 * 8.0 * kEps / std::max(twin.nearest, 1e-9) + 20.0 * kEps;
            inside += twin.phi < 0.0;
            if (twin.count > 0 && twin.nearest < 1e-3) {
                ++unsure;
                return;
            }
            EXPECT_NEAR(gpu(c).x, twin.phi, twin.count == 0 ? 1e-6 : tolerance) << reach << ": " << c.x << " " << c.y << " " << c.z;
        });
        EXPECT_LE(unsure, gpu.count() / 50);
        EXPECT_GT(inside, 100u);
        EXPECT_EQ(distances(places, kernel).values(), gpu.values());
    }
}

TEST_F(PassLiquidPicture, NothingIsFarFromEverywhere) {
    const gpu::LiquidDistance kernel = eight();
    const Field gpu = distances({}, kernel);
    for (const dvec4& v : gpu.values()) EXPECT_EQ(float(v.x), kernel.reach - kernel.alone);
}

// Eight particles at random in each cell but one, in a corner. Where all cells within reach have some, the distance is -r, and elsewhere its twin's. What would be
// gathered well inside is less deep by the way of their mean from x, by Maxwell's distribution with deviations of .0508 cells along an axis (by the sum of
// w^2 s^2 / 3 over the square of that of w, as integrals): more than 4.6 of them in one of 1e4 places.
TEST_F(PassLiquidPicture, WellInsideItIsAsDeepEverywhere) {
    for (const int ratio : {1, 2}) {
        step = makeStep({.cells = {9, 8, 6}, .scalarRatio = ratio, .obstacles = false});
        useConstants({});
        step.sidesLow = ivec3(WISP_WALL, WISP_WALL, WISP_OPEN);
        step.sidesHigh = ivec3(WISP_WALL);
        std::vector<dvec3> places;
        Field filled(step.cells, dvec4(1.0));
        filled(step.cells - 1) = dvec4(0.0);
        forEach(step.cells, [&](ivec3 c) {
            const Field within = random({8, 1, 1}, 3, 0.0, 0.999);
            for (const dvec4& v : within.values())
                if (filled(c).x > 0.0) places.emplace_back(glm::vec3(c) + glm::vec3(v));
        });
        const gpu::LiquidDistance kernel = eight();
        const Field gpu = distances(places, kernel);
        std::size_t inside = 0;
        forEach(gpu.size(), [&](ivec3 c) {
            const LiquidSample twin = liquidDistance(step, places, kernel, scalarPoint(c));
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

// Layers of particles, a quarter of the reach apart, are the midpoint rule for the integral of z (1 - z^2)^4 over the depth z, which is 1/10: it is off by
// (1/4)^2 / 24 = 1/384, so that the mean lies 2.6 % too deep, .013 cells; half as much again for terms of higher order. Walls are mirrors, so
// that the pool is as level beside them; an obstacle in it leaves no gap.
TEST_F(PassLiquidPicture, APoolIsLevelAtWallsAndAtObstacles) {
    step.sidesLow = step.sidesHigh = ivec3(WISP_WALL);
    for (const bool obstacle : {false, true}) {
        if (obstacle) step = makeStep({.cells = {11, 9, 7}, .scalarRatio = 2});
        step.sidesLow = step.sidesHigh = ivec3(WISP_WALL);
        const Field solid = distanceField();
        std::vector<dvec3> places = pool(4.25);
        std::erase_if(places, [&](dvec3 p) { return obstacle && solid(ivec3(p)).x < 0.0; });
        const Field gpu = distances(places, eight());
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

// In obstacles and up to .75 cells before them it is as at the place .75 cells before them. That is found by 3 steps along
// interpolated distances of up to 64 cells, so by some of their roundings, and the distance to the surface of even particles changes no more than it.
TEST_F(PassLiquidPicture, NoGapBesideObstacles) {
    step = makeStep({.cells = {11, 9, 7}, .scalarRatio = 2});
    step.sidesLow = step.sidesHigh = ivec3(WISP_WALL);
    const Field solid = distanceField();
    std::vector<dvec3> places = pool(5.25);
    std::erase_if(places, [&](dvec3 p) { return obstacleAt(step, solid, p) < 0.0; });
    const gpu::LiquidDistance kernel = eight();
    const Field gpu = distances(places, kernel);
    const auto before = [&](dvec3 p) {  // how far from a place .75 cells before them; a lower bound where that is far
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
            EXPECT_NEAR(gpu(c).x, liquidDistance(step, places, kernel, p).phi, 64.0 * 8.0 * kEps) << c.x << " " << c.y << " " << c.z;
        }
    });
    EXPECT_GT(moved, gpu.count() / 20);
}

// 1 2 1 along each axis, and central differences across it, from numbers of a size of 1 by sums of 27 of them: some roundings. Bricks have what is least and most.
TEST_F(PassLiquidPicture, SmoothDistancesAndBricks) {
    Field rough = random(step.scalarCells, 1, -1.0, 1.0);
    const engine::Image in = toGpu(rough, VK_FORMAT_R32_SFLOAT), out = target(step.scalarCells, VK_FORMAT_R32_SFLOAT), normals = target(step.scalarCells, VK_FORMAT_R32G32B32A32_SFLOAT);
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

// Rays through distances that are made by hand, in even surroundings over matt ground that all of them light.
class PassLiquidRays : public PassTest {
protected:
    void SetUp() override {
        PassTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        step = makeStep({.cells = {24, 12, 24}, .scalarRatio = 1, .obstacles = false});
        useConstants({{1, 3}, {2, 0}, {8, 1}});
        setEnvironment(Field(ivec3(1), dvec4(kAround, 0.0)));
        View v{};
        v.pixels = {24, 24};
        v.lightCells = v.skyCells = {4, 4, 4};
        v.bricks = (step.scalarCells + 7) / 8;
        v.stepLength = 0.05f;
        v.leastDensity = 1e-6f;
        v.extinction = 1.0f;
        v.surfaces[WISP_MAX_OBSTACLES].colour = kGroundColour;
        v.environment[0] = kAround;
        v.environmentTurn = 0.0f;
        view = v;
        lightImage = constant(view->lightCells, 1.0);
        skyImage = constant(view->skyCells, 0.5);  // half of it is below the ground
        middle = dvec3(step.origin) + 0.5 * boxSize(step);
    }
    engine::Image constant(ivec3 size, double value) {
        Field field(size, dvec4(value));
        return toGpu(field, VK_FORMAT_R32G32B32A32_SFLOAT);
    }
    void lookFrom(dvec3 eye, dvec3 towards, double half) {
        view->eye = eye;
        view->forward = glm::normalize(towards);
        view->right = half * glm::normalize(glm::cross(towards, dvec3(0.3, 0.2, 1.0)));
        view->up = half * glm::normalize(glm::cross(dvec3(view->right), towards));
    }
    // Liquid up to a height above the floor [m].
    void fill(double height) {
        phi = Field(step.scalarCells);
        forEach(phi.size(), [&](ivec3 c) { phi(c) = dvec4(c.y + 0.5 - height / double(step.h), 0.0, 0.0, 0.0); });
    }
    Field picture(const char* name = "liquid_picture") {
        const engine::Image smoke = constant(step.scalarCells, 0.0), occupied = constant(view->bricks, 0.0);
        const engine::Image radiance = image("radiance", {view->pixels, 1}, VK_FORMAT_R32G32B32A32_SFLOAT, true);
        const engine::Image depthImage = image("depth", {view->pixels, 1}, VK_FORMAT_R32_SFLOAT, true);
        Numbers noise = randomNumbers({64, 64, 1}, 0.0, 1.0);
        const engine::Buffer tile = toGpu(noise);
        const std::vector<engine::Binding> common = {{"scalars", smoke}, {"occupancy", occupied}, {"light", lightImage}, {"sky", skyImage}, {"marks", tile}, {"markColours", tile}, {"radiance", radiance}, {"depth", depthImage}};
        if (std::string_view(name) == "raymarch") {
            std::vector<engine::Binding> bindings = common;
            bindings.emplace_back("noise", tile);
            bindings.emplace_back("scattered", skyImage);
            pass(name, {view->pixels, 1}, bindings);
        } else {
            const engine::Image distances = toGpu(phi, VK_FORMAT_R32_SFLOAT), smooth = target(step.scalarCells, VK_FORMAT_R32_SFLOAT),
                                normals = target(step.scalarCells, VK_FORMAT_R32G32B32A32_SFLOAT), bricks = target(view->bricks, VK_FORMAT_R32G32B32A32_SFLOAT);
            pass("liquid_normals", columns(step.scalarCells), {{"distanceIn", distances}, {"distanceOut", smooth}, {"normalsOut", normals}});
            pass("liquid_bricks", view->bricks * ivec3(WISP_BRICK_THREADS, 1, 1), {{"distances", distances}, {"bricksOut", bricks}});
            std::vector<engine::Binding> bindings = common;
            bindings.insert(bindings.end(), {{"distances", distances}, {"bricks", bricks}, {"normals", normals}});
            pass(name, {view->pixels, 1}, bindings, optics);
        }
        depths = fromGpu(depthImage);
        return fromGpu(radiance);
    }
    [[nodiscard]] dvec3 leftAfter(double way) const { return glm::exp(-dvec3(optics.absorption) * way); }
    // What the ground under so much liquid sends up.
    [[nodiscard]] dvec3 ground(double height) const { return dvec3(kGroundColour) * dvec3(kAround) * leftAfter(height); }
    // The surface is found within a step's 2^-8 (bisection), and a filter's weights move it by up to kFilter cells; the ground's light begins besideSurface.
    [[nodiscard]] double tolerance() const {
        const double way = double(step.h) * (0.5 / 256.0 + kFilter) + 1e-3 * double(step.h) * 13.0;
        return 2.0 * double(std::max({optics.absorption.x, optics.absorption.y, optics.absorption.z})) * way + 1e-4;
    }
    void expectNear(const dvec4& gpu, const dvec3& twin, ivec3 pixel) {
        for (int n = 0; n < 3; ++n) EXPECT_NEAR(gpu[n], twin[n], tolerance()) << pixel.x << " " << pixel.y << " channel " << n;
    }

    static constexpr glm::vec3 kAround{0.8f, 0.9f, 1.0f}, kGroundColour{0.5f, 0.4f, 0.3f};
    gpu::LiquidOptics optics{.absorption = {4.0f, 2.0f, 0.0f}, .refraction = 1.333f};
    Field phi, depths;
    dvec3 middle{0.0};
    engine::Image lightImage, skyImage;
};

// A layer seen from above: F L_around + (1 - F) exp(-a way) L_ground, way = height / cos of the refracted direction; the ground has its light through the layer, too.
TEST_F(PassLiquidRays, ALayerReflectsRefractsAndAbsorbs) {
    const double height = 0.2, n = double(optics.refraction);
    fill(height);
    lookFrom(middle + dvec3(0.0, 1.0, 0.0), {0.0, -1.0, 0.0}, 0.3);
    const Field gpu = picture();
    forEach(gpu.size(), [&](ivec3 pixel) {
        const dvec3 ray = cameraRay(*view, pixel);
        const double cosine = -ray.y, inside = std::sqrt(1.0 - (1.0 - cosine * cosine) / (n * n)), F = reference::fresnel(cosine, 1.0 / n);
        expectNear(gpu(pixel), F * dvec3(kAround) + (1.0 - F) * leftAfter(height / inside) * ground(height), pixel);
        const double way = (double(view->eye.y) - double(step.origin.y) - height) / cosine;
        EXPECT_NEAR(depths(pixel).x, way * glm::dot(ray, dvec3(view->forward)), double(step.h) * (0.5 / 256.0 + kFilter) + 1e-5);
        EXPECT_EQ(gpu(pixel).w, 1.0);
    });
}

// From below: what is more than 48.6 degrees from the vertical sees the floor again, all of it; the rest the surroundings.
TEST_F(PassLiquidRays, AllIsReflectedInsideBeyondTheCriticalAngle) {
    const double height = 0.3, deep = 0.05, n = double(optics.refraction);
    fill(height);
    std::size_t all = 0, part = 0;
    for (const dvec3 towards : {dvec3(0.0, 1.0, 0.0), dvec3(1.2, 1.0, 0.0)}) {
        lookFrom({middle.x - 0.1, double(step.origin.y) + height - deep, middle.z}, towards, 0.3);
        const Field gpu = picture();
        forEach(gpu.size(), [&](ivec3 pixel) {
            const dvec3 ray = cameraRay(*view, pixel);
            const double up = ray.y, F = reference::fresnel(up, n), aside = std::sqrt(1.0 - up * up);
            if (std::abs(n * aside - 1.0) < 0.01 || (F == 1.0 && (deep + height) / up * aside > 0.45)) return;  // near the angle; to a side of the box
            ++(F == 1.0 ? all : part);
            const dvec3 left = leftAfter(deep / up);
            expectNear(gpu(pixel), F == 1.0 ? leftAfter((deep + height) / up) * ground(height) : left * dvec3(kAround), pixel);
        });
    }
    EXPECT_GT(all, 50u);
    EXPECT_GT(part, 50u);
}

// A side of the box is a surface as any other: a column without end to its left and right sends rays on as they came.
TEST_F(PassLiquidRays, SidesOfTheBoxAreSurfaces) {
    useConstants({{1, 3}, {2, 0}});  // without ground
    phi = Field(step.scalarCells, dvec4(-2.0, 0.0, 0.0, 0.0));
    lookFrom(middle + dvec3(0.0, 0.0, 2.0), {0.0, 0.0, -1.0}, 0.02);
    const double n = double(optics.refraction);
    const Field gpu = picture();
    forEach(gpu.size(), [&](ivec3 pixel) {
        const double cosine = -cameraRay(*view, pixel).z, inside = std::sqrt(1.0 - (1.0 - cosine * cosine) / (n * n)), F = reference::fresnel(cosine, 1.0 / n);
        // What is reflected at the far side counts as the surroundings, too.
        expectNear(gpu(pixel), dvec3(kAround) * (F + (1.0 - F) * leftAfter(boxSize(step).z / inside)), pixel);
    });
}

// Without liquid there is nothing to tell it from a picture without smoke.
TEST_F(PassLiquidRays, NoLiquidIsAsNoSmoke) {
    step = makeStep({.cells = {24, 12, 24}, .scalarRatio = 1});
    useConstants({{1, 3}, {2, 1}, {8, 1}});
    view->lights[0] = {glm::normalize(glm::vec3(0.4f, 0.8f, 0.45f)), WISP_SUN, {2.0f, 1.5f, 1.0f}};
    std::fill_n(view->surfaces, WISP_MAX_OBSTACLES, gpu::SurfaceData{{0.6f, 0.5f, 0.4f}, 0.04f, 0.5f});
    lookFrom(dvec3(step.origin) + boxSize(step) * dvec3(0.7, 1.2, 1.9), {-0.1, -0.5, -1.0}, 0.6);
    phi = Field(step.scalarCells, dvec4(1.7, 0.0, 0.0, 0.0));
    const Field liquid = picture(), liquidDepths = depths, smoke = picture("raymarch");
    forEach(smoke.size(), [&](ivec3 pixel) {
        for (int c = 0; c < 4; ++c) EXPECT_NEAR(liquid(pixel)[c], smoke(pixel)[c], 1e-6 * (1.0 + smoke(pixel)[c]));
        if (std::isinf(depths(pixel).x)) {
            EXPECT_EQ(liquidDepths(pixel).x, depths(pixel).x);
        } else {
            EXPECT_NEAR(liquidDepths(pixel).x, depths(pixel).x, 8.0 * kEps * depths(pixel).x);  // some roundings
        }
    });
}

}  // namespace
}  // namespace wisp::test
