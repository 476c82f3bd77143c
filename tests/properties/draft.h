// SPDX-License-Identifier: MIT
#pragma once

#include "files/scene/scene.h"

#include <rapidcheck.h>

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

/// Random scenes with all keys of files/scene/scene_keys.cpp.
namespace wisp::test {

/// Percentages of unusual values.
struct Wildness {
    int given = 30;  ///< keys that are given
    int edge = 0;    ///< values at the limits of the allowed range
    int bad = 0;     ///< NaN, infinite, huge, or of another type
};

/// A table on the path to a key, or one element of a list of tables.
struct Place {
    std::string table;
    long index = -1;  ///< index in a list, or -1
    bool operator==(const Place&) const = default;
};

struct Entry {
    std::vector<Place> places;
    std::string name;   ///< empty: only the header of a list element
    std::string value;  ///< in TOML syntax
};

/// A scene file as a list of keys, so that single keys can be removed.
struct Draft {
    std::vector<Entry> entries;

    [[nodiscard]] std::string text() const;
    /// The path of each entry, for example "emitter[0].radius". Indices do not count removed list elements.
    [[nodiscard]] std::vector<std::string> paths() const;
    /// Line of each path in the text. The first line is 1.
    [[nodiscard]] std::map<std::string, unsigned> lines() const;
    /// Sets a key of a table, and adds the key if it is missing. Lists are not supported.
    void set(const std::string& table, const std::string& name, const std::string& value);
    [[nodiscard]] Draft without(const std::string& path) const;  ///< also removes all keys below the path
};
std::ostream& operator<<(std::ostream& os, const Draft& draft);

/// A mesh and an environment image lie in the same folder.
extern const std::string kDraftFile;

/// Makes the grid small, with cubic cells and also odd numbers of cells, and limits the number of sweeps. Keeps tests quick.
void makeSmall(Draft& draft, std::uint64_t seed);

/// RapidCheck shrinks a draft by removing keys.
rc::Gen<Draft> drafts(Wildness wildness, bool small);

/// Removes all keys that error messages name, until the scene is accepted.
Draft accepted(Draft draft);

/// All errors of a scene. Empty if the scene is valid.
std::vector<SceneError> errorsOf(const Draft& draft);

}  // namespace wisp::test
