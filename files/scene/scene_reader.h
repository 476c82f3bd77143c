// SPDX-License-Identifier: MIT
#pragma once

#include "files/scene/scene_error.h"

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <toml++/toml.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wisp {

/// @throws SceneFailure with the position of a TOML error, if the text has `lines`: see SceneOptions
toml::table parseToml(std::string_view text, const std::string& file, bool lines = true);

/// Allowed words and values of a key such as `solver = "jacobi"`.
template <class E>
using Choices = std::vector<std::pair<std::string, E>>;

/// True if `path` equals `within` or lies below it: "grid.sides.x0" is in "grid".
bool liesIn(std::string_view path, std::string_view within);

/// Collects the errors of a scene and the source positions of its keys.
class SceneLog {
public:
    /// `lines`: whether messages give lines and columns of the file, see SceneOptions.
    explicit SceneLog(std::string file, bool lines = true) : file_(std::move(file)), lines_(lines) {}

    void written(const std::string& key, const toml::node& node) { positions_[key] = position(node.source()); }
    void fail(const std::string& key, const toml::source_region& where, std::string message);
    /// Adds an error at the position of the key, or of the innermost enclosing table in the file.
    void failAt(const std::string& key, std::string message);
    [[nodiscard]] bool failed(const std::string& key) const;
    [[nodiscard]] bool failedIn(const std::string& table) const;  ///< true if the key or a key below it has an error
    [[nodiscard]] bool empty() const { return errors_.empty(); }
    [[nodiscard]] std::vector<SceneError> sorted() const;  ///< in the order of lines

private:
    [[nodiscard]] SceneError position(const toml::source_region& source) const;
    std::string file_;
    bool lines_;
    std::map<std::string, SceneError> positions_;
    std::vector<SceneError> errors_;
};

/// A table of a scene during reading. Each `read` reads one key if it exists, checks its type and records its name. `finish` reports all
/// keys that were not read as unknown. The value of a missing key is unchanged.
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

    /// Reads one of several words.
    bool choose(const std::string& key, std::size_t& index, const std::vector<std::string>& names);

    /// Reads a whole number above 0, or "auto" as 0.
    bool readAutoNumber(const std::string& key, std::uint32_t& out);

    /// Reads a number, or a fraction such as "24000/1001".
    bool readRate(const std::string& key, float& out);

    /// Reads a list of words as a bit mask.
    bool readWords(const std::string& key, std::uint32_t& bits, const std::vector<std::string>& names);

    /// Reads the table `key` with `body` if it exists. Keys that `body` does not read are reported.
    template <class Body>
    void table(const std::string& key, Body&& body) {
        if (const toml::table* child = childTable(key)) {
            Section section(child, join(key), log_);
            body(section);
            section.finish();
        }
    }

    /// Reads each table of the array `key` with `body`.
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
    [[nodiscard]] bool refused(const std::string& key) const { return log_.failed(join(key)); }  ///< the value of this key was rejected
    void fail(const std::string& key, std::string message);                                      ///< the key must exist in the file
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

}  // namespace wisp
