// SPDX-License-Identifier: MIT
// Scene files: refused with a place for everything that is wrong, or read, checked, written and read as the same again.
#include "app/scene/scene.h"
#include "app/scene/scene_writer.h"
#include "compute/scene/validate.h"
#include "tests/fuzz/support/input.h"
#include "tests/support/meaning.h"

using namespace wisp;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string file = WISP_FUZZ_FILES "/scene.toml";  // beside it lie a mesh and surroundings
    Settings settings;
    try {
        settings = app::parseScene(fuzz::textOf({data, size}), file);
    } catch (const app::SceneFailure& e) {
        fuzz::require(!e.errors().empty(), "a scene is refused without a reason");
        for (const app::SceneError& error : e.errors())
            fuzz::require(error.line > 0 && error.column > 0, "an error without a place: " + error.text());
        return 0;
    }
    fuzz::require(validate(settings).empty(), "a scene is accepted with settings that are not");
    const std::string text = app::writeScene(settings, WISP_FUZZ_FILES);
    const Settings again = app::parseScene(text, file);
    fuzz::require(test::sameMeaning(settings, again), "a scene reads as another once it was written:\n" + text);
    fuzz::require(app::writeScene(again, WISP_FUZZ_FILES) == text, "a scene is written as another once it was written:\n" + text);
    for (const double factor : {0.5, 2.0}) {
        app::scaleGrid(settings.grid, factor);
        (void)validate(settings);
    }
    return 0;
}
