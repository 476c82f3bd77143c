// SPDX-License-Identifier: MIT
#include "frames.h"

#include <glm/gtc/type_ptr.hpp>

#include <algorithm>
#include <limits>

namespace {

std::array<float, 16> numbersOf(const glm::mat4& m) {
    std::array<float, 16> numbers{};
    std::copy_n(glm::value_ptr(m), numbers.size(), numbers.begin());
    return numbers;
}

}  // namespace

Frames::Frames(Gpu& gpu, VkFormat target)
    : gpu_(gpu),
      painter_(gpu, world_, makeMesh(), target),
      timeline_(makeSemaphore(gpu, VK_SEMAPHORE_TYPE_TIMELINE)),
      device_(gpu.lend()),
      simulation_(device_, makeScene(world_)) {
    for (Slot& slot : slots_) {
        VkCommandPoolCreateInfo info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
        info.queueFamilyIndex = gpu.family();
        VkCommandPool pool = VK_NULL_HANDLE;
        check(vkCreateCommandPool(gpu.device(), &info, nullptr, &pool), "vkCreateCommandPool");
        slot.pool = {pool, [device = gpu.device()](VkCommandPool p) { vkDestroyCommandPool(device, p, nullptr); }};
        const VkCommandBufferAllocateInfo commands{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                                   VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
        check(vkAllocateCommandBuffers(gpu.device(), &commands, &slot.commands), "vkAllocateCommandBuffers");
    }
}

Frames::~Frames() {
    try {
        gpu_.waitIdle();
        if (begun_ == submitted_) return;
        // After an error this frame is never submitted. wisp must not wait for it.
        const VkSemaphoreSignalInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, timeline_, begun_};
        check(vkSignalSemaphore(gpu_.device(), &info), "vkSignalSemaphore");
    } catch (const std::exception&) {  // the device is lost, and nothing runs
    }
}

void Frames::resize(VkExtent2D size) {
    finish();
    size_ = size;
    painter_.resize(size);
    if (renderer_) renderer_->resize(size.width, size.height);
    else renderer_.emplace(simulation_, wisp::RendererOptions{.width = size.width, .height = size.height, .composite = true});
}

void Frames::waitFor(std::uint64_t value) {
    VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    info.semaphoreCount = 1;
    info.pSemaphores = timeline_.address();
    info.pValues = &value;
    check(vkWaitSemaphores(gpu_.device(), &info, std::numeric_limits<std::uint64_t>::max()), "vkWaitSemaphores");
}

void Frames::finish() { waitFor(submitted_); }

void Frames::waitForSlot() {
    if (begun_ >= slots_.size()) waitFor(begun_ + 1 - slots_.size());
}

VkCommandBuffer Frames::begin() {
    waitForSlot();
    ++begun_;
    const Slot& now = slots_[slot()];
    check(vkResetCommandPool(gpu_.device(), now.pool, 0), "vkResetCommandPool");
    VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    check(vkBeginCommandBuffer(now.commands, &info), "vkBeginCommandBuffer");
    return now.commands;
}

void Frames::draw(VkImageView target) {
    const VkCommandBuffer commands = slots_[slot()].commands;
    const wisp::HostCommands host{commands, timeline_, begun_};
    simulation_.record(host);

    const float aspect = static_cast<float>(size_.width) / static_cast<float>(size_.height);
    const Matrices matrices = orbit(simulation_.time(), aspect);
    const wisp::Camera camera = wisp::Camera::fromMatrices(numbersOf(matrices.view), numbersOf(matrices.projection));
    painter_.drawScene(commands, matrices.projection * matrices.view, camera, simulation_.field("density"));

    renderer_->setCamera(camera);
    renderer_->record(host, painter_.depth());
    painter_.drawComposite(commands, renderer_->picture(), target);
}

void Frames::submit(VkSemaphore wait, VkSemaphore signal) {
    const Slot& now = slots_[slot()];
    check(vkEndCommandBuffer(now.commands), "vkEndCommandBuffer");
    const VkCommandBufferSubmitInfo commands{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, nullptr, now.commands, 0};
    const auto point = [](VkSemaphore semaphore, std::uint64_t value, VkPipelineStageFlags2 stages) {
        return VkSemaphoreSubmitInfo{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, value, stages, 0};
    };
    const VkSemaphoreSubmitInfo waits = point(wait, 0, VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT);
    const std::array signals{point(timeline_, begun_, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT),
                             point(signal, 0, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)};
    VkSubmitInfo2 info{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
    info.waitSemaphoreInfoCount = wait ? 1 : 0;
    info.pWaitSemaphoreInfos = &waits;
    info.commandBufferInfoCount = 1;
    info.pCommandBufferInfos = &commands;
    info.signalSemaphoreInfoCount = signal ? 2 : 1;
    info.pSignalSemaphoreInfos = signals.data();
    const std::lock_guard lock(gpu_.queueMutex());
    check(vkQueueSubmit2(gpu_.queue(), 1, &info, VK_NULL_HANDLE), "vkQueueSubmit2");
    submitted_ = begun_;
}
