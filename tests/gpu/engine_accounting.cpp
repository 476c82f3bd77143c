// SPDX-License-Identifier: MIT
// Statistics of the recorder about passes: threads, bytes, invocations and times.
#include "tests/support/gpu_test.h"

#include <gmock/gmock.h>

#include <array>
#include <cmath>

namespace wisp::engine {
namespace {

class EngineAccounting : public test::GpuTest {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        shaders = library(test::testShaders());
        a = image("a", kSize);
        b = image("b", kSize);
        for (const Image* i : {&a, &b}) upload(*i, std::vector<float>(kTexels, 0.0f));  // otherwise the initial fill with NaN is counted
    }
    void TearDown() override {
        for (Image* i : {&a, &b}) *i = Image();
        shaders.reset();
        GpuTest::TearDown();
    }
    /// Pass times of one frame, by name.
    std::map<std::string, PassTime> times(const std::function<void(Recorder&)>& record, RecorderOptions options = {}) {
        std::map<std::string, PassTime> byName;
        Recorder rec(device(), *shaders, options);
        rec.begin();
        record(rec);
        rec.submit();
        rec.finish();
        for (const PassTime& t : rec.times()) byName[t.name] = t;
        return byName;
    }

    static constexpr glm::uvec3 kSize{13, 7, 5};
    static constexpr std::uint64_t kTexels = 13 * 7 * 5;
    std::unique_ptr<ShaderLibrary> shaders;
    Image a, b;
};

TEST_F(EngineAccounting, InputsCountOnceOutputsCountOnce) {
    const Buffer in = buffer("in", 400), out = buffer("out", 200), factors = buffer("factors", 64);
    for (const Buffer* f : {&in, &out, &factors}) upload(*f, std::vector<float>(f->bytes() / sizeof(float), 1.0f));
    const auto t = times(
        [&](Recorder& rec) {
            const Recorder::Scope scope(rec, "all");
            rec.dispatch("engine_write", kSize, {{"target", a}}, 1.0f);
            rec.dispatch("engine_write", kSize, {{"target", b}}, 1.0f);
            rec.dispatch("engine_add", kSize, {{"source", a}, {"target", a}}, 1.0f);
            rec.dispatch("engine_scale", {50, 1, 1}, {{"factor", factors}, {"valuesIn", in}, {"valuesOut", out}});
            rec.read(a, [](auto) {});
        },
        {.readbackBytes = 4 * kTexels});
    EXPECT_EQ(t.at("engine_write").work.bytes, 2 * 4 * kTexels);
    EXPECT_EQ(t.at("engine_write").work.threads, 2 * kTexels);
    EXPECT_EQ(t.at("engine_add").work.bytes, 2 * 4 * kTexels);     // read and written
    EXPECT_EQ(t.at("engine_scale").work.bytes, 400u + 200u + 4u);  // a uniform block counts with its declared size
    EXPECT_EQ(t.at("engine_scale").work.threads, 50u);
    EXPECT_EQ(t.at("read").work.bytes, 4 * kTexels);
    EXPECT_EQ(t.at("read").work.threads, 0u);
    EXPECT_EQ(t.at("all").work.bytes, 5 * 4 * kTexels + 604);
    EXPECT_EQ(t.at("all").work.threads, 3 * kTexels + 50);
    EXPECT_EQ(t.at("all").invocations, 0u);
}

TEST_F(EngineAccounting, PartialTrafficAndAliases) {
    const Image two = image("two", kSize, VK_FORMAT_R32G32_SFLOAT);
    run(*shaders, [&](Recorder& rec) { rec.clear(two, 0.0f); });
    const auto reduce = [&](const Binding& source, const Binding& target) {
        return times([&](Recorder& rec) { rec.dispatch("engine_reduce", kSize, {source, target}, 0.0f); }).at("engine_reduce").work.bytes;
    };
    // sourceLeast and sourceGreatest are two samplers of one image.
    EXPECT_EQ(reduce({"source", a}, {"target", two}), (4 + 8) * kTexels);
    EXPECT_EQ(reduce({"source", Traffic::texels(a, 10)}, {"target", two}), 40 + 8 * kTexels);
    EXPECT_EQ(reduce({"source", Traffic::none(a)}, {"target", Traffic::texels(two, 3)}), 24u);
    EXPECT_EQ(reduce({"source", Traffic::texels(a, 1000 * kTexels)}, {"target", Traffic::all(two)}),
              (4 + 8) * kTexels);  // at most the size of the image
}

TEST_F(EngineAccounting, MoreMayBeReadThanWritten) {
    const Buffer words = buffer("words", 4000);
    upload(words, std::vector<float>(1000, 0.0f));
    const auto bytes = [&](const Binding& binding) {
        return times([&](Recorder& rec) { rec.dispatch("engine_slow", {1, 1, 1}, {binding}); }).at("engine_slow").work.bytes;
    };
    EXPECT_EQ(bytes({"values", words}), 8000u);
    EXPECT_EQ(bytes({"values", Traffic::bytes(words, 100)}), 200u);
    EXPECT_EQ(bytes({"values", Traffic::bytes(words, 3000, 100)}), 3100u);
    EXPECT_EQ(bytes({"values", Traffic::bytes(words, 0, 9999)}), 4000u);
}

TEST_F(EngineAccounting, DeviceCountsInvocations) {
    if (!device().report().statistics) GTEST_SKIP() << "the device has no pipeline statistics";
    const auto t = times(
        [&](Recorder& rec) {
            for (const Image* target : {&a, &b, &a}) rec.dispatch("engine_write", kSize, {{"target", *target}}, 1.0f);
            rec.dispatch("engine_add", kSize, {{"source", a}, {"target", b}}, 1.0f);
        },
        {.statistics = true});
    // Whole work groups of 4x4x4: 4 x 2 x 2 of them for 13 x 7 x 5 cells.
    EXPECT_EQ(t.at("engine_write").invocations, 3u * 16 * 64);
    EXPECT_EQ(t.at("engine_add").invocations, 16u * 64);
}

TEST_F(EngineAccounting, CopyMovesDataAndIsTimed) {
    const Buffer from = buffer("from", 64), to = buffer("to", 40);
    std::vector<float> values;
    for (int i = 0; i < 16; ++i) values.push_back(static_cast<float>(i));
    upload(from, values);
    const auto t = times([&](Recorder& rec) { rec.copy(from, to); });
    values.resize(10);
    EXPECT_EQ(download(to), values);
    EXPECT_EQ(t.at("copy").work.bytes, 2u * 40);
}

class EngineClock : public EngineAccounting {};

TEST_F(EngineClock, FrameTimesAreOnTheHostClock) {
    std::vector<FrameTrace> frames;
    const std::int64_t before = hostNow();
    std::int64_t deviation = 0;
    {
        Recorder rec(device(), *shaders, {.trace = true});
        rec.onTrace = [&](const FrameTrace& frame) { frames.push_back(frame); };
        for (int i = 0; i < 5; ++i) {
            rec.begin();
            {
                const Recorder::Scope scope(rec, "all");
                rec.dispatch("engine_write", kSize, {{"target", a}}, 1.0f);
                rec.dispatch("engine_add", kSize, {{"source", a}, {"target", b}}, 1.0f);
            }
            rec.submit();
        }
        rec.finish();
        deviation = rec.clock()->deviation();
        EXPECT_EQ(rec.clock()->isCalibrated(),
                  device().hasExtension("VK_EXT_calibrated_timestamps") || device().hasExtension("VK_KHR_calibrated_timestamps"));
    }
    const std::int64_t after = hostNow() + deviation;
    ASSERT_EQ(frames.size(), 5u);
    for (const FrameTrace& f : frames) {
        EXPECT_LE(before, f.cpu.wait);
        EXPECT_LE(f.cpu.wait, f.cpu.record);
        EXPECT_LE(f.cpu.record, f.cpu.submit);
        EXPECT_LE(f.cpu.submit, f.cpu.end);
        for (const GpuRange& r : f.gpu) {
            EXPECT_GE(r.begin + deviation, f.cpu.submit) << r.name;
            EXPECT_LE(r.begin, r.end) << r.name;
            EXPECT_LE(r.end, after) << r.name;
        }
    }
    ASSERT_EQ(frames.back().gpu.size(), 3u);
    const auto& [all, first, second] = std::array{frames.back().gpu[0], frames.back().gpu[1], frames.back().gpu[2]};
    EXPECT_TRUE(all.scope && all.begin <= first.begin && first.end <= second.begin && second.end <= all.end);
}

TEST_F(EngineClock, EstimatedTimeIsLateByAtMostItsDeviation) {
    const GpuClock exact(device()), estimated(device(), true);
    if (!exact.isCalibrated()) GTEST_SKIP() << "the device has no calibrated timestamps";
    EXPECT_FALSE(estimated.isCalibrated());
    EXPECT_GT(estimated.deviation(), 0);
    const std::uint64_t ticks = 1ull << 40;
    // The two clocks were set within a second. They drift apart by less than 1e-4 of the time since then.
    const std::int64_t late = estimated.hostTime(ticks) - exact.hostTime(ticks), slack = exact.deviation() + 100'000;
    EXPECT_GE(late, -slack);
    EXPECT_LE(late, estimated.deviation() + slack);
    // Times far from now have the rounding error of a double.
    const double rounding = 1.0 + std::ldexp(std::abs(static_cast<double>(exact.hostTime(ticks) - hostNow())), -52);
    EXPECT_NEAR(static_cast<double>(exact.hostTime(ticks + 1000) - exact.hostTime(ticks)),
                1000.0 * static_cast<double>(device().report().limits.timestampPeriod), rounding);
    EXPECT_LT(exact.hostTime(ticks - 1000), exact.hostTime(ticks));
}

}  // namespace
}  // namespace wisp::engine
