// SPDX-License-Identifier: MIT
#include "tests/support/gpu_test.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace wisp::engine {
namespace {

ShaderInterface interfaceOf(std::string_view name) {
    for (const EmbeddedShader& s : test::testShaders()) {
        if (s.name == name) return reflect(s.spirv, std::string(name));
    }
    throw std::logic_error("no such test shader");
}

const ShaderBinding& binding(const ShaderInterface& shader, std::string_view name) {
    const auto found = std::find_if(shader.bindings.begin(), shader.bindings.end(), [&](const auto& b) { return b.name == name; });
    if (found == shader.bindings.end()) throw std::logic_error("no binding " + std::string(name));
    return *found;
}

void expectAccess(const ShaderInterface& shader, std::string_view name, VkDescriptorType type, bool reads, bool writes) {
    const ShaderBinding& b = binding(shader, name);
    EXPECT_EQ(b.type, type) << name;
    EXPECT_EQ(b.reads, reads) << name;
    EXPECT_EQ(b.writes, writes) << name;
}

TEST(EngineReflection, NamesKindsAndAccess) {
    const ShaderInterface s = interfaceOf("engine_interface");
    ASSERT_EQ(s.bindings.size(), 9u);
    for (std::uint32_t i = 0; i < 9; ++i) EXPECT_EQ(s.bindings[i].binding, i);
    expectAccess(s, "stepData", VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, true, false);
    expectAccess(s, "velocityIn", VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, true, false);
    expectAccess(s, "velocityOut", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, false, true);
    expectAccess(s, "density", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, true, false);
    expectAccess(s, "picture", VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, true, true);
    expectAccess(s, "pressureIn", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, true, false);
    expectAccess(s, "pressureOut", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, false, true);
    expectAccess(s, "both", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, true, true);
}

TEST(EngineReflection, SizesAndFormats) {
    const ShaderInterface s = interfaceOf("engine_interface");
    EXPECT_EQ(s.localSize, glm::uvec3(4, 2, 1));
    EXPECT_EQ(s.pushBytes, 20u);
    EXPECT_EQ(binding(s, "stepData").bytes, 20u);
    EXPECT_EQ(binding(s, "velocityOut").format, VK_FORMAT_R16G16B16A16_SFLOAT);
    EXPECT_TRUE(binding(s, "picture").flat);
    EXPECT_FALSE(binding(s, "density").flat);
}

TEST(EngineReflection, LocalSizesFromConstants) {
    const ShaderInterface s = interfaceOf("engine_group");
    EXPECT_EQ(s.localSize, glm::uvec3(8, 8, 4));
    EXPECT_EQ(s.localSizeConstants, glm::uvec3(0, 16, 17));
    EXPECT_EQ(interfaceOf("engine_interface").localSizeConstants, glm::uvec3(0));
}

TEST(EngineReflection, Constants) {
    using Ids = decltype(ShaderInterface::constants);
    EXPECT_EQ(interfaceOf("engine_group").constants, Ids({{"kGroupY", 16}, {"kGroupZ", 17}}));
    EXPECT_EQ(interfaceOf("engine_count").constants, Ids({{"kFetches", 3}}));
    EXPECT_EQ(interfaceOf("engine_interface").constants, Ids());
}

TEST(EngineReflection, UnusedBindingsAreNotActive) {
    const ShaderInterface s = interfaceOf("engine_interface");
    for (const ShaderBinding& b : s.bindings) EXPECT_EQ(b.active, b.name != "nobodyReadsThis") << b.name;
}

TEST(EngineReflection, ReductionSamplersAreNamedWithoutTheirSuffix) {
    const ShaderInterface s = interfaceOf("engine_reduce");
    ASSERT_EQ(s.bindings.size(), 3u);
    EXPECT_EQ(s.bindings[0].name, "source");
    EXPECT_EQ(s.bindings[0].reduction, Reduction::Least);
    EXPECT_EQ(s.bindings[1].name, "source");
    EXPECT_EQ(s.bindings[1].reduction, Reduction::Greatest);
    EXPECT_EQ(binding(s, "target").reduction, Reduction::Mean);
}

TEST(EngineReflection, AddressesAreNamedAndComeFirst) {
    const ShaderInterface s = interfaceOf("engine_by_address");
    ASSERT_EQ(s.bindings.size(), 2u);
    expectAccess(s, "source", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, true, false);
    expectAccess(s, "target", VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, false, true);  // "targetAddress" without "Address"
    EXPECT_EQ(binding(s, "source").pushOffset, 0);
    EXPECT_EQ(binding(s, "target").pushOffset, 8);
    EXPECT_EQ(s.pushAddresses, 16u);
    EXPECT_EQ(s.pushBytes, 32u);
    EXPECT_EQ(interfaceOf("engine_interface").pushAddresses, 0u);
}

TEST(EngineReflection, OneNameForABindingAndAnAddress) {
    const ShaderInterface s = interfaceOf("engine_bound_or_addressed");
    ASSERT_EQ(s.bindings.size(), 3u);
    EXPECT_EQ(s.bindings[0].name, "source");
    EXPECT_LT(s.bindings[0].pushOffset, 0);
    EXPECT_EQ(s.bindings[2].name, "source");
    EXPECT_EQ(s.bindings[2].pushOffset, 0);
}

TEST(EngineReflection, RefusesAnAddressBehindOtherConstants) {
    EXPECT_THAT([] { interfaceOf("engine_late_address"); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("the address late after other")));
}

TEST(EngineReflection, RefusesInvalidSpirv) {
    const std::uint32_t words[] = {1, 2, 3};
    EXPECT_THROW(reflect(words, "rubbish"), Error);
}

}  // namespace
}  // namespace wisp::engine
