// SPDX-License-Identifier: MIT
#include "files/scene/preset.h"
#include "api/scene_impl.h"
#include "app/cli/command_line.h"

#include <gmock/gmock.h>

namespace wisp::app {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// All keys of the preset have other values here, so that a key missing from the preset is detected.
constexpr std::string_view kForLooks = R"(
[grid]
cells = [16, 16, 16]
size = [1, 1, 1]
precision = "half"
pressure_ratio = 2
[flow]
vorticity = 0.8
viscosity = 0.001
density_decay = 0.1
velocity_decay = 0.2
detail_decay = 8.0
side_fade = 0.1
[advection]
scheme = "bfecc"
filter = "hardware"
[pressure]
solver = "jacobi"
iterations = 2
)";

template <class Options>
Settings sceneOf(std::vector<const char*> words) {
    words.insert(words.begin(), "wisp");
    const CommandLine line = parseCommandLine(static_cast<int>(words.size()), words.data());
    return parseScene(kForLooks, "t.toml", optionsOf(std::get<Options>(line.command).common.load));
}

void expectPhysical(const Settings& s) {
    EXPECT_EQ(s.grid.precision, Precision::Float);
    EXPECT_EQ(s.grid.pressureRatio, 1u);
    EXPECT_EQ(s.flow.vorticity, 0.0f);
    EXPECT_EQ(s.flow.densityDecay, 0.0f);
    EXPECT_EQ(s.flow.velocityDecay, 0.0f);
    EXPECT_EQ(s.flow.detailDecay, 0.0f);
    EXPECT_EQ(s.flow.sideFade, 0.0f);
    EXPECT_EQ(s.advection.filter, Filter::Exact);
    EXPECT_EQ(s.pressure.solver, PressureSolver::Mgpcg);
    EXPECT_GT(s.pressure.iterations, 10u);  // enough to reach the tolerance
    EXPECT_EQ(s.pressure.tolerance, 1e-4f);
    EXPECT_EQ(s.advection.scheme, AdvectionScheme::Bfecc);  // as in the scene
    EXPECT_EQ(s.flow.viscosity, 0.001f);
}

TEST(Preset, PhysicalWorksInEveryCommandWithAScene) {
    expectPhysical(sceneOf<LiveOptions>({"run", "--preset", "physical"}));
    expectPhysical(sceneOf<RenderOptions>({"render", "--preset", "physical"}));
    expectPhysical(sceneOf<BenchOptions>({"bench", "--preset", "physical"}));
    expectPhysical(sceneOf<CheckOptions>({"check", "t", "--preset", "physical"}));
}

TEST(Preset, PhysicalIsDense) {
    constexpr std::string_view kSparse = "[grid]\ncells = [32, 32, 32]\nsize = [1, 1, 1]\nsparse = true\n";
    const std::array words{"wisp", "check", "t", "--preset", "physical"};
    const CommandLine line = parseCommandLine(static_cast<int>(words.size()), words.data());
    EXPECT_FALSE(parseScene(kSparse, "t.toml", optionsOf(std::get<CheckOptions>(line.command).common.load)).grid.sparse);
    EXPECT_TRUE(parseScene(kSparse, "t.toml").grid.sparse);
}

TEST(Preset, IsOffByDefault) { EXPECT_EQ(sceneOf<RenderOptions>({"render"}).flow.vorticity, 0.8f); }

TEST(Preset, SetOverridesItInAnyOrder) {
    for (const std::vector<const char*>& words :
         {std::vector<const char*>{"render", "--set", "flow.vorticity=0.5", "--preset", "physical"},
          std::vector<const char*>{"render", "--preset", "physical", "--set", "flow.vorticity=0.5"}}) {
        const Settings s = sceneOf<RenderOptions>(words);
        EXPECT_EQ(s.flow.vorticity, 0.5f);
        EXPECT_EQ(s.grid.pressureRatio, 1u);
    }
}

TEST(Preset, UnknownNameListsTheValidNames) {
    for (const char* name : {"physic", "", "Physical"}) {
        try {
            sceneOf<RenderOptions>({"render", "--preset", name});
            ADD_FAILURE() << name;
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::Argument);
            EXPECT_THAT(e.what(), AllOf(HasSubstr(std::string("--preset ") + name), HasSubstr("must be one of: physical")));
        }
    }
}

}  // namespace
}  // namespace wisp::app
