// SPDX-License-Identifier: MIT
// Rays through a liquid, and the edges in its image.
#include "shaders/shared/liquid/liquid_picture.h"
#include "tests/gpu/pass_light.h"
#include "tests/reference/liquid_picture.h"
#include "tests/reference/tracers.h"

namespace wisp::test {
namespace {

// Threads of liquid_normals.
ivec3 columns(ivec3 cells) { return {cells.x, cells.y, (cells.z + WISP_LIQUID_COLUMN - 1) / WISP_LIQUID_COLUMN}; }

// Rays through given distances, in a uniform environment above diffuse ground. The full environment lights the ground.
class PassLiquidRays : public PassTest {
protected:
    void SetUp() override {
        PassTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        step = makeStep({.cells = {24, 12, 24}, .scalarRatio = 1, .obstacles = false});
        useConstants({{"kOctaves", 3}, {"kLights", 0}, {"kHasGround", 1}});
        setEnvironment(Field(ivec3(1), dvec4(kAround, 0.0)));
        View v{};
        v.pixels = {24, 24};
        v.lightCells = v.skyCells = {4, 4, 4};
        v.bricks = (step.scalarCells + 7) / 8;
        v.stepLength = 0.05f;
        v.minDensity = 1e-6f;
        v.extinction = 1.0f;
        v.surfaces[WISP_MAX_OBSTACLES].colour = kGroundColour;
        v.environment[0] = kAround;
        v.environmentRotation = 0.0f;
        view = v;
        lightImage = constant(view->lightCells, 1.0);
        skyImage = constant(view->skyCells, 0.5);  // half of the directions end at the ground
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
        const std::vector<engine::Binding> common = {{"scalars", smoke},     {"occupancy", occupied}, {"light", lightImage},
                                                     {"sky", skyImage},      {"splats", tile},        {"splatColours", tile},
                                                     {"radiance", radiance}, {"depth", depthImage}};
        if (std::string_view(name) == "raymarch") {
            std::vector<engine::Binding> bindings = common;
            bindings.emplace_back("noise", tile);
            bindings.emplace_back("scattered", skyImage);
            pass(name, {view->pixels, 1}, bindings);
        } else {
            const engine::Image distances = toGpu(phi, VK_FORMAT_R32_SFLOAT), smooth = target(step.scalarCells, VK_FORMAT_R32_SFLOAT),
                                normals = target(step.scalarCells, VK_FORMAT_R32G32B32A32_SFLOAT),
                                bricks = target(view->bricks, VK_FORMAT_R32G32B32A32_SFLOAT);
            pass("liquid_normals", columns(step.scalarCells),
                 {{"distanceIn", distances}, {"distanceOut", smooth}, {"normalsOut", normals}});
            pass("liquid_bricks", view->bricks * ivec3(WISP_BRICK_THREADS, 1, 1), {{"distances", distances}, {"bricksOut", bricks}});
            std::vector<engine::Binding> bindings = common;
            bindings.insert(bindings.end(), {{"distances", distances}, {"bricks", bricks}, {"normals", normals}});
            pass("liquid_picture", {view->pixels, 1}, bindings, optics);
            if (std::string_view(name) == "liquid_edges") {
                const engine::Image smoothed = image("smoothed", {view->pixels, 1}, VK_FORMAT_R32G32B32A32_SFLOAT, true);
                std::erase_if(bindings, [](const engine::Binding& b) { return b.name == "radiance" || b.name == "depth"; });
                bindings.insert(bindings.end(), {{"whole", radiance}, {"depthIn", depthImage}, {"radiance", smoothed}});
                pass(name, {view->pixels, 1}, bindings, optics);
                depths = fromGpu(depthImage);
                return fromGpu(smoothed);
            }
        }
        depths = fromGpu(depthImage);
        return fromGpu(radiance);
    }
    [[nodiscard]] dvec3 leftAfter(double way) const { return glm::exp(-dvec3(optics.absorption) * way); }
    // Radiance from the ground under a layer of liquid.
    [[nodiscard]] dvec3 ground(double height) const { return dvec3(kGroundColour) * dvec3(kAround) * leftAfter(height); }
    // Bisection finds the surface to 2^-8 of a step, and the filter's weights move it by up to kFilter cells. The ground's light is taken
    // at besideSurface(), slightly off the ground.
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

// A layer seen from above: F L_around + (1 - F) exp(-a way) L_ground, with way = height / cos of the refracted direction. The ground's
// light passes through the layer, too.
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

// Seen from below, rays of more than 48.6 degrees from the vertical are totally reflected to the floor. All others see the environment.
TEST_F(PassLiquidRays, TotalReflectionBeyondTheCriticalAngle) {
    const double height = 0.3, deep = 0.05, n = double(optics.refraction);
    fill(height);
    std::size_t all = 0, part = 0;
    for (const dvec3 towards : {dvec3(0.0, 1.0, 0.0), dvec3(1.2, 1.0, 0.0)}) {
        lookFrom({middle.x - 0.1, double(step.origin.y) + height - deep, middle.z}, towards, 0.3);
        const Field gpu = picture();
        forEach(gpu.size(), [&](ivec3 pixel) {
            const dvec3 ray = cameraRay(*view, pixel);
            const double up = ray.y, F = reference::fresnel(up, n), aside = std::sqrt(1.0 - up * up);
            if (std::abs(n * aside - 1.0) < 0.01 || (F == 1.0 && (deep + height) / up * aside > 0.45))
                return;  // near the critical angle, or at a side of the box
            ++(F == 1.0 ? all : part);
            const dvec3 left = leftAfter(deep / up);
            expectNear(gpu(pixel), F == 1.0 ? leftAfter((deep + height) / up) * ground(height) : left * dvec3(kAround), pixel);
        });
    }
    EXPECT_GT(all, 50u);
    EXPECT_GT(part, 50u);
}

// The sides of the box are surfaces. A column without left and right ends does not change the direction of rays.
TEST_F(PassLiquidRays, SidesOfTheBoxAreSurfaces) {
    useConstants({{"kOctaves", 3}, {"kLights", 0}});  // without ground
    phi = Field(step.scalarCells, dvec4(-2.0, 0.0, 0.0, 0.0));
    lookFrom(middle + dvec3(0.0, 0.0, 2.0), {0.0, 0.0, -1.0}, 0.02);
    const double n = double(optics.refraction);
    const Field gpu = picture();
    forEach(gpu.size(), [&](ivec3 pixel) {
        const double cosine = -cameraRay(*view, pixel).z, inside = std::sqrt(1.0 - (1.0 - cosine * cosine) / (n * n)),
                     F = reference::fresnel(cosine, 1.0 / n);
        // Light that is reflected at the far side counts as the environment, too.
        expectNear(gpu(pixel), dvec3(kAround) * (F + (1.0 - F) * leftAfter(boxSize(step).z / inside)), pixel);
    });
}

// Without liquid, the image equals an image without smoke.
TEST_F(PassLiquidRays, NoLiquidMatchesNoSmoke) {
    step = makeStep({.cells = {24, 12, 24}, .scalarRatio = 1});
    useConstants({{"kOctaves", 3}, {"kLights", 1}, {"kHasGround", 1}});
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

// A black ball in front of a uniform environment. Five rays give the covered fraction of a pixel to half a ray on average. At worst, a
// straight edge has two rays on the wrong side. Pixels without an edge do not change.
TEST_F(PassLiquidRays, EdgesAreSmooth) {
    step = makeStep({.cells = {24, 12, 24}, .scalarRatio = 1, .obstacles = false});
    useConstants({{"kOctaves", 3}, {"kLights", 0}});
    step.obstacleCount = 1;
    const glm::vec3 centre = step.origin + glm::vec3(boxSize(step)) * 0.5f;
    step.obstacles[0].shape = {centre, WISP_SPHERE, {0, 0, 0}, 0.15f, {0, 0, 0, 1}};
    view->surfaces[0] = {glm::vec3(0.0f), 0.0f, 0.5f};
    view->exposure = 1.0f;
    lookFrom(dvec3(centre) + dvec3(0.0, 0.0, 1.2), {0.0, 0.0, -1.0}, 0.2);
    phi = Field(step.scalarCells, dvec4(1.7, 0.0, 0.0, 0.0));
    const Field stepped = picture(), smooth = picture("liquid_edges");
    double before = 0.0, after = 0.0;
    int edges = 0;
    forEach(smooth.size(), [&](ivec3 p) {
        constexpr int kFine = 32;
        int hits = 0;
        for (int n = 0; n < kFine * kFine; ++n) {
            const glm::dvec2 at = (glm::dvec2(p) + (glm::dvec2(n % kFine, n / kFine) + 0.5) / double(kFine)) / glm::dvec2(view->pixels) *
                                      2.0 -
                                  1.0;
            const dvec3 ray = glm::normalize(dvec3(view->forward) + at.x * dvec3(view->right) - at.y * dvec3(view->up)),
                        to = dvec3(centre) - dvec3(view->eye);
            hits += glm::length(to - glm::dot(to, ray) * ray) < 0.15 ? 1 : 0;
        }
        const double share = double(hits) / (kFine * kFine), seen = 1.0 - smooth(p).x / double(kAround.x);
        if (share == 0.0 || share == 1.0) {
            // Next to an edge, the result is the mean of five equal values.
            for (int n = 0; n < 4; ++n) EXPECT_NEAR(smooth(p)[n], stepped(p)[n], 5.0 * kEps) << p.x << " " << p.y;
            return;
        }
        ++edges;
        EXPECT_NEAR(seen, share, 0.4) << p.x << " " << p.y;
        before += std::pow(1.0 - stepped(p).x / double(kAround.x) - share, 2.0);
        after += std::pow(seen - share, 2.0);
    });
    EXPECT_GT(edges, 40);
    EXPECT_LT(std::sqrt(after / edges), 0.1);   // uniform between -0.1 and 0.1, in steps of 0.2: 0.06
    EXPECT_GT(std::sqrt(before / edges), 0.2);  // between -0.5 and 0.5, mostly near the middle
}

}  // namespace
}  // namespace wisp::test
