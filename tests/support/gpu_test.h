// SPDX-License-Identifier: MIT
#pragma once

#include "engine/recorder.h"
#include "tests/support/library_pool.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace wisp::test {

/// The shaders in tests/gpu/shaders (generated source, see cmake/EmbedShaders.cmake).
std::span<const engine::EmbeddedShader> testShaders();

/// The device that all tests share. Validation is on, and every new image and buffer is filled with NaN. Null if Vulkan is not available.
engine::Device* sharedDevice();
/// Calls `end` at the end of the program, before the shared device is destroyed.
void beforeSharedDeviceEnds(std::function<void()> end);

/// Base of every test that needs a GPU. Without a GPU the test is skipped, or fails if WISP_REQUIRE_VULKAN=1. After every test the
/// validation layers must not have reported any message.
class GpuTest : public ::testing::Test {
protected:
    void SetUp() override;
    void TearDown() override;

    engine::Device& device() { return *device_; }
    /// Uses `device` from here on. It must outlive the TearDown of the test.
    void useDevice(engine::Device& device);

    /// A new library, which creates its pipelines again. Tests that do not test this use pooledLibrary().
    std::unique_ptr<engine::ShaderLibrary> library(std::span<const engine::EmbeddedShader> shaders,
                                                   const engine::ShaderOptions& options = {});

    engine::Image image(const std::string& name, glm::uvec3 size, VkFormat format = VK_FORMAT_R32_SFLOAT, bool flat = false);
    engine::Buffer buffer(const std::string& name, std::size_t bytes, bool byAddress = false);

    /// Records and runs one frame, and waits for it.
    void run(engine::ShaderLibrary& shaders, const std::function<void(engine::Recorder&)>& record);

    /// Returns the message of the shader error that `record` must cause.
    std::string shaderError(engine::ShaderLibrary& shaders, const std::function<void(engine::Recorder&)>& record);

    /// Every channel of every texel as a float, x fastest. Half and unorm formats are converted to float.
    std::vector<float> download(const engine::Image& image);
    std::vector<float> download(const engine::Buffer& buffer);
    std::vector<std::byte> downloadBytes(const engine::Buffer& buffer);
    void upload(const engine::Image& image, const std::vector<float>& values);
    void upload(const engine::Buffer& buffer, const std::vector<float>& values);

private:
    engine::ShaderLibrary& noShaders();
    engine::Device* device_ = nullptr;
    PooledLibrary noShaders_;
};

/// Converts between texel values and the bytes of an image.
std::vector<std::byte> encodeTexels(VkFormat format, const std::vector<float>& values);
std::vector<float> decodeTexels(VkFormat format, std::span<const std::byte> bytes);

}  // namespace wisp::test
