// SPDX-License-Identifier: MIT
#include "engine/specialized_shader.h"

#include "engine/spirv_module.h"

#include <spirv-tools/optimizer.hpp>

#include <algorithm>
#include <unordered_map>

namespace wisp::engine {
namespace {

using spirv::Instruction;
using Words = std::vector<std::uint32_t>;
using Constants = std::map<std::uint32_t, std::uint32_t>;

/// Sets the unroll hint on every loop: SPIRV-Tools unrolls only loops with this hint.
void markLoopsForUnrolling(Words& words) {
    for (const Instruction& i : spirv::instructions(words))
        if (i.op == SpvOpLoopMerge && i.words.size() == 4) words[i.offset + 3] = SpvLoopControlUnrollMask;
}

/// Replaces the specialization constants by constants. SPIRV-Tools has passes that do so, but each analyses the whole module again.
/// @throws Error Shader if the module is truncated.
Words withConstants(std::span<const std::uint32_t> words, const Constants& constants) {
    Words result(words.begin(), words.begin() + std::min(spirv::kHeader, std::ssize(words)));
    std::unordered_map<std::uint32_t, std::uint32_t> values;  // by the id of the result
    for (const Instruction& i : spirv::instructions(words)) {
        if (i.op == SpvOpDecorate && i.word(2) == SpvDecorationSpecId) {
            if (const auto given = constants.find(i.word(3)); given != constants.end()) values[i.word(1)] = given->second;
            continue;
        }
        const auto given = values.find(i.word(2));
        const auto appendAs = [&](SpvOp op) {
            result.push_back(static_cast<std::uint32_t>(i.words.size()) << SpvWordCountShift | op);
            result.insert(result.end(), i.words.begin() + 1, i.words.end());
        };
        switch (i.op) {
            case SpvOpSpecConstantTrue:
            case SpvOpSpecConstantFalse: {
                const bool value = given == values.end() ? i.op == SpvOpSpecConstantTrue : given->second != 0;
                appendAs(value ? SpvOpConstantTrue : SpvOpConstantFalse);
                break;
            }
            case SpvOpSpecConstant:
                appendAs(SpvOpConstant);
                if (given != values.end()) result.back() = given->second;
                break;
            case SpvOpSpecConstantComposite: appendAs(SpvOpConstantComposite); break;
            default: result.insert(result.end(), i.words.begin(), i.words.end());
        }
    }
    return result;
}

/// Gives the specialization constants their values, and runs the passes that `add` registers.
template <typename Add>
Words optimized(std::span<const std::uint32_t> shader, const Constants& constants, const std::string& name, Add&& add) {
    const auto fail = [&](const std::string& why) -> Error { return {ErrorKind::Shader, "shader " + name + ": " + why}; };
    Words words, result;
    try {
        words = withConstants(shader, constants);
    } catch (const Error& error) {
        throw fail(error.what());
    }
    spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_3);
    std::string message;
    optimizer.SetMessageConsumer([&](spv_message_level_t level, const char*, const spv_position_t&, const char* text) {
        if (level <= SPV_MSG_ERROR) message = text;
    });
    optimizer.RegisterPass(spvtools::CreateFoldSpecConstantOpAndCompositePass());
    add(optimizer);
    spvtools::OptimizerOptions options;
    options.set_run_validator(false);
    options.set_preserve_bindings(true);  // passes bind every resource that their shader declares
    if (!optimizer.Run(words.data(), words.size(), &result, options)) throw fail("SPIRV-Tools: " + message);
    return result;
}

}  // namespace

Words specializedShader(std::span<const std::uint32_t> spirv, const Constants& constants, const std::string& name) {
    return optimized(spirv, constants, name, [](spvtools::Optimizer& optimizer) {
        // Finds the conditions that are constant although a part of them is not, as in `kHasMeshes && shape.kind == WISP_MESH`.
        optimizer.RegisterPass(spvtools::CreateCCPPass())
            .RegisterPass(spvtools::CreateDeadBranchElimPass())
            .RegisterPass(spvtools::CreateEliminateDeadFunctionsPass());
    });
}

Words optimizedShader(std::span<const std::uint32_t> spirv, const Constants& constants, const std::string& name) {
    Words words(spirv.begin(), spirv.end());
    markLoopsForUnrolling(words);
    return optimized(words, constants, name, [](spvtools::Optimizer& optimizer) {
        optimizer.RegisterPass(spvtools::CreateUnifyConstantPass())
            .RegisterPerformancePasses()
            .RegisterPass(spvtools::CreateLoopUnrollPass(true))
            .RegisterPerformancePasses();
    });
}

}  // namespace wisp::engine
