// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "files/scene/scene_visitor.h"

#include <filesystem>

namespace wisp {

/// Visits the keys of a volume and opens its files, if `shape` is one. Call it after the keys of the amounts. @param needs see
/// VolumeSettings::needs @param ambient [K]
void visitVolume(SceneVisitor& v, Shape& shape, VolumeSettings& volume, std::uint32_t needs, float ambient,
                 const std::filesystem::path& folder);

/// The fields that have an amount: values of VolumeSettings::needs.
inline std::uint32_t volumeFields(bool density, bool temperature, bool fuel) {
    return (density ? VolumeSettings::kDensity : 0u) | (temperature ? VolumeSettings::kTemperature : 0u) |
           (fuel ? VolumeSettings::kFuel : 0u);
}

}  // namespace wisp
