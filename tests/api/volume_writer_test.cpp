// SPDX-License-Identifier: MIT
// Volume files of the library are read again as the smoke of another scene.
#include "tests/api/small_scene.h"
#include "tests/support/scratch_folder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace wisp::test {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class ApiVolumeWriter : public testing::Test {
protected:
    [[nodiscard]] std::string path(const char* name) const { return (folder / name).string(); }
    ScratchFolder scratch;
    const fs::path& folder = scratch.path();
};

/// The box of the small scene, with the smoke of a file.
Scene withSmokeOf(const std::string& file) {
    Scene scene = smallScene();
    scene.remove("emitter", 0).remove("obstacle", 0);
    scene.add("initial", "{shape = \"volume\", file = " + Value(file).text() + ", density = 1, temperature = 1}");
    return scene;
}

TEST_F(ApiVolumeWriter, ItsFilesHaveTheSmokeOfTheirSteps) {
    Simulation simulation(device(), smallScene());
    VolumeWriter writer(simulation);
    simulation.step(4);
    writer.write(path("early.nvdb"));
    const std::vector<float> early = simulation.read("density").values;
    simulation.step(4);
    writer.write(path("late.nvdb"));
    const std::vector<float> late = simulation.read("density").values;
    writer.flush();
    const auto expectSame = [&](const std::string& file, const std::vector<float>& expected) {
        Simulation again(device(), withSmokeOf(file));
        const std::vector<float> read = again.read("density").values;
        ASSERT_EQ(read.size(), expected.size());
        double most = 0.0;
        // Cells below the threshold of 1e-4 are left out. The others are stored as 16-bit floats, as in the simulation; reading places them
        // at cell centres with weights that are 1 up to rounding: half a unit of 16-bit floats, twice.
        for (std::size_t n = 0; n < read.size(); ++n)
            most = std::max(most, std::abs(static_cast<double>(read[n]) - static_cast<double>(expected[n])) -
                                      std::ldexp(static_cast<double>(expected[n]), -10));
        EXPECT_LE(most, 1e-4) << file;
    };
    EXPECT_GT(*std::ranges::max_element(early), 0.1f);
    EXPECT_NE(early, late);
    expectSame(path("early.nvdb"), early);
    expectSame(path("late.nvdb"), late);
}

TEST_F(ApiVolumeWriter, AFileHasItsNumber) {
    Simulation simulation(device(), smallScene());
    VolumeWriter writer(simulation, {.first = 3});
    simulation.step(4);
    writer.write(path("three.vdb"));
    writer.write(path("ten.vdb"), 10);
    writer.write(path("eleven.vdb"));
    writer.flush();
    const auto number = [&](const char* name) {
        // Metadata of OpenVDB: name, type and value, each after its length in 4 bytes.
        std::ifstream in(path(name), std::ios::binary);
        const std::string bytes((std::istreambuf_iterator<char>(in)), {});
        const std::string before("frame\5\0\0\0int32\4\0\0\0", 18);
        const auto at = bytes.find(before);
        std::int32_t value = -1;
        if (at != std::string::npos) std::memcpy(&value, bytes.data() + at + before.size(), sizeof value);
        return value;
    };
    EXPECT_EQ(number("three.vdb"), 3);
    EXPECT_EQ(number("ten.vdb"), 10);
    EXPECT_EQ(number("eleven.vdb"), 11);
}

TEST_F(ApiVolumeWriter, WrongOptionsAndFilesSayWhatIsRight) {
    Simulation simulation(device(), smallScene());
    const auto of = [&](const VolumeOptions& options) { return errorOf([&] { VolumeWriter(simulation, options); }); };
    EXPECT_THAT(of({.fields = {"smoke"}}).what(), testing::AllOf(HasSubstr("\"smoke\" is not a field"), HasSubstr("density")));
    EXPECT_THAT(of({.fields = {"flame"}}).what(), HasSubstr("the scene has no fuel"));
    EXPECT_EQ(of({.threshold = -1.0f}).code(), ErrorCode::Argument);
    EXPECT_EQ(of({.threshold = NAN}).code(), ErrorCode::Argument);
    EXPECT_EQ(of({.fps = 0.0}).code(), ErrorCode::Argument);
    VolumeWriter writer(simulation);
    EXPECT_EQ(errorOf([&] { writer.write(path("a.png")); }).code(), ErrorCode::Argument);
    EXPECT_NO_THROW(writer.flush());
}

TEST_F(ApiVolumeWriter, AFileThatCannotBeWrittenIsAnErrorAndLeavesNothing) {
    Simulation simulation(device(), smallScene());
    VolumeWriter writer(simulation, {.fields = {"density"}});
    simulation.step();
    writer.write(path("no/folder.nvdb"));
    EXPECT_EQ(errorOf([&] { writer.flush(); }).code(), ErrorCode::Output);
    EXPECT_TRUE(fs::is_empty(folder));
}

}  // namespace
}  // namespace wisp::test
