// SPDX-License-Identifier: MIT
#include "engine/swapchain.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace wisp::engine {
namespace {

constexpr std::uint64_t kAcquireTimeout = 100'000'000;  // [ns], so that a hidden window does not block the program

VkSemaphore makeSemaphore(Device& device, const char* name) {
    const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    VkSemaphore semaphore = VK_NULL_HANDLE;
    check(device.vk.CreateSemaphore(device.handle(), &info, nullptr, &semaphore), "vkCreateSemaphore");
    device.setName(VK_OBJECT_TYPE_SEMAPHORE, semaphore, name);
    return semaphore;
}

}  // namespace

Swapchain::Swapchain(Device& device, MakeSurface makeSurface) : device_(device), makeSurface_(std::move(makeSurface)) {
    try {
        this->makeSurface();
        for (VkSemaphore& s : imageAvailable_) s = makeSemaphore(device_, "image available");
    } catch (...) {
        destroySurface();
        for (const VkSemaphore s : imageAvailable_) device_.vk.DestroySemaphore(device_.handle(), s, nullptr);
        throw;
    }
}

Swapchain::~Swapchain() {
    device_.vk.DeviceWaitIdle(device_.handle());
    destroySurface();
    for (const VkSemaphore s : imageAvailable_) device_.vk.DestroySemaphore(device_.handle(), s, nullptr);
}

void Swapchain::makeSurface() {
    // Without the extension the loader's functions exist as well, but they abort.
    if (!device_.vk.CreateSwapchainKHR || !device_.hasExtension(VK_KHR_SWAPCHAIN_EXTENSION_NAME))
        throw Error(ErrorKind::NoDevice, device_.report().name + ": cannot present to a window: VK_KHR_swapchain is not supported");
    surface_ = makeSurface_(device_.instance());
    ++counters.surfaces;
    VkBool32 can = VK_FALSE;
    check(device_.vk.GetPhysicalDeviceSurfaceSupportKHR(device_.physical(), device_.queueFamily(), surface_, &can),
          "vkGetPhysicalDeviceSurfaceSupportKHR");
    if (!can) throw Error(ErrorKind::NoDevice, device_.report().name + ": the queue cannot present to this window");
    chooseFormat();
    stale_ = true;
    lost_ = false;
}

/// Chooses a format with 8 bits per channel and without conversion: the pixels are sRGB-encoded already.
void Swapchain::chooseFormat() {
    std::uint32_t count = 0;
    check(device_.vk.GetPhysicalDeviceSurfaceFormatsKHR(device_.physical(), surface_, &count, nullptr),
          "vkGetPhysicalDeviceSurfaceFormatsKHR");
    std::vector<VkSurfaceFormatKHR> formats(count);
    check(device_.vk.GetPhysicalDeviceSurfaceFormatsKHR(device_.physical(), surface_, &count, formats.data()),
          "vkGetPhysicalDeviceSurfaceFormatsKHR");
    // Copies do not convert, so sRGB formats work as well.
    for (const auto& [wanted, blueFirst] : {std::pair(VK_FORMAT_B8G8R8A8_UNORM, true), std::pair(VK_FORMAT_R8G8B8A8_UNORM, false),
                                            std::pair(VK_FORMAT_B8G8R8A8_SRGB, true), std::pair(VK_FORMAT_R8G8B8A8_SRGB, false)}) {
        const auto found = std::find_if(formats.begin(), formats.end(), [format = wanted](const VkSurfaceFormatKHR& f) {
            return f.format == format && f.colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR;
        });
        if (found == formats.end()) continue;
        format_ = *found;
        blueFirst_ = blueFirst;
        return;
    }
    throw Error(ErrorKind::NoDevice, device_.report().name + ": the window supports no format with 8 bits per channel in sRGB");
}

VkPresentModeKHR Swapchain::chooseMode() const {
    if (vsync_) return VK_PRESENT_MODE_FIFO_KHR;  // always supported
    std::uint32_t count = 0;
    check(device_.vk.GetPhysicalDeviceSurfacePresentModesKHR(device_.physical(), surface_, &count, nullptr),
          "vkGetPhysicalDeviceSurfacePresentModesKHR");
    std::vector<VkPresentModeKHR> modes(count);
    check(device_.vk.GetPhysicalDeviceSurfacePresentModesKHR(device_.physical(), surface_, &count, modes.data()),
          "vkGetPhysicalDeviceSurfacePresentModesKHR");
    for (const VkPresentModeKHR wanted : {VK_PRESENT_MODE_MAILBOX_KHR, VK_PRESENT_MODE_IMMEDIATE_KHR})
        if (std::find(modes.begin(), modes.end(), wanted) != modes.end()) return wanted;
    return VK_PRESENT_MODE_FIFO_KHR;
}

void Swapchain::setVsync(bool vsync) {
    stale_ = stale_ || vsync_ != vsync;
    vsync_ = vsync;
}

/// If the surface is lost, the next acquire creates a new one.
bool Swapchain::isLost(VkResult result) {
    lost_ = lost_ || result == VK_ERROR_SURFACE_LOST_KHR;
    return result == VK_ERROR_SURFACE_LOST_KHR;
}

bool Swapchain::make(glm::uvec2 size) {
    VkSurfaceCapabilitiesKHR can;
    const VkResult result = device_.vk.GetPhysicalDeviceSurfaceCapabilitiesKHR(device_.physical(), surface_, &can);
    if (isLost(result)) return false;
    check(result, "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
    const bool isFree = can.currentExtent.width == ~0u;  // the swapchain determines the size of the surface
    const VkExtent2D extent{std::clamp(isFree ? size.x : can.currentExtent.width, can.minImageExtent.width, can.maxImageExtent.width),
                            std::clamp(isFree ? size.y : can.currentExtent.height, can.minImageExtent.height, can.maxImageExtent.height)};
    if (extent.width == 0 || extent.height == 0) return false;
    if (!(can.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_DST_BIT))
        throw Error(ErrorKind::NoDevice, device_.report().name + ": copies to the images of this window are not supported");

    VkSwapchainCreateInfoKHR info{VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR};
    info.surface = surface_;
    info.minImageCount = can.maxImageCount == 0 ? can.minImageCount + 1 : std::min(can.minImageCount + 1, can.maxImageCount);
    info.imageFormat = format_.format;
    info.imageColorSpace = format_.colorSpace;
    info.imageExtent = extent;
    info.imageArrayLayers = 1;
    info.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    info.preTransform = can.currentTransform;
    info.compositeAlpha = can.supportedCompositeAlpha & VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR ? VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
                                                                                          : VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR;
    info.presentMode = chooseMode();
    info.clipped = VK_TRUE;
    info.oldSwapchain = swapchain_;
    check(device_.vk.QueueWaitIdle(device_.queue()), "vkQueueWaitIdle");  // images that are being presented are still in use
    VkSwapchainKHR made = VK_NULL_HANDLE;
    const VkResult created = device_.vk.CreateSwapchainKHR(device_.handle(), &info, nullptr, &made);
    destroyImages();
    if (isLost(created) || created == VK_ERROR_OUT_OF_DATE_KHR) return false;  // the next acquire tries again
    check(created, "vkCreateSwapchainKHR");
    swapchain_ = made;
    std::uint32_t count = 0;
    check(device_.vk.GetSwapchainImagesKHR(device_.handle(), swapchain_, &count, nullptr), "vkGetSwapchainImagesKHR");
    images_.resize(count);
    check(device_.vk.GetSwapchainImagesKHR(device_.handle(), swapchain_, &count, images_.data()), "vkGetSwapchainImagesKHR");
    for (std::uint32_t i = 0; i < count; ++i) renderFinished_.push_back(makeSemaphore(device_, "image rendered"));
    device_.setName(VK_OBJECT_TYPE_SWAPCHAIN_KHR, swapchain_, "window");
    for (const VkImage image : images_) device_.setName(VK_OBJECT_TYPE_IMAGE, image, "window");
    extent_ = extent;
    mode_ = info.presentMode;
    stale_ = false;
    ++counters.made;
    return true;
}

bool Swapchain::acquire(glm::uvec2 size) {
    if (size.x == 0 || size.y == 0) return false;
    if (std::exchange(requestedSize_, size) != size) stale_ = true;
    for (int attempt = 0; attempt < 2; ++attempt) {
        if (lost_) {
            destroySurface();
            makeSurface();
        }
        if ((stale_ || !swapchain_) && !make(size)) return false;
        const std::uint32_t slot = (slot_ + 1) % static_cast<std::uint32_t>(imageAvailable_.size());
        const VkResult result = device_.vk.AcquireNextImageKHR(device_.handle(), swapchain_, kAcquireTimeout, imageAvailable_[slot],
                                                               VK_NULL_HANDLE, &index_);
        if (result == VK_SUCCESS || result == VK_SUBOPTIMAL_KHR) {
            slot_ = slot;
            stale_ = result == VK_SUBOPTIMAL_KHR;
            return acquired_ = true;
        }
        if (result == VK_TIMEOUT || result == VK_NOT_READY) return false;
        if (!isLost(result) && result != VK_ERROR_OUT_OF_DATE_KHR) check(result, "vkAcquireNextImageKHR");
        stale_ = true;
    }
    return false;
}

void Swapchain::present() {
    if (!std::exchange(acquired_, false)) return;
    VkPresentInfoKHR info{VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
    info.waitSemaphoreCount = 1;
    info.pWaitSemaphores = &renderFinished_[index_];
    info.swapchainCount = 1;
    info.pSwapchains = &swapchain_;
    info.pImageIndices = &index_;
    const VkResult result = device_.vk.QueuePresentKHR(device_.queue(), &info);
    if (result == VK_SUCCESS || result == VK_SUBOPTIMAL_KHR) ++counters.presented;
    if (isLost(result) || result == VK_SUBOPTIMAL_KHR || result == VK_ERROR_OUT_OF_DATE_KHR) stale_ = true;
    else check(result, "vkQueuePresentKHR");
    device_.throwOnValidation();
}

void Swapchain::destroyImages() noexcept {
    for (const VkSemaphore s : renderFinished_) device_.vk.DestroySemaphore(device_.handle(), s, nullptr);
    renderFinished_.clear();
    images_.clear();
    if (swapchain_) device_.vk.DestroySwapchainKHR(device_.handle(), std::exchange(swapchain_, VK_NULL_HANDLE), nullptr);
}

void Swapchain::destroySurface() noexcept {
    if (device_.handle()) device_.vk.QueueWaitIdle(device_.queue());
    destroyImages();
    if (surface_) device_.vk.DestroySurfaceKHR(device_.instance(), std::exchange(surface_, VK_NULL_HANDLE), nullptr);
}

}  // namespace wisp::engine
