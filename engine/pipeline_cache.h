// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cache_file.h"
#include "engine/shader.h"

#include <optional>
#include <string>

namespace wisp::engine {

/// The driver's compiled pipelines, kept between runs in the device's cache folder (DeviceOptions::cacheFolder). Whatever is wrong with
/// the file or the folder, pipelines are made all the same, only more slowly.
class PipelineCache {
public:
    /// Of these shaders: they are part of the file's key, and so are the device, its driver and the driver's own pipelineCacheUUID.
    /// What pipelines are specialized with is not, so that scenes share what they have in common: the driver tells those apart.
    /// Of none: nothing is kept.
    PipelineCache(Device& device, std::span<const EmbeddedShader> shaders);
    ~PipelineCache();  ///< saves
    PipelineCache(const PipelineCache&) = delete;
    PipelineCache& operator=(const PipelineCache&) = delete;

    /// For vkCreateComputePipelines; null if there is no folder.
    [[nodiscard]] VkPipelineCache handle();
    /// A pipeline was made with it in so many seconds; `hit` if the driver says that it had it.
    void made(bool hit, double seconds);
    /// Writes the file if pipelines were made that are not in it.
    void save() noexcept;

    [[nodiscard]] std::size_t given() const { return given_; }  ///< bytes of the file that the driver was given
    /// One line: pipelines, the time they took, hits, and what is the matter with the file, if anything.
    [[nodiscard]] std::string report() const;

private:
    void open();
    Device& device_;
    std::optional<CacheFile> file_;
    VkPipelineCache cache_ = VK_NULL_HANDLE;
    std::size_t given_ = 0;
    std::uint64_t saved_ = 0;  // hash of what the file holds
    bool opened_ = false;
    bool news_ = false;  // pipelines since the last save
    std::uint32_t made_ = 0, hits_ = 0;
    double seconds_ = 0.0;
    std::string problem_;
};

/// Whether a driver's data begins as Vulkan says (VkPipelineCacheHeaderVersionOne) and is of this device: not every driver looks.
bool isCacheOf(std::span<const std::byte> data, const VkPhysicalDeviceProperties& device);

}  // namespace wisp::engine
