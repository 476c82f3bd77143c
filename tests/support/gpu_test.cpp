// SPDX-License-Identifier: MIT
#include "tests/support/gpu_test.h"

#include "tests/support/gpu_assisted.h"
#include "tests/support/library_pool.h"
#include "tests/support/scratch_folder.h"

#include <glm/gtc/packing.hpp>
#include <vector>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace wisp::test {

namespace {

struct SharedDevice {
    std::unique_ptr<engine::Device> device;
    std::string failure;
};

SharedDevice& shared() {
    static SharedDevice instance;
    return instance;
}

/// Destroys the device before static objects are destroyed, because the validation layer has static objects itself.
std::vector<std::function<void()>>& ends() {
    static std::vector<std::function<void()>> all;
    return all;
}

class DeviceEnvironment : public ::testing::Environment {
public:
    void TearDown() override {
        clearLibraryPools();
        for (const std::function<void()>& end : ends()) end();
        shared().device.reset();
    }
};
[[maybe_unused]] const auto* const kEnvironment = ::testing::AddGlobalTestEnvironment(new DeviceEnvironment);

bool vulkanRequired() {
    const char* value = std::getenv("WISP_REQUIRE_VULKAN");
    return value && std::string_view(value) == "1";
}

enum class Scalar { Float, Half, Unorm8, Unorm16, Word };

Scalar scalarOf(VkFormat format) {
    switch (format) {
        case VK_FORMAT_R16_SFLOAT:
        case VK_FORMAT_R16G16_SFLOAT:
        case VK_FORMAT_R16G16B16A16_SFLOAT: return Scalar::Half;
        case VK_FORMAT_R8_UNORM:
        case VK_FORMAT_R8G8B8A8_UNORM: return Scalar::Unorm8;
        case VK_FORMAT_R16G16B16A16_UNORM: return Scalar::Unorm16;
        case VK_FORMAT_R32_UINT: return Scalar::Word;
        default: return Scalar::Float;
    }
}

template <class T>
std::vector<std::byte> packAll(const std::vector<float>& values, T (*pack)(float)) {
    std::vector<T> packed;
    for (const float v : values) packed.push_back(pack(v));
    const auto bytes = std::as_bytes(std::span(packed));
    return {bytes.begin(), bytes.end()};
}

template <class T>
std::vector<float> unpackAll(std::span<const std::byte> bytes, float (*unpack)(T)) {
    std::vector<T> packed(bytes.size() / sizeof(T));
    std::memcpy(packed.data(), bytes.data(), packed.size() * sizeof(T));
    std::vector<float> values;
    for (const T p : packed) values.push_back(unpack(p));
    return values;
}

/// packHalf1x16 of glm truncates. The GPU rounds to nearest even.
std::uint16_t toHalf(float value) {
    const std::uint16_t cut = glm::packHalf1x16(value);
    if (!std::isfinite(value)) return cut;
    std::uint16_t best = cut;
    for (const int step : {-1, 1}) {
        const auto other = static_cast<std::uint16_t>(cut + step);
        const float error = std::abs(glm::unpackHalf1x16(other) - value);
        const float bestError = std::abs(glm::unpackHalf1x16(best) - value);
        if (error < bestError || (error == bestError && other % 2 == 0)) best = other;
    }
    return best;
}

}  // namespace

void beforeSharedDeviceEnds(std::function<void()> end) { ends().push_back(std::move(end)); }

engine::Device* sharedDevice() {
    SharedDevice& s = shared();
    if (s.device || !s.failure.empty()) return s.device.get();
    engine::DeviceOptions options;
    options.validate = true;
    options.fillWithNaN = true;
    options.cacheFolder = cacheOfTests() / "device";
    // By default the validation layer reports each message only ten times per instance. It reads the limit when the instance is created.
    setenv("VK_LAYER_DUPLICATE_MESSAGE_LIMIT", "0", 1);
    try {
        s.device = std::make_unique<engine::Device>(options);
        if (gpuAssisted()) replacePushedDescriptors(*s.device);
    } catch (const engine::Error& error) {
        s.failure = error.what();
    }
    return s.device.get();
}

void GpuTest::SetUp() {
    device_ = sharedDevice();
    if (device_) {
        device_->clearValidationMessages();
        return;
    }
    if (vulkanRequired()) FAIL() << "WISP_REQUIRE_VULKAN=1, but Vulkan is not available: " << shared().failure;
    GTEST_SKIP() << "Vulkan is not available: " << shared().failure;
}

void GpuTest::useDevice(engine::Device& device) {
    noShaders_.reset();
    device_ = &device;
}

void GpuTest::TearDown() {
    if (!device_) return;
    noShaders_.reset();
    try {
        device_->waitIdle();
    } catch (const engine::Error&) {  // the loop below reports all messages
    }
    if (gpuAssisted()) writeWhatRan();
    for (const std::string& message : device_->validationMessages()) ADD_FAILURE() << message;
    device_->clearValidationMessages();
}

engine::ShaderLibrary& GpuTest::noShaders() {
    if (!noShaders_) noShaders_ = pooledLibrary(device(), {});
    return *noShaders_;
}

std::unique_ptr<engine::ShaderLibrary> GpuTest::library(std::span<const engine::EmbeddedShader> shaders,
                                                        const engine::ShaderOptions& options) {
    return std::make_unique<engine::ShaderLibrary>(device(), shaders, options);
}

engine::Image GpuTest::image(const std::string& name, glm::uvec3 size, VkFormat format, bool flat) {
    return {device(), {name, size, format, flat}};
}

engine::Buffer GpuTest::buffer(const std::string& name, std::size_t bytes, bool byAddress) {
    return {device(), {name, bytes, engine::Location::Gpu, byAddress}};
}

void GpuTest::run(engine::ShaderLibrary& shaders, const std::function<void(engine::Recorder&)>& record) {
    engine::Recorder rec(device(), shaders, {.timing = engine::Timing::Off});
    rec.begin();
    record(rec);
    rec.submit();
    rec.finish();
}

std::string GpuTest::shaderError(engine::ShaderLibrary& shaders, const std::function<void(engine::Recorder&)>& record) {
    std::string message;
    run(shaders, [&](engine::Recorder& rec) {
        try {
            record(rec);
            ADD_FAILURE() << "expected a shader error, got none";
        } catch (const engine::Error& error) {
            EXPECT_EQ(error.kind(), engine::ErrorKind::Shader);
            message = error.what();
        }
    });
    return message;
}

std::vector<float> GpuTest::download(const engine::Image& image) {
    std::vector<float> values;
    engine::Recorder rec(device(), noShaders(), {.timing = engine::Timing::Off, .readbackBytes = image.bytes()});
    rec.begin();
    rec.read(image, [&](std::span<const std::byte> bytes) { values = decodeTexels(image.desc().format, bytes); });
    rec.submit();
    rec.finish();
    return values;
}

std::vector<std::byte> GpuTest::downloadBytes(const engine::Buffer& buffer) {
    std::vector<std::byte> result;
    engine::Recorder rec(device(), noShaders(), {.timing = engine::Timing::Off, .readbackBytes = buffer.bytes()});
    rec.begin();
    rec.read(buffer, [&](std::span<const std::byte> bytes) { result.assign(bytes.begin(), bytes.end()); });
    rec.submit();
    rec.finish();
    return result;
}

std::vector<float> GpuTest::download(const engine::Buffer& buffer) { return decodeTexels(VK_FORMAT_R32_SFLOAT, downloadBytes(buffer)); }

void GpuTest::upload(const engine::Image& image, const std::vector<float>& values) {
    run(noShaders(), [&](engine::Recorder& rec) { rec.upload(image, encodeTexels(image.desc().format, values)); });
}

void GpuTest::upload(const engine::Buffer& buffer, const std::vector<float>& values) {
    run(noShaders(), [&](engine::Recorder& rec) { rec.upload(buffer, std::as_bytes(std::span(values))); });
}

std::vector<std::byte> encodeTexels(VkFormat format, const std::vector<float>& values) {
    switch (scalarOf(format)) {
        case Scalar::Half: return packAll<std::uint16_t>(values, toHalf);
        case Scalar::Unorm8: return packAll<std::uint8_t>(values, [](float v) { return glm::packUnorm1x8(v); });
        case Scalar::Unorm16: return packAll<std::uint16_t>(values, [](float v) { return glm::packUnorm1x16(v); });
        case Scalar::Word: return packAll<std::uint32_t>(values, [](float v) { return static_cast<std::uint32_t>(v); });
        default: return packAll<float>(values, [](float v) { return v; });
    }
}

std::vector<float> decodeTexels(VkFormat format, std::span<const std::byte> bytes) {
    switch (scalarOf(format)) {
        case Scalar::Half: return unpackAll<std::uint16_t>(bytes, [](std::uint16_t v) { return glm::unpackHalf1x16(v); });
        case Scalar::Unorm8: return unpackAll<std::uint8_t>(bytes, [](std::uint8_t v) { return static_cast<float>(v) / 255.0f; });
        case Scalar::Unorm16: return unpackAll<std::uint16_t>(bytes, [](std::uint16_t v) { return glm::unpackUnorm1x16(v); });
        case Scalar::Word: return unpackAll<std::uint32_t>(bytes, [](std::uint32_t v) { return static_cast<float>(v); });
        default: return unpackAll<float>(bytes, [](float v) { return v; });
    }
}

}  // namespace wisp::test
