// SPDX-License-Identifier: MIT
#include "engine/pipeline_statistics.h"

#include "engine/error.h"

#include <cstdint>

namespace wisp::engine {
namespace {

double valueOf(const VkPipelineExecutableStatisticKHR& s) {
    switch (s.format) {
        case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR: return s.value.b32 ? 1.0 : 0.0;
        case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR: return static_cast<double>(s.value.i64);
        case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR: return static_cast<double>(s.value.u64);
        default: return s.value.f64;
    }
}

}  // namespace

std::vector<PipelineStatistic> pipelineStatistics(const Functions& vk, VkDevice device, VkPipeline pipeline) {
    VkPipelineInfoKHR pipelineInfo{VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR};
    pipelineInfo.pipeline = pipeline;
    std::uint32_t executables = 0;
    check(vk.GetPipelineExecutablePropertiesKHR(device, &pipelineInfo, &executables, nullptr), "vkGetPipelineExecutablePropertiesKHR");
    if (executables == 0) return {};
    VkPipelineExecutableInfoKHR info{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR};
    info.pipeline = pipeline;
    std::uint32_t count = 0;
    check(vk.GetPipelineExecutableStatisticsKHR(device, &info, &count, nullptr), "vkGetPipelineExecutableStatisticsKHR");
    std::vector<VkPipelineExecutableStatisticKHR> found(count, {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR});
    check(vk.GetPipelineExecutableStatisticsKHR(device, &info, &count, found.data()), "vkGetPipelineExecutableStatisticsKHR");
    std::vector<PipelineStatistic> list;
    list.reserve(count);
    for (const VkPipelineExecutableStatisticKHR& s : found) list.push_back({s.name, valueOf(s)});
    return list;
}

}  // namespace wisp::engine
