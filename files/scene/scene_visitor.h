// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "files/scene/memory_data.h"
#include "files/scene/scene_reader.h"

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace wisp {

/// Description of a key. `low` and `high` are the usual range, for a slider. `validate` is the only range check.
struct KeyInfo {
    const char* unit = "";
    float low = 0.0f, high = 1.0f;
    const char* help = "";
    enum class Kind : std::uint32_t {
        Plain,
        Logarithmic,
        Colour,
        Degrees,
        Rate
    } kind = Kind::Plain;  ///< Degrees: the file has degrees, settings have radians. Rate: the file may have a fraction, "24000/1001"
};

/// A value that is one of several names.
struct Choice {
    std::size_t* index;
    const std::vector<std::string>* names;
};

/// A set of names as a bit mask. 0: the default.
struct Words {
    std::uint32_t* bits;
    const std::vector<std::string>* names;
};

/// A whole number, or "auto", which is 0.
struct AutoNumber {
    std::uint32_t* value;
};

/// Pointer to the value of a key.
using KeyValue = std::variant<bool*, std::uint32_t*, float*, std::string*, glm::vec2*, glm::vec3*, glm::uvec2*, glm::uvec3*,
                              std::optional<float>*, std::optional<glm::vec2>*, std::optional<glm::vec3>*, Choice, Words, AutoNumber>;

/// Visits the keys of a scene in order. Implementations read a file, write a file, or show the keys in a panel.
class SceneVisitor {
public:
    virtual ~SceneVisitor() = default;

    /// Visits a key and its value. Returns false if the value is missing, which is possible only when a file is read.
    virtual bool key(const std::string& name, KeyValue value, const KeyInfo& about) = 0;
    /// Visits the keys of a table.
    virtual void table(const std::string& name, const std::function<void()>& keys) = 0;
    /// A list of tables: `keys(i)` visits the keys of element i, `resize(n)` sets the number of elements, `erase(i)` removes one.
    struct List {
        std::size_t size;
        std::function<void(std::size_t)> resize, erase, keys;
    };
    virtual void list(const std::string& name, const List& list) = 0;
    /// Reports an error in the value of a key of the current table.
    virtual void fail(const std::string& name, const std::string& message) = 0;
    /// The table that is being read. Null for all implementations except the reader.
    virtual Section* reading() { return nullptr; }
    /// What a program has given in memory. A null pointer: nothing.
    [[nodiscard]] virtual const MemoryData* memory() const { return nullptr; }
    /// Whether the scene shows its volume files instead of simulating.
    [[nodiscard]] virtual bool shows() const { return false; }

    /// Returns true if keys that are valid only under `condition` must be visited. The reader always visits them, to report them as errors.
    bool where(bool condition) { return condition || reading() != nullptr; }

    /// Visits a key whose values have names.
    template <class E>
    bool choose(const std::string& name, E& value, const Choices<E>& choices, const char* help) {
        const auto now = std::ranges::find(choices, value, &std::pair<std::string, E>::second);
        auto index = static_cast<std::size_t>(now - choices.begin());
        std::vector<std::string> names;
        for (const auto& [word, e] : choices) names.push_back(word);
        const bool given = key(name, Choice{&index, &names}, {.help = help});
        if (index < choices.size()) value = choices[index].second;
        return given;
    }
    template <class T, class Keys>
    void each(const std::string& name, std::vector<T>& values, Keys&& keys) {
        list(name, {values.size(), [&](std::size_t n) { values.resize(n); },
                    [&](std::size_t i) { values.erase(values.begin() + static_cast<std::ptrdiff_t>(i)); },
                    [&](std::size_t i) { keys(values[i]); }});
    }
};

}  // namespace wisp
