// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "engine/shader.h"

namespace wisp {

/// Every shader in shaders/, compiled at build (generated source: see cmake/EmbedShaders.cmake).
std::span<const engine::EmbeddedShader> embeddedShaders();

/// Specialization constants that the shaders share (see shaders/shared/sampling.glsl), and how samplers go on beyond the box.
engine::ShaderOptions shaderOptions(const Settings& settings);

}  // namespace wisp
