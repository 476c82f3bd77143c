// SPDX-License-Identifier: MIT
#include "engine/pipeline_cache.h"

#include "engine/device.h"
#include "engine/specialized_shader.h"

#include <fmt/format.h>
#include <spirv-tools/libspirv.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace wisp::engine {

std::span<const unsigned char> specializationSource();  // specialized_shader.cpp

namespace {

constexpr std::size_t kMostShaderBytes = std::size_t{64} << 20;  // in a file; more are forgotten

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
    // The file may hold results of specializedShader, which another version of wisp or of SPIRV-Tools would not give.
    add(specializationSource().data(), specializationSource().size());
    add(spvSoftwareVersionString(), std::strlen(spvSoftwareVersionString()));
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

// The file contains blocks, each after the number of its bytes: the driver's data, then for each shader its key and its words.
void addBlock(std::vector<std::byte>& to, std::span<const std::byte> block) {
    const std::uint64_t size = block.size();
    const auto bytes = std::as_bytes(std::span(&size, 1));
    to.insert(to.end(), bytes.begin(), bytes.end());
    to.insert(to.end(), block.begin(), block.end());
}
/// Removes the first block. Empty if there is none.
std::span<const std::byte> takeBlock(std::span<const std::byte>& from) {
    std::uint64_t size = 0;
    if (from.size() < sizeof size) return from = {};
    std::memcpy(&size, from.data(), sizeof size);
    from = from.subspan(sizeof size);
    const auto block = from.first(std::min<std::size_t>(size, from.size()));
    from = from.subspan(block.size());
    return block;
}
std::map<std::string, std::vector<std::uint32_t>> shadersOf(std::span<const std::byte> blocks) {
    std::map<std::string, std::vector<std::uint32_t>> shaders;
    if (blocks.size() > kMostShaderBytes) return shaders;
    while (!blocks.empty()) {
        const auto key = takeBlock(blocks), bytes = takeBlock(blocks);
        std::vector<std::uint32_t> words(bytes.size() / sizeof(std::uint32_t));
        if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * sizeof words[0]);
        shaders.insert_or_assign(std::string(reinterpret_cast<const char*>(key.data()), key.size()), std::move(words));
    }
    return shaders;
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
    const std::vector<std::byte> whole = file_->read();
    problem_ = file_->problem();
    std::span<const std::byte> rest = whole, data = takeBlock(rest);
    if (!whole.empty() && !isValidCacheFor(data, properties.device)) {
        problem_ = fmt::format("{} is from another driver or device: it is recreated", file_->path().string());
        data = rest = {};
    }
    if (!data.empty()) saved_ = hashOf(whole);
    shaders_ = shadersOf(rest);
    VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    info.initialDataSize = data.size();
    info.pInitialData = data.empty() ? nullptr : data.data();
    VkResult result = device_.vk.CreatePipelineCache(device_.handle(), &info, nullptr, &cache_);
    given_ = data.size();
    if (result == VK_SUCCESS) device_.setName(VK_OBJECT_TYPE_PIPELINE_CACHE, cache_, "pipelines");
    if (result == VK_SUCCESS || data.empty()) return;
    info = {VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    given_ = 0;
    saved_ = 0;
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

std::vector<std::uint32_t> PipelineCache::specialized(const std::string& name, std::span<const std::uint32_t> spirv,
                                                      const std::map<std::uint32_t, std::uint32_t>& constants) {
    if (!handle()) return specializedShader(spirv, constants, name);
    std::string key = name;
    for (const auto& [id, value] : constants) key += fmt::format(" {}={}", id, value);
    if (const auto known = shaders_.find(key); known != shaders_.end()) {
        ++specializedHits_;
        return known->second;
    }
    news_ = true;
    return shaders_[key] = specializedShader(spirv, constants, name);
}

/// Of the file: also shaders that another process has added to it. Empty if the driver fails.
std::vector<std::byte> PipelineCache::contents() {
    std::size_t size = 0;
    if (device_.vk.GetPipelineCacheData(device_.handle(), cache_, &size, nullptr) != VK_SUCCESS) return {};
    std::vector<std::byte> data(size), all;
    if (device_.vk.GetPipelineCacheData(device_.handle(), cache_, &size, data.data()) != VK_SUCCESS) return {};
    data.resize(size);
    addBlock(all, data);
    if (shaders_.empty()) return all;  // a GPU
    const std::vector<std::byte> written = file_->read();
    std::span<const std::byte> rest = written;
    (void)takeBlock(rest);
    shaders_.merge(shadersOf(rest));
    for (const auto& [key, words] : shaders_) {
        addBlock(all, std::as_bytes(std::span(key)));
        addBlock(all, std::as_bytes(std::span(words)));
    }
    return all;
}

void PipelineCache::save() noexcept {
    if (!cache_ || !std::exchange(news_, false)) return;
    try {
        const std::vector<std::byte> data = contents();
        if (data.empty()) return;
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
