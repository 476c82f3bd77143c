// SPDX-License-Identifier: MIT
// Push constants from C++ must match the shader's declaration: names, types and offsets.
#include "tests/support/gpu_test.h"

#include <gmock/gmock.h>

namespace wisp::engine {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Correct and wrong push constants of engine_two_floats.comp.
struct Pair {
    std::int32_t first;
    glm::vec3 second;
};
WISP_MEMBERS(Pair, first, second)

struct Right {
    float tolerance, omega;
    Pair pairs[2];
    std::uint32_t counts[3];
};
WISP_MEMBERS(Right, tolerance, omega, pairs, counts)

struct Swapped {
    float omega, tolerance;
    Pair pairs[2];
    std::uint32_t counts[3];
};
WISP_MEMBERS(Swapped, omega, tolerance, pairs, counts)

struct OtherType {
    float tolerance;
    std::int32_t omega;
    Pair pairs[2];
    std::uint32_t counts[3];
};
WISP_MEMBERS(OtherType, tolerance, omega, pairs, counts)

struct Missing {
    float tolerance, relaxation;
    Pair pairs[2];
    std::uint32_t counts[3];
};
WISP_MEMBERS(Missing, tolerance, relaxation, pairs, counts)

struct ShortArray {
    float tolerance, omega;
    Pair pairs[2];
    std::uint32_t counts[2];
};
WISP_MEMBERS(ShortArray, tolerance, omega, pairs, counts)

struct More {
    float tolerance, omega;
    Pair pairs[2];
    std::uint32_t counts[3];
    float more;
};
WISP_MEMBERS(More, tolerance, omega, pairs, counts, more)

class EngineContract : public test::GpuTest {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        shaders = library(test::testShaders());
        result = buffer("result", 64);
    }
    void TearDown() override {
        result = Buffer();
        shaders.reset();
        GpuTest::TearDown();
    }
    template <class Push>
    std::string errorOf(const Push& push) {
        return shaderError(*shaders, [&](Recorder& rec) { rec.dispatch("engine_two_floats", {1, 1, 1}, {{"result", result}}, push); });
    }

    std::unique_ptr<ShaderLibrary> shaders;
    Buffer result;
};

TEST_F(EngineContract, MatchingMembersAreAccepted) {
    const Right push{1.0f, 2.0f, {{0, {}}, {4, {8.0f, 0.0f, 0.0f}}}, {0, 16, 0}};
    run(*shaders, [&](Recorder& rec) { rec.dispatch("engine_two_floats", {1, 1, 1}, {{"result", result}}, push); });
    EXPECT_EQ(download(result)[0], 31.0f);
}

TEST_F(EngineContract, SwappedFloats) {
    EXPECT_THAT(errorOf(Swapped{}), AllOf(HasSubstr("pass engine_two_floats"), HasSubstr("tolerance is float at byte 0 in the shader"),
                                          HasSubstr("in Swapped it is float at byte 4")));
}

TEST_F(EngineContract, WrongTypes) {
    EXPECT_THAT(errorOf(OtherType{}), AllOf(HasSubstr("omega is float at byte 4 in the shader"), HasSubstr("int at byte 4")));
    EXPECT_THAT(errorOf(ShortArray{}), AllOf(HasSubstr("counts is uint[3] at byte 40"), HasSubstr("uint[2] at byte 40")));
}

TEST_F(EngineContract, MissingAndSuperfluousMembers) {
    EXPECT_THAT(errorOf(Missing{}), AllOf(HasSubstr("omega is missing"), HasSubstr("float at byte 4"), HasSubstr("Missing")));
    EXPECT_THAT(errorOf(More{}), AllOf(HasSubstr("more, float at byte 52 of More"), HasSubstr("not declared")));
    EXPECT_THAT(errorOf(1.0f), HasSubstr("is missing"));
}

TEST_F(EngineContract, EveryStructIsChecked) {
    run(*shaders, [&](Recorder& rec) { rec.dispatch("engine_two_floats", {1, 1, 1}, {{"result", result}}, Right{}); });
    EXPECT_THAT(errorOf(Swapped{}), HasSubstr("Swapped")) << "after the pipeline accepted the correct struct";
}

TEST_F(EngineContract, UnknownSpecializationConstants) {
    EXPECT_THAT(
        [&] {
            library(test::testShaders(), {.constants = {{"kFetchez", 1}}});
        },
        testing::ThrowsMessage<Error>(HasSubstr("no shader has a specialization constant kFetchez")));
    EXPECT_THAT([&] { shaders->setOptions({.constants = {{"3", 1}}}); }, testing::ThrowsMessage<Error>(HasSubstr("constant 3")));
}

}  // namespace
}  // namespace wisp::engine
