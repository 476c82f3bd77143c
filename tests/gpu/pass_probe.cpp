// SPDX-License-Identifier: MIT
#include "app/live/window_shaders.h"
#include "tests/gpu/pass_test.h"

#include <algorithm>

namespace wisp::test {
namespace {

class PassProbe : public PassTest {
protected:
    void SetUp() override {
        PassTest::SetUp();
        if (!IsSkipped() && !HasFatalFailure()) useConstants({}, app::windowShaders());
    }
};

TEST_F(PassProbe, CopiesThePixelOrTheNearestOne) {
    constexpr ivec3 kSize(7, 5, 1);
    std::vector<float> depths(std::size_t{7} * 5);
    for (std::size_t n = 0; n < depths.size(); ++n) depths[n] = 1.0f + 0.25f * static_cast<float>(n);  // exact
    const engine::Image depth = image("depth", kSize, VK_FORMAT_R32_SFLOAT, true);
    upload(depth, depths);
    for (const glm::ivec2 pixel : {glm::ivec2(0, 0), {6, 4}, {3, 1}, {-1, 2}, {7, 2}, {2, -9}, {2, 5}, {100, 100}}) {
        const engine::Buffer found = target(1);
        pass("pick_depth", ivec3(1), {{"depth", depth}, {"found", found}}, pixel);
        const int x = std::clamp(pixel.x, 0, kSize.x - 1), y = std::clamp(pixel.y, 0, kSize.y - 1);
        EXPECT_EQ(download(found).at(0), depths[static_cast<std::size_t>(y * kSize.x + x)]) << pixel.x << ' ' << pixel.y;
    }
}

}  // namespace
}  // namespace wisp::test
