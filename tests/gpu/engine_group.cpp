// SPDX-License-Identifier: MIT
#include "tests/support/gpu_test.h"

#include <gmock/gmock.h>

namespace wisp::engine {
namespace {

using EngineGroup = test::GpuTest;

// Group counts must be computed from the pipeline's work group size, not from the size in the shader source.
TEST_F(EngineGroup, EveryInvocationRunsOnceWithTheDevicesGroupSize) {
    const auto shaders = library(test::testShaders());
    const Buffer reached = buffer("reached", 512 * sizeof(float));
    upload(reached, std::vector<float>(512, 0.0f));
    run(*shaders, [&](Recorder& rec) { rec.dispatch("engine_group", glm::uvec3(8), {{"reached", reached}}); });
    EXPECT_THAT(download(reached), ::testing::Each(device().isCpu() ? 4.0f : 8.0f));
}

}  // namespace
}  // namespace wisp::engine
