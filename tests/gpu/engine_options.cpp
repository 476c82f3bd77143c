// SPDX-License-Identifier: MIT
#include "tests/support/gpu_test.h"

namespace wisp::engine {
namespace {

class EngineOptions : public test::GpuTest {
protected:
    /// Number of pipelines that a change to `options` creates for two shaders: one with a constant (kFetches) and a sampler, one with
    /// neither.
    std::uint64_t madeFor(ShaderLibrary& shaders, const ShaderOptions& options) {
        const std::uint64_t before = device().counters.pipelines;
        shaders.setOptions(options);
        for (const char* name : {"engine_count", "engine_write"}) EXPECT_NE(shaders.get(name).pipeline, VK_NULL_HANDLE);
        return device().counters.pipelines - before;
    }
};

TEST_F(EngineOptions, APipelineIsCreatedOncePerOptionsThatItsShaderUses) {
    const auto shaders = library(test::testShaders());
    EXPECT_EQ(madeFor(*shaders, {}), 2u);
    const VkPipeline first = shaders->get("engine_count").pipeline;
    EXPECT_EQ(madeFor(*shaders, {.constants = {{"kFetches", 1}}}), 1u);
    EXPECT_NE(shaders->get("engine_count").pipeline, first);
    EXPECT_EQ(madeFor(*shaders, {.constants = {{"kReductions", 1}}}), 0u) << "neither shader has this constant";
    EXPECT_EQ(shaders->get("engine_count").pipeline, first);
    EXPECT_EQ(madeFor(*shaders, {.repeatAxes = 1}), 1u) << "only the shader that samples";
    EXPECT_EQ(madeFor(*shaders, {.constants = {{"kFetches", 1}}}), 0u);
    EXPECT_EQ(madeFor(*shaders, {}), 0u);
}

}  // namespace
}  // namespace wisp::engine
