// SPDX-License-Identifier: MIT
// Faults that a window system may cause in a swapchain, injected by replacing functions of the device.
#include "engine/swapchain.h"
#include "tests/support/gpu_test.h"
#include "tests/support/virtual_display.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace wisp::test {
namespace {

/// The next results of the replaced functions, and their counts. The functions cannot capture anything.
struct HookState {
    std::vector<VkResult> acquire, present, create;  // results to return, first one first; if empty, the real result
    std::optional<VkExtent2D> extent;
    bool surfaceLost = false;
    std::optional<VkPresentModeKHR> onlyMode;
    int semaphores = 0, swapchains = 0, surfaces = 0;
    std::map<std::pair<VkObjectType, std::uint64_t>, std::string> names;  // empty until a name is set
    PFN_vkAcquireNextImageKHR realAcquire = nullptr;
    PFN_vkQueuePresentKHR realPresent = nullptr;
    PFN_vkCreateSwapchainKHR realCreate = nullptr;
    PFN_vkDestroySwapchainKHR realDestroy = nullptr;
    PFN_vkGetPhysicalDeviceSurfaceCapabilitiesKHR realCapabilities = nullptr;
    PFN_vkGetPhysicalDeviceSurfacePresentModesKHR realModes = nullptr;
    PFN_vkCreateSemaphore realSemaphore = nullptr;
    PFN_vkDestroySemaphore realDestroySemaphore = nullptr;
    PFN_vkGetSwapchainImagesKHR realImages = nullptr;
    PFN_vkSetDebugUtilsObjectNameEXT realName = nullptr;
    PFN_vkDestroySurfaceKHR realDestroySurface = nullptr;

    template <class Handle>
    void note(VkObjectType type, Handle handle) {
        names[{type, reinterpret_cast<std::uint64_t>(handle)}].clear();
    }
};
HookState* hookState = nullptr;

std::optional<VkResult> next(std::vector<VkResult>& results) {
    if (results.empty()) return std::nullopt;
    const VkResult result = results.front();
    results.erase(results.begin());
    return result;
}

VkResult acquireImage(VkDevice d, VkSwapchainKHR s, std::uint64_t timeout, VkSemaphore semaphore, VkFence fence, std::uint32_t* index) {
    const std::optional<VkResult> wanted = next(hookState->acquire);
    if (wanted && *wanted != VK_SUBOPTIMAL_KHR) return *wanted;  // no image, and the semaphore is not signalled
    const VkResult result = hookState->realAcquire(d, s, timeout, semaphore, fence, index);
    return result == VK_SUCCESS && wanted ? *wanted : result;
}

VkResult presentImage(VkQueue queue, const VkPresentInfoKHR* info) {
    const VkResult result = hookState->realPresent(queue, info);  // waits for the semaphores, whatever it returns
    return next(hookState->present).value_or(result);
}

VkResult createSwapchain(VkDevice d, const VkSwapchainCreateInfoKHR* info, const VkAllocationCallbacks* a, VkSwapchainKHR* s) {
    if (const std::optional<VkResult> wanted = next(hookState->create)) return *wanted;
    const VkResult result = hookState->realCreate(d, info, a, s);
    hookState->swapchains += result == VK_SUCCESS;
    if (result == VK_SUCCESS) hookState->note(VK_OBJECT_TYPE_SWAPCHAIN_KHR, *s);
    return result;
}

void destroySwapchain(VkDevice d, VkSwapchainKHR s, const VkAllocationCallbacks* a) {
    hookState->realDestroy(d, s, a);
    --hookState->swapchains;
}

VkResult capabilities(VkPhysicalDevice p, VkSurfaceKHR s, VkSurfaceCapabilitiesKHR* can) {
    if (hookState->surfaceLost) return VK_ERROR_SURFACE_LOST_KHR;
    const VkResult result = hookState->realCapabilities(p, s, can);
    if (hookState->extent) {
        can->currentExtent = *hookState->extent;
        can->minImageExtent = can->maxImageExtent = *hookState->extent;  // as for a minimised window on Windows
    }
    return result;
}

VkResult presentModes(VkPhysicalDevice p, VkSurfaceKHR s, std::uint32_t* count, VkPresentModeKHR* modes) {
    if (!hookState->onlyMode) return hookState->realModes(p, s, count, modes);
    *count = 1;
    if (modes) *modes = *hookState->onlyMode;
    return VK_SUCCESS;
}

VkResult createSemaphore(VkDevice d, const VkSemaphoreCreateInfo* info, const VkAllocationCallbacks* a, VkSemaphore* s) {
    ++hookState->semaphores;
    const VkResult result = hookState->realSemaphore(d, info, a, s);
    hookState->note(VK_OBJECT_TYPE_SEMAPHORE, *s);
    return result;
}

VkResult swapchainImages(VkDevice d, VkSwapchainKHR s, std::uint32_t* count, VkImage* images) {
    const VkResult result = hookState->realImages(d, s, count, images);
    for (std::uint32_t n = 0; images && n < *count; ++n) hookState->note(VK_OBJECT_TYPE_IMAGE, images[n]);
    return result;
}

VkResult setName(VkDevice d, const VkDebugUtilsObjectNameInfoEXT* info) {
    hookState->names[{info->objectType, info->objectHandle}] = info->pObjectName;
    return hookState->realName(d, info);
}

void destroySemaphore(VkDevice d, VkSemaphore s, const VkAllocationCallbacks* a) {
    hookState->realDestroySemaphore(d, s, a);
    --hookState->semaphores;
}

void destroySurface(VkInstance i, VkSurfaceKHR s, const VkAllocationCallbacks* a) {
    hookState->realDestroySurface(i, s, a);
    --hookState->surfaces;
}

/// Replaces functions of a device during its lifetime.
struct Hooks {
    explicit Hooks(engine::Device& of) : device(of), before(of.vk) {
        engine::Functions& vk = device.vk;
        hookState.realAcquire = std::exchange(vk.AcquireNextImageKHR, acquireImage);
        hookState.realPresent = std::exchange(vk.QueuePresentKHR, presentImage);
        hookState.realCreate = std::exchange(vk.CreateSwapchainKHR, createSwapchain);
        hookState.realDestroy = std::exchange(vk.DestroySwapchainKHR, destroySwapchain);
        hookState.realCapabilities = std::exchange(vk.GetPhysicalDeviceSurfaceCapabilitiesKHR, capabilities);
        hookState.realModes = std::exchange(vk.GetPhysicalDeviceSurfacePresentModesKHR, presentModes);
        hookState.realSemaphore = std::exchange(vk.CreateSemaphore, createSemaphore);
        hookState.realImages = std::exchange(vk.GetSwapchainImagesKHR, swapchainImages);
        hookState.realName = std::exchange(vk.SetDebugUtilsObjectNameEXT, setName);
        hookState.realDestroySemaphore = std::exchange(vk.DestroySemaphore, destroySemaphore);
        hookState.realDestroySurface = std::exchange(vk.DestroySurfaceKHR, destroySurface);
    }
    ~Hooks() { device.vk = before; }
    Hooks(const Hooks&) = delete;
    Hooks& operator=(const Hooks&) = delete;

    engine::Device& device;
    engine::Functions before;
    HookState hookState;
};

class EngineSwapchain : public GpuTest {
protected:
    /// One display for all tests, because drivers keep state about the connection.
    static void SetUpTestSuite() {
        display_.emplace();
        if (!*display_ || !glfwInit()) return;
        glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
        window_ = glfwCreateWindow(320, 200, "test", nullptr, nullptr);
    }
    static void TearDownTestSuite() {
        glfwTerminate();
        display_.reset();
    }
    void SetUp() override {
        GpuTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        ASSERT_NE(window_, nullptr) << "needs Xvfb";
        hooks_.emplace(device());
        hookState = &hooks_->hookState;
        shaders_ = library(testShaders());
        words_ = buffer("words", 640 * 480 * 4);
        recorder_.emplace(device(), *shaders_);
        semaphoresAtStart_ = hookState->semaphores;
        swapchain_.emplace(device(), [](VkInstance instance) {
            VkSurfaceKHR surface = VK_NULL_HANDLE;
            engine::check(glfwCreateWindowSurface(instance, window_, nullptr, &surface), "glfwCreateWindowSurface");
            ++hookState->surfaces;
            return surface;
        });
    }
    void TearDown() override {
        if (recorder_) recorder_->finish();
        swapchain_.reset();
        if (!hookState) return GpuTest::TearDown();
        EXPECT_EQ(hookState->swapchains, 0);
        EXPECT_EQ(hookState->surfaces, 0);
        EXPECT_EQ(hookState->semaphores, semaphoresAtStart_);
        recorder_.reset();
        words_ = {};
        shaders_.reset();
        hooks_.reset();
        hookState = nullptr;
        GpuTest::TearDown();
    }
    /// One frame of a window. Returns whether there was an image to draw to.
    bool frame() {
        glfwPollEvents();
        recorder_->begin();
        const bool acquired = swapchain_->acquire(size_);
        if (acquired) {
            recorder_->clear(words_, 0xff102030u);
            recorder_->present(words_, *swapchain_);
        }
        recorder_->submit();
        swapchain_->present();
        EXPECT_LE(hookState->swapchains, 1);
        EXPECT_EQ(hookState->surfaces, 1);
        EXPECT_LE(hookState->semaphores, semaphoresAtStart_ + 3 + 8);  // 3 for frames, 8 for images
        return acquired;
    }
    /// Frames are presented normally, without a new swapchain.
    void expectNormalFrames(int frames = 6) {
        const std::uint64_t made = swapchain_->counters.made, presented = swapchain_->counters.presented;
        for (int n = 0; n < frames; ++n) EXPECT_TRUE(frame()) << n;
        EXPECT_EQ(swapchain_->counters.made, made);
        EXPECT_EQ(swapchain_->counters.presented, presented + static_cast<std::uint64_t>(frames));
        EXPECT_EQ(swapchain_->size(), size_);
    }

    /// Frames are presented normally after a fault that needs `made` new swapchains and `surfaces` new surfaces.
    template <class Fault>
    void expectRecoveryAfter(std::uint64_t made, std::uint64_t surfaces, Fault fault) {
        EXPECT_TRUE(frame());
        const engine::Swapchain::Counters before = swapchain_->counters;
        fault();
        expectNormalFrames();
        EXPECT_EQ(swapchain_->counters.made, before.made + made);
        EXPECT_EQ(swapchain_->counters.surfaces, before.surfaces + surfaces);
    }

    std::optional<Hooks> hooks_;
    inline static std::optional<VirtualDisplay> display_;
    inline static GLFWwindow* window_ = nullptr;
    int semaphoresAtStart_ = 0;  // number of semaphores
    glm::uvec2 size_{320, 200};
    std::unique_ptr<engine::ShaderLibrary> shaders_;
    engine::Buffer words_;
    std::optional<engine::Recorder> recorder_;
    std::optional<engine::Swapchain> swapchain_;
};

TEST_F(EngineSwapchain, ObjectsHaveNames) {
    ASSERT_TRUE(frame());
    std::map<VkObjectType, std::set<std::string>> names;
    for (const auto& [object, name] : hookState->names) names[object.first].insert(name);
    EXPECT_EQ(names[VK_OBJECT_TYPE_SEMAPHORE], (std::set<std::string>{"image available", "image rendered"}));
    EXPECT_EQ(names[VK_OBJECT_TYPE_SWAPCHAIN_KHR], std::set<std::string>{"window"});
    EXPECT_EQ(names[VK_OBJECT_TYPE_IMAGE], std::set<std::string>{"window"});
}

TEST_F(EngineSwapchain, PresentsImages) {
    EXPECT_TRUE(frame());
    EXPECT_EQ(swapchain_->counters.made, 1u);
    expectNormalFrames(20);
}

TEST_F(EngineSwapchain, OutOfDateAtAcquireRecreatesAtOnce) {
    expectRecoveryAfter(1, 0, [&] {
        hookState->acquire = {VK_ERROR_OUT_OF_DATE_KHR};
        EXPECT_TRUE(frame());
    });
    // Out of date twice in a row: this frame is skipped, the next one is shown.
    expectRecoveryAfter(2, 0, [&] {
        hookState->acquire = {VK_ERROR_OUT_OF_DATE_KHR, VK_ERROR_OUT_OF_DATE_KHR};
        EXPECT_FALSE(frame());
        EXPECT_TRUE(frame());
    });
}

TEST_F(EngineSwapchain, ATimeoutSkipsTheFrame) {
    expectRecoveryAfter(0, 0, [&] {
        hookState->acquire = {VK_TIMEOUT, VK_NOT_READY, VK_TIMEOUT, VK_TIMEOUT, VK_TIMEOUT};
        for (int n = 0; n < 5; ++n) EXPECT_FALSE(frame());
    });
}

TEST_F(EngineSwapchain, SuboptimalIsPresentedAndThenRecreated) {
    expectRecoveryAfter(1, 0, [&] {
        hookState->acquire = {VK_SUBOPTIMAL_KHR};
        EXPECT_TRUE(frame());
        EXPECT_TRUE(frame());
    });
    expectRecoveryAfter(1, 0, [&] {
        hookState->present = {VK_SUBOPTIMAL_KHR};
        EXPECT_TRUE(frame());
        EXPECT_TRUE(frame());
    });
}

TEST_F(EngineSwapchain, OutOfDateAtPresentRecreates) {
    const std::uint64_t presented = swapchain_->counters.presented;
    expectRecoveryAfter(1, 0, [&] {
        hookState->present = {VK_ERROR_OUT_OF_DATE_KHR};
        EXPECT_TRUE(frame());
        EXPECT_EQ(swapchain_->counters.presented, presented + 1) << "only the frame before the fault";
        EXPECT_TRUE(frame());
    });
}

TEST_F(EngineSwapchain, ALostSurfaceIsRecreatedAfterAnyCall) {
    expectRecoveryAfter(1, 1, [&] {
        hookState->acquire = {VK_ERROR_SURFACE_LOST_KHR};
        EXPECT_TRUE(frame());
    });
    expectRecoveryAfter(1, 1, [&] {
        hookState->present = {VK_ERROR_SURFACE_LOST_KHR};
        EXPECT_TRUE(frame());
        EXPECT_TRUE(frame());
    });
    expectRecoveryAfter(2, 1, [&] {
        hookState->acquire = {VK_ERROR_OUT_OF_DATE_KHR};
        hookState->create = {VK_ERROR_SURFACE_LOST_KHR};
        EXPECT_FALSE(frame());
        EXPECT_TRUE(frame());
        hookState->acquire = {VK_ERROR_OUT_OF_DATE_KHR};  // the new surface works as well
        EXPECT_TRUE(frame());
    });
    expectRecoveryAfter(1, 3, [&] {
        hookState->acquire = {VK_ERROR_OUT_OF_DATE_KHR};
        hookState->surfaceLost = true;
        for (int n = 0; n < 3; ++n) EXPECT_FALSE(frame());
        hookState->surfaceLost = false;
        EXPECT_TRUE(frame());
    });
}

TEST_F(EngineSwapchain, OutOfDateDuringCreationRecovers) {
    expectRecoveryAfter(1, 0, [&] {
        hookState->acquire = {VK_ERROR_OUT_OF_DATE_KHR};
        hookState->create = {VK_ERROR_OUT_OF_DATE_KHR, VK_ERROR_OUT_OF_DATE_KHR};
        EXPECT_FALSE(frame());
        EXPECT_FALSE(frame());
        EXPECT_TRUE(frame());
    });
}

TEST_F(EngineSwapchain, AWindowWithoutAreaSkipsFrames) {
    expectRecoveryAfter(1, 0, [&] {
        hookState->acquire = {VK_ERROR_OUT_OF_DATE_KHR};
        hookState->extent = VkExtent2D{0, 0};
        for (int n = 0; n < 4; ++n) EXPECT_FALSE(frame());
        hookState->extent.reset();
        EXPECT_TRUE(frame());
    });
    expectRecoveryAfter(0, 0, [&] {
        const glm::uvec2 before = std::exchange(size_, {0, 0});
        for (int n = 0; n < 4; ++n) EXPECT_FALSE(frame());
        size_ = before;
    });
}

TEST_F(EngineSwapchain, FollowsTheWindow) {
    for (const glm::ivec2 size : {glm::ivec2(200, 330), glm::ivec2(333, 100), glm::ivec2(320, 200)}) {
        glfwSetWindowSize(window_, size.x, size.y);
        for (int n = 0; n < 500 && swapchain_->size() != glm::uvec2(size); ++n) {
            glfwPollEvents();
            int width = 0, height = 0;
            glfwGetFramebufferSize(window_, &width, &height);
            size_ = {width, height};
            frame();
        }
        expectNormalFrames();
    }
}

TEST_F(EngineSwapchain, EveryPresentModeAndSwitchesBetweenThem) {
    VkSurfaceKHR surface = VK_NULL_HANDLE;
    engine::check(glfwCreateWindowSurface(device().instance(), window_, nullptr, &surface), "glfwCreateWindowSurface");
    std::uint32_t count = 8;
    VkPresentModeKHR offered[8];
    engine::check(hookState->realModes(device().physical(), surface, &count, offered), "vkGetPhysicalDeviceSurfacePresentModesKHR");
    device().vk.DestroySurfaceKHR(device().instance(), surface, nullptr);
    ++hookState->surfaces;  // this surface does not belong to the swapchain
    EXPECT_TRUE(frame());
    EXPECT_EQ(swapchain_->presentMode(), VK_PRESENT_MODE_FIFO_KHR);
    for (std::uint32_t n = 0; n < count; ++n) {
        hookState->onlyMode = offered[n];
        const bool quick = offered[n] == VK_PRESENT_MODE_MAILBOX_KHR || offered[n] == VK_PRESENT_MODE_IMMEDIATE_KHR;
        expectRecoveryAfter(1, 0, [&] {
            swapchain_->setVsync(false);
            EXPECT_TRUE(frame());
            EXPECT_EQ(swapchain_->presentMode(), quick ? offered[n] : VK_PRESENT_MODE_FIFO_KHR);
        });
        expectRecoveryAfter(1, 0, [&] {
            swapchain_->setVsync(true);
            EXPECT_TRUE(frame());
            EXPECT_EQ(swapchain_->presentMode(), VK_PRESENT_MODE_FIFO_KHR);
            swapchain_->setVsync(true);  // no change
        });
    }
}

}  // namespace
}  // namespace wisp::test
