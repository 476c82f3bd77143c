// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace wisp::app {

/// Key and mouse bindings of the window, one per line, for --help.
std::string controlsText();

/// The manual page wisp(1) in roff format, generated from the commands and options of the parser.
std::string manualPage(const CLI::App& app);

}  // namespace wisp::app
