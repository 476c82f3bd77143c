// SPDX-License-Identifier: MIT
// What a day of running would show, in a minute's worth of smoke: memory that grows, time that drifts.
#include "tests/app/fault_fixture.h"

#include <nlohmann/json.hpp>

#include <sstream>

namespace wisp::test {
namespace {

using Soak = FaultTest;

/// Without pictures and statistics: some of their passes make Mesa 22.3's software device keep what its compiler made, dispatch by dispatch.
TEST_F(Soak, MemoryStaysFlat) {
    const std::string bench = "bench ../tiny.toml --log-level quiet --warmup 1 --json b.json --steps ";
    const Run few = run(bench + "100");
    const Run many = run(bench + "2100");
    ASSERT_EQ(many.status, 0) << many.errors;
    // A kilobyte that is lost a step would be 2000; what an allocator gives back late is some hundred.
    EXPECT_LT(many.calls.at("memory"), few.calls.at("memory") + 1000);
    for (const char* call : {"vkAllocateMemory", "vkCreateBuffer", "vkCreateImage", "vkCreateComputePipelines"}) EXPECT_EQ(many.calls.at(call), few.calls.at(call)) << call;
    expectClean(many);
    const auto report = nlohmann::json::parse(readFile(path("b.json")));
    EXPECT_TRUE(report.at("quality").at("finite"));
    EXPECT_GT(report.at("quality").at("mass"), 0.0);
}

TEST_F(Soak, TimeDoesNotDrift) {
    ASSERT_EQ(run("render ../tiny.toml --log-level quiet --size 8x8 --frames 2 --steps-per-frame 150 --out a --stats s.jsonl").status, 0);
    std::istringstream lines(readFile(path("s.jsonl")));
    double first = 0.0;
    std::uint64_t step = 0;
    for (std::string line; std::getline(lines, line);) {
        const auto json = nlohmann::json::parse(line);
        ASSERT_EQ(json.at("step"), ++step);
        if (step == 1) first = json.at("time");
        ASSERT_EQ(json.at("time").get<double>(), static_cast<double>(step) * first);  // a sum would soon be off by units in the last place
    }
    EXPECT_EQ(step, 300u);
}

}  // namespace
}  // namespace wisp::test
