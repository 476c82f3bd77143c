// SPDX-License-Identifier: MIT
// Initial smoke: checkerboards and images, exact to the bit.
#include "tests/physics/simulation.h"

#include <algorithm>
#include <cstdint>

namespace wisp::test {
namespace {

class InitialSmoke : public PhysicsTest {
protected:
    Settings scene(glm::uvec3 cells, std::uint32_t scalarRatio, InitialSettings initial) {
        Settings s = stillBox(cells, 1.0f / 64);
        s.grid.scalarRatio = scalarRatio;
        s.grid.origin = {-0.25f, 0.5f, 1.0f};
        initial.density = 0.5f;
        s.initial = {std::move(initial)};
        return s;
    }
    /// As many texels as cells, each with another colour that is exact in 16-bit floats.
    static std::shared_ptr<const InitialImage> picture(glm::uvec2 size, bool coloured) {
        InitialImage image{size, {}};
        for (std::uint32_t y = 0; y < size.y; ++y)
            for (std::uint32_t x = 0; x < size.x; ++x)
                image.texels.push_back(glm::vec3(coloured ? 1 + x : 1 + y, 1 + y, coloured ? 1 + (x + y) % 3 : 1 + y) / 32.0f);
        return std::make_shared<const InitialImage>(std::move(image));
    }
};

TEST_F(InitialSmoke, CheckerboardStartsAtTheLowCorner) {
    for (const glm::uvec3 cells : {glm::uvec3(32, 16, 1), {16, 24, 1}, {16, 16, 4}}) {
        for (const std::uint32_t ratio : {1u, 2u}) {
            Simulation simulation(device(), scene(cells, ratio, {.field = InitialField::Checkerboard, .squares = 4}));
            const Field density = densityOf(simulation);
            const int edge = 4 * static_cast<int>(ratio);  // a quarter of the shorter edge of 16 cells
            std::size_t wrong = 0;
            forEach(density.size(), [&](ivec3 c) { wrong += density(c).x != ((c.x / edge + c.y / edge) % 2 == 0 ? 0.5 : 0.0); });
            EXPECT_EQ(wrong, 0u) << cells.x << "x" << cells.y << "x" << cells.z << " " << ratio;
        }
    }
}

// Cell centres are texel centres, so nothing is interpolated.
TEST_F(InitialSmoke, ImageStartsAtTheBottomLeftCorner) {
    for (const glm::uvec3 cells : {glm::uvec3(16, 8, 1), {8, 16, 4}}) {
        for (const bool coloured : {false, true}) {
            const auto image = picture(cells, coloured);
            Simulation simulation(device(), scene(cells, 1, {.field = InitialField::Image, .image = image}));
            const auto expectPicture = [&] {
                const Field density = densityOf(simulation);
                const auto& fields = simulation.simulator.fields();
                ASSERT_EQ(fields.smoke.hasColours(), coloured);
                const Field colours = coloured ? fieldOf(fields.smoke.colours[0]) : Field();
                std::size_t wrong = 0;
                forEach(density.size(), [&](ivec3 c) {
                    const glm::vec3 texel = image->texels[static_cast<std::size_t>(c.y) * image->size.x + static_cast<std::size_t>(c.x)];
                    wrong += density(c).x != 0.5 * static_cast<double>(std::max({texel.x, texel.y, texel.z}));
                    for (int n = 0; n < 3 && coloured; ++n)
                        wrong += std::abs(colours(c)[n] - 0.5 * static_cast<double>(texel[n])) >
                                 4.0 * 6e-8;  // rounding of one quotient and two products
                });
                EXPECT_EQ(wrong, 0u) << cells.x << "x" << cells.y << "x" << cells.z << (coloured ? " coloured" : "");
            };
            expectPicture();
            run(simulation.shaders, [&](engine::Recorder& rec) { simulation.simulator.clear(rec); });
            EXPECT_EQ(densityOf(simulation)({3, 2, 0}).x, 0.0);
            run(simulation.shaders, [&](engine::Recorder& rec) { simulation.simulator.reset(rec); });
            expectPicture();
        }
    }
}

// Later images replace earlier ones.
TEST_F(InitialSmoke, LaterImagesReplaceEarlierOnes) {
    Settings s = scene({8, 8, 1}, 1, {.field = InitialField::Image, .image = picture({8, 8}, false)});
    s.initial.push_back({.field = InitialField::Image,
                         .image = std::make_shared<const InitialImage>(InitialImage{{2, 1}, {glm::vec3(0.0f), glm::vec3(1.0f)}}),
                         .density = 0.75f});
    Simulation simulation(device(), s);
    const Field density = densityOf(simulation);
    for (int y = 0; y < 8; ++y) {
        EXPECT_EQ(density({0, y, 0}).x, 0.5 * (1 + y) / 32.0) << "the second image is 0 here, less than half a texel from its edge";
        EXPECT_EQ(density({7, y, 0}).x, 0.75);
        EXPECT_NEAR(density({4, y, 0}).x, 0.375 * 0.5 * (1 + y) / 32.0 + 0.625 * 0.75, 4.0 * 6e-8)
            << "5/8 of the distance between the texel centres";
    }
}

}  // namespace
}  // namespace wisp::test
