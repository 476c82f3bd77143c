// SPDX-License-Identifier: MIT
// Specialized shaders are valid, and can be bound as before.
#include "engine/specialized_shader.h"
#include "app/live/window_shaders.h"
#include "compute/sim/shaders.h"
#include "engine/spirv_module.h"

#include <gmock/gmock.h>
#include <spirv-tools/libspirv.hpp>

#include <algorithm>
#include <string>

namespace wisp::test {
namespace {

using engine::EmbeddedShader;
using engine::ShaderBinding;
using engine::ShaderInterface;
using Words = std::vector<std::uint32_t>;
using Constants = std::map<std::uint32_t, std::uint32_t>;

std::vector<EmbeddedShader> allShaders() {
    std::vector<EmbeddedShader> all(embeddedShaders().begin(), embeddedShaders().end());
    const auto window = app::windowShaders();
    all.insert(all.end(), window.begin(), window.end());
    return all;
}

EmbeddedShader shaderNamed(std::string_view name) { return *std::ranges::find(embeddedShaders(), name, &EmbeddedShader::name); }

std::ptrdiff_t countOf(std::span<const std::uint32_t> words, SpvOp op) {
    return std::ranges::count(engine::spirv::instructions(words), op, &engine::spirv::Instruction::op);
}

void expectValid(const Words& words, std::string_view name) {
    spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
    std::string message;
    tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t&, const char* text) { message = text; });
    spvtools::ValidatorOptions options;
    options.SetScalarBlockLayout(true);
    EXPECT_TRUE(tools.Validate(words.data(), words.size(), options)) << name << ": " << message;
}

/// What a pass needs in order to bind the shader. `active` may become false.
std::string bindings(const ShaderInterface& of) {
    std::string text = "push " + std::to_string(of.pushBytes);
    for (const ShaderBinding& b : of.bindings)
        text += "\n" + b.name + " " + std::to_string(b.binding) + " " + std::to_string(b.type) + " " + std::to_string(b.pushOffset) + " " +
                std::to_string(b.bytes) + " " + std::to_string(b.format) + (b.reads ? " reads" : "") + (b.writes ? " writes" : "");
    return text;
}

TEST(SpecializedShader, IsValidAndIsBoundAsBefore) {
    for (const EmbeddedShader& shader : allShaders()) {
        const std::string name(shader.name);
        const ShaderInterface before = engine::reflect(shader.spirv, name);
        Constants all;
        for (const auto& [constant, id] : before.constants) all[id] = 1;
        for (const Constants& constants : {Constants{}, all}) {
            const Words words = engine::specializedShader(shader.spirv, constants, name);
            expectValid(words, name);
            EXPECT_EQ(bindings(engine::reflect(words, name)), bindings(before)) << name;
            for (const SpvOp op : {SpvOpSpecConstant, SpvOpSpecConstantTrue, SpvOpSpecConstantFalse})
                EXPECT_EQ(countOf(words, op), 0) << name;
        }
    }
}

TEST(SpecializedShader, LeavesOutOnlyWhatItsConstantsSwitchOff) {
    const EmbeddedShader raymarch = shaderNamed("raymarch");
    const std::uint32_t fire = engine::reflect(raymarch.spirv, "raymarch").constants.at("kFire");
    const Words smoke = engine::specializedShader(raymarch.spirv, {{fire, 0}}, "raymarch");
    const Words burning = engine::specializedShader(raymarch.spirv, {{fire, 1}}, "raymarch");
    EXPECT_LT(countOf(smoke, SpvOpFunction), countOf(burning, SpvOpFunction));
    EXPECT_LT(countOf(burning, SpvOpFunction), countOf(raymarch.spirv, SpvOpFunction));
}

TEST(SpecializedShader, ReportsADamagedShader) {
    const EmbeddedShader raymarch = shaderNamed("raymarch");
    const auto expectReported = [](const Words& damaged, const std::string& why) {
        try {
            engine::specializedShader(damaged, {}, "raymarch");
            ADD_FAILURE() << "must throw";
        } catch (const engine::Error& error) {
            EXPECT_EQ(error.kind(), engine::ErrorKind::Shader);
            EXPECT_THAT(error.what(), testing::StartsWith("shader raymarch: " + why));
        }
    };
    Words words(raymarch.spirv.begin(), raymarch.spirv.end());
    for (const engine::spirv::Instruction& i : engine::spirv::instructions(raymarch.spirv))
        if (i.op == SpvOpFunction) words[i.offset] |= SpvOpCodeMask;  // there is no such operation
    expectReported(words, "SPIRV-Tools: ");
    words.back() += 1 << SpvWordCountShift;  // the last instruction ends beyond the words
    expectReported(words, "the SPIR-V is truncated");
}

// The group of this shader has the size that constants give.
TEST(SpecializedShader, ConstantsHaveTheGivenValuesOrTheirDefaults) {
    const EmbeddedShader changes = shaderNamed("correction_changes");
    constexpr std::uint32_t kGroupX = 28, kGroupZ = 17;
    const auto groupSize = [&](const Constants& constants) {
        return engine::reflect(engine::specializedShader(changes.spirv, constants, "changes"), "changes").localSize;
    };
    EXPECT_EQ(groupSize({}), glm::uvec3(16, 4, 4));
    EXPECT_EQ(groupSize({{kGroupX, 8}}), glm::uvec3(8, 4, 4));
    EXPECT_EQ(groupSize({{kGroupX, 32}, {kGroupZ, 2}}), glm::uvec3(32, 4, 2));
}

}  // namespace
}  // namespace wisp::test
