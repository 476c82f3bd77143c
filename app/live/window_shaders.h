// SPDX-License-Identifier: MIT
#pragma once

#include "engine/shader.h"

namespace wisp::app {

/// The window's own shaders, app/live/shaders/ (generated source: see cmake/EmbedShaders.cmake).
std::span<const engine::EmbeddedShader> windowShaders();

}  // namespace wisp::app
