// SPDX-License-Identifier: MIT
#pragma once

#include "app/scene/scene_reader.h"
#include "compute/scene/settings.h"

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

namespace wisp::app {

/// What there is to know about a key besides its name and value. `low` and `high` are the ends of the usual range, for a slider;
/// what is allowed says `validate` alone.
struct About {
    const char* unit = "";
    float low = 0.0f, high = 1.0f;
    const char* help = "";
    enum class Kind : std::uint32_t {
        Plain,
        Logarithmic,
        Colour,
        Degrees
    } kind = Kind::Plain;  ///< Degrees: the file's, settings have radians
};

/// One of several names.
struct Choice {
    std::size_t* index;
    const std::vector<std::string>* names;
};

/// Any of several names, a bit each; none of them: the default.
struct Words {
    std::uint32_t* bits;
    const std::vector<std::string>* names;
};

/// Where the value of a key lives.
using KeyValue = std::variant<bool*, std::uint32_t*, float*, std::string*, glm::vec2*, glm::vec3*, glm::uvec2*, glm::uvec3*,
                              std::optional<float>*, std::optional<glm::vec2>*, std::optional<glm::vec3>*, Choice, Words>;

/// What goes through the keys of a scene in their order: reads them from a file, writes them to one, or shows them in a panel.
class SceneVisitor {
public:
    virtual ~SceneVisitor() = default;

    /// A key and its value. Returns whether the value was given, which only a file can leave out.
    virtual bool key(const std::string& name, KeyValue value, const About& about) = 0;
    /// The keys of a table.
    virtual void table(const std::string& name, const std::function<void()>& keys) = 0;
    /// A list of tables: `keys(i)` visits the i-th, `resize(n)` makes there be so many, `erase(i)` removes one.
    struct List {
        std::size_t size;
        std::function<void(std::size_t)> resize, erase, keys;
    };
    virtual void list(const std::string& name, const List& list) = 0;
    /// Something is wrong with the value of a key of this table.
    virtual void fail(const std::string& name, const std::string& message) = 0;
    /// The table that is being read; null for all but the reader.
    virtual Section* reading() { return nullptr; }

    /// Whether keys are to be visited that have a meaning only if `so`: a reader wants them anyway, to object to them.
    bool where(bool so) { return so || reading() != nullptr; }

    /// A key whose values have names.
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

}  // namespace wisp::app
