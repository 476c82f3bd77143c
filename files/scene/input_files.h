// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

namespace wisp {

/// Whether a path names a sequence of files, such as body_%04d.obj.
bool isSequence(const std::filesystem::path& file);

/// Everything that is read with a file that a scene names: the file itself, those of a sequence such as x_%04d.obj, and with a .gltf file
/// those of its buffers. @throws std::runtime_error if a sequence has no file or a gap, or if the .gltf file cannot be read.
std::vector<std::filesystem::path> inputFiles(const std::filesystem::path& file);

}  // namespace wisp
