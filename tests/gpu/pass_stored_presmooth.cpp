// SPDX-License-Identifier: MIT
// Pre-smoothing in a sparse simulation: faces between active and other bricks have no weight, and nothing is read beyond them.
#include "compute/pressure/pressure.h"
#include "compute/pressure/push.h"
#include "tests/gpu/pass_stored.h"
#include "tests/reference/motion.h"

namespace wisp::test {
namespace {

class PassStoredPresmooth : public PassStored {
protected:
    void SetUp() override {
        PassStored::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        use(randomStates(0.5, 0.5));
        open = aperture();
        const Level level{step.cells, 1, 1.0f};
        const Numbers bits = smoothFaces(level, openFaces(level, open));
        words = Field(bits.size());
        for (std::size_t i = 0; i < bits.count(); ++i) words.values()[i].x = bits.values()[i];
    }
    /// Calls f(face, axis) for faces without weight.
    template <class F>
    void forBorder(const F& f) const {
        forEach(faces(step), [&](ivec3 face) {
            for (int axis = 0; axis < 3; ++axis)
                if (faceExists(step, face, axis) && !isSmoothed(states, face, axis)) f(face, axis);
        });
    }
    /// A number per cell of active bricks, in their slots. All others are NaN.
    Numbers inActive(const Numbers& numbers) {
        Field field(numbers.size(), dvec4(unread));
        forEach(numbers.size(), [&](ivec3 c) {
            if (states(c / kBrickEdge).active) field(c).x = numbers(c);
        });
        field = inRanges(field, kBrickEdge, unread);
        Numbers result(field.size());
        for (std::size_t i = 0; i < field.count(); ++i) result.values()[i] = field.values()[i].x;
        return result;
    }
    engine::Buffer toSlots(const Numbers& numbers) {
        Numbers stored = inActive(numbers);
        return floatsToGpu(stored);
    }
    engine::Buffer unwritten() { return toSlots(Numbers(step.cells, unread)); }
    void expectInActive(const engine::Buffer& found, const Numbers& twin, double tolerance) {
        Numbers expected = inActive(twin), result = fromGpu(found, expected.size());
        for (Numbers* numbers : {&expected, &result})
            for (double& v : numbers->values())
                if (std::isnan(v)) v = kMarker;  // still unwritten
        expectNear(result, expected, tolerance);
    }
    Bound inputs(std::vector<Input> more = {}) {
        more.push_back(apertureInput("aperture", open));
        more.push_back({"smoothFaces", &words, Place::BlockBits, VK_FORMAT_UNDEFINED, dvec4(15.0)});
        return inputsOf(more, true);
    }
    void runWith(std::string_view pass, const Threads& threads, const Bound& in, const PushConstants& push,
                 const std::vector<engine::Binding>& more) {
        (void)passOn(true, pass, threads, in, {}, push, [&](bool) { return more; });
    }
    /// Calls test(threads) for each number of rounds.
    template <class F>
    void inAllRounds(std::string_view pass, Threads threads, const F& test) {
        threads.constants.insert({"kSparse", 1});
        for (const std::uint32_t rounds : roundsOf(pass)) {
            SCOPED_TRACE(testing::Message() << rounds << " rounds");
            test(inRounds(pass, threads, rounds));
        }
    }
    Field open, words;
};
INSTANTIATE_TEST_SUITE_P(Cases, PassStoredPresmooth,
                         testing::Values(PassCase{{40, 34, 20}, 2, 1}, PassCase{{32, 20, 36}, 4, 2, Precision::Half},
                                         PassCase{{40, 36, 36}, 4, 1}, PassCase{{40, 34, 36}, 2, 2, Precision::Half},
                                         PassCase{{100, 70, 52}, 2, 1}),  // two layers of slots
                         nameOf);

// All faces of active bricks count, also those to other bricks.
TEST_P(PassStoredPresmooth, Divergence) {
    Field velocity = randomVelocity(step), solid = solidVelocities(step, open);
    for (const auto& [field, format] : {std::pair(&velocity, vectorFormat()), {&solid, kFloat4}}) (void)toGpu(*field, format);  // rounds it
    const Bound in = inputs({{"velocity", &velocity, Place::Flow, vectorFormat()}, {"solidVelocity", &solid, Place::Flow, kFloat4}});
    const Numbers twin = presmoothDivergence(step, open, solid, velocity, Field(faces(step)));
    inAllRounds("presmooth_divergence", bricks->over(BrickPart::Active, kBrickEdge), [&](const Threads& threads) {
        const engine::Buffer e = unwritten();
        runWith("presmooth_divergence", threads, in, {}, {{"projected", unused}, {"excess", e}});
        expectInActive(e, twin, 8.0 * 6.0 * 4.0 / 6.0 * kEps);  // see PassPresmooth
    });
}

TEST_P(PassStoredPresmooth, Pressure) {
    Numbers e = randomNumbers(step.cells, -1.0, 1.0);
    (void)floatsToGpu(e);  // rounds it
    Field weights = open;
    std::size_t border = 0;
    forBorder([&](ivec3 face, int axis) { weights(face)[axis] = 0.0, ++border; });
    EXPECT_GT(border, 0u);
    const Numbers twin = presmoothPressure(step, weights, e);
    const double tolerance = 16.0 * step.ratio * 14.0 * std::max(largest(twin), 1.0) * kEps;  // see PassPresmooth
    const Bound in = inputs();
    const auto ratio = static_cast<std::uint32_t>(step.ratio);
    inAllRounds("presmooth_pressure", bricks->over(BrickPart::Active, kBrickEdge, 0, cubes()), [&](const Threads& threads) {
        const engine::Buffer excess = toSlots(e), even = unwritten(), odd = unwritten();
        for (int k = 1; k < step.ratio; ++k) {
            const engine::Buffer &from = k == 1 ? excess : k == 2 ? odd : even, &to = k == 2 ? even : odd;
            runWith("presmooth_pressure", threads, in,
                    PushConstants::of(PresmoothPush{k == 1 ? presmoothOmega(0, ratio) : 1.0f, presmoothOmega(k, ratio)}),
                    {{"excess", excess}, {"potential", from}, {"potentialOut", to}});
        }
        expectInActive(odd, twin, tolerance);
    });
}

// Forces act on all faces of active bricks, and pre-smoothing on those with weight.
TEST_P(PassStoredPresmooth, Accelerate) {
    Field acceleration = random(step.cells, 3, -10.0, 10.0), velocity = randomVelocity(step);
    (void)vectorsToGpu(acceleration);
    (void)toGpu(velocity, vectorFormat());  // rounds it
    Numbers x = randomNumbers(step.cells, -1.0, 1.0);
    (void)floatsToGpu(x);
    const Field accelerated = accelerate(step, acceleration, velocity);
    Field twin = presmoothVelocity(step, x, accelerated);
    forBorder([&](ivec3 face, int axis) { twin(face)[axis] = accelerated(face)[axis]; });
    const engine::Buffer potential = toSlots(x);
    const Bound in = inputsOf({{"acceleration", &acceleration, Place::Vectors}, {"velocityIn", &velocity, Place::Flow, vectorFormat()}},
                              true);
    inAllRounds("accelerate", bricks->over(BrickPart::Active, kBrickEdge), [&](const Threads& threads) {
        const Results found = passOn(true, "accelerate", threads, in, {{"velocityOut", faces(step), Place::Flow, vectorFormat()}}, {},
                                     [&](bool) {
                                         return std::vector<engine::Binding>{{"potential", potential}};
                                     });
        const Grid<int> active = computed("accelerate", threads, BrickPart::Active, kBrickEdge, faces(step));
        expectNear(found.at("velocityOut"), inSlots(merged(active, twin), kBrickEdge, false),
                   5.0 * (1.0 + 4.0 + 10.0 * double(step.dt)) * kEps, half());  // see PassForces
    });
}

}  // namespace
}  // namespace wisp::test
