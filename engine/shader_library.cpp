// SPDX-License-Identifier: MIT
#include "engine/device.h"
#include "engine/pipeline_cache.h"
#include "engine/shader.h"
#include "engine/shader_compiler.h"
#include "engine/specialized_shader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <optional>
#include <set>

namespace wisp::engine {

namespace {

namespace fs = std::filesystem;

void destroyPipeline(const Device& device, VkPipeline pipeline, VkPipelineLayout layout, VkDescriptorSetLayout setLayout) {
    device.vk.DestroyPipeline(device.handle(), pipeline, nullptr);
    device.vk.DestroyPipelineLayout(device.handle(), layout, nullptr);
    device.vk.DestroyDescriptorSetLayout(device.handle(), setLayout, nullptr);
}
void destroyPipeline(const Device& device, const Pipeline& p) { destroyPipeline(device, p.pipeline, p.layout, p.setLayout); }

void createLayouts(Device& device, Pipeline& p, std::uint32_t repeatAxes) {
    std::deque<VkSampler> samplers;  // a deque, because bindings point to its elements
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (const ShaderBinding& b : p.interface.bindings) {
        if (b.pushOffset >= 0) continue;
        const bool sampled = b.type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
        // Without min and max samplers, any sampler will do: shaders do not use it, see kReductionsConstant.
        if (sampled) samplers.push_back(device.samplers().get(device.report().reductions ? b.reduction : Reduction::Mean, repeatAxes));
        bindings.push_back({b.binding, b.type, 1, VK_SHADER_STAGE_COMPUTE_BIT, sampled ? &samplers.back() : nullptr});
    }
    VkDescriptorSetLayoutCreateInfo set{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    set.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR;
    set.bindingCount = static_cast<std::uint32_t>(bindings.size());
    set.pBindings = bindings.data();
    check(device.vk.CreateDescriptorSetLayout(device.handle(), &set, nullptr, &p.setLayout), "vkCreateDescriptorSetLayout " + p.name);
    device.setName(VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, p.setLayout, p.name);

    const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, p.interface.pushBytes};
    VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    layout.setLayoutCount = 1;
    layout.pSetLayouts = &p.setLayout;
    layout.pushConstantRangeCount = range.size == 0 ? 0 : 1;
    layout.pPushConstantRanges = &range;
    check(device.vk.CreatePipelineLayout(device.handle(), &layout, nullptr, &p.layout), "vkCreatePipelineLayout " + p.name);
    device.setName(VK_OBJECT_TYPE_PIPELINE_LAYOUT, p.layout, p.name);
}

/// The options that affect a shader: its specialization constants, and the axes along which its samplers repeat. Options with equal
/// variants share a pipeline.
struct Variant {
    std::map<std::uint32_t, std::uint32_t> constants;
    std::uint32_t repeatAxes = 0;
    auto operator<=>(const Variant&) const = default;
};

Variant variantOf(const ShaderInterface& shader, const ShaderOptions& options) {
    Variant v;
    for (const auto& [name, id] : shader.constants) {
        if (const auto given = options.constants.find(name); given != options.constants.end()) v.constants.emplace(id, given->second);
    }
    const bool samples = std::ranges::any_of(shader.bindings,
                                             [](const ShaderBinding& b) { return b.type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER; });
    if (samples) v.repeatAxes = options.repeatAxes;
    return v;
}

/// `cache` may be null.
void createCompute(Device& device, Pipeline& p, VkShaderModule module, const Variant& variant, PipelineCache* cache,
                   VkPipelineCreateFlags flags) {
    std::vector<VkSpecializationMapEntry> entries;
    std::vector<std::uint32_t> values;
    for (const auto& [id, value] : variant.constants) {
        entries.push_back({id, static_cast<std::uint32_t>(values.size() * sizeof(value)), sizeof(value)});
        values.push_back(value);
    }
    const VkSpecializationInfo specialization{static_cast<std::uint32_t>(entries.size()), entries.data(), values.size() * sizeof(values[0]),
                                              values.data()};
    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.flags = flags;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module;
    info.stage.pName = "main";
    info.stage.pSpecializationInfo = entries.empty() ? nullptr : &specialization;
    info.layout = p.layout;
    VkPipelineCreationFeedback feedback{};
    const VkPipelineCreationFeedbackCreateInfo wanted{VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO, nullptr, &feedback, 0,
                                                      nullptr};
    info.pNext = &wanted;
    const auto start = std::chrono::steady_clock::now();
    check(device.vk.CreateComputePipelines(device.handle(), cache ? cache->handle() : VK_NULL_HANDLE, 1, &info, nullptr, &p.pipeline),
          "vkCreateComputePipelines " + p.name);
    constexpr VkPipelineCreationFeedbackFlags kHit = VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT |
                                                     VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
    const bool hit = (feedback.flags & kHit) == kHit;
    if (cache) cache->made(hit, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    device.counters.pipelineHits += hit ? 1 : 0;
    device.setName(VK_OBJECT_TYPE_PIPELINE, p.pipeline, p.name);
    ++device.counters.pipelines;
}

/// Checks the number of bindings against the device's maxPushDescriptors.
void checkBindings(const DeviceReport& report, const Pipeline& p) {
    const auto pushed = [](const ShaderBinding& b) { return b.pushOffset < 0; };
    const auto count = static_cast<std::uint32_t>(std::ranges::count_if(p.interface.bindings, pushed));
    if (count > report.maxPushDescriptors)
        throw Error(ErrorKind::Shader, fmt::format("shader {} declares {} bindings, the last one {}, but the device allows {}", p.name,
                                                   count, p.interface.bindings[count - 1].name, report.maxPushDescriptors));
}

Pipeline makePipeline(Device& device, const std::string& name, std::span<const std::uint32_t> spirv, const ShaderInterface& interface,
                      const Variant& variant, PipelineCache* cache, VkPipelineCreateFlags flags = 0) {
    Pipeline p{name, interface, VK_NULL_HANDLE, VK_NULL_HANDLE, VK_NULL_HANDLE};
    checkBindings(device.report(), p);
    for (glm::length_t i = 0; i < 3; ++i) {
        const auto given = variant.constants.find(p.interface.localSizeConstants[i]);
        if (p.interface.localSizeConstants[i] != 0 && given != variant.constants.end()) p.interface.localSize[i] = given->second;
    }
    std::vector<std::uint32_t> reachable;
    if (device.isCpu()) {
        // Lavapipe compiles in each process, for a time that grows with unreachable code, too.
        reachable = cache ? cache->specialized(name, spirv, variant.constants) : specializedShader(spirv, variant.constants, name);
        spirv = reachable;
    }
    VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    info.codeSize = spirv.size_bytes();
    info.pCode = spirv.data();
    VkShaderModule module = VK_NULL_HANDLE;
    check(device.vk.CreateShaderModule(device.handle(), &info, nullptr, &module), "vkCreateShaderModule " + name);
    device.setName(VK_OBJECT_TYPE_SHADER_MODULE, module, name);
    try {
        createLayouts(device, p, variant.repeatAxes);
        createCompute(device, p, module, variant, cache, flags);
    } catch (...) {
        destroyPipeline(device, p);
        device.vk.DestroyShaderModule(device.handle(), module, nullptr);
        throw;
    }
    device.vk.DestroyShaderModule(device.handle(), module, nullptr);
    return p;
}

/// The first difference that prevents code written for `original` from dispatching `edited`; none if it can.
std::optional<std::string> incompatibility(const ShaderInterface& original, const ShaderInterface& edited) {
    if (edited.pushBytes != original.pushBytes)
        return fmt::format("push constants of {} bytes, not {}", edited.pushBytes, original.pushBytes);
    if (edited.pushMembers != original.pushMembers) return "names, types or offsets of push constants have changed";
    const auto find = [](const ShaderInterface& in, const ShaderBinding& b) {
        return std::find_if(in.bindings.begin(), in.bindings.end(), [&](const auto& o) { return o.name == b.name && o.type == b.type; });
    };
    for (const ShaderBinding& b : original.bindings) {
        if (find(edited, b) == edited.bindings.end()) return fmt::format("the binding {} was removed", b.name);
    }
    for (const ShaderBinding& b : edited.bindings) {
        const auto before = find(original, b);
        if (before == original.bindings.end() || (b.active && !before->active)) return fmt::format("the binding {} was added", b.name);
    }
    return std::nullopt;
}

}  // namespace

struct ShaderLibrary::Impl {
    /// A shader with every pipeline created from it. Pipelines are kept because they are few and small, and because a driver may retain
    /// memory each time one is created.
    struct Entry {
        std::span<const std::uint32_t> embedded;
        std::vector<std::uint32_t> edited;  // replaces `embedded` after a reload
        std::optional<ShaderInterface> interface;
        std::map<Variant, Pipeline> pipelines;
        const Pipeline* current = nullptr;                   // the pipeline for the current options
        std::map<ShaderConstants, const Pipeline*> special;  // for these constants in addition

        void forget() {
            current = nullptr;
            special.clear();
        }

        [[nodiscard]] std::span<const std::uint32_t> spirv() const { return edited.empty() ? embedded : edited; }
    };
    using Times = std::map<fs::path, fs::file_time_type>;

    Device& device;
    ShaderOptions options;
    std::set<std::string, std::less<>> constants;  // declared by at least one shader
    PipelineCache cache;
    std::map<std::string, Entry, std::less<>> entries;
    fs::path folder;
    Times times;

    /// @throws Error Shader
    std::pair<const std::string, Entry>& find(std::string_view name) {
        const auto found = entries.find(name);
        if (found == entries.end()) throw Error(ErrorKind::Shader, fmt::format("there is no shader named {}", name));
        return *found;
    }

    static const ShaderInterface& interfaceOf(const std::string& name, Entry& entry) {
        if (!entry.interface) entry.interface = reflect(entry.spirv(), name);
        return *entry.interface;
    }

    const Pipeline& pipelineOf(const std::string& name, Entry& entry) {
        if (!entry.current) entry.current = &make(name, entry, variantOf(interfaceOf(name, entry), options));
        return *entry.current;
    }

    const Pipeline& pipelineOf(const std::string& name, Entry& entry, const ShaderConstants& more) {
        const Pipeline*& found = entry.special[more];
        if (found) return *found;
        const ShaderInterface& interface = interfaceOf(name, entry);
        Variant variant = variantOf(interface, options);
        for (const auto& [constant, value] : more) {
            const auto declared = interface.constants.find(constant);
            if (declared == interface.constants.end())
                throw Error(ErrorKind::Shader, fmt::format("shader {} has no specialization constant {}", name, constant));
            variant.constants.insert_or_assign(declared->second, value);
        }
        return *(found = &make(name, entry, variant));
    }

    const Pipeline& make(const std::string& name, Entry& entry, const Variant& variant) {
        const ShaderInterface& interface = interfaceOf(name, entry);
        auto made = entry.pipelines.find(variant);
        if (made == entry.pipelines.end()) {
            // Edited shaders are not cached: the cache's key is computed from the embedded shaders.
            PipelineCache* keep = entry.edited.empty() ? &cache : nullptr;
            made = entry.pipelines.try_emplace(variant).first;  // before the pipeline exists, which would leak if this threw
            try {
                made->second = makePipeline(device, name, entry.spirv(), interface, variant, keep);
            } catch (...) {
                entry.pipelines.erase(made);
                throw;
            }
        }
        return made->second;
    }

    /// Destroys the entry's pipelines once no recorded command uses them.
    void retire(Entry& entry) {
        for (const auto& [variant, p] : entry.pipelines)  // captures handles: destructors call this, and copying a Pipeline may throw
            device.retire([d = &device, pipeline = p.pipeline, layout = p.layout, setLayout = p.setLayout] {
                destroyPipeline(*d, pipeline, layout, setLayout);
            });
        entry.pipelines.clear();
        entry.forget();
    }

    Times scan() const {
        Times found;
        std::error_code ignored;  // an editor may rename a file after it was listed
        for (const auto& file : fs::recursive_directory_iterator(folder, ignored)) {
            if (file.is_regular_file(ignored)) found[file.path()] = file.last_write_time(ignored);
        }
        return found;
    }

    std::string replace(const std::string& name, Entry& entry, const fs::path& file) {
        try {
            std::vector<std::uint32_t> spirv = compileShader(file, folder);
            const ShaderInterface edited = reflect(spirv, name);
            const Variant variant = variantOf(edited, options);
            const Pipeline pipeline = makePipeline(device, name, spirv, edited, variant, nullptr);
            if (const auto difference = incompatibility(reflect(entry.embedded, name), edited)) {
                destroyPipeline(device, pipeline);
                return fmt::format("{}: not reloaded, it does not match the program: {}", name, *difference);
            }
            retire(entry);
            constants.merge(constantNames(spirv));
            entry.edited = std::move(spirv);
            entry.interface = edited;
            entry.pipelines.emplace(variant, pipeline);
            return fmt::format("{}: reloaded", name);
        } catch (const Error& error) {
            return fmt::format("{}: not reloaded: {}", name, error.what());
        }
    }
};

namespace {

ShaderOptions forDevice(const Device& device, ShaderOptions options) {
    const auto set = [&](std::string_view name, std::uint32_t value) { options.constants.insert_or_assign(std::string(name), value); };
    set(kReductionsConstant, device.report().reductions ? 1 : 0);
    set(kBranchlessConstant, device.isCpu() ? 1 : 0);
    if (device.isCpu()) {
        options.constants.emplace(kGroupYConstant, kCpuGroupY);
        options.constants.emplace(kGroupZConstant, kCpuGroupZ);
    }
    set(kByAddressConstant, options.largestField > device.report().limits.maxStorageBufferRange ? 1 : 0);
    return options;
}

/// Rejects a caller's constant that no shader declares: it would have no effect. The constants set by forDevice may be unknown.
void refuseUnknown(const std::set<std::string, std::less<>>& known, const ShaderConstants& constants) {
    constexpr std::array kOfDevice{kReductionsConstant, kByAddressConstant, kBranchlessConstant, kGroupYConstant, kGroupZConstant};
    for (const auto& [name, value] : constants)
        if (!known.contains(name) && std::ranges::find(kOfDevice, name) == kOfDevice.end())
            throw Error(ErrorKind::Shader, fmt::format("no shader has a specialization constant {}", name));
}

}  // namespace

ShaderLibrary::ShaderLibrary(Device& device, std::span<const EmbeddedShader> shaders, const ShaderOptions& options)
    : impl_(new Impl{device,
                     forDevice(device, options),
                     constantNames(shaders),
                     {device, options.kept ? shaders : std::span<const EmbeddedShader>{}},
                     {},
                     {},
                     {}}) {
    refuseUnknown(impl_->constants, options.constants);
    for (const EmbeddedShader& s : shaders) impl_->entries[std::string(s.name)].embedded = s.spirv;
}

ShaderLibrary::~ShaderLibrary() {
    for (auto& [name, entry] : impl_->entries) impl_->retire(entry);
}

const Pipeline& ShaderLibrary::get(std::string_view name) {
    auto& [key, entry] = impl_->find(name);
    return impl_->pipelineOf(key, entry);
}

const Pipeline& ShaderLibrary::get(std::string_view name, const ShaderConstants& more) {
    auto& [key, entry] = impl_->find(name);
    return impl_->pipelineOf(key, entry, more);
}

const ShaderOptions& ShaderLibrary::options() const { return impl_->options; }

std::vector<PipelineStatistic> ShaderLibrary::statistics(std::string_view name) const {
    auto& [key, entry] = impl_->find(name);
    Device& device = impl_->device;
    if (!device.hasExtension(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME)) return {};
    // This pipeline is neither cached nor executed: the flag may change how a driver compiles and caches.
    const ShaderInterface& interface = Impl::interfaceOf(key, entry);
    const Pipeline p = makePipeline(device, key, entry.spirv(), interface, variantOf(interface, impl_->options), nullptr,
                                    VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR);
    device.retire([d = &device, p] { destroyPipeline(*d, p); });
    return pipelineStatistics(device.vk, device.handle(), p.pipeline);
}

void ShaderLibrary::setOptions(ShaderOptions options) {
    options = forDevice(impl_->device, std::move(options));
    if (options == impl_->options) return;
    refuseUnknown(impl_->constants, options.constants);
    impl_->options = std::move(options);
    for (auto& [name, entry] : impl_->entries) entry.forget();
}

std::string ShaderLibrary::save() {
    impl_->cache.save();
    return impl_->cache.report();
}

const PipelineCache& ShaderLibrary::cache() const { return impl_->cache; }

void ShaderLibrary::watch(std::filesystem::path folder) {
    if (!fs::is_directory(folder))
        throw Error(ErrorKind::Shader, fmt::format("cannot watch shaders in {}: it is not a folder", folder.string()));
    impl_->folder = std::move(folder);
    impl_->times = impl_->scan();
}

std::vector<std::string> ShaderLibrary::reload() {
    if (impl_->folder.empty()) return {};
    const Impl::Times now = impl_->scan();
    std::set<fs::path> changed;
    bool sharedChanged = false;
    for (const auto& [path, time] : now) {
        const auto before = impl_->times.find(path);
        if (before != impl_->times.end() && before->second == time) continue;
        if (path.extension() == ".comp") changed.insert(path);
        // Any shader may include these files.
        else if (path.extension() == ".glsl" || path.extension() == ".h") sharedChanged = true;
    }
    impl_->times = now;

    std::vector<std::string> messages;
    for (const auto& [path, time] : now) {
        const auto entry = path.extension() == ".comp" ? impl_->entries.find(path.stem().string()) : impl_->entries.end();
        if (entry != impl_->entries.end() && (sharedChanged || changed.contains(path)))
            messages.push_back(impl_->replace(entry->first, entry->second, path));
    }
    return messages;
}

}  // namespace wisp::engine
