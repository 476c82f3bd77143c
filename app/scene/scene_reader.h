// SPDX-License-Identifier: MIT
#pragma once

#include "app/scene/scene_error.h"

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <toml++/toml.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wisp::app {

/// @throws SceneFailure with the place of what is no TOML
toml::table parseToml(std::string_view text, const std::string& file);

/// What a choice such as `solver = "jacobi"` may be.
template <class E>
using Choices = std::vector<std::pair<std::string, E>>;

/// Whether a path is `within` or lies below it: "grid.sides.x0" in "grid".
bool liesIn(std::string_view path, std::string_view within);

/// Errors of a scene, and where every key that it contains was written.
class SceneLog {
public:
    explicit SceneLog(std::string file) : file_(std::move(file)) {}

    void written(const std::string& key, const toml::node& node) { positions_[key] = position(node.source()); }
    void fail(const std::string& key, const toml::source_region& where, std::string message);
    /// At the key's position, or at that of the innermost table around it that was written.
    void failAt(const std::string& key, std::string message);
    [[nodiscard]] bool failed(const std::string& key) const;
    [[nodiscard]] bool failedIn(const std::string& table) const;  ///< a key or any in it
    [[nodiscard]] bool empty() const { return errors_.empty(); }
    [[nodiscard]] std::vector<SceneError> sorted() const;  ///< in reading order

private:
    [[nodiscard]] SceneError position(const toml::source_region& source) const;
    std::string file_;
    std::map<std::string, SceneError> positions_;
    std::vector<SceneError> errors_;
};

/// A table of a scene while it is read. Each `read` takes one key if it was written, checks its type, and remembers its
/// name: what is left over at `finish` is unknown. Values keep their defaults where the key was left out.
class Section {
public:
    Section(const toml::table* table, std::string path, SceneLog& log) : table_(table), path_(std::move(path)), log_(log) {}

    bool read(const std::string& key, bool& out);
    bool read(const std::string& key, float& out);
    bool read(const std::string& key, std::uint32_t& out);
    bool read(const std::string& key, std::string& out);
    bool read(const std::string& key, glm::vec2& out);
    bool read(const std::string& key, glm::vec3& out);
    bool read(const std::string& key, glm::uvec2& out);
    bool read(const std::string& key, glm::uvec3& out);

    /// One of several words.
    bool choose(const std::string& key, std::size_t& index, const std::vector<std::string>& names);

    /// A list of some of them, a bit each.
    bool readWords(const std::string& key, std::uint32_t& bits, const std::vector<std::string>& names);

    /// The table under `key`, if it was written; whatever `body` did not read in it is reported.
    template <class Body>
    void table(const std::string& key, Body&& body) {
        if (const toml::table* child = childTable(key)) {
            Section section(child, join(key), log_);
            body(section);
            section.finish();
        }
    }

    /// Each table of the array under `key`.
    template <class Body>
    void each(const std::string& key, Body&& body) {
        const toml::array* list = childArray(key);
        for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
            const std::string path = join(key) + "[" + std::to_string(i) + "]";
            const toml::table* child = element(*list, i, path);
            if (child == nullptr) continue;
            Section section(child, path, log_);
            body(section);
            section.finish();
        }
    }

    [[nodiscard]] bool has(const std::string& key) const { return table_->contains(key); }
    [[nodiscard]] bool refused(const std::string& key) const { return log_.failed(join(key)); }  ///< what was read of it
    void fail(const std::string& key, std::string message);                                      ///< about a key that was written
    void finish();

private:
    [[nodiscard]] std::string join(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }
    const toml::node* take(const std::string& key);
    const toml::table* childTable(const std::string& key);
    const toml::array* childArray(const std::string& key);
    const toml::table* element(const toml::array& list, std::size_t index, const std::string& path);
    void wrongType(const std::string& key, const toml::node& found, std::string_view expected);
    template <class Vector>
    bool readVector(const std::string& key, Vector& out, std::string_view expected);

    const toml::table* table_;
    std::string path_;
    SceneLog& log_;
    std::vector<std::string> known_;
};

}  // namespace wisp::app
