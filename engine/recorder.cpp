// SPDX-License-Identifier: MIT
//
// Barriers. Every recorded command gets a number, Device::accessClock.now. A resource stores the numbers of its last read and last write.
// A command needs a barrier before it if it reads a resource that was written after the last barrier, or writes a resource that was read or
// written after it. One global barrier covers every resource. Commands on one queue start in submission order, so the numbering continues
// across frames.
#include "engine/recorder.h"

#include "engine/recorder_frame.h"
#include "engine/shader_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>
#include <utility>

namespace wisp::engine {
namespace {

/// Where the commands of a recorder run.
constexpr VkPipelineStageFlags2 kPasses = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;

void beginLabel(const Functions& vk, VkCommandBuffer commands, std::string_view name) {
    const std::string text(name);
    VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT};
    label.pLabelName = text.c_str();
    vk.CmdBeginDebugUtilsLabelEXT(commands, &label);
}

/// The comparison is by names and thus slow: it runs once for each struct type that a pipeline gets.
void checkPush(const Pipeline& pipeline, const PushConstants& push) {
    if (push.members ? push.members == pipeline.pushChecked : pipeline.interface.pushMembers.empty()) return;
    static constexpr StructMembers kNone{"an empty struct", {}};
    if (const auto differs = difference(push.members ? *push.members : kNone, pipeline.interface.pushMembers))
        throw Error(ErrorKind::Shader, fmt::format("pass {}: push constant {}", pipeline.name, *differs));
    if (push.bytes.size() < pipeline.interface.pushBytes - pipeline.interface.pushAddresses)
        throw Error(ErrorKind::Shader, fmt::format("pass {}: push constants have {} bytes, but the shader declares {}", pipeline.name,
                                                   push.bytes.size(), pipeline.interface.pushBytes - pipeline.interface.pushAddresses));
    pipeline.pushChecked = push.members;
}

/// Pushes the buffer addresses, followed by the caller's push constants.
void pushConstants(const Functions& vk, VkCommandBuffer commands, const Pipeline& pipeline, std::span<const Match> matches,
                   std::span<const std::byte> push) {
    const ShaderInterface& shader = pipeline.interface;
    if (shader.pushBytes == 0) return;
    std::array<std::byte, kMaxPushBytes> bytes;
    for (const auto& [declared, given] : matches) {
        if (declared->pushOffset < 0) continue;
        const VkDeviceAddress address = given->buffer->address();
        std::memcpy(bytes.data() + declared->pushOffset, &address, sizeof address);
    }
    if (!push.empty()) std::memcpy(bytes.data() + shader.pushAddresses, push.data(), shader.pushBytes - shader.pushAddresses);
    vk.CmdPushConstants(commands, pipeline.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, shader.pushBytes, bytes.data());
}

glm::uvec3 groupCounts(const Pipeline& pipeline, glm::uvec3 threads, const VkPhysicalDeviceLimits& limits) {
    const glm::uvec3 local = pipeline.interface.localSize;
    glm::uvec3 groups;
    for (glm::length_t i = 0; i < 3; ++i) {
        groups[i] = (threads[i] - 1) / local[i] + 1;
        if (groups[i] > limits.maxComputeWorkGroupCount[i]) {
            throw std::invalid_argument(fmt::format("pass {}: {} work groups along axis {}, but the device allows {}", pipeline.name,
                                                    groups[i], i, limits.maxComputeWorkGroupCount[i]));
        }
    }
    return groups;
}

/// Where the command for units of this pass is, see ListedUnits. A unit smaller than a work group takes one.
VkDeviceSize commandOffset(const Pipeline& pipeline, const ListedUnits& listed) {
    const glm::uvec3 local = pipeline.interface.localSize;
    const std::uint32_t group = local.x * local.y * local.z, groups = (listed.threads - 1) / group + 1;
    const auto number = static_cast<std::uint32_t>(std::countr_zero(groups));
    if (!std::has_single_bit(groups) || number >= kUnitSizes)
        throw std::invalid_argument(
            fmt::format("pass {}: {} work groups per unit are not a power of two, or too many", pipeline.name, groups));
    return listed.offset + number * sizeof(VkDispatchIndirectCommand);
}

}  // namespace

Recorder::Recorder(Device& device, ShaderLibrary& shaders, RecorderOptions options)
    : device_(device), shaders_(shaders), options_(options) {
    for (std::uint32_t n = 0; n < kFramesInFlight; ++n)
        frames_.push_back(std::make_unique<RecorderFrame>(device, options_.timing, options_.statistics, options_.readbackBytes));
    flying_.reserve(kFramesInFlight);
    current_ = frames_.front().get();
    setCommon({});
    if (options_.trace) clock_ = std::make_unique<GpuClock>(device);
}

void Recorder::setCommon(std::vector<Binding> bindings) {
    common_ = std::move(bindings);
    if (options_.workCounters) common_.emplace_back(kWorkCounters, *options_.workCounters);
}

void Recorder::setTiming(Timing timing, bool trace) {
    finish();
    for (const auto& f : frames_) f->timer.setTiming(timing);
    if (!trace) clock_.reset();
    else if (!clock_) clock_ = std::make_unique<GpuClock>(device_);
    options_.timing = timing;
    options_.trace = trace;
}

Recorder::~Recorder() {
    // A host may submit its commands only later, and after a wait validation no longer detects hazards with earlier submits.
    for (const auto& f : frames_) {
        f->deliveries.clear();
        if (std::exchange(f->recording, false)) --device_.recordings;
    }
    if (flying_.empty()) return;
    try {
        device_.retire([frames = std::make_shared<std::vector<std::unique_ptr<RecorderFrame>>>(std::move(frames_))] {});
    } catch (const std::bad_alloc&) {
        device_.drain();
    }
}

void Recorder::take(RecorderFrame& f) {
    device_.wait(f.serial);
    deliver(f);
}

void Recorder::begin() { start(nullptr); }

void Recorder::begin(const HostFrame& host) { start(&host); }

HostFrame Recorder::lend() {
    RecorderFrame& f = frame();
    assert(f.recording);
    f.timer.endPass(f.commands);  // the time of the other's commands is not that of the last pass
    return {f.commands, device_.nextDone()};
}

RecorderFrame& Recorder::freeFrame() {
    for (const auto& f : frames_)
        if (std::ranges::find(flying_, f.get()) == flying_.end()) return *f;
    flying_.reserve(frames_.size() + 1);
    frames_.push_back(std::make_unique<RecorderFrame>(device_, options_.timing, options_.statistics, options_.readbackBytes));
    return *frames_.back();
}

void Recorder::start(const HostFrame* host) {
    assert(!current_->recording);
    const std::int64_t now = hostNow();
    if (!host || host->done != batchDone_) {
        while (!flying_.empty() && flying_.front()->batch + kFramesInFlight <= batch_ + 1) {
            take(*flying_.front());
            flying_.erase(flying_.begin());
        }
        device_.collect();
        ++batch_;
    }
    RecorderFrame& f = freeFrame();
    batchDone_ = f.host = host ? host->done : SemaphorePoint{};
    f.batch = batch_;
    f.cpu = {.wait = now, .record = hostNow()};
    f.commands = host ? host->commands : f.own;
    if (!host) {
        check(device_.vk.ResetCommandPool(device_.handle(), f.pool, 0), "vkResetCommandPool");
        VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
        check(device_.vk.BeginCommandBuffer(f.commands, &info), "vkBeginCommandBuffer");
    }
    current_ = &f;
    f.timer.reset();
    f.uploadUsed = 0;
    f.recording = true;
    ++device_.recordings;
    barriers_ = 0;
    if (!host) return;
    // The clock of accesses does not know what the host has recorded.
    memoryBarrier(device_.vk, f.commands,
                  {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, nullptr, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
                   kPasses | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT});
    device_.accessClock.lastBarrier = device_.accessClock.lastOfCommands = device_.accessClock.now;
    device_.accessClock.transfers = false;
}

std::uint64_t Recorder::submit(const SemaphorePoint& wait, const SemaphorePoint& signal) {
    RecorderFrame& f = frame();
    assert(f.recording);
    f.timer.endPass(f.commands);
    if (!f.deliveries.empty()) {
        // Makes the copies visible to the host, and orders them before the next copies of this slot. The host waits before these, but the
        // validation layer does not track that wait.
        VkMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                 nullptr,
                                 VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                                 VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                 VK_PIPELINE_STAGE_2_HOST_BIT | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                                 VK_ACCESS_2_HOST_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT};
        if (std::exchange(f.readsWritten, false)) {
            barrier.srcStageMask |= VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
            barrier.srcAccessMask |= VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
        }
        memoryBarrier(device_.vk, f.commands, barrier);
    }
    if (f.host.semaphore)
        memoryBarrier(device_.vk, f.commands,
                      {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, nullptr, kPasses, VK_ACCESS_2_MEMORY_WRITE_BIT,
                       VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT});
    else check(device_.vk.EndCommandBuffer(f.commands), "vkEndCommandBuffer");
    return end(f, wait, signal);
}

std::uint64_t Recorder::end(RecorderFrame& f, SemaphorePoint wait, SemaphorePoint signal) {
    f.recording = false;
    --device_.recordings;
    // Set before the call: if validation throws after a submit, the frame is in flight nevertheless.
    f.serial = device_.submitted() + 1;
    f.pending = true;
    flying_.push_back(&f);
    if (const Swapchain* target = std::exchange(target_, nullptr)) {
        wait = {target->imageAvailable_[target->slot_]};
        signal = {target->renderFinished_[target->index_]};
    }
    f.cpu.submit = hostNow();
    try {
        f.host.semaphore ? device_.leaveToHost(f.host) : device_.submit(f.commands, wait, signal);
    } catch (const Error&) {
        if (device_.submitted() < f.serial) {  // it will never run, and must not be waited for
            f.pending = false;
            f.deliveries.clear();
            f.readbackUsed = 0;
            flying_.pop_back();
        }
        throw;
    }
    f.cpu.end = hostNow();
    cpu_ = f.cpu;
    return f.serial;
}

void Recorder::finish() {
    assert(!current_->recording);
    while (!flying_.empty()) {
        take(*flying_.front());
        flying_.erase(flying_.begin());
    }
    device_.collect();
}

void Recorder::deliver(RecorderFrame& f) {
    if (!f.pending) return;
    f.pending = false;
    f.readbackUsed = 0;
    const auto deliveries = std::exchange(f.deliveries, {});
    for (const PendingRead& d : deliveries) d.deliver(d.bytes);
    times_ = f.timer.read();
    if (onTimes) onTimes(times_);
    if (!clock_ || !onTrace) return;
    clock_->calibrate();
    onTrace({f.cpu, f.timer.ranges(*clock_)});
}

/// Must be called for every command. Assigns its number, and its name for the times and for the message about a lost device.
VkCommandBuffer Recorder::record(std::string_view name, const Work& work) {
    RecorderFrame& f = frame();
    device_.lastPass = name;
    f.timer.pass(f.commands, name, work);
    f.timer.workRecorded();
    ++device_.accessClock.now;
    return f.commands;
}

void Recorder::barrier(bool ofCommands) {
    Device::AccessClock& clock = device_.accessClock;
    clock.lastBarrier = clock.now;
    if (ofCommands) clock.lastOfCommands = clock.now;
    const bool transfers = std::exchange(clock.transfers, false);
    const bool dropped = static_cast<int>(barriers_++) == options_.dropBarrier;
    if (dropped) return;
    constexpr VkPipelineStageFlags2 kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    constexpr VkPipelineStageFlags2 kTransfer = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
    constexpr VkPipelineStageFlags2 kCommands = VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;  // of ListedUnits
    VkMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
    barrier.srcStageMask = kCompute;
    barrier.srcAccessMask = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
    barrier.dstStageMask = kCompute | kTransfer;
    barrier.dstAccessMask = VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT |
                            VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT;
    // Only transfers write uniforms. Without transfers the uniform caches stay valid.
    if (transfers) {
        barrier.srcStageMask |= kTransfer;
        barrier.srcAccessMask |= VK_ACCESS_2_TRANSFER_WRITE_BIT;
        barrier.dstAccessMask |= VK_ACCESS_2_UNIFORM_READ_BIT;
    }
    if (ofCommands) {  // costs an H100 2 us
        barrier.srcStageMask |= kCommands;
        barrier.dstStageMask |= kCommands;
        barrier.dstAccessMask |= VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT;
    }
    memoryBarrier(device_.vk, frame().commands, barrier);
}

void Recorder::synchronize(bool hazard, bool ofCommands) {
    assert(frame().recording);
    if (hazard || ofCommands) barrier(ofCommands);
}

/// The only layout transition of an image.
void Recorder::toGeneral(const Image& image) {
    VkImageMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
    barrier.dstStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
    barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    barrier.oldLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image.handle();
    barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    VkDependencyInfo info{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    info.imageMemoryBarrierCount = 1;
    info.pImageMemoryBarriers = &barrier;
    device_.vk.CmdPipelineBarrier2(frame().commands, &info);
}

/// At first use, transitions an image to GENERAL. In the test mode fillWithNaN, also fills the resource with NaN, recorded as a write.
template <class Resource>
void Recorder::prepare(const Resource& resource) {
    if (!std::exchange(resource.fresh_, false)) return;
    constexpr bool kIsImage = std::is_same_v<Resource, Image>;
    if constexpr (kIsImage) toGeneral(resource);
    if (!device_.options().fillWithNaN) return;
    const VkCommandBuffer commands = record("fill_with_nan", {0, resource.bytes()});
    device_.accessClock.transfers = true;
    if constexpr (kIsImage) {
        clearImage(device_.vk, commands, resource.handle(), std::numeric_limits<float>::quiet_NaN());
    } else {
        device_.vk.CmdFillBuffer(commands, resource.handle(), 0, VK_WHOLE_SIZE, ~0u);
    }
    touch(resource.access, device_.accessClock, false, true);
}

template void Recorder::prepare(const Image&);
template void Recorder::prepare(const Buffer&);

void Recorder::dispatch(std::string_view pass, const Threads& threads, std::span<const Binding> bindings, const PushConstants& push) {
    const glm::uvec3 count = threads.count;
    if (count.x == 0 || count.y == 0 || count.z == 0) return;
    const Pipeline& pipeline = threads.constants.empty() ? shaders_.get(pass) : shaders_.get(pass, threads.constants);
    checkPush(pipeline, push);
    const glm::uvec3 groups = groupCounts(pipeline, count, device_.report().limits);
    const std::vector<Match> matches = matchBindings(pipeline, bindings, common_);

    bool hazard = false;
    for (const auto& [declared, given] : matches) {
        given->image ? prepare(*given->image) : prepare(*given->buffer);
    }
    for (const auto& [declared, given] : matches) {
        AccessState& state = given->image ? given->image->access : given->buffer->access;
        hazard = hazard || isHazard(state, device_.accessClock, declared->reads, declared->writes);
    }
    const bool listed = threads.listed.threads > 0;
    bool ofCommands = listed && threads.listed.commands->access.write > device_.accessClock.lastOfCommands;
    for (const auto& [declared, given] : matches)
        ofCommands = ofCommands ||
                     (declared->writes && given->buffer && given->buffer->access.commands > device_.accessClock.lastOfCommands);
    synchronize(hazard, ofCommands);
    // How much work a list is, only the device knows.
    const Work work = listed ? Work{} : Work{std::uint64_t{count.x} * count.y * count.z, leastBytes(matches)};
    const VkCommandBuffer commands = record(pass, work);
    for (const auto& [declared, given] : matches) {
        AccessState& state = given->image ? given->image->access : given->buffer->access;
        touch(state, device_.accessClock, declared->reads, declared->writes);
    }

    if (device_.hasDebugUtils()) beginLabel(device_.vk, commands, pass);
    device_.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.pipeline);
    pushDescriptors(device_, commands, pipeline, matches);
    pushConstants(device_.vk, commands, pipeline, matches, push.bytes);
    if (listed) {
        threads.listed.commands->access.commands = device_.accessClock.now;
        device_.vk.CmdDispatchIndirect(commands, threads.listed.commands->handle(), commandOffset(pipeline, threads.listed));
    } else {
        device_.vk.CmdDispatch(commands, groups.x, groups.y, groups.z);
    }
    if (device_.hasDebugUtils()) device_.vk.CmdEndDebugUtilsLabelEXT(commands);
}

Recorder::Scope::Scope(Recorder& recorder, std::string_view name) : recorder_(recorder) {
    RecorderFrame& f = recorder_.frame();
    assert(f.recording);
    index_ = f.timer.beginScope(f.commands, name);
    if (recorder_.device_.hasDebugUtils()) beginLabel(recorder_.device_.vk, f.commands, name);
}

Recorder::Scope::~Scope() {
    RecorderFrame& f = recorder_.frame();
    if (recorder_.device_.hasDebugUtils()) recorder_.device_.vk.CmdEndDebugUtilsLabelEXT(f.commands);
    f.timer.endScope(f.commands, index_);
}

}  // namespace wisp::engine
