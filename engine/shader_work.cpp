// SPDX-License-Identifier: MIT
#include "engine/shader_work.h"

#include <spirv_cross/GLSL.std.450.h>

namespace wisp::engine {
namespace {

using spirv::Instruction;

/// Number of operations of a GLSL.std.450 function on vectors of n components, as compilers implement it. 0: free, as a modifier of another
/// instruction.
std::uint64_t operationsOf(GLSLstd450 function, std::uint64_t n) {
    switch (function) {
        case GLSLstd450FAbs:
        case GLSLstd450SAbs: return 0;
        case GLSLstd450Fma:
        case GLSLstd450FClamp:
        case GLSLstd450SClamp:
        case GLSLstd450UClamp:
        case GLSLstd450Exp:
        case GLSLstd450Log: return 2 * n;
        case GLSLstd450Pow:
        case GLSLstd450FMix: return 3 * n;
        case GLSLstd450Cross: return 9;
        default: return n;
    }
}

bool countsByComponent(SpvOp op) {
    return (op >= SpvOpConvertFToU && op <= SpvOpFConvert) || (op >= SpvOpIAdd && op <= SpvOpFMod) || op == SpvOpVectorTimesScalar ||
           op == SpvOpMatrixTimesScalar || (op >= SpvOpIsNan && op <= SpvOpFUnordGreaterThanEqual) ||
           (op >= SpvOpShiftRightLogical && op <= SpvOpBitCount);
}

}  // namespace

ShaderWork operator+(const ShaderWork& a, const ShaderWork& b) {
    ShaderWork sum;
    for (const auto number : kShaderWork) sum.*number = a.*number + b.*number;
    return sum;
}

InstructionWork::InstructionWork(const std::vector<Instruction>& module) {
    for (const Instruction& i : module) declare(i);
}

void InstructionWork::declare(const Instruction& i) {
    switch (i.op) {
        case SpvOpTypeVector:
        case SpvOpTypeMatrix: components_[i.word(1)] = components(i.word(2)) * i.word(3); break;
        case SpvOpTypeStruct: {
            std::uint64_t sum = 0;
            for (const std::uint32_t member : i.words.subspan(2)) sum += components(member);
            components_[i.word(1)] = sum;
            break;
        }
        case SpvOpTypePointer:
            if (i.word(2) == SpvStorageClassStorageBuffer || i.word(2) == SpvStorageClassPhysicalStorageBuffer)
                storagePointers_.insert(i.word(1));
            break;
        default: break;
    }
    if (i.hasResultType()) typeOf_[i.word(2)] = i.word(1);
}

std::uint64_t InstructionWork::components(std::uint32_t type) const {
    const auto found = components_.find(type);
    return found == components_.end() ? 1 : found->second;
}

ShaderWork InstructionWork::of(const Instruction& i) const {
    switch (i.op) {
        case SpvOpImageSampleImplicitLod:
        case SpvOpImageSampleExplicitLod: return {.samples = 1};
        case SpvOpImageFetch:
        case SpvOpImageRead: return {.fetches = 1};
        case SpvOpLoad: return {.words = storagePointers_.contains(typeOf_.at(i.word(3))) ? components(i.word(1)) : 0};
        default: return {.operations = operations(i)};
    }
}

std::uint64_t InstructionWork::operations(const Instruction& i) const {
    switch (i.op) {
        case SpvOpExtInst:
            switch (const auto function = static_cast<GLSLstd450>(i.word(4))) {
                case GLSLstd450Length: return 2 * componentsOf(i.word(5));  // a dot product and a square root
                case GLSLstd450Distance:
                case GLSLstd450Normalize: return 3 * componentsOf(i.word(5));
                default: return operationsOf(function, components(i.word(1)));
            }
        case SpvOpDot: return 2 * componentsOf(i.word(3)) - 1;
        case SpvOpMatrixTimesVector: return 2 * componentsOf(i.word(3)) - components(i.word(1));
        case SpvOpVectorTimesMatrix: return 2 * componentsOf(i.word(4)) - components(i.word(1));
        case SpvOpAny:
        case SpvOpAll: return componentsOf(i.word(3)) - 1;
        default: return countsByComponent(i.op) ? components(i.word(1)) : 0;
    }
}

}  // namespace wisp::engine
