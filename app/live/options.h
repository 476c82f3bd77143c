// SPDX-License-Identifier: MIT
#pragma once

#include "app/base/log.h"
#include "app/run/options.h"

namespace wisp::app {

struct LiveOptions {
    CommonOptions common;
};

void live(const LiveOptions& options, const Log& log);  ///< runs the window

}  // namespace wisp::app
