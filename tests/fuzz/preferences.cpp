// SPDX-License-Identifier: MIT
// The saved settings of the window (window.toml).
#include "app/live/preferences.h"
#include "files/base/failure.h"
#include "tests/fuzz/support/input.h"

using namespace wisp;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const app::Preferences read = app::parsePreferences(fuzz::textOf({data, size}), "window.toml");
        fuzz::require(app::parsePreferences(app::preferencesText(read), "window.toml") == read,
                      "preferences differ after writing and reading");
    } catch (const Failure& e) {
        fuzz::require(e.status() == Exit::Usage, e.what());
    }
    return 0;
}
