// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace wisp::app {

/// Keys and mouse of the window, a line each, for --help.
std::string controlsText();

/// wisp(1) as roff, from the commands and options that the parser knows.
std::string manualPage(const CLI::App& app);

}  // namespace wisp::app
