// SPDX-License-Identifier: MIT
// Buffers that shaders access by an address in their push constants.
#include "tests/support/gpu_test.h"

#include <gmock/gmock.h>

namespace wisp::engine {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint32_t kCount = 100;

// Same layout as in engine_by_address.comp.
struct Range {
    float amount;
    std::uint32_t from = 0, to = 0, count = kCount;
};
WISP_MEMBERS(Range, amount, from, to, count)

struct WithAddresses {
    glm::vec2 source, target;
    Range range;
};
WISP_MEMBERS(WithAddresses, source, target, range)

class EngineAddresses : public test::GpuTest {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        shaders = library(test::testShaders());
        for (Buffer* field : {&a, &b, &c, &other}) {
            *field = buffer("field", kCount * sizeof(float), true);
            upload(*field, std::vector<float>(kCount, 1.0f));
        }
    }
    void TearDown() override {
        for (Buffer* field : {&a, &b, &c, &other}) *field = Buffer();
        shaders.reset();
        GpuTest::TearDown();
    }

    void add(Recorder& rec, const Buffer& source, const Buffer& target, const Range& range) {
        rec.dispatch("engine_by_address", {range.count, 1, 1}, {{"source", source}, {"target", target}}, range);
    }
    std::string shaderError(const std::function<void(Recorder&)>& record) { return GpuTest::shaderError(*shaders, record); }
    /// Number of barriers that `record` needs after a barrier that ordered everything before it.
    std::uint32_t barriersOf(const std::function<void(Recorder&)>& record) {
        Recorder rec(device(), *shaders);
        rec.begin();
        rec.clear(other, 0.0f);
        add(rec, other, other, {0.0f});
        const std::uint32_t before = rec.barriers();
        record(rec);
        const std::uint32_t count = rec.barriers() - before;
        rec.submit();
        rec.finish();
        return count;
    }

    std::unique_ptr<ShaderLibrary> shaders;
    Buffer a, b, c, other;
};

TEST_F(EngineAddresses, AreReadAndWritten) {
    upload(a, {1.0f, 2.0f, 3.0f, 4.0f});
    upload(b, {0.0f, 0.0f, 0.0f, 0.0f});
    run(*shaders, [&](Recorder& rec) { add(rec, a, b, {.amount = 0.5f, .from = 1, .to = 2, .count = 2}); });
    std::vector<float> values = download(b);
    values.resize(5);
    EXPECT_THAT(values, ElementsAre(0.0f, 0.0f, 2.5f, 3.5f, 1.0f));
}

/// Synchronization validation does not track accesses by address. The recorder orders them by the readonly or writeonly qualifier of the
/// type.
TEST_F(EngineAddresses, AccessFollowsTheTypesQualifier) {
    EXPECT_EQ(barriersOf([&](Recorder& rec) {
                  add(rec, b, c, {1.0f});
                  add(rec, c, a, {1.0f});
              }),
              1u)
        << "read after write";
    EXPECT_THAT(download(a), Each(3.0f));
    EXPECT_EQ(barriersOf([&](Recorder& rec) {
                  add(rec, b, c, {1.0f});
                  add(rec, other, b, {5.0f});
              }),
              1u)
        << "write after read";
    EXPECT_THAT(download(c), Each(2.0f));
    EXPECT_THAT(download(b), Each(5.0f));
    EXPECT_EQ(barriersOf([&](Recorder& rec) {
                  add(rec, b, c, {1.0f});
                  add(rec, b, c, {2.0f});
              }),
              1u)
        << "write after write";
    EXPECT_THAT(download(c), Each(7.0f));
    EXPECT_EQ(barriersOf([&](Recorder& rec) {
                  add(rec, b, c, {1.0f});
                  add(rec, b, a, {1.0f});
              }),
              0u)
        << "two reads";
}

TEST_F(EngineAddresses, AddressedAndBoundBufferAreOneResource) {
    upload(b, std::vector<float>(kCount, 3.0f));
    EXPECT_EQ(barriersOf([&](Recorder& rec) {
                  add(rec, b, c, {1.0f});
                  rec.dispatch("engine_bound_or_addressed", {kCount, 1, 1}, {{"source", c}, {"target", a}});
                  add(rec, a, b, {1.0f});
              }),
              2u);
    EXPECT_THAT(download(a), Each(4.0f));
    EXPECT_THAT(download(b), Each(5.0f));
}

TEST_F(EngineAddresses, WrongKindsAreRefused) {
    const Image field = image("picture", {8, 8, 8});
    const Buffer bound = buffer("only bound", kCount * sizeof(float));
    EXPECT_EQ(bound.address(), 0u);
    EXPECT_THAT(shaderError([&](Recorder& rec) {
                    rec.dispatch("engine_by_address", {1, 1, 1}, {{"source", field}, {"target", a}}, Range{});
                }),
                AllOf(HasSubstr("engine_by_address"), HasSubstr("source"), HasSubstr("was given an image")));
    EXPECT_THAT(shaderError([&](Recorder& rec) { add(rec, a, bound, {}); }), AllOf(HasSubstr("target"), HasSubstr("only bound has none")));
    EXPECT_THAT(shaderError([&](Recorder& rec) { add(rec, Buffer(), a, {}); }), AllOf(HasSubstr("source"), HasSubstr("never created")));
    EXPECT_THAT(shaderError([&](Recorder& rec) {
                    rec.dispatch("engine_by_address", {1, 1, 1}, {{"source", a}}, Range{});
                }),
                AllOf(HasSubstr("target"), HasSubstr("missing")));
    // A buffer that is also bound must have an address too.
    EXPECT_THAT(shaderError([&](Recorder& rec) {
                    rec.dispatch("engine_bound_or_addressed", {1, 1, 1}, {{"source", bound}, {"target", a}});
                }),
                HasSubstr("only bound has none"));
}

TEST_F(EngineAddresses, AreNotPartOfTheCallersPushConstants) {
    const auto push = [&](const auto& constants) {
        return shaderError([&](Recorder& rec) { rec.dispatch("engine_by_address", {1, 1, 1}, {{"source", a}, {"target", b}}, constants); });
    };
    EXPECT_THAT(push(WithAddresses{}), AllOf(HasSubstr("engine_by_address"), HasSubstr("WithAddresses has no such member")));
    EXPECT_THAT(push(1.0f), HasSubstr("amount is missing"));
    EXPECT_THAT(shaderError([&](Recorder& rec) {
                    rec.dispatch("engine_bound_or_addressed", {1, 1, 1}, {{"source", a}, {"target", b}}, 1.0f);
                }),
                HasSubstr("not declared in the shader"));
}

TEST_F(EngineAddresses, BoundAndAddressedCountsOnce) {
    Recorder rec(device(), *shaders);
    rec.begin();
    rec.dispatch("engine_bound_or_addressed", {kCount, 1, 1}, {{"source", a}, {"target", b}});
    rec.dispatch("engine_by_address", {kCount, 1, 1}, {{"source", Traffic::bytes(b, 40)}, {"target", c}}, Range{1.0f});
    rec.submit();
    rec.finish();
    ASSERT_EQ(rec.times().size(), 2u);
    EXPECT_EQ(rec.times()[0].work.bytes, 2u * 4 * kCount);
    EXPECT_EQ(rec.times()[1].work.bytes, 40u + 4 * kCount);
}

TEST_F(EngineAddresses, LargestFieldDecidesWhetherTheyAreUsed) {
    const std::uint64_t limit = device().report().limits.maxStorageBufferRange;
    upload(a, std::vector<float>(kCount, 3.0f));
    const auto copied = [&](std::uint64_t largest) {
        shaders->setOptions({.largestField = largest});
        run(*shaders, [&](Recorder& rec) { rec.dispatch("engine_bound_or_addressed", {kCount, 1, 1}, {{"source", a}, {"target", b}}); });
        return download(b);
    };
    EXPECT_THAT(copied(limit), Each(3.0f));
    EXPECT_THAT(copied(limit + 1), Each(103.0f));
    EXPECT_THAT(copied(0), Each(3.0f));
    shaders = library(test::testShaders(), {.largestField = limit + 1});
    EXPECT_THAT(copied(limit + 1), Each(103.0f)) << "set at construction";
}

TEST_F(EngineAddresses, ReachBeyondTheLimitOfABinding) {
    const std::uint64_t limit = device().report().limits.maxStorageBufferRange;
    if (limit > 1u << 28) GTEST_SKIP() << "a binding has up to " << limit << " bytes: exceeding it takes too much memory";
    EXPECT_THROW(buffer("large", limit + 1024), std::invalid_argument);
    const Buffer large = buffer("large", limit + 1024, true);
    const auto end = static_cast<std::uint32_t>(limit / sizeof(float) + 100);
    upload(a, std::vector<float>(kCount, 3.0f));
    shaders->setOptions({.largestField = large.bytes()});
    run(*shaders, [&](Recorder& rec) {
        add(rec, a, large, {.amount = 1.0f, .to = end});
        add(rec, a, large, {.amount = 2.0f});
        add(rec, large, b, {.amount = 1.0f, .from = end});
        rec.dispatch("engine_bound_or_addressed", {kCount, 1, 1},
                     {{"source", large}, {"target", c}});  // validation checks the size of the binding
    });
    EXPECT_THAT(download(b), Each(5.0f));
    EXPECT_THAT(download(c), Each(105.0f));
}

}  // namespace
}  // namespace wisp::engine
