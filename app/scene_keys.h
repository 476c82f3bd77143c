// SPDX-License-Identifier: MIT
#pragma once

#include "app/scene_reader.h"

namespace wisp::app {

/// Reads every key of a scene file into `settings`; ranges are `validate`'s business.
void readScene(Section& root, Settings& settings);

}  // namespace wisp::app
