// SPDX-License-Identifier: MIT
#include "engine/specialized_shader.h"

#include "engine/spirv_module.h"

#include <spirv-tools/optimizer.hpp>

#include <unordered_map>

namespace wisp::engine {
namespace {

using spirv::Instruction;
using Words = std::vector<std::uint32_t>;

/// Sets the unroll hint on every loop: SPIRV-Tools unrolls only loops with this hint.
void markLoopsForUnrolling(Words& words) {
    for (const Instruction& i : spirv::instructions(words))
        if (i.op == SpvOpLoopMerge && i.words.size() == 4) words[i.offset + 3] = SpvLoopControlUnrollMask;
}

/// Gives the specialization constants their values, and runs the passes that `add` registers.
template <typename Add>
Words optimized(std::span<const std::uint32_t> words, const std::map<std::uint32_t, std::uint32_t>& constants, const std::string& name,
                Add&& add) {
    std::unordered_map<std::uint32_t, Words> values;
    for (const auto& [id, value] : constants) values[id] = {value};
    spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_3);
    std::string message;
    optimizer.SetMessageConsumer([&](spv_message_level_t level, const char*, const spv_position_t&, const char* text) {
        if (level <= SPV_MSG_ERROR) message = text;
    });
    optimizer.RegisterPass(spvtools::CreateSetSpecConstantDefaultValuePass(values))
        .RegisterPass(spvtools::CreateFreezeSpecConstantValuePass())
        .RegisterPass(spvtools::CreateFoldSpecConstantOpAndCompositePass());
    add(optimizer);
    spvtools::OptimizerOptions options;
    options.set_run_validator(false);
    options.set_preserve_bindings(true);  // passes bind every resource that their shader declares
    Words result;
    if (!optimizer.Run(words.data(), words.size(), &result, options))
        throw Error(ErrorKind::Shader, "shader " + name + ": SPIRV-Tools: " + message);
    return result;
}

}  // namespace

std::vector<std::uint32_t> specializedShader(std::span<const std::uint32_t> spirv, const std::map<std::uint32_t, std::uint32_t>& constants,
                                             const std::string& name) {
    return optimized(spirv, constants, name, [](spvtools::Optimizer& optimizer) {
        optimizer.RegisterPass(spvtools::CreateDeadBranchElimPass()).RegisterPass(spvtools::CreateEliminateDeadFunctionsPass());
    });
}

std::vector<std::uint32_t> optimizedShader(std::span<const std::uint32_t> spirv, const std::map<std::uint32_t, std::uint32_t>& constants,
                                           const std::string& name) {
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
