// SPDX-License-Identifier: MIT
#pragma once

#include "engine/recorder.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace wisp::test {

/// The shaders in tests/gpu/shaders (generated source, see cmake/EmbedShaders.cmake).
std::span<const engine::EmbeddedShader> testShaders();

/// A device, made once for the program: validation on, and every new image and buffer starts as NaN.
/// Null where there is no Vulkan.
engine::Device* sharedDevice();

/// Base of every test that needs a GPU. Without one a test is skipped, or fails if WISP_REQUIRE_VULKAN=1. After every test
/// the validation layers must have had nothing to say.
class GpuTest : public ::testing::Test {
protected:
    void SetUp() override;
    void TearDown() override;

    engine::Device& device() { return *device_; }
    /// From here on that one; it must outlive the test's TearDown.
    void useDevice(engine::Device& device);

    /// The pipelines of `shaders`; made anew by every call.
    std::unique_ptr<engine::ShaderLibrary> library(std::span<const engine::EmbeddedShader> shaders,
                                                   const engine::ShaderOptions& options = {});

    engine::Image image(const std::string& name, glm::uvec3 size, VkFormat format = VK_FORMAT_R32_SFLOAT, bool flat = false);
    engine::Buffer buffer(const std::string& name, std::size_t bytes, bool byAddress = false);

    /// Records and runs one frame, and waits for it.
    void run(engine::ShaderLibrary& shaders, const std::function<void(engine::Recorder&)>& record);

    /// The message of the shader error that `record` must end in.
    std::string shaderError(engine::ShaderLibrary& shaders, const std::function<void(engine::Recorder&)>& record);

    /// Every channel of every texel as a float, x fastest; half and unorm formats are converted (and rounded).
    std::vector<float> download(const engine::Image& image);
    std::vector<float> download(const engine::Buffer& buffer);
    std::vector<std::byte> downloadBytes(const engine::Buffer& buffer);
    void upload(const engine::Image& image, const std::vector<float>& values);
    void upload(const engine::Buffer& buffer, const std::vector<float>& values);

private:
    engine::ShaderLibrary& noShaders();
    engine::Device* device_ = nullptr;
    std::unique_ptr<engine::ShaderLibrary> noShaders_;
};

/// Texel values to and from the bytes of an image.
std::vector<std::byte> encodeTexels(VkFormat format, const std::vector<float>& values);
std::vector<float> decodeTexels(VkFormat format, std::span<const std::byte> bytes);

}  // namespace wisp::test
