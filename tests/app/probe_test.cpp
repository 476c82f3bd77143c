// SPDX-License-Identifier: MIT
// The files of probes, from the real binary.
#include "tests/app/run_program.h"
#include "tests/support/gpu_test.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

namespace wisp::test {
namespace {

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

class ProbeFile : public GpuTest {
protected:
    void SetUp() override {
        GpuTest::SetUp();
        std::ofstream(scratch.path() / "s.toml") << "[grid]\ncells = [16, 8, 8]\n[flow]\nbuoyancy = 0.1\n[[emitter]]\ncentre = [0.5, 0.5, "
                                                    "0.5]\nradius = 0.2\nvelocity = [1, 0, 0]\ndensity = 1\n"
                                                    "temperature = 10\n[[obstacle]]\ncentre = [1.5, 0.5, 0.5]\nradius = 0.3\n"
                                                    "[[probe]]\nfile = \"p.csv\"\nat = [0.6, 0.5, 0.5]\n[[probe]]\nfile = "
                                                    "\"l.jsonl\"\nfrom = [0.1, 0.5, 0.5]\nto = [1.5, 0.5, 0.5]\npoints = 5\nevery = 2\n";
    }
    Outcome wisp(const std::string& arguments) {
        return runShell(WISP_BINARY " render s.toml --allow-cpu --size 16x16 --steps-per-frame 3 " + arguments, scratch.path());
    }
    [[nodiscard]] std::string read(const char* file) const { return readFile(scratch.path() / file); }
    ScratchFolder scratch;
};

TEST_F(ProbeFile, HasARowForEachStepAndPoint) {
    const Outcome run = wisp("--frames 2 --out a%02d.png --hash");
    ASSERT_EQ(run.status, 0) << run.errors;
    const std::vector<std::string> csv = linesOf(read("p.csv")), json = linesOf(read("l.jsonl"));
    ASSERT_EQ(csv.size(), 7u);
    EXPECT_THAT(csv[0], testing::StartsWith("step,time [s],point,x [m]"));
    EXPECT_THAT(csv[0], testing::HasSubstr("temperature [K]"));
    for (std::size_t i = 1; i < 7; ++i) EXPECT_THAT(csv[i], testing::StartsWith(std::to_string(i) + ",")) << csv[i];
    ASSERT_EQ(json.size(), 15u);  // steps 2, 4, 6
    EXPECT_THAT(json[5], testing::StartsWith(R"({"step":4,)"));
    EXPECT_THAT(json[4], testing::HasSubstr(R"("velocity":[null,null,null])"));  // inside the obstacle
    EXPECT_THAT(json[1], testing::Not(testing::HasSubstr("null")));
    // Probes do not change the simulation. A resumed run writes the same rows as an uninterrupted one.
    const Outcome first = wisp(
        "--frames 1 --out b%02d.png --checkpoint c.wisp --set 'probe[0].file=\"q.CSV\"' --set 'probe[1].file=\"m.JSONL\"'");
    ASSERT_EQ(first.status, 0) << first.errors;
    const std::string again = "--frames 2 --out b%02d.png --resume c.wisp --hash ";
    EXPECT_EQ(wisp(again + "--set 'probe[0].file=\"q.CSV\"' --set 'probe[1].file=\"n.jsonl\"'").status, 2);  // earlier rows would be lost
    const Outcome second = wisp(again + "--set 'probe[0].file=\"r.csv\"' --set 'probe[1].file=\"n.jsonl\"'");
    ASSERT_EQ(second.status, 0) << second.errors;
    EXPECT_EQ(second.output, run.output);
    EXPECT_EQ(read("q.CSV") + read("r.csv").substr(csv[0].size() + 1), read("p.csv"));
    EXPECT_EQ(read("m.JSONL") + read("n.jsonl"), read("l.jsonl"));
}

TEST_F(ProbeFile, UnwritableFilesAreReported) {
    const Outcome nowhere = wisp("--frames 1 --out a%02d.png --overwrite --set 'probe[0].file=\"gone/p.csv\"'");
    EXPECT_NE(nowhere.status, 0);
    EXPECT_THAT(nowhere.errors, testing::HasSubstr("gone/p.csv: cannot be created"));
    const Outcome same = wisp("--frames 1 --out a%02d.png --stats s.jsonl --set 'probe[0].file=\"s.jsonl\"'");
    EXPECT_EQ(same.status, 2);
    EXPECT_THAT(same.errors, testing::HasSubstr("probe[0].file: is \"s.jsonl\", which is also the file of --stats"));
}

}  // namespace
}  // namespace wisp::test
