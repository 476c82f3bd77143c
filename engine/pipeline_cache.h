// SPDX-License-Identifier: MIT
#pragma once

#include "engine/cache_file.h"
#include "engine/shader.h"

#include <map>
#include <optional>
#include <string>

namespace wisp::engine {

/// A VkPipelineCache that is kept between runs in a file in DeviceOptions::cacheFolder, and for CPU devices specialized shaders, because
/// lavapipe keeps nothing in a VkPipelineCache. Problems with the file or the folder are not fatal: pipelines are then compiled without the
/// cache, which is slower.
class PipelineCache {
public:
    /// The key of the file consists of `shaders`, the code that specializes them, the device, its driver and the driver's
    /// pipelineCacheUUID. Specialization constants are not part of the key, so that scenes share their common pipelines: the driver
    /// distinguishes them. Without shaders nothing is cached.
    PipelineCache(Device& device, std::span<const EmbeddedShader> shaders);
    ~PipelineCache();  ///< saves
    PipelineCache(const PipelineCache&) = delete;
    PipelineCache& operator=(const PipelineCache&) = delete;

    /// For vkCreateComputePipelines; null if there is no folder.
    [[nodiscard]] VkPipelineCache handle();
    /// The result of specializedShader for one of the constructor's shaders, from the file if that has it. @throws as specializedShader.
    [[nodiscard]] std::vector<std::uint32_t> specialized(const std::string& name, std::span<const std::uint32_t> spirv,
                                                         const std::map<std::uint32_t, std::uint32_t>& constants);
    /// Records that a pipeline was created with this cache in `seconds`. `hit`: the driver reports a cache hit.
    void made(bool hit, double seconds);
    /// Writes the file if there are pipelines or shaders that it does not contain.
    void save() noexcept;

    [[nodiscard]] std::size_t given() const { return given_; }                        ///< bytes of the file that were passed to the driver
    [[nodiscard]] std::uint32_t specializedHits() const { return specializedHits_; }  ///< calls of specialized() that found their result
    /// One line: number of pipelines, creation time, cache hits, and the problem with the file, if any.
    [[nodiscard]] std::string report() const;

private:
    void open();
    [[nodiscard]] std::vector<std::byte> contents();
    Device& device_;
    std::optional<CacheFile> file_;
    VkPipelineCache cache_ = VK_NULL_HANDLE;
    std::size_t given_ = 0;
    std::uint64_t saved_ = 0;  // hash of the data in the file
    bool opened_ = false;
    bool news_ = false;  // whether there are new pipelines or shaders since the last save
    std::uint32_t made_ = 0, hits_ = 0, specializedHits_ = 0;
    std::map<std::string, std::vector<std::uint32_t>> shaders_;  // specialized, by name and constants
    double seconds_ = 0.0;
    std::string problem_;
};

/// Whether the data begins with a valid VkPipelineCacheHeaderVersionOne for this device. Not every driver checks this.
bool isValidCacheFor(std::span<const std::byte> data, const VkPhysicalDeviceProperties& device);

}  // namespace wisp::engine
