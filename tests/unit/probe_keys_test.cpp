// SPDX-License-Identifier: MIT
// Keys of probes, and the rows of their files.
#include "app/output/probe_files.h"
#include "files/scene/scene.h"
#include "files/scene/scene_writer.h"

#include <gmock/gmock.h>

#include <limits>

namespace wisp::app {
namespace {

using testing::HasSubstr;

std::string errorOf(const std::string& text) {
    try {
        parseScene(text, "t.toml");
    } catch (const SceneFailure& e) {
        return e.what();
    }
    return "";
}

TEST(ProbeKeys, AreAllReadBackAndWritten) {
    const Settings s = parseScene(
        "[[probe]]\nfile = \"a.csv\"\nat = [0.5, 0.25, 0.125]\n[[probe]]\nfile = \"b.jsonl\"\nfrom = [0, 0, 0]\nto = [2, 1, 1]\npoints = "
        "65536\nevery = 4\n"
        "fields = [\"vorticity\", \"velocity\"]",
        "t.toml");
    ASSERT_EQ(s.probes.size(), 2u);
    EXPECT_EQ(s.probes[0], (ProbeSettings{.file = "a.csv", .at = glm::vec3(0.5f, 0.25f, 0.125f)}));
    EXPECT_EQ(s.probes[1], (ProbeSettings{.file = "b.jsonl",
                                          .from = glm::vec3(0.0f),
                                          .to = glm::vec3(2.0f, 1.0f, 1.0f),
                                          .points = 65536,
                                          .every = 4,
                                          .fields = kProbeVelocity | kProbeVorticity}));
    const std::string written = writeScene(s, {});
    EXPECT_EQ(parseScene(written, "t.toml"), s) << written;
}

TEST(ProbeKeys, BadValuesAreNamed) {
    const std::string file = "[[probe]]\nfile = \"a.csv\"\n", at = file + "at = [1, 0.5, 0.5]\n", liquid = "[[initial]]\nliquid = true\n";
    const std::pair<std::string, std::string> cases[] = {
        {file, "probe[0]: has no position: set at"},
        {file + "from = [0, 0, 0]", "probe[0].from: is one end of a line, the other end (to) is missing"},
        {file + "to = [0, 0, 0]", "probe[0].to: is one end of a line, the other end (from) is missing"},
        {at + "from = [0, 0, 0]\nto = [1, 1, 1]", "probe[0].at: cannot be combined with from and to"},
        {at + "points = 3", "probe[0].points: is only for a line"},
        {file + "from = [0, 0, 0]\nto = [1, 1, 1]\npoints = 1000000000", "probe[0].points: is 1000000000, must be from 2 to 65536"},
        {file + "from = [0, 0, 0]\nto = [1, 1, 1]\npoints = 1", "probe[0].points: is 1, must be from 2"},
        {file + "at = [2.1, 0.5, 0.5]", "probe[0].at: is [2.1, 0.5, 0.5], outside of the box: must be from 0 to 2 along x"},
        {file + "at = [1, nan, 0.5]", "probe[0].at: is [1, nan, 0.5]"},
        {file + "from = [0, 0, 0]\nto = [1, -1, 1]", "probe[0].to: is [1, -1, 1], outside of the box: must be from 0 to 1 along y"},
        {at + "every = 0", "probe[0].every: is 0, must be from 1"},
        {at + "fields = [\"speed\"]", "probe[0].fields: is \"speed\", must be one of: velocity, pressure, density, temperature, vorticity"},
        {at + "fields = []", "probe[0].fields: is a list of 0, must be a list of some of: velocity"},
        {at + "fields = \"velocity\"", "probe[0].fields: is the string \"velocity\", must be a list"},
        {at + "fields = [1]", "probe[0].fields: has the whole number 1"},
        {at + "fields = [\"temperature\"]", "probe[0].fields: lists temperature, which this scene does not have"},
        {"[grid]\ncells = [32, 32, 1]\nsize = [1, 1, 0.03125]\n[prescribed]\nfield = \"rotation\"\n[[probe]]\nfile = \"a.csv\"\nat = [0.5, "
         "0.5, 9]\nfields = [\"pressure\"]",
         "probe[0].fields: lists pressure, which this scene does not have"},
        {"[[probe]]\nat = [1, 0.5, 0.5]", "probe[0].file: is missing"},
        {"[[probe]]\nfile = \"probe\"\nat = [1, 0.5, 0.5]", "probe[0].file: is \"probe\", must end in .csv or .jsonl"},
        {at + at, "probe[1].file: is \"a.csv\", which is the file of probe[0]: must be a different file"},
        {at + liquid, "probe: cannot be used in a scene with liquid"},
    };
    for (const auto& [text, expected] : cases) EXPECT_THAT(errorOf(text), HasSubstr(expected)) << text;
    std::string many;
    for (int i = 0; i < 17; ++i) many += "[[probe]]\nfile = \"" + std::to_string(i) + ".csv\"\nat = [1, 0.5, 0.5]\n";
    EXPECT_THAT(errorOf(many), HasSubstr("probe: there are 17, at most 16"));
}

TEST(ProbeKeys, ExtensionsMayHaveCapitalLetters) {
    for (const char* file : {"a.csv", "a.CSV", "a.Jsonl"})
        EXPECT_EQ(errorOf(std::string("[[probe]]\nfile = \"") + file + "\"\nat = [1, 0.5, 0.5]"), "");
}

// Valid positions outside the box: a following box may reach them, a periodic axis has no end, and a flat grid has no depth.
TEST(ProbeKeys, PositionsOutsideTheBoxThatAreValid) {
    EXPECT_EQ(errorOf("[follow]\nkeys = [{ t = 0, centre = [1, 0.5, 0.5] }]\n[[probe]]\nfile = \"a.csv\"\nat = [9, 0.5, 0.5]"), "");
    EXPECT_EQ(errorOf("[grid]\nsides = { x0 = \"periodic\", x1 = \"periodic\" }\n[[probe]]\nfile = \"a.csv\"\nat = [9, 0.5, 0.5]"), "");
    EXPECT_EQ(errorOf("[grid]\ncells = [32, 32, 1]\nsize = [1, 1, 0.03125]\n[[probe]]\nfile = \"a.csv\"\nat = [0.5, 0.5, 9]"), "");
}

TEST(ProbeRows, HaveTheSelectedFields) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const ProbeValue v{.velocity = {1, 2, 3}, .pressure = nan, .vorticity = {0.5f, 0, -1}, .density = 0.25f, .temperature = 20};
    constexpr ProbeFields kAll{true, true, true, true, true}, kDensity{.density = true};
    EXPECT_EQ(probeHead(kAll),
              "step,time [s],point,x [m],y [m],z [m],velocity_x [m/s],velocity_y [m/s],velocity_z [m/s],pressure_over_density "
              "[m^2/s^2],density,temperature [K],"
              "vorticity_x [1/s],vorticity_y [1/s],vorticity_z [1/s]");
    EXPECT_EQ(probeRow(true, kAll, 4, 0.5, 2, {1, 0.5f, 0}, v), "4,0.5,2,1,0.5,0,1,2,3,,0.25,20,0.5,0,-1");
    EXPECT_EQ(
        probeRow(false, kAll, 4, 0.5, 2, {1, 0.5f, 0}, v),
        R"({"step":4,"time":0.5,"point":2,"at":[1,0.5,0],"velocity":[1,2,3],"pressure_over_density":null,"density":0.25,"temperature":20,"vorticity":[0.5,0,-1]})");
    EXPECT_EQ(probeHead(kDensity), "step,time [s],point,x [m],y [m],z [m],density");
    EXPECT_EQ(probeRow(true, kDensity, 1, 0.25, 0, {0, 0, 0}, v), "1,0.25,0,0,0,0,0.25");
}

}  // namespace
}  // namespace wisp::app
