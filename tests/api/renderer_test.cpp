// SPDX-License-Identifier: MIT
// Pictures of the library: sizes, cameras, composites, and errors.
#include "tests/api/small_scene.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace wisp::test {
namespace {

using testing::HasSubstr;

TEST(ApiRenderer, DrawsAndFollowsTheScene) {
    Simulation simulation(device(), smallScene());
    Renderer renderer(simulation, {.width = 48, .height = 64});
    EXPECT_EQ(errorOf([&] { (void)renderer.read(); }).code(), ErrorCode::Outdated);
    simulation.step(10);
    renderer.draw();
    const PictureData with = renderer.read();
    EXPECT_EQ(with.rgba.size(), 48u * 64u * 4u);
    EXPECT_EQ(renderer.readRadiance().size(), 48u * 64u * 4u);
    simulation.set("medium.extinction", 0.0);
    renderer.draw();
    const PictureData without = renderer.read();
    EXPECT_NE(with.rgba, without.rgba);
    renderer.setCamera(Camera::lookAt({0.4f, 0.6f, 3.0f}, {0.4f, 0.6f, 0.4f}, 0.6981317f, 0.75f));  // as in the scene
    renderer.draw();
    const PictureData same = renderer.read();
    // The directions of rays differ by roundings, which may change a display value by one step.
    for (std::size_t n = 0; n < same.rgba.size(); ++n) ASSERT_NEAR(same.rgba[n], without.rgba[n], 1) << n;
    renderer.setCamera(Camera::lookAt({0.4f, 0.6f, 3.0f}, {0.4f, 5.6f, 0.4f}, 0.6981317f, 0.75f));  // away from everything
    renderer.draw();
    EXPECT_NE(renderer.read().rgba, without.rgba);
    EXPECT_EQ(errorOf([&] { renderer.setCamera({.forward = {0, 0, 0}}); }).code(), ErrorCode::Argument);
    EXPECT_EQ(errorOf([&] { (void)Renderer(simulation, {.width = 0, .height = 4}); }).code(), ErrorCode::Argument);
}

// A renderer that made its memory anew would draw as a new one does, without history.
TEST(ApiRenderer, SlidersOfTheLookKeepTheHistory) {
    Scene scene = smallScene();
    scene.set("emitter[0].fuel", 0.8).set("emitter[0].temperature", 900.0).add("light", "{direction = [-0.5, -1, -0.3]}");
    Simulation plain(device(), scene), simulation(device(), scene.set("render.temporal", true)), unchanged(device(), scene);
    const RendererOptions size{.width = 48, .height = 64};
    Renderer direct(plain, size), renderer(simulation, size), other(unchanged, size);
    for (Simulation* s : {&plain, &simulation, &unchanged}) s->step(10);
    direct.draw();
    for (int n = 0; n < 3; ++n) renderer.draw(), other.draw();
    simulation.set("render.exposure", 1.0);
    renderer.draw();
    other.draw();
    EXPECT_EQ(renderer.readRadiance(), other.readRadiance());
    EXPECT_NE(renderer.read().rgba, other.read().rgba);
    const std::pair<const char*, Value> looks[] = {
        {"render.tonemap", "agx"},        {"medium.albedo", {0.5, 0.6, 0.7}},
        {"medium.extinction", 14.0},      {"light[0].colour", {1.0, 0.5, 0.2}},
        {"light[0].intensity", 7.0},      {"render.obstacle_colour", {1, 0, 0}},
        {"medium.emission", {0.1, 0, 0}}, {"light[0].direction", {0.7, -1.0, 0.2}},
        {"medium.phase.g", 0.2},          {"environment.colour", {0.4, 0.5, 0.9}},
        {"environment.ground", true},     {"obstacle[0].colour", {0.2, 0.8, 0.3}},
    };
    for (const auto& [key, value] : looks) {
        SCOPED_TRACE(key);
        simulation.set(key, value);
        renderer.draw();
        Renderer fresh(simulation, size);
        fresh.draw();
        EXPECT_NE(renderer.readRadiance(), fresh.readRadiance());
        plain.set(key, value);
        direct.draw();
        Renderer anew(plain, size);
        anew.draw();
        EXPECT_EQ(direct.readRadiance(), anew.readRadiance());
    }
}

TEST(ApiRenderer, ACompositeIsThePictureWithoutWhatIsBehind) {
    Scene scene = smallScene();
    scene.set("obstacle[0].centre", {5, 5, 5});  // out of sight, and out of the box
    scene.set("environment.colour", {0, 0, 0}).set("environment.ground", false).set("render.antialias", false);
    Simulation simulation(device(), scene);
    simulation.step(10);
    Renderer whole(simulation, {.width = 48, .height = 64}), alone(simulation, {.width = 48, .height = 64, .composite = true});
    whole.draw();
    alone.draw();
    const std::vector<float> a = whole.readRadiance(), b = alone.readRadiance();
    EXPECT_EQ(a, b);  // the environment is black, and nothing else is behind
    EXPECT_GT(*std::ranges::max_element(b), 0.01f);
    scene.set("environment.colour", {1, 1, 1});
    simulation.change(scene);
    whole.draw();
    alone.draw();
    const std::vector<float> bright = whole.readRadiance(), smoke = alone.readRadiance();
    // The difference is the environment of radiance 1 through the smoke. Halves round to 5e-4 of values below 2.
    for (std::size_t n = 0; n < bright.size(); n += 4) ASSERT_NEAR(bright[n], smoke[n] + 1.0f - smoke[n + 3], 3e-3f) << n / 4;
}

// Of a ray that sees the environment through the smoke, a picture is the transparent one plus (1 - coverage) of the environment, whose
// radiance is 1. The obstacle covers what is behind it. Halves round by 2^-11 of values below 2, each of three numbers: below 3e-3.
TEST(ApiRenderer, ATransparentPictureIsThePictureWithoutTheEnvironment) {
    Scene scene = smallScene();
    scene.set("environment.colour", {1, 1, 1}).set("render.antialias", false);
    for (const char* mode : {"raymarch", "path"}) {
        SCOPED_TRACE(mode);
        scene.set("render.mode", mode).set("render.samples", 32);
        Simulation simulation(device(), scene);
        simulation.step(10);
        Renderer whole(simulation, {.width = 48, .height = 64}), alone(simulation, {.width = 48, .height = 64, .transparent = true});
        whole.draw();
        alone.draw();
        const std::vector<float> bright = whole.readRadiance(), smoke = alone.readRadiance();
        std::size_t none = 0, some = 0, all = 0;
        for (std::size_t n = 0; n < bright.size(); n += 4) {
            const float coverage = smoke[n + 3];
            ASSERT_EQ(bright[n + 3], coverage);
            ASSERT_NEAR(bright[n], smoke[n] + 1.0f - coverage, 3e-3f) << n / 4;
            ASSERT_TRUE(coverage > 0.0f || smoke[n] == 0.0f);
            none += coverage == 0.0f;
            some += coverage > 0.1f && coverage < 0.9f;
            all += coverage == 1.0f;
        }
        EXPECT_GT(std::min({none, some, all}), 20u);
        const PictureData shown = alone.read(), opaque = whole.read();
        for (std::size_t n = 3; n < shown.rgba.size(); n += 4) {
            ASSERT_NEAR(shown.rgba[n], 255.0f * smoke[n], 0.5f + 255.0f * 5e-4f);  // a byte, of a half
            ASSERT_EQ(opaque.rgba[n], 255);
        }
    }
}

TEST(ApiRenderer, TransparentPicturesThatAreNotPossibleSayWhy) {
    Scene scene = smallScene();
    scene.set("view.field", "density");
    Simulation simulation(device(), scene);
    const Error error = errorOf([&] { (void)Renderer(simulation, {.width = 8, .height = 8, .transparent = true}); });
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    EXPECT_THAT(error.what(), HasSubstr("view.field"));
}

TEST(ApiRenderer, CompositesThatAreNotPossibleSayWhy) {
    const auto reason = [](const std::string& key, const Value& value) {
        Scene scene = smallScene();
        scene.set(key, value);
        Simulation simulation(device(), scene);
        const Error error = errorOf([&] { (void)Renderer(simulation, {.width = 8, .height = 8, .composite = true}); });
        EXPECT_EQ(error.code(), ErrorCode::Unsupported);
        return std::string(error.what());
    };
    EXPECT_THAT(reason("render.mode", "path"), HasSubstr("render.mode"));
    EXPECT_THAT(reason("view.field", "density"), HasSubstr("view.field"));
    EXPECT_THAT(reason("render.temporal", true), HasSubstr("render.temporal"));
}

TEST(ApiRenderer, AnotherSizeIsAsIfItWereMadeThus) {
    Simulation simulation(device(), smallScene());
    simulation.step(10);
    Renderer renderer(simulation, {.width = 48, .height = 64});
    const auto pixels = [](Renderer& of) {
        of.draw();
        return of.readRadiance();
    };
    const auto drawnAt = [&](std::uint32_t width, std::uint32_t height) {
        Renderer made(simulation, {.width = width, .height = height});
        return pixels(made);
    };
    renderer.draw();
    // Also while pictures of the old size are still in work.
    for (const auto& [width, height] : {std::pair(96u, 64u), std::pair(7u, 5u), std::pair(48u, 64u)}) {
        renderer.draw();
        renderer.resize(width, height);
        EXPECT_EQ(errorOf([&] { (void)renderer.picture(); }).code(), ErrorCode::Outdated);
        EXPECT_EQ(errorOf([&] { (void)renderer.read(); }).code(), ErrorCode::Outdated);
        EXPECT_EQ(pixels(renderer), drawnAt(width, height)) << width;
        EXPECT_EQ(renderer.picture().width, width);
        EXPECT_EQ(renderer.picture().height, height);
    }
    const VkImage image = renderer.picture().image;
    renderer.resize(48, 64);  // the same
    EXPECT_EQ(renderer.picture().image, image);
    EXPECT_EQ(errorOf([&] { renderer.resize(0, 64); }).code(), ErrorCode::Argument);
    EXPECT_EQ(renderer.picture().image, image);
    EXPECT_NO_THROW((void)renderer.read());
    (void)errorOf([&] { renderer.resize(1u << 20, 1u << 20); });  // no device has images of this size
    EXPECT_EQ(errorOf([&] { (void)renderer.read(); }).code(), ErrorCode::Outdated);
    EXPECT_EQ(pixels(renderer), drawnAt(48, 64));  // it has kept its size
}

TEST(ApiRenderer, ItsMemoryIsFreedWithItAlsoIfItCannotBeMade) {
    Simulation simulation(device(), smallScene());
    simulation.wait();
    const std::uint64_t before = device().memoryUsed();
    {
        Renderer renderer(simulation, {.width = 48, .height = 64});
        const std::uint64_t own = device().memoryUsed();
        EXPECT_GT(own, before);
        renderer.resize(96, 64);
        EXPECT_GT(device().memoryUsed(), own);
        renderer.resize(48, 64);
        EXPECT_EQ(device().memoryUsed(), own);
    }
    EXPECT_EQ(device().memoryUsed(), before);
    if (!device().isCpu()) GTEST_SKIP() << "a GPU may draw such a picture";
    // The first images of this picture can be made, but not the buffer of 144 million bytes.
    (void)errorOf([&] { (void)Renderer(simulation, {.width = 6000, .height = 6000}); });
    EXPECT_EQ(device().memoryUsed(), before);
}

TEST(ApiRenderer, APathTracedPictureCanBeStoppedBetweenItsSamples) {
    Scene scene = smallScene();
    scene.set("render.mode", "path").set("render.samples", 40);
    Simulation simulation(device(), scene);
    simulation.step(10);
    Renderer renderer(simulation, {.width = 16, .height = 24});
    int calls = 0;
    EXPECT_TRUE(renderer.draw([&](std::uint32_t) { return ++calls > 0; }));
    EXPECT_EQ(calls, 3) << "16 samples a submit";
    const std::vector<float> all = renderer.readRadiance();
    renderer.draw();
    EXPECT_EQ(renderer.readRadiance(), all);
    calls = 0;
    EXPECT_FALSE(renderer.draw([&](std::uint32_t) { return ++calls < 2; }));
    EXPECT_EQ(calls, 2);
    const std::vector<float> some = renderer.readRadiance();
    scene.set("render.samples", 32);
    simulation.change(scene);
    renderer.draw();
    EXPECT_EQ(renderer.readRadiance(), some);
    EXPECT_NE(some, all);
    scene.set("render.samples", 40);
    simulation.change(scene);
    EXPECT_EQ(errorOf([&] {
                  (void)renderer.draw([&](std::uint32_t) {
                      simulation.step();
                      return true;
                  });
              }).code(),
              ErrorCode::Busy);
    simulation.step();                                                 // still usable
    EXPECT_FALSE(renderer.draw([](std::uint32_t) { return false; }));  // the first samples are always drawn
    const std::vector<float> first = renderer.readRadiance();
    EXPECT_GT(*std::ranges::max_element(first), 0.0f);
    scene.set("render.mode", "raymarch");
    simulation.change(scene);
    EXPECT_TRUE(renderer.draw([](std::uint32_t) -> bool { throw std::runtime_error("is not called"); }));
}

/// Names of the passes of each picture, in order.
std::vector<std::vector<std::string>> picturesOf(const std::vector<SubmitTimes>& submits) {
    std::vector<std::vector<std::string>> pictures;
    for (const SubmitTimes& submit : submits) {
        if (std::ranges::none_of(submit.passes, [](const PassTime& p) { return p.scope && p.name == "frame"; })) continue;
        pictures.emplace_back();
        for (const PassTime& p : submit.passes) pictures.back().push_back(p.name);
    }
    return pictures;
}

TEST(ApiRenderer, TheLightOfAStepIsComputedOnce) {
    Simulation simulation(device(), smallScene(), {.timing = Timing::Passes});
    std::vector<SubmitTimes> submits;
    simulation.onTimes([&](const SubmitTimes& times) { submits.push_back(times); });
    Renderer renderer(simulation, {.width = 48, .height = 64});
    simulation.step(10);
    renderer.draw();
    renderer.setCamera(SceneCamera{.eye = {0.9f, 0.6f, 3.0f}, .target = {0.4f, 0.6f, 0.4f}});
    renderer.draw();
    const PictureData again = renderer.read();
    Renderer fresh(simulation, {.width = 48, .height = 64});
    fresh.setCamera(SceneCamera{.eye = {0.9f, 0.6f, 3.0f}, .target = {0.4f, 0.6f, 0.4f}});
    fresh.draw();
    EXPECT_EQ(again.rgba, fresh.read().rgba);
    simulation.step();
    renderer.draw();
    simulation.clear();
    renderer.draw();
    simulation.set("medium.extinction", 3.0);
    renderer.draw();
    simulation.wait();
    const auto pictures = picturesOf(submits);
    const bool lit[] = {true, false, true, true, true, true};  // the third is of `fresh`
    ASSERT_EQ(pictures.size(), std::size(lit));
    for (std::size_t n = 0; n < pictures.size(); ++n) EXPECT_EQ(std::ranges::count(pictures[n], "light_volume") > 0, lit[n]) << n;
}

TEST(ApiRenderer, ACameraByKeysIsForAnyPicture) {
    for (const char* scene : {"[grid]\ncells = [32, 32, 1]\nsize = [1.0, 1.0, 0.03125]\n", "[view]\nfield = \"speed\"\n"}) {
        Scene with = Scene::parse(scene);
        with.add("emitter", "{centre = [0.5, 0.5, 0.0], radius = 0.2, density = 1.0, velocity = [1.0, 0.0, 0.0]}");
        with.set("camera.eye", {0.6, 0.5, 2.0}).set("camera.target", {0.6, 0.5, 0.0}).set("camera.fov", 45.0);
        const bool flat = with.get("grid.cells") == "[32, 32, 1]";
        if (flat) with.set("camera.height", 0.7);
        Simulation simulation(device(), with);
        simulation.step(2);
        Renderer renderer(simulation, {.width = 48, .height = 64});
        renderer.draw();
        const PictureData own = renderer.read();
        renderer.setCamera(SceneCamera{.eye = {1.0f, 0.5f, 2.0f}, .target = {1.0f, 0.5f, 0.0f}, .height = 0.3f});
        renderer.draw();
        EXPECT_NE(renderer.read().rgba, own.rgba);
        renderer.setCamera(SceneCamera{.eye = {0.6f, 0.5f, 2.0f}, .target = {0.6f, 0.5f, 0.0f}, .fov = 0.78539816f, .height = 0.7f});
        renderer.draw();
        EXPECT_EQ(renderer.read().rgba, own.rgba) << "as in the scene";
        renderer.setCamera(Camera::lookAt({1.0f, 0.5f, 2.0f}, {1.0f, 0.5f, 0.0f}, 0.8f, 0.75f));
        EXPECT_EQ(errorOf([&] { renderer.draw(); }).code(), ErrorCode::Unsupported);
        renderer.useSceneCamera();
        renderer.draw();
        EXPECT_EQ(renderer.read().rgba, own.rgba);
        for (const SceneCamera& wrong : {SceneCamera{.eye = {0, 0, 0}, .target = {0, 0, 0}},
                                         {.fov = 0.0f},
                                         {.fov = 3.2f},
                                         {.height = -1.0f},
                                         {.eye = {std::nanf(""), 0, 0}}})
            EXPECT_EQ(errorOf([&] { renderer.setCamera(wrong); }).code(), ErrorCode::Argument);
    }
}

}  // namespace
}  // namespace wisp::test
