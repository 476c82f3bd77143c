// SPDX-License-Identifier: MIT
#pragma once

#include "app/scene/scene.h"

#include <rapidcheck.h>

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

/// Scenes by chance, over every key that app/scene/scene_keys.cpp has.
namespace wisp::test {

/// How far from usual the values are, in percent of the keys.
struct Wildness {
    int given = 30;  ///< keys that are written at all
    int edge = 0;    ///< at the ends of what may be allowed
    int bad = 0;     ///< NaN, infinite, enormous, of another type
};

/// A table on the way to a key, or one of a list of them.
struct Place {
    std::string table;
    long index = -1;  ///< in a list
    bool operator==(const Place&) const = default;
};

struct Entry {
    std::vector<Place> places;
    std::string name;   ///< empty: only the element of a list
    std::string value;  ///< TOML
};

/// A scene file as a list of keys, so that one can be taken out.
struct Draft {
    std::vector<Entry> entries;

    [[nodiscard]] std::string text() const;
    /// Where each entry is once elements of lists that are gone have left their place: "emitter[0].radius".
    [[nodiscard]] std::vector<std::string> paths() const;
    /// Line of each path in the text, from 1.
    [[nodiscard]] std::map<std::string, unsigned> lines() const;
    /// Sets a key, which is added if it is not there. Tables only, no lists.
    void set(const std::string& table, const std::string& name, const std::string& value);
    [[nodiscard]] Draft without(const std::string& path) const;  ///< and without what lies in it
};
std::ostream& operator<<(std::ostream& os, const Draft& draft);

inline const std::string kDraftFile = WISP_SOURCE_DIR "/tests/fuzz/files/scene.toml";  ///< a mesh and surroundings lie beside it

/// Few cells, in odd numbers too, that are cubic; and no more sweeps than a test can wait for.
void makeSmall(Draft& draft, std::uint64_t seed);

/// Shrinks by leaving keys out.
rc::Gen<Draft> drafts(Wildness wildness, bool small);

/// What is left once all that is refused was taken out, key by key as the messages name them.
Draft accepted(Draft draft);

/// What a scene is refused for; empty: it is not.
std::vector<app::SceneError> errorsOf(const Draft& draft);

}  // namespace wisp::test
