// SPDX-License-Identifier: MIT
#pragma once

#include "app/scene_reader.h"

#include <filesystem>

namespace wisp::app {

/// Reads every key of a scene file into `settings`; ranges are `validate`'s business. Files that it names are relative to `folder`.
void readScene(Section& root, Settings& settings, const std::filesystem::path& folder);

}  // namespace wisp::app
