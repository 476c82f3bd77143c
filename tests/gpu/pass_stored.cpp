// SPDX-License-Identifier: MIT
// Passes over fields in slots give the bits that they give over fields of the whole grid.
#include "compute/smoke/push.h"
#include "shaders/shared/correction.h"
#include "tests/gpu/pass_advection.h"
#include "tests/gpu/pass_slots.h"

#include <map>
#include <string>

namespace wisp::test {
namespace {

using engine::PushConstants;

enum class Place { Flow, Smoke, Vectors, Blocks, BlockBits, Dense };

class PassStored : public PassSlots {
protected:
    struct Input {
        const char* name;
        Field* field;  ///< of the whole grid; of Place::BlockBits: x
        Place place;
        VkFormat format = VK_FORMAT_UNDEFINED;
        dvec4 blank{0.0};      ///< in bricks that are not stored
        bool margins = false;  ///< the margins of its slots are current
    };
    struct Output {
        const char* name;
        ivec3 size;
        Place place;
        VkFormat format = VK_FORMAT_UNDEFINED;
    };
    using Results = std::map<std::string, Field>;
    using More = std::function<std::vector<engine::Binding>(bool inSlots)>;

    void SetUp() override {
        PassSlots::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        use(cornerStates(), 6);
        ones = target(std::size_t{1} << 16);
        put(ones, Words(std::size_t{1} << 16, 1));
    }
    bool blocksInSlots() const { return step.ratio == 4; }
    int edgeOf(Place place) const {
        return place == Place::Smoke                                 ? kBrickEdge * step.scalarRatio
               : place == Place::Blocks || place == Place::BlockBits ? kBrickEdge / 2
                                                                     : kBrickEdge;
    }
    bool isStored(ivec3 brick, Place place) const { return (place == Place::Smoke ? slots(brick).smoke : slots(brick).flow) >= kFirstSlot; }
    bool isInSlots(Place place) const {
        return place != Place::Dense && (blocksInSlots() || (place != Place::Blocks && place != Place::BlockBits));
    }
    /// The field with blank values in bricks that are not stored.
    Field masked(const Input& in) const {
        Field field = *in.field;
        if (!isInSlots(in.place)) return field;
        forEach(field.size(), [&](ivec3 c) {
            if (!isStored(c / edgeOf(in.place), in.place)) field(c) = in.blank;
        });
        return field;
    }
    /// The same in slots. Texels that nothing may read are NaN, if the format has it.
    Field withBlanks(const Input& in) {
        const double rest = in.format == VK_FORMAT_R8G8B8A8_UNORM ? 0.25 : unread;
        const int edge = edgeOf(in.place), side = slotEdge(edge, in.place == Place::Smoke);
        if (in.place == Place::Vectors || in.place == Place::BlockBits) {
            Field field = inRanges(*in.field, edge, in.place == Place::BlockBits ? 0.0 : rest);
            forEach(ivec3(edge, edge, 2 * edge), [&](ivec3 c) { field(c) = in.blank; });
            return field;
        }
        Field field = inSlots(*in.field, edge, in.place == Place::Smoke, rest);
        forEach(ivec3(2 * side, side, side), [&](ivec3 c) { field(c) = in.blank; });
        if (in.margins) addMargins(field, masked(in), edge, in.place == Place::Smoke);
        return field;
    }
    /// Runs a pass on fields of the whole grid or in slots. Returns what it leaves in its outputs, as these are stored.
    Results passOn(bool sparsely, std::string_view pass, Threads threads, const std::vector<Input>& inputs,
                   const std::vector<Output>& outputs, const PushConstants& push, const More& more, ShaderConstants constants) {
        std::vector<engine::Image> images;
        std::vector<engine::Buffer> buffers;
        images.reserve(32);  // bindings refer to them
        buffers.reserve(32);
        std::vector<engine::Binding> bindings = more ? more(sparsely) : std::vector<engine::Binding>{};
        const auto add = [&](const char* name, Place place, Field field, VkFormat format) {
            if (place == Place::Vectors) {
                buffers.push_back(vectorsToGpu(field));
                bindings.emplace_back(name, buffers.back());
            } else if (place == Place::BlockBits) {
                Words words;
                for (const dvec4& v : field.values()) words.push_back(static_cast<std::uint32_t>(v.x));
                buffers.push_back(target(words.size()));
                put(buffers.back(), words);
                bindings.emplace_back(name, buffers.back());
            } else {
                images.push_back(toGpu(field, format));
                bindings.emplace_back(name, images.back());
            }
        };
        for (const Input& in : inputs) {
            Field field = sparsely && isInSlots(in.place) ? withBlanks(in) : masked(in);
            add(in.name, in.place, std::move(field), in.format);
        }
        for (const Output& out : outputs) {
            const Field whole(out.size, dvec4(kMarker));
            const int edge = edgeOf(out.place);
            Field field = !sparsely || !isInSlots(out.place) ? whole
                          : out.place == Place::Vectors      ? inRanges(whole, edge)
                                                             : inSlots(whole, edge, out.place == Place::Smoke);
            add(out.name, out.place, std::move(field), out.format);
        }
        constants.insert({"kSparse", sparsely ? 1u : 0u});
        threads.constants.insert(constants.begin(), constants.end());
        sparse([&](engine::Recorder& rec) { rec.dispatch(pass, threads, std::span<const engine::Binding>(bindings), push); });
        Results results;
        for (const Output& out : outputs) {
            const engine::Binding& b = *std::find_if(bindings.begin(), bindings.end(), [&](const auto& x) { return x.name == out.name; });
            const ivec3 size = sparsely ? inRanges(Field(ivec3(1))).size() : out.size;
            results[out.name] = b.image ? fromGpu(*b.image) : vectorsFromGpu(*b.buffer, size);
        }
        return results;
    }
    /// The results of a pass on the whole grid, and in slots.
    struct Both {
        Results expected, found;
    };
    Both both(std::string_view pass, const Threads& threads, const std::vector<Input>& inputs, const std::vector<Output>& outputs,
              const PushConstants& push, const More& more = {}, const ShaderConstants& constants = {{"kExactFilter", 1}}) {
        Both b{passOn(false, pass, threads, inputs, outputs, push, more, constants),
               passOn(true, pass, threads, inputs, outputs, push, more, constants)};
        for (const Output& out : outputs) {
            Field& dense = b.expected[out.name];
            EXPECT_GT(std::count_if(dense.values().begin(), dense.values().end(), [](const dvec4& v) { return v.x != kMarker; }), 0);
            if (!isInSlots(out.place)) continue;
            const int edge = edgeOf(out.place);
            dense = out.place == Place::Vectors ? inRanges(dense, edge) : inSlots(dense, edge, out.place == Place::Smoke);
            if (out.place == Place::Vectors) vectorsToGpu(dense);
            else toGpu(dense, out.format);  // only its channels
        }
        return b;
    }
    void expectSameBits(std::string_view pass, const Threads& threads, const std::vector<Input>& inputs, const std::vector<Output>& outputs,
                        const PushConstants& push, const More& more = {}, ShaderConstants constants = {}) {
        SCOPED_TRACE(std::string(pass));
        constants.insert({"kExactFilter", 1});
        const Both b = both(pass, threads, inputs, outputs, push, more, constants);
        for (const Output& out : outputs) {
            SCOPED_TRACE(out.name);
            expectSame(b.found.at(out.name), b.expected.at(out.name));
        }
    }

    Threads overSmoke(ShaderConstants more = {}) const {
        return bricks->over(BrickPart::Active, static_cast<std::uint32_t>(kBrickEdge * step.scalarRatio), 0, std::move(more));
    }
    std::vector<engine::Binding> reachedBinding() const { return {{"reached", ones}}; }
    Field paths() { return random(step.cells, 3, -6.0, 6.0); }
    Field distances() { return solidDistance(step); }
    Input distanceInput(const char* name, Field& d) const { return {name, &d, Place::Flow, VK_FORMAT_R32_SFLOAT, dvec4(WISP_FAR_CELLS)}; }
    Input apertureInput(const char* name, Field& a) const { return {name, &a, Place::Flow, VK_FORMAT_R8G8B8A8_UNORM, dvec4(1.0)}; }

    engine::Buffer ones;
    double unread = std::numeric_limits<double>::quiet_NaN();  ///< in texels that nothing may read
};
INSTANTIATE_TEST_SUITE_P(Cases, PassStored,
                         testing::Values(PassCase{{40, 34, 20}, 2, 1}, PassCase{{32, 20, 36}, 4, 2, Precision::Half},
                                         PassCase{{40, 36, 36}, 4, 1}, PassCase{{40, 34, 36}, 2, 2, Precision::Half},
                                         PassCase{{100, 70, 52}, 2, 1}),  // two layers of slots
                         nameOf);

TEST_P(PassStored, Paths) {
    const double fastest = 12.0 * double(step.h) / double(step.dt);  // some paths are longer than the reach
    Field centre = smoothField(step.cells, 3, -fastest, fastest), distance = distances();
    const ivec3 group(shaders->get("backtrace").interface.localSize), ofBrick = kBrickEdge / group, all = (step.cells + group - 1) / group;
    std::array<engine::Buffer, 2> reach;
    expectSameBits("backtrace", bricks->over(BrickPart::Listed, kBrickEdge, 4),
                   {{"centre", &centre, Place::Flow, vectorFormat()},
                    distanceInput("solidDistance", distance),
                    distanceInput("distanceBefore", distance)},
                   {{"backOut", step.cells, Place::Vectors}, {"aheadOut", step.cells, Place::Vectors}}, {}, [&](bool inSlots) {
                       const std::size_t ofSlots = Numbers(ofBrick).count() * bricks->flowSlots;
                       reach[inSlots] = marked(inSlots ? ofSlots : Numbers(all).count());
                       return std::vector<engine::Binding>{{"reachOut", reach[inSlots]}};
                   });
    Words expected(Numbers(ofBrick).count() * bricks->flowSlots, kMarkerWord);
    const Words dense = valuesOf<std::uint32_t>(reach[0], Numbers(all).count());
    const auto at = [](ivec3 c, ivec3 size) { return static_cast<std::size_t>((c.z * size.y + c.y) * size.x + c.x); };
    forEach(all, [&](ivec3 g) {
        const SlotsOfBrick s = slots(g / ofBrick);
        if (s.flow >= kFirstSlot) expected[s.flow * Numbers(ofBrick).count() + at(g % ofBrick, ofBrick)] = dense[at(g, all)];
    });
    EXPECT_TRUE(valuesOf<std::uint32_t>(reach[1], expected.size()) == expected);
}

TEST_P(PassStored, Forces) {
    Field centre = random(step.cells, 3, -1.0, 1.0), curl = random(step.cells, 4, -10.0, 10.0),
          acceleration = random(step.cells, 3, -9.0, 9.0), scalars = random(step.scalarCells, 2, 0.0, 1.0), velocity = randomVelocity(step);
    expectSameBits("vorticity_curl", bricks->over(BrickPart::Listed, kBrickEdge, 2, kCubes), {{"centre", &centre, Place::Vectors}},
                   {{"curl", step.cells, Place::Vectors}}, {});
    expectSameBits("forces", bricks->over(BrickPart::Listed, kBrickEdge, 1, kCubes),
                   {{"curl", &curl, Place::Vectors}, {"scalars", &scalars, Place::Smoke, scalarFormat()}},
                   {{"acceleration", step.cells, Place::Vectors}}, PushConstants::of(ForcesPush{{0.6f, -0.8f, 0.0f}, 0.5f, 0.3f, 0.7f}));
    expectSameBits("accelerate", bricks->over(BrickPart::Active, kBrickEdge),
                   {{"acceleration", &acceleration, Place::Vectors}, {"velocityIn", &velocity, Place::Flow, vectorFormat()}},
                   {{"velocityOut", faces(step), Place::Flow, vectorFormat()}}, {});
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
            [&](bool) { return out.place == Place::Smoke ? reachedBinding() : std::vector<engine::Binding>{}; }, constants);
        expectNear(b.found.at(out.name), b.expected.at(out.name), tolerance, half());
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

TEST_P(PassStored, Projection) {
    const Level level{step.cells, 1, 0.625f};
    Field open = aperture(), velocity = randomVelocity(step);
    const Numbers bits = openFaces(level, open);
    Field faceBits(bits.size()), smoothBits(bits.size());
    const Numbers smooth = smoothFaces(level, bits);
    for (std::size_t i = 0; i < bits.count(); ++i) {
        faceBits.values()[i].x = bits.values()[i];
        smoothBits.values()[i].x = smooth.values()[i];
    }
    const ivec3 ofBlocks = blocks(level) + 1;
    std::array<Field, 3> changes;
    for (Field& c : changes) c = random(ofBlocks, 4, -1.0, 1.0);
    const Input openInput{"openFaces", &faceBits, Place::BlockBits, VK_FORMAT_UNDEFINED, dvec4(15.0)};
    const std::vector<Output> out{{"velocityOut", faces(step), Place::Flow, vectorFormat()},
                                  {"centreOut", step.cells, Place::Flow, vectorFormat()},
                                  {"centreVectors", step.cells, Place::Vectors}};
    for (const BrickPart part : {BrickPart::Active, BrickPart::Listed}) {
        expectSameBits("project", bricks->over(part, kBrickEdge / 2),
                       {openInput,
                        {"changesX", &changes[0], Place::Blocks, kFloat4},
                        {"changesY", &changes[1], Place::Blocks, kFloat4},
                        {"changesZ", &changes[2], Place::Blocks, kFloat4},
                        {"velocityIn", &velocity, Place::Flow, vectorFormat()}},
                       out, PushConstants::of(level));
    }
    Field coarse = random(ofBlocks, 3, -1.0, 1.0);
    const engine::Buffer nothing = target(std::size_t{1});
    expectSameBits("correction_changes", bricks->over(BrickPart::Listed, kBrickEdge / 2, 0, kCubes),
                   {openInput,
                    {"smoothFaces", &smoothBits, Place::BlockBits, VK_FORMAT_UNDEFINED, dvec4(15.0)},
                    {"coarseFaces", &coarse, Place::Blocks, kFloat4}},
                   {{"changesX", ofBlocks, Place::Blocks, kFloat4},
                    {"changesY", ofBlocks, Place::Blocks, kFloat4},
                    {"changesZ", ofBlocks, Place::Blocks, kFloat4}},
                   PushConstants::of(level),
                   [&](bool) {
                       return std::vector<engine::Binding>{{"correction", nothing}};
                   },
                   {{"kFills", 1}});
    Field solid = solidVelocities(step, open);
    expectSameBits("restrict_velocity", bricks->over(BrickPart::Listed, kBrickEdge / 2),
                   {openInput,
                    apertureInput("aperture", open),
                    {"solidVelocity", &solid, Place::Flow, kFloat4},
                    {"velocity", &velocity, Place::Flow, vectorFormat()}},
                   {{"coarseOut", ofBlocks, Place::Blocks, kFloat4}}, PushConstants::of(level));
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
