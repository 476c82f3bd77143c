// SPDX-License-Identifier: MIT
// Scene files: rejected with a position for every error, or accepted and equal after writing and reading.
#include "files/scene/scene.h"
#include "compute/scene/validate.h"
#include "files/scene/scene_writer.h"
#include "tests/fuzz/support/input.h"
#include "tests/support/meaning.h"

using namespace wisp;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string file = WISP_FUZZ_FILES "/scene.toml";  // a mesh and an environment image are in the same folder
    Settings settings;
    try {
        settings = parseScene(fuzz::textOf({data, size}), file);
    } catch (const SceneFailure& e) {
        fuzz::require(!e.errors().empty(), "a scene is rejected without a reason");
        for (const SceneError& error : e.errors())
            fuzz::require(error.line > 0 && error.column > 0, "an error without a position: " + error.text());
        return 0;
    }
    fuzz::require(validate(settings).empty(), "a scene with invalid settings is accepted");
    const std::string text = writeScene(settings, WISP_FUZZ_FILES);
    const Settings again = parseScene(text, file);
    fuzz::require(test::sameMeaning(settings, again), "a scene differs after writing and reading:\n" + text);
    fuzz::require(writeScene(again, WISP_FUZZ_FILES) == text, "a scene that was written and read is written differently:\n" + text);
    for (const double factor : {0.5, 2.0}) {
        scaleGrid(settings.grid, factor);
        (void)validate(settings);
    }
    return 0;
}
