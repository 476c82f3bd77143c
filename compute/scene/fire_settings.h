// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/enums.h"

#include <glm/vec3.hpp>

#include <cstdint>

namespace wisp {

enum class FireMixing : std::uint32_t { Premixed = WISP_PREMIXED, Diffusion = WISP_DIFFUSION };

/// Combustion: see docs/fire.md. A scene has fire if an emitter, a stroke or an initial field has fuel. Fuel is a share of the gas, in [0,
/// 1].
struct FireSettings {
    float burnRate = 6.0f;       ///< k [1/s], at which fuel burns where the temperature is at least `ignition`
    float ignition = 430.0f;     ///< [K] above ambient
    float heat = 1400.0f;        ///< [K], rise of temperature of gas that is all fuel when it burns
    float cooling = 3000.0f;     ///< [K/s] by radiation at a temperature of `heat`
    float soot = 0.5f;           ///< density of smoke from gas that is all fuel
    glm::vec3 sootColour{0.0f};  ///< of that smoke: a factor of medium.albedo, in [0, 1]
    float expansion = 1.0f;      ///< factor of the rate at which heated gas expands; 1: an ideal gas, 0: none
    float glow = 1.0f;           ///< factor of the light of hot smoke and burning gas; 1: a black body's, 0: none
    float flame = 0.0f;          ///< extinction of gas that burns and is all fuel [1/m]; it scatters nothing
    FireMixing mixing = FireMixing::Premixed;
    bool operator==(const FireSettings&) const = default;
};

}  // namespace wisp
