// SPDX-License-Identifier: MIT
#pragma once

#include "files/scene/volume_head.h"

#include <string>
#include <vector>

namespace wisp {

/// What wisp reads from volume files. Flame and fuel have the same names in another order: a picture shows the flame of a file that has
/// both, and a simulation goes on with its fuel.
enum class VolumeRole { Density, Temperature, Fuel, Flame, Velocity };

/// Names of its grids in files of wisp, Blender, Houdini, EmberGen and others. The first one is wisp's own. Capital letters do not matter.
const std::vector<std::string>& volumeNames(VolumeRole role);

/// The names that the grids of a sequence have: the first one of a role that any file has, so that a file that lacks a flame does not show
/// its fuel. All names of the role if no file has one.
std::vector<std::string> namesIn(const std::vector<VolumeHead>& heads, VolumeRole role);

/// The first grid of floats, by the order of names and then of the file, where grids that are empty follow others of their name. A null
/// pointer if the file has none. @throws std::runtime_error if it has only ones that cannot be smoke.
const VolumeGridHead* smokeGrid(const VolumeHead& head, const std::vector<std::string>& names);

/// A grid of vectors, or three of floats: NAME.x, NAME.y, NAME.z, at the same points or each at the lower faces of voxels along its axis.
/// Empty if the file has none. @throws as smokeGrid
using VelocityHeads = std::vector<const VolumeGridHead*>;
VelocityHeads velocityGrids(const VolumeHead& head);
/// Whether these are three components at faces: half a voxel along its own axis before the points that the others have in common.
bool atFaces(const VelocityHeads& parts);

/// All grids with the name of this one, in the order of the file.
std::vector<const VolumeGridHead*> namesakes(const VolumeHead& head, const VolumeGridHead& grid);
/// The names of all grids, for messages.
std::string namesOf(const VolumeHead& head);

}  // namespace wisp
