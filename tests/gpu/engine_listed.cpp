// SPDX-License-Identifier: MIT
#include "tests/support/gpu_test.h"

#include <gmock/gmock.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

namespace wisp::engine {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Dispatches over units whose number an earlier pass has written.
class EngineListed : public test::GpuTest {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        shaders = library(test::testShaders());
        commands = buffer("commands", 16 + kUnitSizes * sizeof(VkDispatchIndirectCommand));
        invocations = buffer("invocations", sizeof(std::uint32_t));
    }
    void TearDown() override {
        commands = Buffer();
        invocations = Buffer();
        shaders.reset();
        GpuTest::TearDown();
    }
    void list(Recorder& rec, std::uint32_t units) { rec.dispatch("engine_commands", {16, 1, 1}, {{"commandsOut", commands}}, units); }
    void count(Recorder& rec, std::uint32_t unit, const ShaderConstants& constants = {}, std::uint64_t offset = 0) {
        rec.dispatch("engine_listed", {ListedUnits{&commands, offset, unit}, constants}, {{"invocations", invocations}});
    }
    std::uint32_t counted() {
        std::uint32_t number = 0;
        std::memcpy(&number, downloadBytes(invocations).data(), sizeof number);
        return number;
    }
    std::unique_ptr<ShaderLibrary> shaders;
    Buffer commands, invocations;
};

TEST_F(EngineListed, TakesAsManyGroupsAsAUnitNeeds) {
    for (const auto& [unit, groups] : {std::pair(5u, 1u), {32u, 1u}, {64u, 2u}, {512u, 16u}}) {
        run(*shaders, [&](Recorder& rec) {
            rec.clear(invocations, 0);
            list(rec, 7);
            count(rec, unit);
        });
        EXPECT_EQ(counted(), 7u * groups * 32u) << "units of " << unit;
    }
}

TEST_F(EngineListed, NoUnitsNoInvocations) {
    run(*shaders, [&](Recorder& rec) {
        rec.clear(invocations, 0);
        list(rec, 0);
        count(rec, 64);
    });
    EXPECT_EQ(counted(), 0u);
}

// Each dispatch has the constants that it names, and leaves those of the others alone.
TEST_F(EngineListed, HasConstantsOfItsOwn) {
    run(*shaders, [&](Recorder& rec) {
        rec.clear(invocations, 0);
        list(rec, 3);
        count(rec, 32, {{"kWeight", 100}});
        count(rec, 32, {{"kWeight", 10000}});
        count(rec, 32);
    });
    EXPECT_EQ(counted(), 3u * 32u * 10101u);
    EXPECT_THAT(shaderError(*shaders,
                            [&](Recorder& rec) {
                                count(rec, 32, {{"kUnknown", 1}});
                            }),
                AllOf(HasSubstr("engine_listed"), HasSubstr("kUnknown")));
}

TEST_F(EngineListed, UnitsMustBeAPowerOfTwoOfGroups) {
    Recorder rec(device(), *shaders);
    rec.begin();
    EXPECT_THROW(count(rec, 96), std::invalid_argument);
    EXPECT_THROW(count(rec, 32u << kUnitSizes), std::invalid_argument);
    rec.submit();
    rec.finish();
}

// The commands are read before the pass runs. Validation checks that the barriers cover this read.
TEST_F(EngineListed, BarriersCoverTheCommands) {
    Recorder rec(device(), *shaders);
    rec.begin();
    rec.clear(invocations, 0);
    list(rec, 2);
    const std::uint32_t before = rec.barriers();
    count(rec, 32);
    EXPECT_EQ(rec.barriers(), before + 1) << "before the commands are read";
    count(rec, 32);
    EXPECT_EQ(rec.barriers(), before + 2) << "for `invocations` only";
    list(rec, 5);
    EXPECT_EQ(rec.barriers(), before + 3) << "before the commands are overwritten";
    count(rec, 32);
    EXPECT_EQ(rec.barriers(), before + 4);
    rec.clear(commands, 0);
    EXPECT_EQ(rec.barriers(), before + 5) << "before a transfer overwrites them";
    count(rec, 32);
    rec.submit();
    rec.finish();
    EXPECT_EQ(counted(), (2u + 2u + 5u) * 32u);
}

}  // namespace
}  // namespace wisp::engine
