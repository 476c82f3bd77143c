// SPDX-License-Identifier: MIT
// Device peaks (roofline) and counted work of passes.
#include "engine/device_peaks.h"
#include "engine/work_counter.h"
#include "tests/support/gpu_test.h"

#include <gmock/gmock.h>

#include <cstring>
#include <numeric>

namespace wisp::engine {
namespace {

struct Arithmetic {
    glm::vec4 a{1.0f}, b{0.0f};
};
WISP_MEMBERS(Arithmetic, a, b)

struct CountPush {
    std::uint32_t width, rounds;
};
WISP_MEMBERS(CountPush, width, rounds)

class EngineDevicePeaks : public test::GpuTest {
protected:
    /// Counted work of one pass in a frame.
    ShaderWork workOf(std::span<const EmbeddedShader> shaders, const std::string& pass, const ShaderOptions& options,
                      const std::function<void(Recorder&)>& record) {
        WorkCounter counter(device(), shaders, options, {pass});
        Recorder rec(device(), counter.shaders(), {.readbackBytes = counter.buffer().bytes(), .workCounters = &counter.buffer()});
        counter.reset(rec);
        rec.begin();
        record(rec);
        rec.submit();
        return counter.read(rec).at(pass);
    }
};

TEST_F(EngineDevicePeaks, AreMeasured) {
    const DevicePeaks peaks = measureDevicePeaks(device());
    // The ranges cover hand-held devices and several times the speed of a current graphics card.
    for (const auto& [value, least, most] :
         {std::array{peaks.copy, 1e8, 2e13}, {peaks.operations, 1e8, 1e15}, {peaks.samples, 1e5, 1e13}, {peaks.fetches, 1e5, 1e13}}) {
        EXPECT_GT(value, least);
        EXPECT_LT(value, most);
    }
    device().waitIdle();
    for (const Allocation& a : device().memory().allocations())
        EXPECT_THAT(a.name, testing::Not(testing::AnyOf(testing::HasSubstr("copy"), testing::HasSubstr("roof"))));
}

TEST_F(EngineDevicePeaks, TheCopyShaderCopies) {
    const auto shaders = library(peakShaders());
    constexpr std::uint32_t kRow = 512, kRows = 3;
    const Buffer from = buffer("from", kRow * kRows * 16), to = buffer("to", kRow * kRows * 16);
    std::vector<float> values(from.bytes() / sizeof(float));
    std::iota(values.begin(), values.end(), 1.0f);
    upload(from, values);
    run(*shaders, [&](Recorder& rec) { rec.dispatch("peak_copy", {kRow, kRows, 1}, {{"from", from}, {"to", to}}, kRow); });
    EXPECT_EQ(download(to), values);
}

TEST_F(EngineDevicePeaks, ShadersDoTheStatedAmountOfWork) {
    const glm::uvec3 threads{64, 16, 4};
    const double count = 64.0 * 16 * 4;
    const Buffer result = buffer("result", 4);
    const Image field = image("field", glm::uvec3(64), VK_FORMAT_R16G16B16A16_SFLOAT);
    upload(field, std::vector<float>(4 * 64 * 64 * 64, 1.0f));
    const auto read = [&](Recorder& rec, std::string_view pass) { rec.dispatch(pass, threads, {{"field", field}, {"result", result}}); };
    EXPECT_EQ(static_cast<double>(workOf(peakShaders(), "peak_samples", {}, [&](Recorder& rec) { read(rec, "peak_samples"); }).samples),
              kPeakReads * count);
    EXPECT_EQ(static_cast<double>(workOf(peakShaders(), "peak_fetches", {}, [&](Recorder& rec) { read(rec, "peak_fetches"); }).fetches),
              kPeakReads * count);
    const Arithmetic push{};
    const ShaderWork arithmetic = workOf(peakShaders(), "peak_arithmetic", {}, [&](Recorder& rec) {
        rec.dispatch("peak_arithmetic", threads, {{"result", result}}, push);
    });
    EXPECT_GE(static_cast<double>(arithmetic.operations), kPeakOperations * count);
    EXPECT_LE(static_cast<double>(arithmetic.operations), 1.02 * kPeakOperations * count) << "work before and after 64 rounds";
}

TEST_F(EngineDevicePeaks, ExecutedWorkIsCounted) {
    constexpr std::uint32_t kWidth = 50, kRows = 6, kThreads = kWidth * kRows;  // groups are 64 wide, so some invocations are idle
    const Image source = image("source", {2, 2, 2});
    upload(source, std::vector<float>(8, 3.0f));
    const Buffer in = buffer("in", kThreads * 16), out = buffer("out", kThreads * 4);
    std::vector<float> values(kThreads * 4);
    std::iota(values.begin(), values.end(), 0.0f);
    upload(in, values);
    const auto record = [&](std::uint32_t rounds) {
        return [&, rounds](Recorder& rec) {
            const CountPush push{kWidth, rounds};
            for (int call = 0; call < 2; ++call)
                rec.dispatch("engine_count", {kWidth, kRows, 1}, {{"source", source}, {"valuesIn", in}, {"valuesOut", out}}, push);
        };
    };
    for (const std::uint32_t fetches : {0u, 1u}) {
        const ShaderOptions options{.constants = {{"kFetches", fetches}}};
        const auto plain = library(test::testShaders(), options);
        run(*plain, record(5));
        const std::vector<float> expected = download(out);
        const ShaderWork few = workOf(test::testShaders(), "engine_count", options, record(5));
        EXPECT_EQ(download(out), expected) << "counting must not change the result";
        EXPECT_EQ(few.samples, 2 * kThreads / 2);
        EXPECT_EQ(few.fetches, 2 * kThreads * fetches);
        EXPECT_EQ(few.words, 2 * kThreads * 4);
        // A round has four fused multiply-adds, one addition and one comparison. Row n has n additional rounds.
        const ShaderWork more = workOf(test::testShaders(), "engine_count", options, record(15));
        EXPECT_EQ(more.operations - few.operations, 2 * kThreads * 10 * (8 + 2));
        EXPECT_GT(few.operations, 2 * kThreads * 10 * (5 + 2.5));
        EXPECT_LT(few.operations, 2 * kThreads * (10 * (5 + 2.5) + 30)) << "operations outside the loop";
    }
}

TEST_F(EngineDevicePeaks, PassesThatWereNotDispatchedHaveNoWork) {
    EXPECT_EQ(workOf(test::testShaders(), "engine_count", {}, [](Recorder&) {}), ShaderWork{});
    EXPECT_THROW(WorkCounter(device(), test::testShaders(), {}, {"engine_missing"}), Error);
}

TEST_F(EngineDevicePeaks, PipelineStatisticsAreReadIfSupported) {
    DeviceOptions options;
    options.validate = true;
    EXPECT_TRUE(library(test::testShaders())->statistics("engine_write").empty()) << "not requested";
    options.pipelineStatistics = true;
    Device own(options);
    ShaderLibrary shaders(own, test::testShaders());
    EXPECT_EQ(shaders.statistics("engine_write").empty(), !own.hasExtension("VK_KHR_pipeline_executable_properties"));
}

VKAPI_ATTR VkResult VKAPI_CALL oneExecutable(VkDevice, const VkPipelineInfoKHR*, std::uint32_t* count, VkPipelineExecutablePropertiesKHR*) {
    *count = 1;
    return VK_SUCCESS;
}
VKAPI_ATTR VkResult VKAPI_CALL fourStatistics(VkDevice, const VkPipelineExecutableInfoKHR*, std::uint32_t* count,
                                              VkPipelineExecutableStatisticKHR* list) {
    *count = 4;
    for (std::uint32_t n = 0; list && n < 4; ++n) {
        list[n].format = static_cast<VkPipelineExecutableStatisticFormatKHR>(n);
        std::snprintf(list[n].name, sizeof list[n].name, "%s", std::array{"a bool", "an int", "a uint", "a float"}[n]);
    }
    if (!list) return VK_SUCCESS;
    list[0].value.b32 = VK_TRUE;
    list[1].value.i64 = -2;
    list[2].value.u64 = 1ull << 40;
    list[3].value.f64 = 0.25;
    return VK_SUCCESS;
}

/// Lavapipe has no pipeline statistics. The test makes some up.
TEST(PipelineStatistics, EveryFormatIsRead) {
    Functions vk;
    vk.GetPipelineExecutablePropertiesKHR = oneExecutable;
    vk.GetPipelineExecutableStatisticsKHR = fourStatistics;
    std::map<std::string, double> values;
    for (const PipelineStatistic& s : pipelineStatistics(vk, VK_NULL_HANDLE, VK_NULL_HANDLE)) values[s.name] = s.value;
    EXPECT_EQ(values, (std::map<std::string, double>{{"a bool", 1.0}, {"an int", -2.0}, {"a uint", 1099511627776.0}, {"a float", 0.25}}));
}

}  // namespace
}  // namespace wisp::engine
