// SPDX-License-Identifier: MIT
// Edges of active bricks as lines of a picture.
#include "tests/gpu/pass_sparse.h"
#include "tests/reference/brick_edges.h"

#include <glm/geometric.hpp>

namespace wisp::test {
namespace {

constexpr gpu::BrickLines kThin{.width = 1.0f, .nearest = 0.25f};

class PassBrickEdges : public PassSparse {
protected:
    void look(glm::vec3 eye, glm::vec3 target) {
        View v{};
        v.eye = eye;
        v.forward = glm::normalize(target - eye);
        v.right = 0.8f * glm::normalize(glm::cross(v.forward, glm::vec3(0, 1, 0)));
        v.up = 0.6f * glm::normalize(glm::cross(v.right, v.forward));
        v.pixels = {80, 60};
        view = v;
    }
    [[nodiscard]] glm::vec3 middle() const { return step.origin + 0.5f * step.h * glm::vec3(step.cells); }

    Words drawn(const gpu::BrickLines& push) {
        const std::size_t pixels = static_cast<std::size_t>(view->pixels.x) * static_cast<std::size_t>(view->pixels.y);
        const engine::Buffer cover = target(pixels), camera = buffer("view", sizeof *view);
        put(cover, Words(pixels, 0));
        put(camera, std::vector<View>{*view});
        sparse([&](engine::Recorder& rec) {
            rec.dispatch("draw_bricks", bricks->each(BrickPart::Active, 64), {{"view", camera}, {"cover", cover}}, push);
        });
        return valuesOf<std::uint32_t>(cover, pixels);
    }

    void expectTwin(const gpu::BrickLines& push, std::size_t least = 100) {
        const Words words = drawn(push);
        // A ray that comes so near to an obstacle may end there, see shaders/shared/volume.glsl. All is at most 10 m away.
        const double margin = 2.0 * 1e-4 * double(step.h) * (1.0 + 10.0);
        const Grid<LineCover> twin = drawBricks(step, *view, states, push, margin);
        // Ends of lines are at least `nearest` away and so at most 300 pixels beside the picture. The error of their position is twenty
        // roundings of coordinates below 8 m, over `nearest`. A word is rounded to 1/255.
        const double error = 300.0 * 20.0 * 8.0 * kEps / double(push.nearest) + 0.5 / WISP_FULL_COVER;
        std::size_t wrong = 0, covered = 0, hidden = 0, index = 0;
        forEach(twin.size(), [&](ivec3 c) {
            const double cover = static_cast<double>(words[index++]) / WISP_FULL_COVER;
            covered += cover > 0.0;
            hidden += twin(c).perhaps > twin(c).sure;
            if (cover >= twin(c).sure - error && cover <= twin(c).perhaps + error) return;
            if (wrong++ == 0)
                ADD_FAILURE() << "pixel " << c.x << " " << c.y << ": " << cover << ", twin " << twin(c).sure << " to " << twin(c).perhaps;
        });
        EXPECT_EQ(wrong, 0u);
        EXPECT_GE(covered, least);
        EXPECT_LT(covered, words.size() / 2);
        EXPECT_LT(hidden, words.size() / 50) << "so many pixels are not compared";
    }
};
INSTANTIATE_TEST_SUITE_P(Cases, PassBrickEdges,
                         testing::Values(PassCase{{40, 34, 20}, 2}, PassCase{{64, 32, 36}, 4, 2, Precision::Half},
                                         PassCase{.cells = {48, 50, 40}, .obstacles = false}),
                         nameOf);

// From outside, along an axis, from among the bricks, and with wide lines.
TEST_P(PassBrickEdges, MatchTheirTwin) {
    use(randomStates(0.4, 0.4));
    look(middle() + glm::vec3(1.6f, 0.9f, 2.8f), middle());
    expectTwin(kThin);
    expectTwin({.width = 2.5f, .nearest = 0.25f});
    look(middle() + glm::vec3(0.0f, 0.0f, 3.5f), middle());
    expectTwin(kThin);
    use(cornerStates());  // the bricks may be past the box: then they have no edges
    expectTwin(kThin, 0);
    step.obstacleCount = 0;  // the eye would be in one
    use(randomStates(0.6, 0.5));
    look(middle() + glm::vec3(0.31f, 0.13f, 0.27f), middle() + glm::vec3(-0.5f, 0.1f, -0.2f));
    expectTwin(kThin);
}

// A full box has only its own twelve edges, in parts of a brick.
TEST_P(PassBrickEdges, AreNotDrawnInsideOfActiveBricks) {
    step.obstacleCount = 0;
    look(middle() + glm::vec3(2.2f, 1.2f, 3.8f), middle());
    use(fullStates());
    const Words full = drawn(kThin);
    const auto inPicture = [&](ivec3 corner) {
        const glm::dvec3 d = world(step, dvec3(corner)) - dvec3(view->eye);
        const double z = glm::dot(d, dvec3(view->forward)), x = glm::dot(d, dvec3(view->right)) / (0.64 * z),
                     y = glm::dot(d, dvec3(view->up)) / (0.36 * z);
        return glm::ivec2(static_cast<int>(std::floor(0.5 * (1.0 + x) * view->pixels.x)),
                          static_cast<int>(std::floor(0.5 * (1.0 - y) * view->pixels.y)));
    };
    const auto at = [&](glm::ivec2 p) { return full[static_cast<std::size_t>(p.y * view->pixels.x + p.x)]; };
    for (int n = 0; n < 8; ++n)
        EXPECT_GT(at(inPicture(step.cells * ivec3(n & 1, n >> 1 & 1, n >> 2))), 100u) << "corner " << n << " of the box";
    // Of an active brick at the corner of the box, three edges are inside of it.
    BrickStates one(brickCount(step), BrickState{});
    one(ivec3(0)) = {true, true, 0};
    use(one);
    const Words single = drawn(kThin);
    std::size_t only = 0;
    for (std::size_t i = 0; i < full.size(); ++i) only += single[i] > 0 && full[i] == 0;
    EXPECT_GE(only, 4u);
}

TEST_P(PassBrickEdges, AreBlendedOverThePicture) {
    look(middle() + glm::vec3(0.0f, 0.0f, 3.5f), middle());
    const ivec3 size(view->pixels, 1);
    const engine::Image picture = image("radiance", glm::uvec3(size), kFloat4, true);
    std::vector<float> channels;
    const Field values = random(size, 4, 0.0, 2.0);
    for (const dvec4& v : values.values())
        for (int n = 0; n < 4; ++n) channels.push_back(static_cast<float>(v[n]));
    upload(picture, channels);
    const Field radiance = fromGpu(picture);
    Words words(radiance.count());
    Numbers cover(size);
    const Numbers drawnNumbers = randomNumbers(size, -100.0, 255.99);
    for (std::size_t i = 0; i < words.size(); ++i) {
        words[i] = static_cast<std::uint32_t>(std::max(drawnNumbers.values()[i], 0.0));
        cover.values()[i] = static_cast<double>(words[i]) / WISP_FULL_COVER;
    }
    const engine::Buffer coverBuffer = target(words.size()), camera = buffer("view", sizeof *view);
    put(coverBuffer, words);
    put(camera, std::vector<View>{*view});
    const gpu::BrickBlend push{.colour = {1.5f, 0.5f, 0.25f}, .opacity = 0.75f};
    sparse([&](engine::Recorder& rec) {
        rec.dispatch("blend_bricks", glm::uvec3(size),
                     {{"view", camera}, {"cover", coverBuffer}, {"radianceIn", picture}, {"radianceOut", picture}}, push);
    });
    const Field result = fromGpu(picture), twin = blendBricks(radiance, cover, push);
    expectNear(result, twin, 2.0 * 6.0 * kEps, false);  // six roundings of numbers up to 2
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] != 0) continue;
        EXPECT_EQ(result.values()[i], radiance.values()[i]) << i;
    }
}

}  // namespace
}  // namespace wisp::test
