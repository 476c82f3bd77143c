// SPDX-License-Identifier: MIT
// Combustion, and the numbers of fires.
#include "compute/domain/domain.h"
#include "tests/gpu/pass_test.h"
#include "tests/reference/fire.h"

#include <cmath>
#include <limits>

namespace wisp::test {
namespace {

class PassFire : public EveryCase {
protected:
    void SetUp() override {
        EveryCase::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        open = random(faces(step), 4, -0.5, 1.0);  // every third cell is solid
        for (dvec4& v : open.values()) v = glm::max(v, 0.0);
        openImage = toGpu(open, VK_FORMAT_R8G8B8A8_UNORM);
        scalars = random(step.scalarCells, 4, 0.0, 1.0);
        for (dvec4& v : scalars.values()) {
            v.y = v.y < 0.1 ? -50.0 : 2000.0 * v.y;  // a tenth is colder than the air, and three of ten are too cold to burn
            if (v.x < 0.2) v = dvec4(0.0);
            else if (v.x < 0.3) v.z = 1.0;  // pure fuel
        }
    }

    static std::vector<gpu::FirePush> pushes() {
        std::vector<gpu::FirePush> all;
        for (const int mixing : {WISP_PREMIXED, WISP_DIFFUSION})
            for (const float expansion : {1.0f, 0.0f})
                all.push_back({.burnt = 0.45f,
                               .ignition = 600.0f,
                               .heat = 1400.0f,
                               .cooled = 2e-10f,
                               .soot = 0.5f,
                               .ambient = 293.0f,
                               .expansion = expansion,
                               .mixing = mixing,
                               .sootColour = {0.4f, 0.2f, 0.1f, 0.0f}});
        return all;
    }

    Field open, scalars;
    engine::Image openImage;
};
INSTANTIATE_TEST_SUITE_P(Cases, PassFire, testing::ValuesIn(passCases()), nameOf);

TEST_P(PassFire, React) {
    useConstants({{"kHasColours", 1}});
    const ivec3 bricks = (step.scalarCells + WISP_SMOKE_BRICK - 1) / WISP_SMOKE_BRICK;
    const auto isReached = [&](ivec3 c) {
        const ivec3 b = c / WISP_SMOKE_BRICK;
        return (b.x + b.y + b.z) % 3 != 1;
    };
    std::vector<float> flags;
    forEach(bricks, [&](ivec3 b) { flags.push_back(isReached(WISP_SMOKE_BRICK * b) ? 1.0f : 0.0f); });
    const engine::Buffer flagsBuffer = target(flags.size());
    upload(flagsBuffer, flags);
    reached = &flagsBuffer;
    Field velocity = randomVelocity(step), paths = randomVectors(step.cells, 1.5);
    addDivergence(velocity);
    wrapFaces(step, velocity);
    const engine::Image u = toGpu(velocity, vectorFormat());
    const engine::Buffer back = vectorsToGpu(paths);
    // A path's end has 16 roundings of 1.5 cells and three of a coordinate below 64. Divergences differ by at most 20 between cells.
    // Weights of samplers have an error of kFilter.
    const double thinning = expands ? double(step.dt) * 20.0 * (3.0 * (16.0 * 1.5 + 3.0 * 64.0) * kEps + kFilter) * std::exp(0.75) : 0.0;
    for (const gpu::FirePush& push : pushes()) {
        Field s = scalars, K = random(step.scalarCells, 3, 0.0, 1.0);
        const engine::Image image = toGpu(s, vectorFormat()), colours = toGpu(K, vectorFormat());
        pass("react", inLayers(step.scalarCells),
             {{"scalarsIn", image},
              {"scalarsOut", image},
              {"aperture", openImage},
              {"velocity", u},
              {"back", back},
              {"coloursIn", colours},
              {"coloursOut", colours}},
             push);
        const Burnt twin = react(step, push, open, velocity, paths, s, K, isReached);
        const Field result = fromGpu(image);
        // exp, log and pow have an error of 3 + 2 |x|, 3 and 16 (of exp2 and log2) units (Vulkan), and |x| is below 2. Temperatures are
        // below 3400 K. The divergence is a logarithm of at most ln 13 with the relative error of its quotient, over dt.
        for (const auto& [channel, size] : {std::pair(0, 2.7), {1, 3400.0}, {2, 1.0}, {3, 2.6 / double(step.dt)}}) {
            Field one(step.scalarCells), other(step.scalarCells);
            forEach(step.scalarCells, [&](ivec3 c) {
                one(c).x = result(c)[channel];
                other(c).x = twin.scalars(c)[channel];
            });
            SCOPED_TRACE(testing::Message() << "channel " << channel);
            expectNear(one, other, 64.0 * size * kEps + (channel == 0 ? thinning : 0.0), half());
        }
        expectNear(fromGpu(colours), twin.colours, 64.0 * 1.5 * kEps + thinning, half());
    }
    reached = nullptr;
}

TEST_P(PassFire, Measure) {
    Field s = scalars;
    s({0, 0, 0}).z = std::numeric_limits<double>::infinity();
    Field velocity = randomVelocity(step), sides = aperture();
    addDivergence(velocity);
    const engine::Image image = toGpu(s, vectorFormat()), u = toGpu(velocity, vectorFormat()),
                        sidesImage = toGpu(sides, VK_FORMAT_R8G8B8A8_UNORM);
    const auto reduce = [&](std::string_view name, ivec3 cells, std::vector<engine::Binding> bindings, const auto&... push) {
        const glm::uvec3 threads = reductionThreads(glm::uvec3(cells));
        const std::uint32_t groups = threads.x / 256 * threads.y;
        const engine::Buffer partials = target(8 * groups), record = target(8);
        bindings.emplace_back("partialsOut", partials);
        pass(name, ivec3(threads), bindings, push...);
        pass("reduce_final", {256, 1, 1}, {{"partialsIn", partials}, {"partialsOut", record}}, groups);
        return download(record);
    };
    for (const gpu::FirePush& push : pushes()) {
        Field finite = s;
        finite({0, 0, 0}).z = 0.5;
        const std::vector<float> bad = reduce("measure_fire", step.scalarCells, {{"scalars", image}, {"aperture", openImage}}, push);
        EXPECT_EQ(bad[2], 1.0f);
        const engine::Image good = toGpu(finite, vectorFormat());
        const std::vector<float> result = reduce("measure_fire", step.scalarCells, {{"scalars", good}, {"aperture", openImage}}, push);
        const std::array<double, 4> twin = measureFire(step, push, open, finite);
        for (std::size_t n = 0; n < 3; ++n) EXPECT_NEAR(result[n], twin[n], 30.0 * kEps * twin[n]) << n;
        EXPECT_EQ(result[6], static_cast<float>(twin[3]));
    }
    const std::vector<float> result = reduce("measure_expansion", step.cells, {{"velocity", u}, {"aperture", sidesImage}});
    const std::array<double, 2> twin = measureExpansion(step, velocity, sides);
    // The terms cancel: speeds of 1 on the sides, divergences of 10.
    const double cells = step.cells.x * step.cells.y * step.cells.z;
    EXPECT_NEAR(result[0], twin[0], 20.0 * kEps * 6.0 * cells);
    EXPECT_NEAR(result[1], twin[1], 20.0 * kEps * 10.0 * cells);
}

}  // namespace
}  // namespace wisp::test
