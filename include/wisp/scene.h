// SPDX-License-Identifier: MIT
#ifndef WISP_SCENE_H
#define WISP_SCENE_H

#include <wisp/error.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace wisp {

/// A value of a scene key: a truth value, a number, a text, or a list of numbers.
class WISP_API Value {
public:
    Value(bool value);
    Value(int value);
    Value(long long value);
    Value(unsigned value);
    Value(double value);
    Value(const char* text);
    Value(const std::string& text);
    Value(std::initializer_list<double> numbers);
    Value(const std::vector<double>& numbers);
    /// Any value in the syntax of TOML, such as "[{shape = \"sphere\", density = 1}]".
    static Value toml(std::string text);

    [[nodiscard]] const std::string& text() const { return text_; }  ///< in the syntax of TOML

private:
    Value() = default;
    std::string text_;
};

/// A description of a simulation and its picture: the keys of a scene file, see docs/scenes.md. The keys are the stable interface.
/// A copy is independent of its original.
class WISP_API Scene {
public:
    /// A scene with the default of every key.
    Scene();
    /// A scene file, or the name of a built-in scene. @throws Error Scene with all problems; Error File.
    static Scene load(const std::string& fileOrName);
    /// The text of a scene file. Files that it names are relative to `folder`. @throws Error Scene with all problems.
    static Scene parse(std::string_view toml, const std::string& folder = {});
    [[nodiscard]] static std::vector<std::string> builtIn();  ///< names of the built-in scenes

    Scene(const Scene&);
    Scene& operator=(const Scene&);
    Scene(Scene&&) noexcept;
    Scene& operator=(Scene&&) noexcept;
    ~Scene();

    /// Sets a key such as "flow.vorticity" or "emitter[0].radius". The value must have the right type; its range is checked together with
    /// that of all others by check() and by whatever uses the scene, so that keys which depend on each other can be set one by one.
    /// @throws Error Scene if there is no such key, or the value has another type.
    Scene& set(const std::string& key, const Value& value);
    /// Adds an element at the end of a list such as "emitter" or "obstacle". `keys`: a table in the syntax of TOML, such as
    /// "{shape = \"sphere\", centre = [0, 1, 0]}". @throws Error Scene.
    Scene& add(const std::string& list, const std::string& keys);
    /// The value of a key outside of lists, in the syntax of TOML; also a default. @throws Error Scene if there is no such key.
    [[nodiscard]] std::string get(const std::string& key) const;

    /// @throws Error Scene with all problems.
    void check() const;
    /// What is allowed, but probably not meant.
    [[nodiscard]] std::vector<SceneProblem> warnings() const;
    /// The text of a scene file for `folder`, without the keys that have their defaults. @throws Error Scene, as check().
    [[nodiscard]] std::string toml(const std::string& folder = {}) const;

    struct Impl;
    [[nodiscard]] const Impl& impl() const { return *impl_; }  ///< for the library itself

private:
    explicit Scene(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace wisp

#endif
