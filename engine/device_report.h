// SPDX-License-Identifier: MIT
#pragma once

#include "engine/error.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace wisp::engine {

struct DeviceOptions {
    std::string select;                 ///< see DeviceSelection; empty: the best device
    bool allowCpu = true;               ///< allow software (CPU) devices such as lavapipe
    bool validate = false;              ///< enable validation (core, and synchronization across submits); any message is an error
    std::filesystem::path cacheFolder;  ///< folder for compiled pipelines, kept between runs; empty: no cache
    bool pipelineStatistics = false;    ///< enable the extension that ShaderLibrary::statistics needs, if supported
    bool likeGpu = false;               ///< test mode: treat a software device as a GPU
    bool fillWithNaN = false;           ///< test mode: fill every new image and buffer with NaN, which reveals missing writes
};

/// Properties of one physical device. `refusals` are the reasons why wisp cannot use it; empty: usable.
struct DeviceReport {
    std::uint32_t index = 0;
    std::string name;
    std::string driver;  ///< driver name and version
    std::string type;    ///< "discrete", "integrated", "virtual", "cpu" or "other"
    std::string uuid;    ///< such as "8a3f0c12-5d67-4e89-a0b1-c2d3e4f50617"; empty: before Vulkan 1.1
    std::string pci;     ///< domain, bus, device and function, such as "0000:65:00.0"; empty: the device has none, or does not tell it
    std::uint32_t apiVersion = 0;
    VkDeviceSize memory = 0;  ///< bytes of the largest device-local heap
    VkPhysicalDeviceLimits limits{};
    struct Feature {
        std::string name;
        bool has = false;
    };
    std::vector<Feature> features;  ///< all features that wisp requires
    std::uint32_t maxPushDescriptors = 0;
    bool statistics = false;  ///< pipelineStatisticsQuery: the device can count invocations
    bool reductions = false;  ///< samplers can return the minimum or maximum of the texels (samplerFilterMinmax)
    std::vector<std::string> refusals;
};

}  // namespace wisp::engine
