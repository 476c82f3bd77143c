// SPDX-License-Identifier: MIT
#pragma once

#include "files/base/failure.h"
#include "wisp/error.h"

namespace wisp::app {

/// The exit status of a command that ends with an error of the library.
Exit exitStatusOf(ErrorCode code);

}  // namespace wisp::app
