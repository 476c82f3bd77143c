// SPDX-License-Identifier: MIT
#include "window.h"

#include <vulkan/vulkan.h>

#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <vector>

namespace {

std::runtime_error glfwFailure(const char* what) {
    const char* why = nullptr;
    glfwGetError(&why);
    return std::runtime_error(std::string(what) + ": " + (why ? why : "unknown"));
}

VkExtent2D pixelsOf(GLFWwindow* window) {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window, &width, &height);
    return {static_cast<std::uint32_t>(std::max(width, 0)), static_cast<std::uint32_t>(std::max(height, 0))};
}

/// Eight bits a channel, without a curve of its own: the shader writes sRGB.
VkSurfaceFormatKHR formatOf(const Gpu& gpu, VkSurfaceKHR surface) {
    std::uint32_t count = 0;
    check(vkGetPhysicalDeviceSurfaceFormatsKHR(gpu.physical(), surface, &count, nullptr), "vkGetPhysicalDeviceSurfaceFormatsKHR");
    std::vector<VkSurfaceFormatKHR> formats(count);
    check(vkGetPhysicalDeviceSurfaceFormatsKHR(gpu.physical(), surface, &count, formats.data()), "vkGetPhysicalDeviceSurfaceFormatsKHR");
    for (const VkSurfaceFormatKHR& f : formats)
        if ((f.format == VK_FORMAT_B8G8R8A8_UNORM || f.format == VK_FORMAT_R8G8B8A8_UNORM) &&
            f.colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR)
            return f;
    throw std::runtime_error("the window has no format with 8 bits a channel");
}

}  // namespace

struct Window::Swapchain {
    /// `old`: is retired.
    Swapchain(const Gpu& gpu, VkSurfaceKHR surface, VkSurfaceFormatKHR format, VkExtent2D pixels, VkSwapchainKHR old) {
        VkSurfaceCapabilitiesKHR can;
        check(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(gpu.physical(), surface, &can), "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
        size = can.currentExtent;
        if (size.width == std::numeric_limits<std::uint32_t>::max())
            size = {std::clamp(pixels.width, can.minImageExtent.width, can.maxImageExtent.width),
                    std::clamp(pixels.height, can.minImageExtent.height, can.maxImageExtent.height)};
        VkSwapchainCreateInfoKHR info{VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR};
        info.surface = surface;
        info.minImageCount = can.maxImageCount == 0 ? can.minImageCount + 1 : std::min(can.minImageCount + 1, can.maxImageCount);
        info.imageFormat = format.format;
        info.imageColorSpace = format.colorSpace;
        info.imageExtent = size;
        info.imageArrayLayers = 1;
        info.imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
        info.preTransform = can.currentTransform;
        info.compositeAlpha = (can.supportedCompositeAlpha & VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR) ? VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
                                                                                                : VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR;
        info.presentMode = VK_PRESENT_MODE_FIFO_KHR;
        info.clipped = VK_TRUE;
        info.oldSwapchain = old;
        VkSwapchainKHR made = VK_NULL_HANDLE;
        check(vkCreateSwapchainKHR(gpu.device(), &info, nullptr, &made), "vkCreateSwapchainKHR");
        handle = {made, [device = gpu.device()](VkSwapchainKHR s) { vkDestroySwapchainKHR(device, s, nullptr); }};
        std::uint32_t count = 0;
        check(vkGetSwapchainImagesKHR(gpu.device(), made, &count, nullptr), "vkGetSwapchainImagesKHR");
        images.resize(count);
        check(vkGetSwapchainImagesKHR(gpu.device(), made, &count, images.data()), "vkGetSwapchainImagesKHR");
        for (const VkImage image : images) {
            views.push_back(makeView(gpu, image, format.format));
            drawn.push_back(makeSemaphore(gpu, VK_SEMAPHORE_TYPE_BINARY));
        }
    }
    VkExtent2D size{};
    Owned<VkSwapchainKHR> handle;
    std::vector<VkImage> images;
    std::vector<Owned<VkImageView>> views;
    std::vector<Owned<VkSemaphore>> drawn;  ///< one an image: is free again when the image is acquired again
};

Window::Window(VkExtent2D size) {
    if (!glfwInit()) throw glfwFailure("GLFW");
    if (!glfwVulkanSupported()) {
        glfwTerminate();
        throw std::runtime_error("GLFW: no Vulkan driver can show pictures in a window");
    }
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    window_ = glfwCreateWindow(static_cast<int>(size.width), static_cast<int>(size.height), "host", nullptr, nullptr);
    if (window_) return;
    const std::runtime_error failure = glfwFailure("no window");
    glfwTerminate();
    throw failure;
}

Window::~Window() {
    glfwDestroyWindow(window_);
    glfwTerminate();
}

GpuOptions Window::needs() const {
    GpuOptions options;
    std::uint32_t count = 0;
    const char** const names = glfwGetRequiredInstanceExtensions(&count);
    if (!names) throw glfwFailure("no Vulkan surface");
    options.instanceExtensions.assign(names, names + count);
    options.presents = [](VkInstance instance, VkPhysicalDevice physical, std::uint32_t family) {
        return glfwGetPhysicalDevicePresentationSupport(instance, physical, family) == GLFW_TRUE;
    };
    return options;
}

/// Draws and presents one picture. `ready`: its image may be written. Returns whether the swapchain still fits the window.
bool Window::show(Gpu& gpu, Frames& frames, const Swapchain& swapchain, std::uint32_t image, VkSemaphore ready) {
    const VkPipelineStageFlags2 output = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;  // for which the submit waits
    const Use drawn{VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, output, VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT};
    const VkCommandBuffer commands = frames.begin();
    transition(commands, swapchain.images[image], {VK_IMAGE_LAYOUT_UNDEFINED, output, VK_ACCESS_2_NONE}, drawn);
    frames.draw(swapchain.views[image]);
    // The semaphore of the submit continues this barrier to the presentation.
    transition(commands, swapchain.images[image], drawn, {VK_IMAGE_LAYOUT_PRESENT_SRC_KHR, output, VK_ACCESS_2_NONE});
    frames.submit(ready, swapchain.drawn[image]);

    VkPresentInfoKHR info{VK_STRUCTURE_TYPE_PRESENT_INFO_KHR};
    info.waitSemaphoreCount = 1;
    info.pWaitSemaphores = swapchain.drawn[image].address();
    info.swapchainCount = 1;
    info.pSwapchains = swapchain.handle.address();
    info.pImageIndices = &image;
    const std::lock_guard lock(gpu.queueMutex());
    const VkResult result = vkQueuePresentKHR(gpu.queue(), &info);
    if (result != VK_ERROR_OUT_OF_DATE_KHR && result != VK_SUBOPTIMAL_KHR) check(result, "vkQueuePresentKHR");
    return result == VK_SUCCESS;
}

std::uint64_t Window::run(Gpu& gpu, double seconds, std::uint32_t skip) {
    VkSurfaceKHR made = VK_NULL_HANDLE;
    check(glfwCreateWindowSurface(gpu.instance(), window_, nullptr, &made), "glfwCreateWindowSurface");
    const Owned<VkSurfaceKHR> surface(made, [instance = gpu.instance()](VkSurfaceKHR s) { vkDestroySurfaceKHR(instance, s, nullptr); });
    VkBool32 shows = VK_FALSE;
    check(vkGetPhysicalDeviceSurfaceSupportKHR(gpu.physical(), gpu.family(), surface, &shows), "vkGetPhysicalDeviceSurfaceSupportKHR");
    if (!shows) throw std::runtime_error(gpu.name() + " cannot present to this window");
    const VkSurfaceFormatKHR format = formatOf(gpu, surface);

    const std::array acquired{makeSemaphore(gpu, VK_SEMAPHORE_TYPE_BINARY), makeSemaphore(gpu, VK_SEMAPHORE_TYPE_BINARY)};  // by slot
    std::optional<Swapchain> swapchain;
    Frames frames(gpu, format.format);  // destroyed first: it waits for the device
    frames.skip(skip);
    std::uint64_t count = 0;
    bool fits = false;
    const double start = glfwGetTime();
    while (!glfwWindowShouldClose(window_) && (seconds <= 0.0 || glfwGetTime() - start < seconds)) {
        glfwPollEvents();
        const VkExtent2D pixels = pixelsOf(window_);
        if (pixels.width == 0 || pixels.height == 0) {  // minimized
            glfwWaitEventsTimeout(0.1);
            continue;
        }
        if (!fits || pixels.width != swapchain->size.width || pixels.height != swapchain->size.height) {
            gpu.waitIdle();  // also for pictures that are presented
            const VkSwapchainKHR old = swapchain ? static_cast<VkSwapchainKHR>(swapchain->handle) : VK_NULL_HANDLE;
            Swapchain next(gpu, surface, format, pixels, old);
            swapchain = std::move(next);
            frames.resize(swapchain->size);
            fits = true;
        }
        frames.waitForSlot();  // then its semaphore is free
        std::uint32_t image = 0;
        const VkSemaphore ready = acquired[count % acquired.size()];
        const VkResult got = vkAcquireNextImageKHR(gpu.device(), swapchain->handle, std::numeric_limits<std::uint64_t>::max(), ready,
                                                   VK_NULL_HANDLE, &image);
        fits = got == VK_SUCCESS;
        if (got == VK_ERROR_OUT_OF_DATE_KHR) continue;
        if (got != VK_SUBOPTIMAL_KHR) check(got, "vkAcquireNextImageKHR");
        fits = show(gpu, frames, *swapchain, image, ready) && fits;
        ++count;
    }
    return count;
}
