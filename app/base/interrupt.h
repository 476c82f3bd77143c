// SPDX-License-Identifier: MIT
#pragma once

namespace wisp::app {

/// Installs the signal handlers. The first SIGINT or SIGTERM only sets `interrupted`, so that the current frame can be finished.
/// The second one removes incomplete files and ends the program immediately with status 130.
void catchInterrupts();
[[nodiscard]] bool interrupted();

}  // namespace wisp::app
