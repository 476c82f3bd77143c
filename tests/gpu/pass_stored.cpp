// SPDX-License-Identifier: MIT
// Passes over fields in slots give the bits that they give over fields of the whole grid.
#include "tests/gpu/pass_stored.h"
#include "compute/sim/wind.h"
#include "tests/reference/wind.h"

namespace wisp::test {
namespace {

INSTANTIATE_TEST_SUITE_P(Cases, PassStored,
                         testing::Values(PassCase{{40, 34, 20}, 2, 1}, PassCase{{32, 20, 36}, 4, 2, Precision::Half},
                                         PassCase{{40, 36, 36}, 4, 1}, PassCase{{40, 34, 36}, 2, 2, Precision::Half},
                                         PassCase{{100, 70, 52}, 2, 1}),  // two layers of slots
                         nameOf);

TEST_P(PassStored, Paths) {
    const double fastest = 12.0 * double(step.h) / double(step.dt);  // some paths are longer than the reach
    Field centre = smoothField(step.cells, 3, -fastest, fastest), distance = distances();
    const ivec3 group(shaders->get("backtrace").interface.localSize), ofBrick = kBrickEdge / group, all = (step.cells + group - 1) / group;
    std::vector<engine::Buffer> reach;  // of the whole grid, then in slots
    reach.reserve(8);                   // bindings refer to them
    expectSameBits("backtrace", bricks->over(BrickPart::Listed, kBrickEdge, 4),
                   {{"centre", &centre, Place::Flow, vectorFormat()},
                    distanceInput("solidDistance", distance),
                    distanceInput("distanceBefore", distance)},
                   {{"backOut", step.cells, Place::Vectors}, {"aheadOut", step.cells, Place::Vectors}}, {}, [&](bool inSlots) {
                       const std::size_t ofSlots = Numbers(ofBrick).count() * bricks->flowSlots;
                       reach.push_back(marked(inSlots ? ofSlots : Numbers(all).count()));
                       return std::vector<engine::Binding>{{"reachOut", reach.back()}};
                   });
    Words expected(Numbers(ofBrick).count() * bricks->flowSlots, kMarkerWord);
    const Words dense = valuesOf<std::uint32_t>(reach[0], Numbers(all).count());
    const auto at = [](ivec3 c, ivec3 size) { return static_cast<std::size_t>((c.z * size.y + c.y) * size.x + c.x); };
    forEach(all, [&](ivec3 g) {
        const SlotsOfBrick s = slots(g / ofBrick);
        if (s.flow >= kFirstSlot) expected[s.flow * Numbers(ofBrick).count() + at(g % ofBrick, ofBrick)] = dense[at(g, all)];
    });
    ASSERT_EQ(reach.size(), 1 + roundsOf("backtrace").size());
    for (std::size_t n = 1; n < reach.size(); ++n) EXPECT_TRUE(valuesOf<std::uint32_t>(reach[n], expected.size()) == expected) << n;
}

TEST_P(PassStored, Forces) {
    Field centre = random(step.cells, 3, -1.0, 1.0), curl = random(step.cells, 4, -10.0, 10.0),
          acceleration = random(step.cells, 3, -9.0, 9.0), scalars = random(step.scalarCells, 2, 0.0, 1.0), velocity = randomVelocity(step);
    expectSameBits("vorticity_curl", bricks->over(BrickPart::Listed, kBrickEdge, 2, cubes()), {{"centre", &centre, Place::Vectors}},
                   {{"curl", step.cells, Place::Vectors}}, {});
    expectSameBits("forces", bricks->over(BrickPart::Listed, kBrickEdge, 1, cubes()),
                   {{"curl", &curl, Place::Vectors}, {"scalars", &scalars, Place::Smoke, scalarFormat()}},
                   {{"acceleration", step.cells, Place::Vectors}},
                   PushConstants::of(ForcesPush{{0.6f, -0.8f, 0.0f}, 0.5f, 0.3f, 0.7f, 1.0f}));
    Numbers none(ivec3(1 << 20, 1, 1));
    const engine::Buffer potential = floatsToGpu(none);
    expectSameBits("accelerate", bricks->over(BrickPart::Active, kBrickEdge),
                   {{"acceleration", &acceleration, Place::Vectors}, {"velocityIn", &velocity, Place::Flow, vectorFormat()}},
                   {{"velocityOut", faces(step), Place::Flow, vectorFormat()}}, {}, [&](bool) {
                       return std::vector<engine::Binding>{{"potential", potential}};
                   });
}

TEST_P(PassStored, AdvectVelocity) {
    Field velocity = randomVelocity(step), forward = randomVelocity(step), back = paths(), ahead = paths(), open = aperture(),
          distance = distances();
    const std::vector<Output> out{{"velocityOut", faces(step), Place::Flow, vectorFormat()}};
    const Threads threads = bricks->over(BrickPart::Active, kBrickEdge);
    expectSameBits("advect_velocity", threads, {{"velocity", &velocity, Place::Flow, vectorFormat()}, {"back", &back, Place::Vectors}}, out,
                   PushConstants::of(AdvectVelocityPush{0.9f, evenAir({0.3f, -0.2f, 0.1f})}));
    expectSameBits("advect_velocity_correct", threads,
                   {{"velocity", &velocity, Place::Flow, vectorFormat()},
                    {"forward", &forward, Place::Flow, vectorFormat()},
                    {"back", &back, Place::Vectors},
                    {"ahead", &ahead, Place::Vectors},
                    apertureInput("aperture", open),
                    distanceInput("solidDistance", distance)},
                   out, PushConstants::of(CorrectVelocityPush{0.9f, WISP_CLAMPED}));
}

TEST_P(PassStored, AdvectScalars) {
    Field scalars = random(step.scalarCells, 2, 0.0, 1.0), forward = random(step.scalarCells, 2, 0.0, 1.0), back = paths(), ahead = paths(),
          open = aperture(), distance = distances();
    const std::vector<Output> out{{"scalarsOut", step.scalarCells, Place::Smoke, scalarFormat()}};
    const auto reachedAll = [&](bool) { return reachedBinding(); };
    for (const std::uint32_t cubic : {0u, 1u}) {
        SCOPED_TRACE(cubic);
        expectSameBits("advect_scalars", overSmoke(),
                       {{"scalarsIn", &scalars, Place::Smoke, scalarFormat()},
                        {"back", &back, Place::Vectors},
                        apertureInput("aperture", open),
                        apertureInput("apertureBefore", open),
                        distanceInput("solidDistance", distance)},
                       out, PushConstants::of(AdvectScalarsPush{glm::vec4(0.9f)}), reachedAll, {{"kCubic", cubic}});
    }
    expectSameBits("advect_scalars_correct", overSmoke(),
                   {{"scalarsIn", &scalars, Place::Smoke, scalarFormat()},
                    {"forward", &forward, Place::Smoke, scalarFormat()},
                    {"back", &back, Place::Vectors},
                    {"ahead", &ahead, Place::Vectors},
                    apertureInput("aperture", open),
                    distanceInput("solidDistance", distance)},
                   out, PushConstants::of(CorrectScalarsPush{glm::vec4(0.9f), WISP_CLAMPED}), reachedAll);
}

// The samplers' weights have eight bits. Both samples are within kFilter of the exact one. The texel coordinate in an image with slots has
// a rounding error of at most 2^-24 of 2^13 texels.
TEST_P(PassStored, SamplersAgree) {
    Field velocity = smoothField(faces(step), 3, -1.0, 1.0), scalars = smoothField(step.scalarCells, 2, 0.0, 1.0), back = paths(),
          ahead = paths(), open = aperture(), distance = distances();
    unread = 1.0;          // samplers read it with a weight of 0
    use(fullStates(), 6);  // otherwise the fields jump where no brick is stored
    step.obstacleCount = 0;
    const double sample = 2.0 * kFilter + std::exp2(-11.0);
    const auto expectAgree = [&](std::string_view pass, const Threads& threads, const std::vector<Input>& inputs, const Output& out,
                                 const PushConstants& push, double tolerance, ShaderConstants constants = {}) {
        constants.insert({"kExactFilter", 0});
        SCOPED_TRACE(std::string(pass));
        const Both b = both(
            pass, threads, inputs, {out}, push,
            [&](bool) { return out.place == Place::Smoke ? reachedBinding() : std::vector<engine::Binding>{}; }, constants,
            std::span(kTestedRounds).first(1));
        expectNear(b.found[0].at(out.name), b.expected.at(out.name), tolerance, half());
    };
    const Output u{"velocityOut", faces(step), Place::Flow, vectorFormat()},
        s{"scalarsOut", step.scalarCells, Place::Smoke, scalarFormat()};
    const Input velocityIn{.name = "velocity", .field = &velocity, .place = Place::Flow, .format = vectorFormat(), .margins = true},
        scalarsIn{.name = "scalarsIn", .field = &scalars, .place = Place::Smoke, .format = scalarFormat(), .margins = true},
        backIn{"back", &back, Place::Vectors}, aheadIn{"ahead", &ahead, Place::Vectors},
        apertureIn = apertureInput("aperture", open), beforeIn = apertureInput("apertureBefore", open),
        distanceIn = distanceInput("solidDistance", distance);
    const Threads faceThreads = bricks->over(BrickPart::Active, kBrickEdge);
    expectAgree("advect_velocity", faceThreads, {velocityIn, backIn}, u, PushConstants::of(AdvectVelocityPush{1.0f, evenAir({})}),
                sample * steepest(velocity));
    Input forward = velocityIn;
    forward.name = "forward";
    expectAgree("advect_velocity_correct", faceThreads, {velocityIn, forward, backIn, aheadIn, apertureIn, distanceIn}, u,
                PushConstants::of(CorrectVelocityPush{1.0f, WISP_CLAMPED}), 0.5 * sample * steepest(velocity));
    // The cubic takes seven samples, with factors of up to 1 + 3/4 in sum along each axis.
    for (const std::uint32_t cubic : {0u, 1u})
        expectAgree("advect_scalars", overSmoke(), {scalarsIn, backIn, apertureIn, beforeIn, distanceIn}, s,
                    PushConstants::of(AdvectScalarsPush{glm::vec4(1.0f)}), (cubic != 0 ? 4.0 : 1.0) * sample * steepest(scalars),
                    {{"kCubic", cubic}});
    forward = scalarsIn;
    forward.name = "forward";
    expectAgree("advect_scalars_correct", overSmoke(), {scalarsIn, forward, backIn, aheadIn, apertureIn, distanceIn}, s,
                PushConstants::of(CorrectScalarsPush{glm::vec4(1.0f), WISP_CLAMPED}), 0.5 * sample * steepest(scalars));
}

// The wind is sampled where margins are not current: as a sum of samples, one of each brick around a point. The position [cells] has six
// roundings, and the texel coordinate in an image with slots a rounding error as in SamplersAgree; the sum has one rounding for each of its
// eight products and eight sums, of numbers up to 1.
TEST_P(PassStored, WindAtPointsBetweenBricks) {
    Field velocity = smoothField(faces(step), 3, -1.0, 1.0);
    (void)toGpu(velocity, vectorFormat());  // rounds it
    unread = 1.0;                           // samplers read it with a weight of 0
    use(fullStates(), 6);
    const gpu::WispWind wind{
        .origin = glm::vec3(0.0f), .h = step.h, .cells = step.cells, .periodic = 0, .ambient = glm::vec3(0.0f), .unused = 0.0f};
    const Field anywhere = random(ivec3(16), 3, 0.0, 1.0);
    std::vector<glm::vec3> points;
    for (const dvec4& v : anywhere.values()) points.emplace_back(double(step.h) * dvec3(v) * dvec3(step.cells));
    const engine::Buffer found = target(3 * points.size());
    put(found, points);
    const Bound bound = inputsOf({{.name = "faces", .field = &velocity, .place = Place::Flow, .format = vectorFormat()}}, true);
    std::vector<engine::Binding> bindings = bound.bindings;
    bindings.emplace_back("points", found);
    const auto count = static_cast<std::uint32_t>(points.size());
    sparse([&](engine::Recorder& rec) {
        rec.dispatch("sample_wind", {{count, 1, 1}, {{"kSparse", 1}, {"kExactFilter", 0}}}, std::span<const engine::Binding>(bindings),
                     PushConstants::of(WindPush{wind, count}));
    });
    const double place = 6.0 * std::max({step.cells.x, step.cells.y, step.cells.z}) * kEps;
    const double tolerance = (kFilter + std::exp2(-11.0) + 3.0 * place) * steepest(velocity) + 16.0 * kEps;
    const std::vector<glm::vec3> winds = valuesOf<glm::vec3>(found, points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const dvec3 error = glm::abs(dvec3(winds[i]) - windAt(velocity, wind, dvec3(points[i])));
        ASSERT_LE(std::max({error.x, error.y, error.z}), tolerance) << i;
    }
}

TEST_P(PassStored, RestrictFaces) {
    Field open = aperture(), velocity = randomVelocity(step), weights = coarseAperture(step, open);
    const engine::Buffer w = weightsToGpu(weights), regular = regularToGpu(weights);
    expectSameBits("restrict_faces", bricks->over(BrickPart::Active, static_cast<std::uint32_t>(kBrickEdge / step.ratio)),
                   {apertureInput("aperture", open), {"velocity", &velocity, Place::Flow, vectorFormat()}},
                   {{"coarseOut", pressureFaces(step), Place::Dense, vectorFormat()}}, {}, [&](bool) {
                       return std::vector<engine::Binding>{{"weights", w}, {"regular", regular}};
                   });
}

}  // namespace
}  // namespace wisp::test
