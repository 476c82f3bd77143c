// SPDX-License-Identifier: MIT
#pragma once

#include <volk.h>

#include <string>
#include <vector>

namespace wisp::engine {

/// A number under the driver's own name, such as "Register Count".
struct PipelineStatistic {
    std::string name;
    double value = 0.0;
};

/// What the driver says of a pipeline that was made with VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR on a device with
/// VK_KHR_pipeline_executable_properties: of its first executable, of which compute pipelines usually have but one.
std::vector<PipelineStatistic> pipelineStatistics(VkDevice device, VkPipeline pipeline);

}  // namespace wisp::engine
