// SPDX-License-Identifier: MIT
// That GPU-assisted validation would tell: scripts/sanitize.sh runs every shader under it.
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
        GpuTest::SetUp();  // without a device this fails or skips, as everywhere
        if (IsSkipped() || HasFatalFailure()) return;
        const char* const enabled = std::getenv("VK_LAYER_ENABLES");
        before = enabled ? enabled : "";
        setenv("VK_LAYER_ENABLES", test::kGpuAssisted, 1);
    }
    void TearDown() override {
        setenv("VK_LAYER_ENABLES", before.c_str(), 1);
        if (Device* shared = test::sharedDevice(); shared && !test::gpuAssisted())
            volkLoadDevice(shared->handle());  // later tests push descriptors again
        GpuTest::TearDown();
    }

    /// What validation says of writes to these words of two buffers of kWords.
    static std::vector<std::string> messagesOf(Push push) {
        Device device({.validate = true});
        test::replacePushedDescriptors();
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
        return messages;
    }

    std::string before;
};

TEST_F(EngineOutOfBounds, NothingIsSaidOfTheLastWord) { EXPECT_THAT(messagesOf({kWords - 1, kWords - 1}), IsEmpty()); }

TEST_F(EngineOutOfBounds, AWriteBehindABoundBufferIsReported) {
    EXPECT_THAT(messagesOf({kWords, 0}), Contains(HasSubstr("access out of bounds")));
}

TEST_F(EngineOutOfBounds, AWriteBehindAnAddressedBufferIsReported) {
    EXPECT_THAT(messagesOf({0, 1u << 28}), Contains(HasSubstr("out of bounds")));
}

}  // namespace
}  // namespace wisp::engine
