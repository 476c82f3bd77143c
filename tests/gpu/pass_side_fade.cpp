// SPDX-License-Identifier: MIT
// Smoke fades out in front of open sides of the box.
#include "compute/domain/domain.h"
#include "tests/gpu/pass_test.h"
#include "tests/reference/side_fade.h"

#include <cmath>

namespace wisp::test {
namespace {

class PassSideFade : public EveryCase {
protected:
    void SetUp() override {
        EveryCase::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        open = random(faces(step), 4, -0.5, 1.0);  // every third cell is solid
        for (dvec4& v : open.values()) v = glm::max(v, 0.0);
        openImage = toGpu(open, VK_FORMAT_R8G8B8A8_UNORM);
        paths = randomVectors(step.cells, 1.5);
        back = vectorsToGpu(paths);
    }

    /// Fades `field` and returns the total of the groups' sums.
    std::vector<float> fade(const engine::Image& field, const gpu::SideFadePush& push) {
        const glm::uvec3 threads = reductionThreads(glm::uvec3(step.scalarCells));
        const std::uint32_t groups = threads.x / 256 * threads.y;
        const engine::Buffer partials = target(8 * groups), record = target(8);
        pass("side_fade", ivec3(threads),
             {{"back", back}, {"aperture", openImage}, {"scalarsIn", field}, {"scalarsOut", field}, {"partialsOut", partials}}, push);
        pass("reduce_final", {256, 1, 1}, {{"partialsIn", partials}, {"partialsOut", record}}, groups);
        return download(record);
    }

    // A path's end has 16 roundings of 1.5 cells and three of a coordinate below 64. S has a slope of 2 ln 1000 / width per cell. It is
    // used twice for each of at most five sides, with 8 roundings. exp has an error of 3 + 2 x units (Vulkan), and x exp(-x) is below 0.4.
    static double tolerance(const gpu::SideFadePush& push) {
        const double place = (16.0 * 1.5 + 3.0 * 64.0) * kEps;
        return 5.0 * 2.0 * (2.0 * 6.91 / double(push.width) * place + 8.0 * 6.91 * kEps) + (2.0 * 3.8 + 4.0) * kEps;
    }

    // Cell centres are at odd sixteenths of a cell, so none of them is where a layer begins.
    static constexpr gpu::SideFadePush kPushes[] = {{.fades = {1, 0, 0, 0}, .scrolled = {0, 0, 0}, .width = 2.3f},
                                                    {.fades = {1, 0, 0, 0}, .scrolled = {1, -1, 2}, .width = 4.7f},
                                                    {.fades = {1, 1, 1, 0}, .scrolled = {0, 0, 0}, .width = 3.2f}};
    Field open, paths;
    engine::Image openImage;
    engine::Buffer back;
};
INSTANTIATE_TEST_SUITE_P(Cases, PassSideFade, testing::ValuesIn(passCases()), nameOf);

TEST_P(PassSideFade, MatchesItsTwin) {
    for (const gpu::SideFadePush& push : kPushes) {
        Field scalars = random(step.scalarCells, 4, 0.0, 1.0);
        const engine::Image image = toGpu(scalars, vectorFormat());
        const std::vector<float> record = fade(image, push);
        const Faded twin = sideFade(step, push, paths, open, scalars);
        const Field result = fromGpu(image);
        expectNear(result, twin.scalars, tolerance(push), half());
        // The pass sums stored values. 20 roundings of partial sums, which are no larger than the total.
        double sum = 0.0;
        forEach(step.scalarCells, [&](ivec3 c) { sum += open(c / step.scalarRatio).w > 0.0 ? scalars(c).x - result(c).x : 0.0; });
        EXPECT_NEAR(double(record[0]), sum, 20.0 * kEps * sum);
        const double count = static_cast<double>(scalars.count());
        EXPECT_NEAR(double(record[0]), twin.sum, count * (tolerance(push) + (half() ? std::exp2(-11.0) : 20.0 * kEps)));
        for (std::size_t n = 1; n < 8; ++n) EXPECT_EQ(record[n], 0.0f) << n;
        const bool anyOpen = anySide(step, WISP_OPEN);
        EXPECT_EQ(twin.sum > 0.0, anyOpen && sum > 0.0);
        EXPECT_EQ(record, fade(toGpu(scalars, vectorFormat()), push)) << "a second run is not bit-identical";
    }
}

}  // namespace
}  // namespace wisp::test
