// SPDX-License-Identifier: MIT
#include "tests/support/gpu_test.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>

namespace wisp::engine {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;

class RecorderTest : public test::GpuTest {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        shaders = library(test::testShaders());
        a = image("a", kSize);
        b = image("b", kSize);
        c = image("c", kSize);
    }
    void TearDown() override {
        for (Image* field : {&a, &b, &c}) *field = Image();
        shaders.reset();
        GpuTest::TearDown();
    }

    void write(Recorder& rec, const Image& target, float value) { rec.dispatch("engine_write", kSize, {{"target", target}}, value); }
    void add(Recorder& rec, const Image& source, const Image& target, float amount) {
        rec.dispatch("engine_add", kSize, {{"source", source}, {"target", target}}, amount);
    }
    std::string shaderError(const std::function<void(Recorder&)>& record) { return GpuTest::shaderError(*shaders, record); }

    static constexpr glm::uvec3 kSize{13, 7, 5};  // not a multiple of the work group size
    std::unique_ptr<ShaderLibrary> shaders;
    Image a, b, c;
};

class EngineBinding : public RecorderTest {};

TEST_F(EngineBinding, MissingUnknownAndDuplicateNames) {
    EXPECT_THAT(shaderError([&](Recorder& rec) {
                    rec.dispatch("engine_add", kSize, {{"source", a}}, 1.0f);
                }),
                AllOf(HasSubstr("engine_add"), HasSubstr("target"), HasSubstr("missing")));
    EXPECT_THAT(shaderError([&](Recorder& rec) {
                    rec.dispatch("engine_write", kSize, {{"target", a}, {"tarjet", b}}, 1.0f);
                }),
                AllOf(HasSubstr("engine_write"), HasSubstr("tarjet")));
    EXPECT_THAT(shaderError([&](Recorder& rec) {
                    rec.dispatch("engine_write", kSize, {{"target", a}, {"target", b}}, 1.0f);
                }),
                HasSubstr("twice"));
    EXPECT_THAT(shaderError([&](Recorder& rec) { rec.dispatch("no_such_pass", kSize, {}); }), HasSubstr("no_such_pass"));
}

TEST_F(EngineBinding, WrongKindDimensionFormatAndNullImage) {
    const Buffer bytes = buffer("bytes", 64);
    const Image flat = image("flat", {8, 8, 1}, VK_FORMAT_R32_SFLOAT, true);
    const Image half = image("half", kSize, VK_FORMAT_R16_SFLOAT);
    const auto writeTo = [&](const auto& target) {
        return shaderError([&](Recorder& rec) { rec.dispatch("engine_write", kSize, {{"target", target}}, 1.0f); });
    };
    EXPECT_THAT(writeTo(bytes), HasSubstr("was given a buffer"));
    EXPECT_THAT(writeTo(flat), HasSubstr("3D"));
    EXPECT_THAT(writeTo(half), HasSubstr("VkFormat"));
    EXPECT_THAT(writeTo(Image()), HasSubstr("never created"));
}

TEST_F(EngineBinding, WrongPushConstants) {
    EXPECT_THAT(shaderError([&](Recorder& rec) {
                    rec.dispatch("engine_write", kSize, {{"target", a}}, glm::vec3(1.0f));
                }),
                AllOf(HasSubstr("value is float at byte 0 in the shader"), HasSubstr("vec3 at byte 0")));
    EXPECT_THAT(shaderError([&](Recorder& rec) { rec.dispatch("engine_write", kSize, {{"target", a}}); }), HasSubstr("value is missing"));
}

TEST_F(EngineBinding, CommonBindingsFillMissingBindings) {
    const Buffer factors = buffer("factors", 16);
    const Buffer in = buffer("in", 100 * sizeof(float));
    const Buffer out = buffer("out", 100 * sizeof(float));
    upload(in, std::vector<float>(100, 3.0f));
    run(*shaders, [&](Recorder& rec) {
        const float factor[] = {2.0f, 0.0f, 0.0f, 0.0f};
        rec.update(factors, std::as_bytes(std::span(factor)));
        rec.setCommon({{"factor", factors}, {"nobodyWantsThis", a}});
        rec.dispatch("engine_scale", {100, 1, 1}, {{"valuesIn", in}, {"valuesOut", out}});
    });
    EXPECT_THAT(download(out), Each(6.0f));
}

TEST_F(EngineBinding, ZeroThreadsRecordNothing) {
    run(*shaders, [&](Recorder& rec) { rec.dispatch("no_such_pass", {4, 0, 4}, {}); });
}

class EngineBarriers : public RecorderTest {
protected:
    /// Afterwards a, b and c are initialised and have been written since the last barrier, which is between the two writes of a.
    void warmUp() {
        run(*shaders, [&](Recorder& rec) {
            for (const Image* field : {&a, &b, &c}) write(rec, *field, 0.0f);
        });
        run(*shaders, [&](Recorder& rec) {
            for (const Image* field : {&a, &a, &b, &c}) write(rec, *field, 0.0f);
        });
    }
    /// Number of barriers that `record` needs after a barrier that ordered everything before it.
    std::uint32_t barriersOf(const std::function<void(Recorder&)>& record) {
        warmUp();
        Recorder rec(device(), *shaders);
        rec.begin();
        add(rec, a, a, 0.0f);
        EXPECT_EQ(rec.barriers(), 1u) << "barrier against the previous frame";
        record(rec);
        const std::uint32_t count = rec.barriers() - 1;
        rec.submit();
        rec.finish();
        return count;
    }
};

TEST_F(EngineBarriers, ReadAfterWrite) {
    EXPECT_EQ(barriersOf([&](Recorder& rec) {
                  write(rec, b, 1.0f);
                  add(rec, b, c, 1.0f);
              }),
              1u);
    EXPECT_THAT(download(c), Each(2.0f));
}

TEST_F(EngineBarriers, WriteAfterRead) {
    EXPECT_EQ(barriersOf([&](Recorder& rec) {
                  add(rec, b, c, 1.0f);
                  write(rec, b, 5.0f);
              }),
              1u);
    EXPECT_THAT(download(c), Each(1.0f));
    EXPECT_THAT(download(b), Each(5.0f));
}

TEST_F(EngineBarriers, WriteAfterWrite) {
    EXPECT_EQ(barriersOf([&](Recorder& rec) {
                  write(rec, b, 1.0f);
                  write(rec, b, 2.0f);
              }),
              1u);
    EXPECT_THAT(download(b), Each(2.0f));
}

TEST_F(EngineBarriers, NoneWithoutAHazard) {
    EXPECT_EQ(barriersOf([&](Recorder& rec) {
                  write(rec, b, 1.0f);
                  write(rec, c, 1.0f);
              }),
              0u);
    EXPECT_EQ(barriersOf([&](Recorder& rec) { add(rec, b, c, 1.0f); }), 0u);
    // Barriers are global, so one barrier covers the second pair too.
    EXPECT_EQ(barriersOf([&](Recorder& rec) {
                  write(rec, b, 1.0f);
                  write(rec, c, 1.0f);
                  add(rec, b, b, 1.0f);
                  add(rec, c, c, 1.0f);
              }),
              1u);
}

TEST_F(EngineBarriers, AnInPlaceUpdateIsNoHazardByItself) {
    EXPECT_EQ(barriersOf([&](Recorder& rec) { add(rec, b, b, 1.0f); }), 0u);
    EXPECT_EQ(barriersOf([&](Recorder& rec) {
                  add(rec, b, b, 1.0f);
                  add(rec, b, b, 1.0f);
              }),
              1u);
    EXPECT_THAT(download(b), Each(2.0f));
}

TEST_F(EngineBarriers, TransfersAreOrdered) {
    EXPECT_EQ(barriersOf([&](Recorder& rec) {
                  rec.clear(b, 3.0f);
                  add(rec, b, c, 1.0f);
                  rec.clear(b, 9.0f);
              }),
              2u);
    EXPECT_THAT(download(c), Each(4.0f));
    EXPECT_THAT(download(b), Each(9.0f));
}

/// Validates the tests above: the validation layer must report a hazard when a counted barrier is omitted. The layer does not report two
/// writes by dispatches, so the second write is a transfer here.
TEST_F(EngineBarriers, DroppedBarrierIsReported) {
    const std::map<std::string, std::function<void(Recorder&)>> hazards = {
        {"READ-AFTER-WRITE",
         [&](Recorder& rec) {
             write(rec, b, 1.0f);
             add(rec, b, c, 1.0f);
         }},
        {"WRITE-AFTER-READ",
         [&](Recorder& rec) {
             add(rec, b, c, 1.0f);
             write(rec, b, 5.0f);
         }},
        {"WRITE-AFTER-WRITE",
         [&](Recorder& rec) {
             write(rec, b, 1.0f);
             rec.clear(b, 2.0f);
         }},
    };
    for (const auto& [name, hazard] : hazards) {
        SCOPED_TRACE(name);
        warmUp();
        Recorder rec(device(), *shaders, {.timing = Timing::Off, .dropBarrier = 1});
        rec.begin();
        add(rec, a, a, 0.0f);
        hazard(rec);
        ASSERT_EQ(rec.barriers(), 2u);
        EXPECT_THROW(rec.submit(), Error);
        ASSERT_FALSE(device().validationMessages().empty());
        EXPECT_THAT(device().validationMessages().front(), HasSubstr("SYNC-HAZARD-" + name));
        rec.finish();
        device().clearValidationMessages();
        device().waitIdle();  // the layer accepts this in place of the omitted barrier
    }
}

TEST_F(EngineBarriers, DroppedBarrierBetweenFramesIsReported) {
    Recorder rec(device(), *shaders, {.timing = Timing::Off});
    rec.begin();
    write(rec, a, 0.0f);
    write(rec, b, 0.0f);
    // Begins before the submit: beginning asks how far the device is, and if it is done, newer layers regard that as synchronization.
    Recorder dropping(device(), *shaders, {.timing = Timing::Off, .dropBarrier = 0});
    dropping.begin();
    add(dropping, a, b, 1.0f);
    ASSERT_EQ(dropping.barriers(), 1u);
    rec.submit();
    EXPECT_THROW(dropping.submit(), Error);
    dropping.finish();
    device().clearValidationMessages();
    device().waitIdle();
}

class EngineFrames : public RecorderTest {};

TEST_F(EngineFrames, ReadbacksArriveInOrderAndTwoFramesLate) {
    constexpr int kFrames = 7;
    std::vector<float> seen;
    Recorder rec(device(), *shaders, {.readbackBytes = 2 * a.bytes() + 64});
    for (int i = 0; i < kFrames; ++i) {
        rec.begin();
        EXPECT_EQ(seen.size(), 2 * static_cast<std::size_t>(std::max(0, i - 1)));
        for (const float half : {0.0f, 0.5f}) {
            write(rec, a, static_cast<float>(i) + half);
            rec.read(a, [&](std::span<const std::byte> bytes) {
                float value = 0.0f;
                std::memcpy(&value, bytes.last(sizeof(value)).data(), sizeof(value));
                seen.push_back(value);
            });
        }
        rec.submit();
    }
    rec.finish();
    ASSERT_EQ(seen.size(), 2u * kFrames);
    for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], static_cast<float>(i) / 2);
}

TEST_F(EngineFrames, TooMuchReadbackIsRefused) {
    Recorder rec(device(), *shaders, {.readbackBytes = a.bytes()});
    rec.begin();
    rec.read(a, [](auto) {});
    EXPECT_THROW(rec.read(b, [](auto) {}), std::invalid_argument);
    rec.submit();
    rec.finish();
}

TEST_F(EngineFrames, TimesHaveNamesAndCalls) {
    std::vector<std::vector<PassTime>> frames;
    Recorder rec(device(), *shaders);
    rec.onTimes = [&](const std::vector<PassTime>& times) { frames.push_back(times); };
    for (int i = 0; i < 3; ++i) {
        rec.begin();
        {
            const Recorder::Scope scope(rec, "whole");
            for (int n = 0; n < 3; ++n) write(rec, c, 1.0f);
            add(rec, c, b, 1.0f);
            write(rec, c, 2.0f);
        }
        rec.submit();
    }
    rec.finish();
    ASSERT_EQ(frames.size(), 3u);
    const auto time = [&](std::string_view name) {
        const auto& last = frames.back();  // the first frame also fills with NaN
        const auto found = std::find_if(last.begin(), last.end(), [&](const PassTime& t) { return t.name == name; });
        return found == last.end() ? PassTime{} : *found;
    };
    EXPECT_EQ(frames.back().size(), 3u);
    EXPECT_EQ(time("engine_write").calls, 4u);
    EXPECT_EQ(time("engine_add").calls, 1u);
    EXPECT_FALSE(time("engine_add").scope);
    EXPECT_TRUE(time("whole").scope);
    EXPECT_GT(time("whole").ms, 0.0);
    EXPECT_LE(time("engine_write").ms + time("engine_add").ms, time("whole").ms * 1.001);
}

TEST_F(EngineFrames, TimestampsBeyondTheLimitAreOmitted) {
    Recorder rec(device(), *shaders);
    rec.begin();
    for (std::uint32_t i = 0; i < FrameTimer::kQueries; ++i) {
        const Recorder::Scope scope(rec, "many");
        rec.clear(a, 0.0f);
    }
    rec.submit();
    rec.finish();
    EXPECT_FALSE(rec.times().empty());
}

TEST_F(EngineFrames, AFrameLoopAllocatesNothing) {
    Recorder rec(device(), *shaders, {.readbackBytes = 1024 * 16});
    const auto step = [&] {
        rec.begin();
        write(rec, a, 1.0f);
        add(rec, a, b, 1.0f);
        rec.read(b, [](auto) {});
        rec.submit();
    };
    step();
    const auto before = device().counters;
    for (int i = 0; i < 5; ++i) step();
    EXPECT_EQ(device().counters.allocations, before.allocations);
    EXPECT_EQ(device().counters.pipelines, before.pipelines);
    EXPECT_EQ(device().counters.idleWaits, before.idleWaits);
    rec.finish();
}

}  // namespace
}  // namespace wisp::engine
