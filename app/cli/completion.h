// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace wisp::app {

/// What the last of `words` can be. `words` are the words of an incomplete command line behind `wisp`, up to the cursor.
/// The first line is "files" if it can also be the name of a file, else "words". Then a line for each candidate: a word, a tab and a
/// description, which may be empty. The files in app/completion pass this to the shells.
std::string completions(CLI::App& app, const std::vector<std::string>& words);

}  // namespace wisp::app
