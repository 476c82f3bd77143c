// SPDX-License-Identifier: MIT
// GPU-assisted validation must report accesses out of bounds. scripts/sanitize.sh runs every shader with it.
#include "tests/support/gpu_assisted.h"
#include "tests/support/gpu_test.h"

#include <gmock/gmock.h>

#include <cstdlib>

namespace wisp::engine {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Push {
    std::uint32_t boundIndex = 0, addressedIndex = 0;
};
WISP_MEMBERS(Push, boundIndex, addressedIndex)

class EngineOutOfBounds : public test::GpuTest {
protected:
    static constexpr std::uint32_t kWords = 64;

    void SetUp() override {
        GpuTest::SetUp();  // fails or skips without a device
        if (IsSkipped() || HasFatalFailure()) return;
        const char* const enabled = std::getenv("VK_LAYER_ENABLES");
        before = enabled ? enabled : "";
        setenv("VK_LAYER_ENABLES", test::kGpuAssisted, 1);
    }
    void TearDown() override {
        setenv("VK_LAYER_ENABLES", before.c_str(), 1);
        GpuTest::TearDown();
    }

    /// Validation messages for writes to these words of two buffers with kWords words each. Layers of Vulkan 1.4 also say which features
    /// they enable for themselves.
    static std::vector<std::string> messagesOf(Push push) {
        Device device({.validate = true});
        test::replacePushedDescriptors(device);
        {
            ShaderLibrary shaders(device, test::testShaders(), {.kept = false});
            const Buffer bound(device, {"bound", kWords * sizeof(std::uint32_t), Location::Gpu, false});
            const Buffer addressed(device, {"addressed", kWords * sizeof(std::uint32_t), Location::Gpu, true});
            Recorder rec(device, shaders, {.timing = Timing::Off});
            try {
                rec.begin();
                rec.dispatch("engine_out_of_bounds", {1, 1, 1}, {{"bound", bound}, {"addressed", addressed}}, push);
                rec.submit();
                rec.finish();
            } catch (const Error& error) {
                EXPECT_EQ(error.kind(), ErrorKind::Validation) << error.what();
            }
        }
        std::vector<std::string> messages = device.validationMessages();
        std::erase_if(messages, [](const std::string& m) { return m.find("vkCreateDevice(): Internal Warning: ") != std::string::npos; });
        return messages;
    }

    std::string before;
};

TEST_F(EngineOutOfBounds, NoMessageForTheLastWord) { EXPECT_THAT(messagesOf({kWords - 1, kWords - 1}), IsEmpty()); }

TEST_F(EngineOutOfBounds, AWritePastABoundBufferIsReported) {
    EXPECT_THAT(messagesOf({kWords, 0}), Contains(HasSubstr("access out of bounds")));
}

TEST_F(EngineOutOfBounds, AWritePastAnAddressedBufferIsReported) {
    EXPECT_THAT(messagesOf({0, 1u << 28}), Contains(HasSubstr("ut of bounds")));
}

}  // namespace
}  // namespace wisp::engine
