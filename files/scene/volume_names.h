// SPDX-License-Identifier: MIT
#pragma once

#include "files/scene/volume_head.h"

#include <string>
#include <vector>

namespace wisp {

/// What wisp reads from volume files.
enum class VolumeRole { Density, Temperature, Fuel, Velocity };

/// Names of its grids in files of wisp, Blender, Houdini, EmberGen and others. The first one is wisp's own. Capital letters do not matter.
const std::vector<std::string>& volumeNames(VolumeRole role);

/// The first grid of floats, by the order of names and then of the file. A null pointer if the file has none. @throws std::runtime_error if
/// it has one that cannot be smoke.
const VolumeGridHead* smokeGrid(const VolumeHead& head, VolumeRole role);

/// A grid of vectors, or three of floats at the same points: NAME.x, NAME.y, NAME.z. Empty if the file has none. @throws as smokeGrid
using VelocityHeads = std::vector<const VolumeGridHead*>;
VelocityHeads velocityGrids(const VolumeHead& head);

/// How many grids have the name of this one.
std::size_t countOfName(const VolumeHead& head, const VolumeGridHead& grid);
/// The names of all grids, for messages.
std::string namesOf(const VolumeHead& head);

}  // namespace wisp
