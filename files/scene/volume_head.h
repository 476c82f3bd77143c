// SPDX-License-Identifier: MIT
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wisp {

/// What a volume file says about one of its grids.
struct VolumeGridHead {
    std::string name;     ///< several grids may have the same one
    std::string key;      ///< by which the reader of the format finds it
    std::string type;     ///< as the format calls it
    std::string problem;  ///< why it cannot be read, if it cannot: only a grid that is needed refuses a file
    bool isFloat = false;
    bool isVector = false;  ///< of three floats
    bool isLevelSet = false;
    bool isStaggered = false;     ///< each component of a vector is at the lower face of its voxel along its axis
    bool isLinear = true;         ///< its transform; else `toWorld` has no meaning
    glm::dmat4 toWorld{1.0};      ///< from indices to positions [m]
    glm::ivec3 low{0}, high{-1};  ///< first and last index of active voxels
    std::uint64_t activeVoxels = 0;
};

struct VolumeHead {
    std::vector<VolumeGridHead> grids;
    std::optional<float> fps;  ///< frames per second of the sequence to which the file belongs
};

}  // namespace wisp
