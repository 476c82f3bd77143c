// SPDX-License-Identifier: MIT
// Passes over fields in slots give the bits that they give over fields of the whole grid.
#pragma once

#include "tests/gpu/pass_advection.h"
#include "tests/gpu/pass_slots.h"

#include <map>
#include <string>

namespace wisp::test {

using engine::PushConstants;

/// Where a field is stored: in images of cells, smoke, or blocks, in buffers of vectors, of words or of corrections per block, or as in a
/// dense simulation.
enum class Place { Flow, Smoke, Vectors, Blocks, BlockBits, BlockCorrections, Dense, DenseBits, DenseCorrections };

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
    static bool isOfBlocks(Place place) { return place == Place::Blocks || place == Place::BlockBits || place == Place::BlockCorrections; }
    static bool isBits(Place place) { return place == Place::BlockBits || place == Place::DenseBits; }
    static bool isCorrection(Place place) { return place == Place::BlockCorrections || place == Place::DenseCorrections; }
    /// Whether slots of the field are ranges in a buffer.
    static bool isInRanges(Place place) { return place == Place::Vectors || place == Place::BlockBits || place == Place::BlockCorrections; }
    int edgeOf(Place place) const {
        return place == Place::Smoke ? kBrickEdge * step.scalarRatio : isOfBlocks(place) ? kBrickEdge / 2 : kBrickEdge;
    }
    bool isStored(ivec3 brick, Place place) const { return (place == Place::Smoke ? slots(brick).smoke : slots(brick).flow) >= kFirstSlot; }
    bool isInSlots(Place place) const { return place < Place::Dense && (blocksInSlots() || !isOfBlocks(place)); }
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
        if (isInRanges(in.place)) {
            Field field = inRanges(*in.field, edge, isBits(in.place) ? 0.0 : rest);
            forEach(ivec3(edge, edge, 2 * edge), [&](ivec3 c) { field(c) = in.blank; });
            return field;
        }
        Field field = inSlots(*in.field, edge, in.place == Place::Smoke, rest);
        forEach(ivec3(2 * side, side, side), [&](ivec3 c) { field(c) = in.blank; });
        if (in.margins) addMargins(field, masked(in), edge, in.place == Place::Smoke);
        return field;
    }
    /// Bindings, and what they bind.
    struct Bound {
        std::vector<engine::Image> images;
        std::vector<engine::Buffer> buffers;
        std::vector<engine::Binding> bindings;
    };
    void bind(Bound& to, const char* name, Place place, Field field, VkFormat format) {
        to.images.reserve(32);  // bindings refer to them
        to.buffers.reserve(32);
        if (place == Place::Vectors) {
            to.buffers.push_back(vectorsToGpu(field));
        } else if (isBits(place)) {
            Words words;
            for (const dvec4& v : field.values()) words.push_back(static_cast<std::uint32_t>(v.x));
            to.buffers.push_back(target(words.size()));
            put(to.buffers.back(), words);
        } else if (isCorrection(place)) {
            to.buffers.push_back(correctionsToGpu(field, place));
        } else {
            to.images.push_back(target(field.size(), format));
            const std::vector<std::byte> texels = texelsOf(field, format);
            run(*shaders, [&](engine::Recorder& rec) { rec.upload(to.images.back(), texels); });
            return void(to.bindings.emplace_back(name, to.images.back()));
        }
        to.bindings.emplace_back(name, to.buffers.back());
    }
    /// See correctionIndex() in shaders/shared/blocks.glsl: in slots the components of a block come together.
    engine::Buffer correctionsToGpu(const Field& field, Place place) {
        std::vector<float> values;
        const bool together = place == Place::BlockCorrections && field.size() == inRanges(Field(ivec3(1)), kBrickEdge / 2).size();
        if (together) {
            for (const dvec4& v : field.values())
                for (int axis = 0; axis < 3; ++axis) values.push_back(static_cast<float>(v[axis]));
        } else {
            for (int axis = 0; axis < 3; ++axis)
                for (const dvec4& v : field.values()) values.push_back(static_cast<float>(v[axis]));
        }
        engine::Buffer result = target(values.size());
        put(result, values);
        return result;
    }
    Bound inputsOf(const std::vector<Input>& inputs, bool sparsely) {
        Bound bound;
        for (const Input& in : inputs)
            bind(bound, in.name, in.place, sparsely && isInSlots(in.place) ? withBlanks(in) : masked(in), in.format);
        return bound;
    }
    /// Runs a pass on fields of the whole grid or in slots. Returns what it leaves in its outputs, as these are stored.
    Results passOn(bool sparsely, std::string_view pass, const Threads& threads, const Bound& inputs, const std::vector<Output>& outputs,
                   const PushConstants& push, const More& more) {
        Bound results;
        for (const Output& out : outputs) {
            const Field whole(out.size, dvec4(kMarker));
            const int edge = edgeOf(out.place);
            bind(results, out.name, out.place,
                 !sparsely || !isInSlots(out.place) ? whole
                 : out.place == Place::Vectors      ? inRanges(whole, edge)
                                                    : inSlots(whole, edge, out.place == Place::Smoke),
                 out.format);
        }
        std::vector<engine::Binding> bindings = more ? more(sparsely) : std::vector<engine::Binding>{};
        for (const Bound* some : {&inputs, static_cast<const Bound*>(&results)})
            bindings.insert(bindings.end(), some->bindings.begin(), some->bindings.end());
        sparse([&](engine::Recorder& rec) { rec.dispatch(pass, threads, std::span<const engine::Binding>(bindings), push); });
        Results found;
        for (std::size_t n = 0; n < outputs.size(); ++n) {
            const engine::Binding& b = results.bindings[n];
            const ivec3 size = sparsely ? inRanges(Field(ivec3(1))).size() : outputs[n].size;
            found[outputs[n].name] = b.image ? fromGpu(*b.image) : vectorsFromGpu(*b.buffer, size);
        }
        return found;
    }
    /// The results of a pass on the whole grid, and in slots for each number of rounds.
    struct Both {
        Results expected;
        std::vector<Results> found;
    };
    /// `inSlots`: more constants of the runs in slots.
    Both both(std::string_view pass, Threads threads, const std::vector<Input>& inputs, const std::vector<Output>& outputs,
              const PushConstants& push, const More& more, const ShaderConstants& constants, std::span<const std::uint32_t> rounds,
              const ShaderConstants& inSlots = {}) {
        threads.constants.insert(constants.begin(), constants.end());
        Threads stored = threads;
        threads.constants.insert({"kSparse", 0});
        stored.constants.insert({"kSparse", 1});
        stored.constants.insert(inSlots.begin(), inSlots.end());
        Both b{passOn(false, pass, threads, inputsOf(inputs, false), outputs, push, more), {}};
        const Bound bound = inputsOf(inputs, true);
        for (const std::uint32_t n : rounds) b.found.push_back(passOn(true, pass, inRounds(pass, stored, n), bound, outputs, push, more));
        for (const Output& out : outputs) {
            Field& dense = b.expected[out.name];
            EXPECT_GT(std::count_if(dense.values().begin(), dense.values().end(), [](const dvec4& v) { return v.x != kMarker; }), 0);
            if (!isInSlots(out.place)) continue;
            const int edge = edgeOf(out.place);
            dense = out.place == Place::Vectors ? inRanges(dense, edge) : this->inSlots(dense, edge, out.place == Place::Smoke);
            if (out.place == Place::Vectors) continue;
            for (dvec4& v : dense.values())
                for (int n = channelsOf(out.format); n < 4; ++n) v[n] = 0.0;
        }
        return b;
    }
    /// Numbers of rounds to test: with several layers of slots, which take long, only the largest number.
    std::span<const std::uint32_t> roundsOf(std::string_view pass) const {
        const std::span all(kTestedRounds);
        if (std::ranges::find(kPassesInRounds, pass) == kPassesInRounds.end()) return all.first(1);
        return bricks->flowSlots > wisp::Bricks::kSlotsInLayer ? all.last(1) : all;
    }
    void expectSameBits(std::string_view pass, const Threads& threads, const std::vector<Input>& inputs, const std::vector<Output>& outputs,
                        const PushConstants& push, const More& more = {}, ShaderConstants constants = {},
                        const ShaderConstants& inSlots = {}) {
        SCOPED_TRACE(std::string(pass));
        constants.insert({"kExactFilter", 1});
        const auto rounds = roundsOf(pass);
        const Both b = both(pass, threads, inputs, outputs, push, more, constants, rounds, inSlots);
        for (std::size_t n = 0; n < rounds.size(); ++n) {
            for (const Output& out : outputs) {
                SCOPED_TRACE(testing::Message() << out.name << ", " << rounds[n] << " rounds");
                expectSame(b.found[n].at(out.name), b.expected.at(out.name));
            }
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

}  // namespace wisp::test
