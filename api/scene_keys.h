// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "wisp/scene.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace wisp {

/// What a visit of a scene finds.
struct ListedKeys {
    std::vector<SceneKey> keys;
    std::map<std::string, std::size_t> counts;  ///< elements of each list, by its path
};
/// File names are relative to `folder`.
ListedKeys listKeys(const Settings& settings, const std::filesystem::path& folder);

/// Of a default scene with an element in each list.
std::vector<SceneKey> listAllKeys();

/// "emitter.0.radius" as "emitter[0].radius".
std::string pathWithBrackets(const std::string& path);

/// Removes an element of the list at `path`. @throws Error Scene if there is none.
void removeElement(Settings& settings, const std::string& path, std::size_t index);

}  // namespace wisp
