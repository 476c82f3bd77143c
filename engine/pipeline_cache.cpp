// SPDX-License-Identifier: MIT
#include "engine/pipeline_cache.h"

#include "engine/device.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace wisp::engine {
namespace {

std::uint64_t hashOf(std::span<const std::byte> data) { return XXH3_64bits(data.data(), data.size()); }

struct Properties {
    VkPhysicalDeviceIDProperties id{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES};
    VkPhysicalDeviceProperties device{};

    explicit Properties(const Device& of) {
        VkPhysicalDeviceProperties2 all{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &id, {}};
        of.vk.GetPhysicalDeviceProperties2(of.physical(), &all);
        device = all.properties;
    }
};

CacheFile::Key keyOf(const Properties& p, std::span<const EmbeddedShader> shaders) {
    const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), XXH3_freeState);
    XXH3_128bits_reset(state.get());
    const auto add = [&](const void* bytes, std::size_t size) { XXH3_128bits_update(state.get(), bytes, size); };
    add(&p.device.vendorID, sizeof p.device.vendorID);
    add(&p.device.deviceID, sizeof p.device.deviceID);
    add(&p.device.driverVersion, sizeof p.device.driverVersion);
    add(p.device.pipelineCacheUUID, VK_UUID_SIZE);
    add(p.id.deviceUUID, VK_UUID_SIZE);
    add(p.id.driverUUID, VK_UUID_SIZE);
    for (const EmbeddedShader& s : shaders) {
        const std::size_t sizes[] = {s.name.size(), s.spirv.size_bytes()};  // makes the boundaries unambiguous
        add(sizes, sizeof sizes);
        add(s.name.data(), s.name.size());
        add(s.spirv.data(), s.spirv.size_bytes());
    }
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state.get()));
    CacheFile::Key key;
    std::memcpy(key.data(), canonical.digest, key.size());
    return key;
}

}  // namespace

bool isValidCacheFor(std::span<const std::byte> data, const VkPhysicalDeviceProperties& device) {
    // Layout of VkPipelineCacheHeaderVersionOne. Its version is an enum, which must not hold an arbitrary number read from a file.
    struct {
        std::uint32_t headerSize, headerVersion, vendorID, deviceID;
        std::uint8_t pipelineCacheUUID[VK_UUID_SIZE];
    } header;
    static_assert(sizeof header == sizeof(VkPipelineCacheHeaderVersionOne));
    if (data.size() < sizeof header) return false;
    std::memcpy(&header, data.data(), sizeof header);
    return header.headerSize >= sizeof header && header.headerSize <= data.size() &&
           header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE && header.vendorID == device.vendorID &&
           header.deviceID == device.deviceID && std::memcmp(header.pipelineCacheUUID, device.pipelineCacheUUID, VK_UUID_SIZE) == 0;
}

PipelineCache::PipelineCache(Device& device, std::span<const EmbeddedShader> shaders) : device_(device) {
    if (device.options().cacheFolder.empty() || shaders.empty()) return;
    file_.emplace(device.options().cacheFolder, keyOf(Properties(device), shaders));
}

/// Called for the first pipeline, not by the constructor: memory planning also creates a ShaderLibrary, but no pipelines.
void PipelineCache::open() {
    const Properties properties(device_);
    std::vector<std::byte> data = file_->read();
    problem_ = file_->problem();
    if (!data.empty() && !isValidCacheFor(data, properties.device)) {
        problem_ = fmt::format("{} is from another driver or device: it is recreated", file_->path().string());
        data.clear();
    }
    saved_ = hashOf(data);
    VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    info.initialDataSize = data.size();
    info.pInitialData = data.empty() ? nullptr : data.data();
    VkResult result = device_.vk.CreatePipelineCache(device_.handle(), &info, nullptr, &cache_);
    given_ = data.size();
    if (result == VK_SUCCESS) device_.setName(VK_OBJECT_TYPE_PIPELINE_CACHE, cache_, "pipelines");
    if (result == VK_SUCCESS || data.empty()) return;
    info = {VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    given_ = 0;
    saved_ = hashOf({});
    problem_ = fmt::format("the driver rejected the pipeline cache {}", file_->path().string());
    result = device_.vk.CreatePipelineCache(device_.handle(), &info, nullptr, &cache_);
    if (result == VK_SUCCESS) device_.setName(VK_OBJECT_TYPE_PIPELINE_CACHE, cache_, "pipelines");
    else cache_ = VK_NULL_HANDLE;
}

PipelineCache::~PipelineCache() {
    save();
    if (cache_) device_.vk.DestroyPipelineCache(device_.handle(), cache_, nullptr);
}

VkPipelineCache PipelineCache::handle() {
    if (file_ && !std::exchange(opened_, true)) open();
    return cache_;
}

void PipelineCache::made(bool hit, double seconds) {
    ++made_;
    hits_ += hit ? 1 : 0;
    seconds_ += seconds;
    news_ = news_ || !hit;
}

void PipelineCache::save() noexcept {
    if (!cache_ || !std::exchange(news_, false)) return;
    try {
        std::size_t size = 0;
        if (device_.vk.GetPipelineCacheData(device_.handle(), cache_, &size, nullptr) != VK_SUCCESS) return;
        std::vector<std::byte> data(size);
        if (device_.vk.GetPipelineCacheData(device_.handle(), cache_, &size, data.data()) != VK_SUCCESS) return;
        data.resize(size);
        // Drivers that do not report cache hits, or do not cache, return the same data as last time.
        if (hashOf(data) == saved_) return;
        if (file_->write(data)) saved_ = hashOf(data);
        else problem_ = file_->problem();
    } catch (const std::exception& e) {
        problem_ = e.what();
    }
}

std::string PipelineCache::report() const {
    std::string text = fmt::format("{} pipelines created in {:.2f} s", made_, seconds_);
    if (cache_) text += fmt::format(", {} of them from {} ({} bytes)", hits_, file_->path().string(), given_);
    else text += ", not cached: there is no cache folder";
    return problem_.empty() ? text : text + "; " + problem_;
}

}  // namespace wisp::engine
