// SPDX-License-Identifier: MIT
#pragma once

#include "compute/settings.h"
#include "engine/shader.h"

namespace wisp {

/// Every shader in shaders/, compiled at build (generated source: see cmake/EmbedShaders.cmake).
std::span<const engine::EmbeddedShader> embeddedShaders();

/// Specialization constants that the shaders share (see shaders/shared/sampling.glsl).
std::map<std::uint32_t, std::uint32_t> shaderConstants(const Settings& settings);

}  // namespace wisp
