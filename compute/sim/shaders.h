// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "engine/shader.h"

namespace wisp {

/// All shaders in shaders/, compiled at build time (generated source: see cmake/EmbedShaders.cmake).
std::span<const engine::EmbeddedShader> embeddedShaders();

/// Specialization constants that the shaders share (see shaders/shared/sampling.glsl), and the address mode of samplers outside the box.
engine::ShaderOptions shaderOptions(const Settings& settings);

}  // namespace wisp
