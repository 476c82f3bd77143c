// SPDX-License-Identifier: MIT
// The raymarched image.
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
              {"splats", noise},
              {"splatColours", noise},
              {"radiance", radiance},
              {"depth", depthImage}});
        depths = fromGpu(depthImage);
        return fromGpu(radiance);
    }
    // The fraction to which a pixel's first steps are shortened.
    double offset(ivec3 pixel) const {
        const double u = noise_({pixel.x % 64, pixel.y % 64, 0}) + double(view->noiseShift);
        return u - std::floor(u);
    }

    /// With marched shadow rays, edges of shadows are as uncertain as silhouettes: a point that is lit in the twin may be in shadow in the
    /// pass.
    void expectTwin(const Field& gpu, bool ground = false, bool marched = false) {
        // The filter's error of light, whose fourth power counts, and of sky scales a source below 4. Its error of the density changes an
        // optical depth along up to 1 m.
        const double filter = 4.0 * kFilter *
                              (std::max(4.0 * steepest(light), steepest(sky)) +
                               double(view->extinction) * steepest(scalars, period(step, step.scalarCells)));
        // A depth is a mean of distances within the box. The density's error changes a weight by its relative size, and by the extinction
        // in up to 1 m of smoke in front.
        const double least = std::ranges::min(scalars.values(), {}, [](const dvec4& v) { return v.x; }).x;
        const double weight = kFilter * steepest(scalars, period(step, step.scalarCells)) * (1.0 / least + double(view->extinction)) *
                              glm::length(boxSize(step));
        // atan has an error of 4096 units in the last place (Vulkan), 2^-10 of an angle of pi. The lookup in the environment map is off by
        // as much where the environment is visible.
        const double beside = std::exp2(-10.0) / glm::pi<double>() * (0.5 * surroundings.size().x + surroundings.size().y) *
                              steepest(surroundings, {surroundings.size().x, 0, 0});
        std::size_t unsure = 0;
        forEach(gpu.size(), [&](ivec3 pixel) {
            // Next to silhouettes, the tolerance of sphere tracing decides what a ray hits.
            const dvec3 ray = cameraRay(*view, pixel), eye(view->eye);
            const Hit near = surfaceHit(step, eye, ray, 100.0, margin(), ground),
                      far = surfaceHit(step, eye, ray, 100.0, -margin(), ground);
            if (near.obstacle != far.obstacle || far.distance - near.distance > 10.0 * margin()) {
                ++unsure;
                return;
            }
            const auto [twin, twinDepth] = raymarch(step, *view, scalars, occupied_, light, sky, surroundings, lights, kOctaves, pixel,
                                                    offset(pixel), ground, marched);
            // 50 steps with a few roundings each. A surface's normal is a difference of distances with errors of 4 eps of 1 m, over h/100.
            // This changes the radiance of a surface under lights of 3 W/m^2 in total. For the base the factor is 0.6 / pi (1 + 2 5 / 4),
            // because Fresnel's reflectance changes by up to 5 times its maximum, 1/4. For the coat it is 1/4 of a lobe of 1 / (pi alpha^2)
            // that changes by 1.5 / alpha, and 1 / (2 alpha) for its shadowing, together 1.7. The means of the environment change by their
            // slope: 1 + 5/4, and twice 1/4 in the mirror direction.
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

    /// Upper bound of the change of the environment's cosine-weighted mean, per radian.
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
    view->lights[1].towards = step.origin + glm::vec3(0.4f, 1.5f, 0.9f);  // away from the smoke, because its light would be steep there
    for (const double variation : {0.3, 0.0}) {                           // without variation the filter is exact
        light = smoothField(view->lightCells, 4, 0.6 - variation, 0.6 + variation);
        sky = smoothField(view->skyCells, 1, 0.6 - variation, 0.6 + variation);
        scalars = smoothField(step.scalarCells, 1, 0.5 - variation, 0.5 + variation);
        lightImage = toGpu(light, VK_FORMAT_R32G32B32A32_SFLOAT);
        skyImage = toGpu(sky, VK_FORMAT_R32_SFLOAT);
        scalarImage = toGpu(scalars, VK_FORMAT_R32_SFLOAT);
        const Field bricks = occupancy(step, scalars);
        // Steps of constant length, then steps of at least this length, three cells where smoke is densest.
        for (const float density : {0.0f, 0.06f}) {
            useLights(density > 0.0f ? 4 : 2);
            view->stepDensity = density;
            view->noiseShift = 5.0f * density;
            expectTwin(picture(scalarImage, bricks));
        }
    }
}

// Samples are spread over the pixel, beside the ray. A pixel is as wide as three scalar cells here.
TEST_P(PassRaymarch, MatchesItsTwinAcrossWidePixels) {
    step.obstacleCount = 0;
    view->footprint = 1.0f;
    view->pixels = {12, 9};
    view->lights[1].axis = glm::normalize(glm::vec3(1.0f, -0.5f, 0.2f));  // as a spot, which shines through the box
    view->lights[1].cosOuter = 0.5f;
    view->lights[1].perCos = 4.0f;
    for (const int kind : {WISP_POINT, WISP_SPOT})
        for (const float density : {0.0f, 0.06f}) {
            view->lights[1].kind = kind;
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

// With a uniform source, a pixel depends only on its optical depth. The error of the midpoint rule is at most d^2 / 8 times the variation
// of the density's slope along the ray, where d is the longest step. The change of the hidden part reduces it, at most by the same amount.
TEST_P(PassRaymarch, ImageDoesNotDependOnTheStep) {
    step.obstacleCount = 0;
    scalars = smoothField(step.scalarCells, 1, 0.0, 1.0);
    scalarImage = toGpu(scalars, VK_FORMAT_R32_SFLOAT);
    const Field bricks = occupancy(step, scalars);
    const double thinnest = std::ranges::min(bricks.values(), {}, [](const dvec4&v) { return v.x; }).x,
                 brick = 1.001 * std::sqrt(3.0) * 0.2;
    const double filter = kFilter * steepest(scalars, period(step, step.scalarCells)) * glm::length(boxSize(step));
    const dvec3 low(step.origin), high = low + boxSize(step), eye(view->eye);
    struct RayIntegral {
        double variation, depth;
    };
    const auto along = [&](dvec3 ray) {  // in pieces of 1/40 scalar cell
        RayIntegral integral{0.0, 0.0};
        const double piece = double(step.h) / 80.0;
        double before[2] = {0.0, 0.0};
        int n = 0;
        for (int k = 0; k < static_cast<int>(3.0 / piece); ++k) {
            const dvec3 x = eye + (k + 0.5) * piece * ray;
            if (glm::any(glm::lessThan(x, low)) || glm::any(glm::greaterThan(x, high))) continue;
            const double density = densityAt(step, scalars, x);
            if (n++ > 1) integral.variation += std::abs(density - 2.0 * before[0] + before[1]) / piece;
            before[1] = std::exchange(before[0], density);
            integral.depth += piece * density;
        }
        return integral;
    };
    for (const int steps : {8, 32, 128, 512, 0}) {  // number of steps in the box's depth; 0: as the density requires
        view->stepLength = steps > 0 ? 0.45f / static_cast<float>(steps) : 0.025f;
        view->stepDensity = steps > 0 ? 0.0f : 1.0f / 64;
        const double longest = std::max(double(view->stepLength), std::min(double(view->stepDensity) / std::max(thinnest, 1e-4), brick));
        const Field gpu = picture(scalarImage, bricks);
        forEach(gpu.size(), [&](ivec3 pixel) {
            const RayIntegral integral = along(cameraRay(*view, pixel));
            const double error = double(view->extinction) * (longest * longest / 8.0 * integral.variation + filter) +
                                 1e-4;  // where the march ends
            EXPECT_NEAR(gpu(pixel).w, 1.0 - std::exp(-double(view->extinction) * integral.depth), error)
                << steps << " steps, " << pixel.x << " " << pixel.y;
        });
    }
}

TEST_P(PassRaymarch, MatchesItsTwinWithGroundAndMarchedShadows) {
    view->lights[1].towards = step.origin + glm::vec3(0.4f, 1.5f, 0.9f);
    // Some rays hit the ground, none of them more than 100 m away, where the twin stops.
    view->forward = glm::normalize(glm::vec3(-0.05f, -0.235f, -1.0f));
    view->surfaces[WISP_MAX_OBSTACLES].colour = {0.3f, 0.5f, 0.7f};
    view->groundRadius = 0.5f;  // within the image
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

TEST_P(PassRaymarch, MatchesItsTwinWithASpotAndANonUniformEnvironment) {
    // The spot's cone ends within the smoke and on the obstacles.
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
        setEnvironment(random({8, 5, 1}, 3, 0.0, 4.0), 2.9);  // the seam is visible
        expectTwin(picture(scalarImage, bricks));
    }
}

TEST_P(PassRaymarch, SkippingEmptyBricksIsInvisible) {
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
    // Both images sample the centres of steps, but the steps end at different positions. An optical depth differs by at most twice half a
    // step times the density's variation along a ray, here 2 (up and down). The threshold 1e-4 hides less than 1e-4 of a depth of 4 * 0.85.
    const double depth = double(view->extinction) * (2.0 * 2.0 * 0.5 * double(view->stepLength) + 1e-4);
    forEach(whole.size(), [&](ivec3 pixel) { EXPECT_NEAR(skipped(pixel).w, whole(pixel).w, depth); });
}

// In floats, which the renderer's image does not have. In thin and in opaque smoke.
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
                view->stepLength = 0.45f / static_cast<float>(steps);  // number of steps in the box's depth
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
        // One rounding per step along 1.4 m with an optical depth of 1 and more.
        if (emission == 0.0f)
            expectAtMost(Row::Slab, "in floats, 16 to 512 steps, extinctions .1 to 60" + where + ", largest error", error, 1e-4);
        else expectAtMost(Row::Isothermal, "raymarch in floats, the same" + where + ", largest error", error, 1e-5);
    }
}

TEST_P(PassRaymarch, DepthIsTheSurfacesOrTheMeanOfTheSmoke) {
    view->eye = step.origin + step.h * glm::vec3(8.5f, 6.0f, 9.0f) + glm::vec3(0.0f, 0.0f, 1.0f);
    view->forward = {0.0f, 0.0f, -1.0f};
    view->right = {1.0f, 0.0f, 0.0f};
    view->up = {0.0f, 1.0f, 0.0f};  // rays at the corners miss the box
    view->pixels = {15, 15};
    step.obstacleCount = 0;
    view->stepLength = 1e-3f;
    scalars = Field(step.scalarCells, dvec4(0.5));
    scalarImage = toGpu(scalars, VK_FORMAT_R32_SFLOAT);
    const Field bricks(occupancy(step, scalars).size(), dvec4(1.0));
    picture(scalarImage, bricks);
    // Uniform smoke with the thickness D that starts at 1 m: mean of t with the weight exp(-sigma (t - 1)). The light of a step is placed
    // at its centre, so half a step would overestimate the error. Each of 450 steps has a rounding error of eps.
    const double sigma = double(view->extinction) * 0.5, D = double(step.h) * step.cells.z;
    const double mean = 1.0 + 1.0 / sigma - D * std::exp(-sigma * D) / (1.0 - std::exp(-sigma * D));
    EXPECT_NEAR(depths({7, 7, 0}).x, mean, 1e-5 + 450.0 * kEps);
    EXPECT_EQ(depths({0, 0, 0}).x, std::numeric_limits<double>::infinity());
    // A box in clear air, seen at an angle. The depth is measured along the axis, not along the ray.
    scalars = Field(step.scalarCells, dvec4(0.0));
    scalarImage = toGpu(scalars, VK_FORMAT_R32_SFLOAT);
    step.obstacleCount = 1;
    step.obstacles[0].shape = {view->eye + glm::vec3(0.3f, 0.0f, -1.2f), WISP_BOX, {0.15f, 0.15f, 0.1f}, 0.0f, {0, 0, 0, 1}};
    picture(scalarImage, Field(bricks.size(), dvec4(0.0)));
    EXPECT_NEAR(depths({9, 7, 0}).x, 1.1, 2.0 * 1e-4 * double(step.h));  // where sphere tracing stops
    EXPECT_EQ(depths({5, 7, 0}).x, std::numeric_limits<double>::infinity());
}

TEST_P(PassRaymarch, StopsInOpaqueSmoke) {
    view->extinction = 1000.0f;
    const Field gpu = picture(scalarImage, Field(occupancy(step, scalars).size(), dvec4(1.0)));
    const dvec4 middle = gpu({9, 7, 0});
    EXPECT_EQ(middle.w, 1.0);
}

}  // namespace
}  // namespace wisp::test
