// SPDX-License-Identifier: MIT
#pragma once

#include "engine/functions.h"

#include <string>
#include <vector>

namespace wisp::engine {

/// A statistic with the name that the driver gives it, such as "Register Count".
struct PipelineStatistic {
    std::string name;
    double value = 0.0;
};

/// Statistics of the first executable of a pipeline; compute pipelines usually have only one. The pipeline must have been created with
/// VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR on a device with VK_KHR_pipeline_executable_properties.
std::vector<PipelineStatistic> pipelineStatistics(const Functions& vk, VkDevice device, VkPipeline pipeline);

}  // namespace wisp::engine
