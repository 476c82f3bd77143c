// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/checkpoint_file.h"

namespace wisp::app {

std::string writeHead(const CheckpointHead& head);

/// @throws std::runtime_error that says what is wrong with the text: what it returns has been checked, but for the scene.
CheckpointHead readHead(const std::string& text);

}  // namespace wisp::app
