// SPDX-License-Identifier: MIT
// Settings that a sparse simulation does not support are refused with the key and the reason.
#include "files/scene/scene.h"
#include "files/scene/scene_writer.h"

#include <gmock/gmock.h>

namespace wisp::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string kGrid = "[grid]\nsparse = true\ncells = [64, 32, 32]\n";

std::string errorsOf(const std::string& text) {
    try {
        parseScene(text, "t.toml");
    } catch (const SceneFailure& e) {
        return e.what();
    }
    return {};
}

TEST(SparseScene, IsValidInAnOpenBox) {
    EXPECT_EQ(errorsOf(kGrid), "");
    EXPECT_EQ(errorsOf(kGrid + "pressure_ratio = 4\nscalar_ratio = 2\nthreshold = 1e-3\n[advection]\nscheme = \"maccormack\""), "");
}

TEST(SparseScene, RefusesWhatItDoesNotSupport) {
    const std::string flat = "[grid]\nsparse = true\ncells = [64, 32, 1]\nsize = [2.0, 1.0, 0.03125]\n";
    const std::string odd = "[grid]\nsparse = true\ncells = [65, 33, 33]\nsize = [65.0, 33.0, 33.0]\n";
    const std::string water = "pressure_ratio = 1\n[[initial]]\nliquid = true\nradius = 0.3\ncentre = [1.0, 0.5, 0.5]\n";
    for (const auto& [text, reason] : std::vector<std::pair<std::string, std::string>>{
             {kGrid + water, "a liquid fills its box"},
             {flat, "a flat grid has no bricks"},
             {kGrid + "pressure_ratio = 1", "there is no coarse velocity"},
             {odd, "not multiples of grid.pressure_ratio"},
             {kGrid + "sides = { x0 = \"periodic\", x1 = \"periodic\" }", "periodic sides"},
             {kGrid + "[follow]\nkeys = [{ t = 0.0, centre = [1.0, 0.5, 0.5] }]", "follows a target"},
             {kGrid + "[prescribed]\nfield = \"rotation\"", "the velocity is prescribed"},
             {kGrid + "[flow]\nviscosity = 1e-4", "no viscosity"},
             {kGrid + "sides = { x0 = \"inflow\" }\n[flow]\ninflow = [1.0, 0.0, 0.0]\ninflow_density = 1.0", "enters through a side"},
             {kGrid + "[advection]\nscheme = \"bfecc\"", "advected by MacCormack"}})
        EXPECT_THAT(errorsOf(text), AllOf(HasSubstr("grid.sparse: is true, but "), HasSubstr(reason), HasSubstr(": must be false")))
            << text;
}

TEST(SparseScene, ShowsItsBricks) {
    const std::string shown = kGrid + "[render]\nbricks = true\n";
    const Settings s = parseScene(shown, "t.toml");
    EXPECT_TRUE(s.render.bricks);
    EXPECT_TRUE(s.showsBricks());
    EXPECT_EQ(parseScene(writeScene(s, {}), "t.toml"), s);
    EXPECT_EQ(errorsOf(shown + "[view]\nfield = \"speed\""), "");
    EXPECT_FALSE(parseScene(kGrid, "t.toml").showsBricks());
    EXPECT_THAT(errorsOf("[render]\nbricks = true"), HasSubstr("render.bricks: is true, but only a sparse simulation has bricks"));
    EXPECT_THAT(errorsOf(shown + "[view]\nfield = \"speed\"\nslice = \"z\""),
                HasSubstr("render.bricks: is true, but a slice does not show bricks"));
}

TEST(SparseScene, ChecksTheThresholdsAlways) {
    for (const std::string value : {"-1.0", "nan", "1e7"})
        for (const std::string key : {"threshold", "vorticity_threshold"})
            EXPECT_THAT(errorsOf("[grid]\n" + key + " = " + value), HasSubstr("grid." + key + ": ")) << value;
}

}  // namespace
}  // namespace wisp::app
