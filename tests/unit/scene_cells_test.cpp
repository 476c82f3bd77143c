// SPDX-License-Identifier: MIT
// The cells of a scene that is saved while a quality level scales its grid.
#include "files/scene/scene.h"
#include "tests/support/scratch_folder.h"

#include <gtest/gtest.h>

#include <fstream>

namespace wisp::app {
namespace {

TEST(SceneCells, AreKeptAtEveryLevel) {
    const test::ScratchFolder folder;
    // 18 and 9 cannot be halved, so the scaled grid does not determine the original grid.
    for (const auto& [cells, own] :
         {std::pair("[64, 32, 32]", glm::uvec3(64, 32, 32)), {"[18, 9, 9]", {18, 9, 9}}, {"[64, 32, 1]", {64, 32, 1}}})
        for (const QualityLevel level : kQualityLevels) {
            std::ofstream(folder.path() / "s.toml") << "[grid]\nsize = [2, 1, 1]\ncells = " << cells << '\n';
            const LoadedScene scene = loadSceneAndCells(folder.path() / "s.toml", {{}, level});
            EXPECT_EQ(scene.settings.grid.cells == own, level == QualityLevel::Standard) << cells;
            EXPECT_EQ(cellsToSave(scene.settings.grid, scene.ownCells), own) << cells;
        }
}

TEST(SceneCells, ThatWereChangedAreKept) {
    GridSettings grid;
    grid.cells = {48, 24, 24};
    EXPECT_EQ(cellsToSave(grid, {64, 32, 32}), grid.cells);
}

}  // namespace
}  // namespace wisp::app
