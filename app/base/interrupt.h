// SPDX-License-Identifier: MIT
#pragma once

namespace wisp::app {

/// From here on the first SIGINT or SIGTERM only sets `interrupted`, so that the frame in work can be finished; the
/// second ends the program at once with status 130; what was not complete by then is removed.
void catchInterrupts();
[[nodiscard]] bool interrupted();

}  // namespace wisp::app
