// SPDX-License-Identifier: MIT
#pragma once

#include "engine/error.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace wisp::engine {

struct DeviceOptions {
    std::string select;                 ///< an index, or part of a name (case does not matter); empty: the best one
    bool allowCpu = true;               ///< whether a software device (lavapipe) may be chosen
    bool validate = false;              ///< validation layers on (core, synchronization across submits); any message is an error
    std::filesystem::path cacheFolder;  ///< where compiled pipelines are kept between runs; empty: nowhere
    bool pipelineStatistics = false;    ///< asks for what ShaderLibrary::statistics needs, where the device offers it
    bool likeGpu = false;               ///< test mode: what is done otherwise on a software device is done as on a GPU
    bool fillWithNaN = false;           ///< test mode: every new image and buffer starts as NaN, so that a missing write shows
};

/// One physical device, and why it would be refused (empty: usable).
struct DeviceReport {
    std::uint32_t index = 0;
    std::string name;
    std::string driver;  ///< driver name and version
    std::string type;    ///< "discrete", "integrated", "virtual", "cpu" or "other"
    std::uint32_t apiVersion = 0;
    VkDeviceSize memory = 0;  ///< bytes of the largest device-local heap
    VkPhysicalDeviceLimits limits{};
    struct Feature {
        std::string name;
        bool has = false;
    };
    std::vector<Feature> features;  ///< all that are needed
    std::uint32_t maxPushDescriptors = 0;
    bool statistics = false;  ///< pipelineStatisticsQuery: the device can count invocations
    bool reductions = false;  ///< samplers can give the least and the greatest of the texels that they look at
    std::vector<std::string> refusals;
};

}  // namespace wisp::engine
