// SPDX-License-Identifier: MIT
// Short test for problems of long runs: growing memory, drifting time.
#include "tests/app/fault_fixture.h"

#include <nlohmann/json.hpp>

#include <sstream>

namespace wisp::test {
namespace {

class Soak : public FaultTest {
protected:
    void SetUp() override {
        if (!std::string_view(WISP_SANITIZER).empty()) GTEST_SKIP() << "a sanitizer keeps freed memory";
        FaultTest::SetUp();
    }
};

TEST_F(Soak, MemoryStaysFlat) {
    const std::string bench = "bench ../tiny.toml --log-level quiet --warmup 1 --json b.json --steps ";
    const Run few = run(bench + "100");
    const Run many = run(bench + "2100");
    ASSERT_EQ(many.status, 0) << many.errors;
    // A leak of one kilobyte per step would be 2000. Memory that the allocator returns late is a few hundred.
    EXPECT_LT(many.calls.at("memory"), few.calls.at("memory") + 1000);
    for (const char* call : {"vkAllocateMemory", "vkCreateBuffer", "vkCreateImage", "vkCreateComputePipelines"})
        EXPECT_EQ(many.calls.at(call), few.calls.at(call)) << call;
    expectClean(many);
    const auto report = nlohmann::json::parse(readFile(path("b.json")));
    EXPECT_TRUE(report.at("quality").at("finite"));
    EXPECT_GT(report.at("quality").at("mass"), 0.0);
}

/// All kinds of passes, with a picture and statistics per step. The software device of Mesa 22.3 keeps compiled shaders: a megabyte per
/// shader and dispatch, if it compiles again for each value that a branch depends on.
TEST_F(Soak, PicturesAndStatisticsKeepNothing) {
    const std::string scene =
        "render ../tiny.toml --log-level quiet --size 8x8 --steps-per-frame 1 --out p --stats s.jsonl"
        " --set grid.cells=[16,16,16] --set grid.pressure_ratio=2 --set advection.scheme=maccormack --set pressure.solver=multigrid --set "
        "flow.vorticity=0.5"
        " --set "
        "'obstacle=[{centre=[0.5,0.6,0.5],radius=0.1},{shape=\"box\",centre=[0.2,0.2,0.2],half=[0.1,0.1,0.1],angular_velocity=[0,1,0]}]'"
        " --set medium.octaves=3 --set emitter[0].turbulence=0.2 --set emitter[0].temperature=10 --set 'emitter[0].colour=[1,0.5,0.2]' "
        "--frames ";
    const Run few = run(scene + "60");
    const Run many = run(scene + "260");
    ASSERT_EQ(many.status, 0) << many.errors;
    // A compiled shader takes 200 KB or more. Memory that the allocator returns late is a few hundred KB.
    EXPECT_LT(many.calls.at("memory"), few.calls.at("memory") + 200L * 50);
    expectClean(many);
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
        ASSERT_EQ(json.at("time").get<double>(), static_cast<double>(step) * first);  // a running sum would soon differ in the last digits
    }
    EXPECT_EQ(step, 300u);
}

}  // namespace
}  // namespace wisp::test
