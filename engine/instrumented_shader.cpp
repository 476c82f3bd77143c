// SPDX-License-Identifier: MIT
// Instruments a shader with work counters. Every basic block adds the work of its instructions to four private sums. When main returns, it
// adds the sums to a buffer.
#include "engine/shader_work.h"
#include "engine/specialized_shader.h"

#include <algorithm>
#include <utility>

namespace wisp::engine {
namespace {

using spirv::Instruction;
using Words = std::vector<std::uint32_t>;

void emit(Words& to, SpvOp op, std::initializer_list<std::uint32_t> operands) {
    to.push_back(static_cast<std::uint32_t>(operands.size() + 1) << SpvWordCountShift | op);
    to.insert(to.end(), operands);
}

bool endsBlock(SpvOp op) { return op == SpvOpSelectionMerge || op == SpvOpLoopMerge || (op >= SpvOpBranch && op <= SpvOpUnreachable); }

class InstrumentedCode {
public:
    InstrumentedCode(std::span<const std::uint32_t> words, std::uint32_t firstCounter)
        : module_(spirv::instructions(words)), work_(module_), bound_(words[3]), firstCounter_(firstCounter) {
        for (const Instruction& i : module_) inspect(i);
        if (uint_ == 0) emit(declarations_, SpvOpTypeInt, {uint_ = bound_++, 32, 0});
        declare();
        head_.assign(words.begin(), words.begin() + spirv::kHeader);
    }

    Words run();

private:
    void inspect(const Instruction& i);
    void declare();
    void enter(const Instruction& i);
    void addBlock(const ShaderWork& done);
    void addToBuffer();
    std::uint32_t counterSlot();
    std::uint32_t constant(std::uint32_t value);
    /// Emits an instruction with a result of type uint. Returns the result's id.
    std::uint32_t number(SpvOp op, std::uint32_t a, std::uint32_t b) {
        emit(code_, op, {uint_, bound_, a, b});
        return bound_++;
    }
    std::uint32_t load(std::uint32_t pointer, std::uint32_t type) {
        emit(code_, SpvOpLoad, {type, bound_, pointer});
        return bound_++;
    }

    std::vector<Instruction> module_;
    InstructionWork work_;
    std::uint32_t bound_, firstCounter_;
    // Ids; invocation_ is gl_GlobalInvocationID or gl_WorkGroupID. binding_ is the first unused binding number.
    std::uint32_t uint_ = 0, main_ = 0, invocation_ = 0, invocationType_ = 0, binding_ = 0;
    std::map<std::uint32_t, std::uint32_t> pointee_, variable_;  // by id: pointee of pointer types; types of variables
    std::map<std::uint32_t, std::uint32_t> constants_;
    std::array<std::uint32_t, kShaderWork.size()> sums_{};
    std::uint32_t counters_ = 0, counterPointer_ = 0;
    Words names_, decorations_, declarations_, code_;  // added instructions that are not inserted yet
    Words head_, body_;                                // the result: everything before the functions, and the functions
};

void InstrumentedCode::inspect(const Instruction& i) {
    if (i.op == SpvOpEntryPoint) main_ = i.word(2);
    if (i.op == SpvOpTypeInt && i.word(2) == 32 && i.word(3) == 0) uint_ = i.word(1);
    if (i.op == SpvOpTypePointer) pointee_[i.word(1)] = i.word(3);
    if (i.op == SpvOpVariable && i.word(2) == invocation_) invocationType_ = pointee_[i.word(1)];
    if (i.op != SpvOpDecorate) return;
    if (i.word(2) == SpvDecorationBinding) binding_ = std::max(binding_, i.word(3) + 1);
    if (i.word(2) == SpvDecorationBuiltIn && (i.word(3) == SpvBuiltInGlobalInvocationId || i.word(3) == SpvBuiltInWorkgroupId))
        invocation_ = i.word(1);
}

std::uint32_t InstrumentedCode::constant(std::uint32_t value) {
    const auto [found, isNew] = constants_.try_emplace(value, bound_);
    if (isNew) emit(declarations_, SpvOpConstant, {uint_, bound_++, value});
    return found->second;
}

/// Declares the counter buffer and the private sums. SPIR-V requires declarations before the first function.
void InstrumentedCode::declare() {
    const std::uint32_t array = bound_++, block = bound_++, blockPointer = bound_++, privatePointer = bound_++;
    counterPointer_ = bound_++;
    counters_ = bound_++;
    Words name{counters_};
    for (std::size_t n = 0; n <= kWorkCounters.size(); n += 4) {
        std::uint32_t word = 0;
        for (std::size_t k = 0; k < 4 && n + k < kWorkCounters.size(); ++k)
            word |= static_cast<std::uint32_t>(static_cast<unsigned char>(kWorkCounters[n + k])) << 8 * k;
        name.push_back(word);
    }
    names_.push_back(static_cast<std::uint32_t>(name.size() + 1) << SpvWordCountShift | SpvOpName);
    names_.insert(names_.end(), name.begin(), name.end());
    emit(decorations_, SpvOpDecorate, {array, SpvDecorationArrayStride, sizeof(std::uint32_t)});
    emit(decorations_, SpvOpMemberDecorate, {block, 0, SpvDecorationOffset, 0});
    emit(decorations_, SpvOpDecorate, {block, SpvDecorationBlock});
    emit(decorations_, SpvOpDecorate, {counters_, SpvDecorationDescriptorSet, 0});
    emit(decorations_, SpvOpDecorate, {counters_, SpvDecorationBinding, binding_});
    emit(declarations_, SpvOpTypeRuntimeArray, {array, uint_});
    emit(declarations_, SpvOpTypeStruct, {block, array});
    emit(declarations_, SpvOpTypePointer, {blockPointer, SpvStorageClassStorageBuffer, block});
    emit(declarations_, SpvOpTypePointer, {counterPointer_, SpvStorageClassStorageBuffer, uint_});
    emit(declarations_, SpvOpTypePointer, {privatePointer, SpvStorageClassPrivate, uint_});
    emit(declarations_, SpvOpVariable, {blockPointer, counters_, SpvStorageClassStorageBuffer});
    const std::uint32_t zero = constant(0);
    for (std::uint32_t& sum : sums_) emit(declarations_, SpvOpVariable, {privatePointer, sum = bound_++, SpvStorageClassPrivate, zero});
}

/// Maps gl_GlobalInvocationID (or gl_WorkGroupID) to one of the kWorkCounterSlots counter slots.
std::uint32_t InstrumentedCode::counterSlot() {
    if (invocation_ == 0) return constant(0);
    const std::uint32_t id = load(invocation_, invocationType_);
    std::uint32_t sum = constant(0);
    for (const auto& [axis, factor] : {std::pair{0u, 1u}, {1u, 37u}, {2u, 499u}}) {  // neighbours get different slots
        const std::uint32_t component = bound_++;
        emit(code_, SpvOpCompositeExtract, {uint_, component, id, axis});
        sum = number(SpvOpIAdd, sum, number(SpvOpIMul, component, constant(factor)));
    }
    return number(SpvOpBitwiseAnd, sum, constant(kWorkCounterSlots - 1));
}

void InstrumentedCode::addToBuffer() {
    const std::uint32_t first = number(SpvOpIAdd, number(SpvOpIMul, counterSlot(), constant(static_cast<std::uint32_t>(sums_.size()))),
                                       constant(firstCounter_));
    for (std::uint32_t n = 0; n < sums_.size(); ++n) {
        const std::uint32_t index = number(SpvOpIAdd, first, constant(n)), pointer = bound_++;
        emit(code_, SpvOpAccessChain, {counterPointer_, pointer, counters_, constant(0), index});
        const std::uint32_t sum = load(sums_[n], uint_);
        emit(code_, SpvOpAtomicIAdd, {uint_, bound_++, pointer, constant(SpvScopeDevice), constant(0), sum});
    }
}

void InstrumentedCode::addBlock(const ShaderWork& done) {
    for (std::size_t n = 0; n < sums_.size(); ++n) {
        const auto count = static_cast<std::uint32_t>(done.*kShaderWork[n]);
        if (count == 0) continue;
        const std::uint32_t sum = number(SpvOpIAdd, load(sums_[n], uint_), constant(count));
        emit(code_, SpvOpStore, {sums_[n], sum});
    }
}

/// Since SPIR-V 1.4 an entry point must list every variable that it uses.
void InstrumentedCode::enter(const Instruction& i) {
    code_.push_back(static_cast<std::uint32_t>(i.words.size() + 1 + sums_.size()) << SpvWordCountShift | SpvOpEntryPoint);
    code_.insert(code_.end(), i.words.begin() + 1, i.words.end());
    code_.push_back(counters_);
    code_.insert(code_.end(), sums_.begin(), sums_.end());
}

Words InstrumentedCode::run() {
    bool inMain = false, named = false, decorated = false;
    ShaderWork done;
    Words* out = &head_;
    for (const Instruction& i : module_) {
        const bool annotation = i.op == SpvOpDecorate || i.op == SpvOpMemberDecorate,
                   type = i.op >= SpvOpTypeVoid && i.op <= SpvOpTypeForwardPointer;
        if ((annotation || type) && !std::exchange(named, true)) out->insert(out->end(), names_.begin(), names_.end());
        if (type && !std::exchange(decorated, true)) out->insert(out->end(), decorations_.begin(), decorations_.end());
        if (i.op == SpvOpFunction) {
            inMain = i.word(2) == main_;
            out = &body_;
        }
        if (i.op == SpvOpLabel) done = {};
        if (out == &body_) {
            if (endsBlock(i.op)) addBlock(std::exchange(done, {}));
            else done = done + work_.of(i);
            if (i.op == SpvOpReturn && inMain) addToBuffer();
        }
        if (i.op == SpvOpEntryPoint) enter(i);
        out->insert(out->end(), code_.begin(), code_.end());
        code_.clear();
        if (i.op != SpvOpEntryPoint) out->insert(out->end(), i.words.begin(), i.words.end());
    }
    for (const Words& part : {declarations_, body_}) head_.insert(head_.end(), part.begin(), part.end());
    head_[3] = bound_;
    return std::move(head_);
}

}  // namespace

std::vector<std::uint32_t> instrumentedShader(std::span<const std::uint32_t> spirv, const std::map<std::uint32_t, std::uint32_t>& constants,
                                              std::uint32_t firstCounter, const std::string& name) {
    return InstrumentedCode(optimizedShader(spirv, constants, name), firstCounter).run();
}

}  // namespace wisp::engine
