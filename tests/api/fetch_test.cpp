// SPDX-License-Identifier: MIT
// Pictures that arrive later, and path-traced ones by and by.
#include "tests/api/small_scene.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace wisp::test {
namespace {

constexpr RendererOptions kSmall{.width = 48, .height = 64};

std::vector<std::byte> bytesOf(Renderer& renderer, PictureContent content) {
    std::vector<std::byte> bytes;
    renderer.fetch(content, [&](const FetchedPicture& p) { bytes.assign(p.data, p.data + p.bytes); });
    renderer.flush();
    return bytes;
}

TEST(ApiFetch, FetchGivesPicturesInOrderWithoutWaiting) {
    Simulation simulation(device(), smallScene());
    Renderer renderer(simulation, kSmall);
    std::vector<std::uint64_t> steps;
    std::vector<std::uint8_t> last;
    for (int n = 0; n < 4; ++n) {
        simulation.step();
        renderer.draw();
        renderer.fetch(PictureContent::Display, [&](const FetchedPicture& p) {
            EXPECT_EQ(p.width, kSmall.width);
            EXPECT_EQ(p.height, kSmall.height);
            EXPECT_EQ(p.bytes, std::size_t{4} * kSmall.width * kSmall.height);
            EXPECT_NEAR(p.time, static_cast<double>(p.step) * simulation.timeStep(), 1e-6);
            steps.push_back(p.step);
            last.resize(p.bytes);
            std::memcpy(last.data(), p.data, p.bytes);
        });
    }
    EXPECT_THAT(steps, testing::ElementsAre(1, 2)) << "two are on the way";
    renderer.flush();
    EXPECT_THAT(steps, testing::ElementsAre(1, 2, 3, 4));
    EXPECT_EQ(last, renderer.read().rgba);
}

TEST(ApiFetch, FetchGivesRadianceAndDepth) {
    Simulation simulation(device(), smallScene());
    simulation.step(4);
    Renderer renderer(simulation, kSmall);
    renderer.draw();
    const std::size_t pixels = std::size_t{kSmall.width} * kSmall.height;
    const std::vector<std::byte> radiance = bytesOf(renderer, PictureContent::Radiance), deep = bytesOf(renderer, PictureContent::Deep);
    ASSERT_EQ(radiance.size(), 8 * pixels);
    ASSERT_EQ(deep.size(), 12 * pixels);
    EXPECT_TRUE(std::equal(radiance.begin(), radiance.end(), deep.begin()));
    std::vector<float> depth(pixels);
    std::memcpy(depth.data(), deep.data() + radiance.size(), 4 * pixels);
    EXPECT_TRUE(std::ranges::any_of(depth, [](float d) { return d > 2.0f && d < 3.0f; })) << "the jet is 2.6 m away";
}

TEST(ApiFetch, FetchGivesTheRangeOfAField) {
    Scene scene = smallScene();
    scene.set("view.field", "density").set("view.range", {0.25, 2});
    Simulation simulation(device(), scene);
    simulation.step();
    Renderer renderer(simulation, kSmall);
    renderer.draw();
    std::array<float, 4> range{};
    renderer.fetch(PictureContent::Display, [&](const FetchedPicture& p) { range = p.range; });
    renderer.flush();
    EXPECT_EQ(range[0], 0.25f);
    EXPECT_EQ(range[1], 2.0f);
    const std::vector<float> density = simulation.read("density").values;
    EXPECT_FLOAT_EQ(range[3], *std::ranges::max_element(density));
}

TEST(ApiFetch, RefineAddsSamplesToThePictureOfAStep) {
    Scene scene = smallScene();
    scene.set("render.mode", "path").set("render.samples", 5);
    Simulation simulation(device(), scene);
    simulation.step(3);
    Renderer parts(simulation, kSmall), whole(simulation, kSmall);
    const PathProgress few = parts.refine(2), all = parts.refine(3);
    EXPECT_EQ(few.samples, 2u);
    EXPECT_EQ(all.samples, 5u);
    EXPECT_GT(all.noise, 0.0);
    EXPECT_TRUE(std::isfinite(all.noise));
    whole.draw();
    EXPECT_EQ(parts.readRadiance(), whole.readRadiance());
    simulation.step();
    EXPECT_EQ(parts.refine(1).samples, 1u) << "a picture of another step begins anew";
}

TEST(ApiFetch, TemporalAccumulationKeepsTheLastPictures) {
    Scene scene = smallScene();
    scene.set("render.temporal", true);
    Simulation simulation(device(), scene);
    simulation.step(4);
    Renderer once(simulation, kSmall), often(simulation, kSmall);
    once.draw();
    for (int n = 0; n < 4; ++n) often.draw();
    EXPECT_NE(once.readRadiance(), often.readRadiance());
}

TEST(ApiFetch, WrongCallsSayWhatIsRight) {
    Simulation simulation(device(), smallScene());
    Renderer renderer(simulation, kSmall);
    const auto nothing = [](const FetchedPicture&) {};
    EXPECT_EQ(errorOf([&] { renderer.fetch(PictureContent::Display, nothing); }).code(), ErrorCode::Outdated);
    renderer.draw();
    EXPECT_EQ(errorOf([&] { renderer.fetch(PictureContent::Display, {}); }).code(), ErrorCode::Argument);
    EXPECT_EQ(errorOf([&] { renderer.fetch(static_cast<PictureContent>(7), nothing); }).code(), ErrorCode::Argument);
    EXPECT_EQ(errorOf([&] { renderer.refine(0); }).code(), ErrorCode::Argument);
    EXPECT_THAT(errorOf([&] { renderer.refine(1); }).what(), testing::HasSubstr("render.mode"));
}

}  // namespace
}  // namespace wisp::test
