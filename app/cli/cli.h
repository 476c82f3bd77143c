// SPDX-License-Identifier: MIT
#pragma once

#include "files/base/failure.h"

namespace wisp::app {

/// Parses the command line and runs the command. @throws Failure, Error.
Exit runCommandLine(int argc, char** argv);

}  // namespace wisp::app
