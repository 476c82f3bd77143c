// SPDX-License-Identifier: MIT
// The picture by raymarch.
#include "tests/gpu/pass_light.h"
#include "tests/support/verification.h"

namespace wisp::test {
namespace {

class PassRaymarch : public PassLight {
protected:
    void SetUp() override {
        PassLight::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        light = smoothField(view->lightCells, 4, 0.3, 1.0);
        sky = smoothField(view->skyCells, 1, 0.4, 1.0);
        lightImage = toGpu(light, VK_FORMAT_R32G32B32A32_SFLOAT);
        skyImage = toGpu(sky, VK_FORMAT_R32_SFLOAT);
    }
    Field picture(const engine::Image& smoke, Field occupied) {
        occupied_ = occupied;
        view->bricks = occupied.size();
        const engine::Image bricks = toGpu(occupied, VK_FORMAT_R32_SFLOAT);
        noise_ = randomNumbers({64, 64, 1}, 0.0, 1.0);
        const engine::Buffer noise = toGpu(noise_);
        const engine::Image radiance = image("radiance", {view->pixels, 1}, VK_FORMAT_R32G32B32A32_SFLOAT, true);
        const engine::Image depthImage = image("depth", {view->pixels, 1}, VK_FORMAT_R32_SFLOAT, true);
        pass("raymarch", {view->pixels, 1},
             {{"scalars", smoke},
              {"occupancy", bricks},
              {"light", lightImage},
              {"sky", skyImage},
              {"scattered", skyImage},
              {"noise", noise},
              {"marks", noise},
              {"markColours", noise},
              {"radiance", radiance},
              {"depth", depthImage}});
        depths = fromGpu(depthImage);
        return fromGpu(radiance);
    }
    // The share of a pixel's first steps.
    double offset(ivec3 pixel) const {
        const double u = noise_({pixel.x % 64, pixel.y % 64, 0}) + double(view->noiseShift);
        return u - std::floor(u);
    }

    /// Where rays to lights are marched, shadows' edges are as unsure as silhouettes: what the twin sees lit, the pass may not.
    void expectTwin(const Field& gpu, bool ground = false, bool marched = false) {
        // The filter's error in light, of which the fourth power counts, and sky scales a source below 4, the one in the density shifts a
        // depth of up to 1 m.
        const double filter = 4.0 * kFilter *
                              (std::max(4.0 * steepest(light), steepest(sky)) +
                               double(view->extinction) * steepest(scalars, period(step, step.scalarCells)));
        // A depth is a mean of distances within the box; the density's error changes a weight by its own share and by what the
        // smoke before it, up to 1 m, takes.
        const double least = std::ranges::min(scalars.values(), {}, [](const dvec4& v) { return v.x; }).x;
        const double weight = kFilter * steepest(scalars, period(step, step.scalarCells)) * (1.0 / least + double(view->extinction)) *
                              glm::length(boxSize(step));
        // atan is right to 4096 units in the last place (Vulkan), 2^-10 of an angle of pi: so far beside its place in the map, where it is
        // seen.
        const double beside = std::exp2(-10.0) / glm::pi<double>() * (0.5 * surroundings.size().x + surroundings.size().y) *
                              steepest(surroundings, {surroundings.size().x, 0, 0});
        std::size_t unsure = 0;
        forEach(gpu.size(), [&](ivec3 pixel) {
            // Next to silhouettes the tolerance of sphere tracing decides what is hit.
            const dvec3 ray = cameraRay(*view, pixel), eye(view->eye);
            const Hit near = surfaceHit(step, eye, ray, 100.0, margin(), ground),
                      far = surfaceHit(step, eye, ray, 100.0, -margin(), ground);
            if (near.obstacle != far.obstacle || far.distance - near.distance > 10.0 * margin()) {
                ++unsure;
                return;
            }
            const auto [twin, twinDepth] = raymarch(step, *view, scalars, occupied_, light, sky, surroundings, lights, kOctaves, pixel,
                                                    offset(pixel), ground, marched);
            // 50 steps of some roundings each. A surface's normal is a difference of distances, right to 4 eps of 1 m, over h/100. So much
            // turns what a surface sends of lights of 3 W/m^2 in all: of the base 0.6 / pi (1 + 2 5 / 4), for Fresnel's reflectance turns
            // by up to 5 times its greatest, 1/4; of the coat 1/4 of a lobe of 1 / (pi alpha^2) that turns by 1.5 / alpha, and of its
            // shadowing 1 / (2 alpha), together 1.7. And so the means of the surroundings by their slope: 1 + 5/4, and twice 1/4 in the
            // mirror.
            const double rounding = near.obstacle < 0
                                        ? 1e-4
                                        : 1e-4 + (3.0 * (0.67 + 0.43) + 2.75 * steepestMean()) * 4.0 * kEps / (0.01 * double(step.h));
            if ((ground || marched) && glm::distance(dvec3(gpu(pixel)), dvec3(twin)) > 3.0 * filter + 1e-3) {
                ++unsure;  // a sample at a shadow's edge
                return;
            }
            for (int n = 0; n < 4; ++n)
                EXPECT_NEAR(gpu(pixel)[n], twin[n], filter + rounding + beside * (1.0 - twin.w))
                    << pixel.x << " " << pixel.y << " channel " << n;
            if (std::isinf(twinDepth)) EXPECT_EQ(depths(pixel).x, twinDepth);
            else EXPECT_NEAR(depths(pixel).x, twinDepth, weight + 1e-4) << pixel.x << " " << pixel.y;
        });
        EXPECT_LE(unsure, gpu.count() / 10);
    }

    /// Bound of the change of the surroundings' mean under the cosine, per radian.
    double steepestMean() const {
        constexpr double kSlopes[9] = {0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 3.0, 2.0};  // of the harmonics
        double sum = 0.0;
        for (int n = 1; n < 9; ++n) sum += (n < 4 ? 2.0 / 3.0 : 0.25) * kSlopes[n] * double(glm::length(view->environment[n]));
        return sum;
    }

    Field light, sky, depths, occupied_;
    Numbers noise_;
    engine::Image lightImage, skyImage;
};

INSTANTIATE_TEST_SUITE_P(PeriodicAxes, PassRaymarch, testing::Values(0, 5));

TEST_P(PassRaymarch, MatchesItsTwin) {
    view->lights[1].towards = step.origin + glm::vec3(0.4f, 1.5f, 0.9f);  // away from the smoke, where its light would be steep
    for (const double variation : {0.3, 0.0}) {                           // without any the filter is exact
        light = smoothField(view->lightCells, 4, 0.6 - variation, 0.6 + variation);
        sky = smoothField(view->skyCells, 1, 0.6 - variation, 0.6 + variation);
        scalars = smoothField(step.scalarCells, 1, 0.5 - variation, 0.5 + variation);
        lightImage = toGpu(light, VK_FORMAT_R32G32B32A32_SFLOAT);
        skyImage = toGpu(sky, VK_FORMAT_R32_SFLOAT);
        scalarImage = toGpu(scalars, VK_FORMAT_R32_SFLOAT);
        const Field bricks = occupancy(step, scalars);
        for (const float density : {0.0f, 0.06f}) {  // steps of one length; of that or more, three cells where smoke is densest
            useLights(density > 0.0f ? 4 : 2);
            view->stepDensity = density;
            view->noiseShift = 5.0f * density;
            expectTwin(picture(scalarImage, bricks));
        }
    }
}

// Samples lie beside the ray, all over the pixel: here a pixel is as wide as three scalar cells.
TEST_P(PassRaymarch, MatchesItsTwinAcrossWidePixels) {
    step.obstacleCount = 0;
    view->footprint = 1.0f;
    view->pixels = {12, 9};
    for (const float density : {0.0f, 0.06f}) {
        view->stepDensity = density;
        expectTwin(picture(scalarImage, occupancy(step, scalars)));
    }
    const Field wide = picture(scalarImage, occupancy(step, scalars));
    view->footprint = 0.0f;
    const Field narrow = picture(scalarImage, occupancy(step, scalars));
    double most = 0.0;
    forEach(wide.size(), [&](ivec3 p) { most = std::max(most, std::abs(static_cast<double>(wide(p).w - narrow(p).w))); });
    EXPECT_GT(most, 1e-2);
}

// With one source everywhere a pixel depends on its optical depth alone. The midpoint rule is off by d^2 / 8 of the variation of
// the density's slope along the ray at most, d the longest step; less the change of what is hidden, at most as much.
TEST_P(PassRaymarch, IsTheSamePictureWithAnyStep) {
    step.obstacleCount = 0;
    scalars = smoothField(step.scalarCells, 1, 0.0, 1.0);
    scalarImage = toGpu(scalars, VK_FORMAT_R32_SFLOAT);
    const Field bricks = occupancy(step, scalars);
    const double thinnest = std::ranges::min(bricks.values(), {}, [](const dvec4&v) { return v.x; }).x,
                 brick = 1.001 * std::sqrt(3.0) * 0.2;
    const double filter = kFilter * steepest(scalars, period(step, step.scalarCells)) * glm::length(boxSize(step));
    const dvec3 low(step.origin), high = low + boxSize(step), eye(view->eye);
    struct Way {
        double variation, depth;
    };
    const auto along = [&](dvec3 ray) {  // in pieces of 1/40 cell
        Way way{0.0, 0.0};
        const double piece = double(step.h) / 80.0;
        double before[2] = {0.0, 0.0};
        int n = 0;
        for (int k = 0; k < static_cast<int>(3.0 / piece); ++k) {
            const dvec3 x = eye + (k + 0.5) * piece * ray;
            if (glm::any(glm::lessThan(x, low)) || glm::any(glm::greaterThan(x, high))) continue;
            const double density = densityAt(step, scalars, x);
            if (n++ > 1) way.variation += std::abs(density - 2.0 * before[0] + before[1]) / piece;
            before[1] = std::exchange(before[0], density);
            way.depth += piece * density;
        }
        return way;
    };
    for (const int steps : {8, 32, 128, 512, 0}) {  // of the box's depth; 0: as the density asks for
        view->stepLength = steps > 0 ? 0.45f / static_cast<float>(steps) : 0.025f;
        view->stepDensity = steps > 0 ? 0.0f : 1.0f / 64;
        const double longest = std::max(double(view->stepLength), std::min(double(view->stepDensity) / std::max(thinnest, 1e-4), brick));
        const Field gpu = picture(scalarImage, bricks);
        forEach(gpu.size(), [&](ivec3 pixel) {
            const Way way = along(cameraRay(*view, pixel));
            const double error = double(view->extinction) * (longest * longest / 8.0 * way.variation + filter) +
                                 1e-4;  // where the march ends
            EXPECT_NEAR(gpu(pixel).w, 1.0 - std::exp(-double(view->extinction) * way.depth), error)
                << steps << " steps, " << pixel.x << " " << pixel.y;
        });
    }
}

TEST_P(PassRaymarch, MatchesItsTwinWithGroundAndMarchedShadows) {
    view->lights[1].towards = step.origin + glm::vec3(0.4f, 1.5f, 0.9f);
    view->forward = glm::normalize(
        glm::vec3(-0.05f, -0.235f, -1.0f));  // some rays meet the ground, none more than 100 m away, where the twin ends
    view->surfaces[WISP_MAX_OBSTACLES].colour = {0.3f, 0.5f, 0.7f};
    view->groundRadius = 0.5f;  // within the picture
    view->stepLength = 0.05f;
    light = smoothField(view->lightCells, 4, 0.6, 0.6);
    sky = smoothField(view->skyCells, 1, 0.4, 0.4);
    scalars = smoothField(step.scalarCells, 1, 0.5, 0.5);
    lightImage = toGpu(light, VK_FORMAT_R32G32B32A32_SFLOAT);
    skyImage = toGpu(sky, VK_FORMAT_R32_SFLOAT);
    scalarImage = toGpu(scalars, VK_FORMAT_R32_SFLOAT);
    for (const bool marched : {false, true}) {
        useLights(2, {{"kMarchedShadows", marched ? 1 : 0}, {"kHasGround", 1}});
        expectTwin(picture(scalarImage, Field(occupancy(step, scalars).size(), dvec4(1.0))), true, marched);
    }
}

TEST_P(PassRaymarch, MatchesItsTwinInASpotAndUnevenSurroundings) {
    // Its cone ends within the smoke and on the obstacles.
    const glm::vec3 lamp = step.origin + glm::vec3(0.4f, 1.2f, 0.6f);
    view->lights[1] = {lamp,  WISP_SPOT,   {0.3f, 0.6f, 0.9f}, glm::normalize(step.origin + glm::vec3(0.45f, 0.3f, 0.2f) - lamp),
                       0.95f, 1.0f / 0.03f};
    light = smoothField(view->lightCells, 4, 0.6, 0.6);
    sky = smoothField(view->skyCells, 1, 0.6, 0.6);
    scalars = Field(step.scalarCells, dvec4(0.2));
    lightImage = toGpu(light, VK_FORMAT_R32G32B32A32_SFLOAT);
    skyImage = toGpu(sky, VK_FORMAT_R32_SFLOAT);
    scalarImage = toGpu(scalars, VK_FORMAT_R32_SFLOAT);
    const Field bricks(occupancy(step, scalars).size(), dvec4(1.0));
    for (const float down : {-0.15f, 2.0f, -3.0f}) {  // towards the box, the top, the bottom
        view->forward = glm::normalize(glm::vec3(-0.05f, down, -1.0f));
        view->right = glm::normalize(glm::cross(view->forward, glm::vec3(0, 1, 0))) * 0.4f;
        view->up = glm::normalize(glm::cross(view->right, view->forward)) * 0.9f;
        setEnvironment(random({8, 5, 1}, 3, 0.0, 4.0), 2.9);  // the seam is in the picture
        expectTwin(picture(scalarImage, bricks));
    }
}

TEST_P(PassRaymarch, SkipsEmptyBricksWithoutATrace) {
    step.obstacleCount = 0;
    view->stepLength = step.h / 16.0f;
    Field puff(step.scalarCells);
    forEach(step.scalarCells, [&](ivec3 c) {
        const double d = glm::distance(dvec3(c), dvec3(20.0, 12.0, 9.0)) / 5.0;
        puff(c).x = d < 1.0 ? (1.0 - d * d) * (1.0 - d * d) : 0.0;
    });
    const engine::Image smoke = toGpu(puff, VK_FORMAT_R32_SFLOAT);
    const Field bricks = occupancy(step, puff);
    const Field skipped = picture(smoke, bricks), whole = picture(smoke, Field(bricks.size(), dvec4(1.0)));
    // Both take the middles of steps that end elsewhere: a depth differs by at most twice half a step times the density's variation
    // along a ray, here 2 (up and down); the threshold 1e-4 hides less than 1e-4 of a depth of 4 * 0.85.
    const double depth = double(view->extinction) * (2.0 * 2.0 * 0.5 * double(view->stepLength) + 1e-4);
    forEach(whole.size(), [&](ivec3 pixel) { EXPECT_NEAR(skipped(pixel).w, whole(pixel).w, depth); });
}

// In floats, which the renderer's picture does not keep; in thin smoke and in what nothing is seen through.
TEST_P(PassRaymarch, TransmitsLikeBeerAndLambertAndGlowsAsItsSurroundings) {
    step.obstacleCount = 0;
    scalars = Field(step.scalarCells, dvec4(0.5, 0.0, 0.0, 0.0));
    const engine::Image smoke = toGpu(scalars, VK_FORMAT_R32_SFLOAT);
    const Field bricks(occupancy(step, scalars).size(), dvec4(1.0));
    view->albedo = glm::vec3(0.0f);
    setEnvironment(Field(ivec3(1), dvec4(1.0)));
    const std::string where = GetParam() == 0 ? "" : ", periodic";
    for (const float emission : {0.0f, 1.0f}) {
        view->emission = glm::vec3(emission);
        double error = 0.0, thinnest = 1.0, thickest = 0.0;
        for (const float extinction : {0.1f, 4.0f, 20.0f, 60.0f}) {
            view->extinction = extinction;
            for (const int steps : {16, 40, 64, 128, 512}) {
                view->stepLength = 0.45f / static_cast<float>(steps);  // of the box's depth
                const Field gpu = picture(smoke, bricks);
                forEach(gpu.size(), [&](ivec3 pixel) {
                    const double T = transmittance(step, *view, scalars, dvec3(view->eye), cameraRay(*view, pixel), 1e30, 1.0);
                    error = std::max(error, std::abs(gpu(pixel).x - (T + double(emission) * (1.0 - T))));
                    thinnest = std::min(thinnest, 1.0 - T);
                    thickest = std::max(thickest, -std::log(T));
                });
            }
        }
        EXPECT_LT(thinnest, 0.1);
        EXPECT_GT(thickest, 10.0);
        // A rounding a step in 1.4 m of way that comes to a depth of 1 and more.
        if (emission == 0.0f)
            expectAtMost(Row::Slab, "in floats, 16 to 512 steps, extinctions .1 to 60" + where + ", largest error", error, 1e-4);
        else expectAtMost(Row::Isothermal, "raymarch in floats, the same" + where + ", largest error", error, 1e-5);
    }
}

TEST_P(PassRaymarch, DepthIsThatOfTheSurfaceOrTheSmokesMean) {
    view->eye = step.origin + step.h * glm::vec3(8.5f, 6.0f, 9.0f) + glm::vec3(0.0f, 0.0f, 1.0f);
    view->forward = {0.0f, 0.0f, -1.0f};
    view->right = {1.0f, 0.0f, 0.0f};
    view->up = {0.0f, 1.0f, 0.0f};  // corners look past the box
    view->pixels = {15, 15};
    step.obstacleCount = 0;
    view->stepLength = 1e-3f;
    scalars = Field(step.scalarCells, dvec4(0.5));
    scalarImage = toGpu(scalars, VK_FORMAT_R32_SFLOAT);
    const Field bricks(occupancy(step, scalars).size(), dvec4(1.0));
    picture(scalarImage, bricks);
    // Uniform smoke of depth D from 1 m on: mean of t with weight exp(-sigma (t - 1)). Steps put their light in their middles: half
    // a step is too much. 450 steps lose an eps each.
    const double sigma = double(view->extinction) * 0.5, D = double(step.h) * step.cells.z;
    const double mean = 1.0 + 1.0 / sigma - D * std::exp(-sigma * D) / (1.0 - std::exp(-sigma * D));
    EXPECT_NEAR(depths({7, 7, 0}).x, mean, 1e-5 + 450.0 * kEps);
    EXPECT_EQ(depths({0, 0, 0}).x, std::numeric_limits<double>::infinity());
    // A ball in clear air, seen at an angle: the depth is along the axis, not along the ray.
    scalars = Field(step.scalarCells, dvec4(0.0));
    scalarImage = toGpu(scalars, VK_FORMAT_R32_SFLOAT);
    step.obstacleCount = 1;
    step.obstacles[0].shape = {view->eye + glm::vec3(0.3f, 0.0f, -1.2f), WISP_BOX, {0.15f, 0.15f, 0.1f}, 0.0f, {0, 0, 0, 1}};
    picture(scalarImage, Field(bricks.size(), dvec4(0.0)));
    EXPECT_NEAR(depths({9, 7, 0}).x, 1.1, 2.0 * 1e-4 * double(step.h));  // where sphere tracing stops
    EXPECT_EQ(depths({5, 7, 0}).x, std::numeric_limits<double>::infinity());
}

TEST_P(PassRaymarch, StopsWhereNothingIsSeen) {
    view->extinction = 1000.0f;
    const Field gpu = picture(scalarImage, Field(occupancy(step, scalars).size(), dvec4(1.0)));
    const dvec4 middle = gpu({9, 7, 0});
    EXPECT_EQ(middle.w, 1.0);
}

}  // namespace
}  // namespace wisp::test
