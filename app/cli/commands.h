// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/options.h"

namespace wisp::app {

struct InfoOptions {
    bool json = false;
};

struct CheckOptions {
    CommonOptions common;
};

struct ScenesOptions {};

void info(bool json);  ///< @throws Failure NoDevice after printing the list, if no device is usable
void check(const CommonOptions& options);
void listScenes();

}  // namespace wisp::app
