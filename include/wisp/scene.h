// SPDX-License-Identifier: MIT
#ifndef WISP_SCENE_H
#define WISP_SCENE_H

#include <wisp/error.h>
#include <wisp/field.h>
#include <wisp/volume.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wisp {

/// A number in a list of numbers.
template <class T>
concept ListNumber = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, std::int32_t> || std::same_as<T, std::uint32_t>;

/// A value of a scene key: a truth value, a number, a text, or a list of numbers.
class WISP_API Value {
public:
    Value(bool value);                              ///< true or false
    Value(int value);                               ///< a whole number
    Value(long value);                              ///< a whole number
    Value(long long value);                         ///< a whole number
    Value(unsigned value);                          ///< a whole number
    Value(unsigned long value);                     ///< a whole number
    Value(unsigned long long value);                ///< a whole number
    Value(float value);                             ///< a number, with the digits that a float has
    Value(double value);                            ///< a number
    Value(const char* text);                        ///< a text
    Value(const std::string& text);                 ///< a text
    Value(std::string_view text);                   ///< a text
    Value(std::initializer_list<double> numbers);   ///< a list of numbers
    Value(std::span<const float> numbers);          ///< a list of numbers
    Value(std::span<const double> numbers);         ///< a list of numbers
    Value(std::span<const std::int32_t> numbers);   ///< a list of whole numbers
    Value(std::span<const std::uint32_t> numbers);  ///< a list of whole numbers
    /// A list of numbers.
    template <ListNumber T>
    Value(const std::vector<T>& numbers) : Value(std::span<const T>(numbers)) {}
    /// A list of numbers.
    template <ListNumber T, std::size_t N>
    Value(const std::array<T, N>& numbers) : Value(std::span<const T>(numbers)) {}
    /// Any value in the syntax of TOML, such as "[{shape = \"sphere\", density = 1}]".
    static Value toml(std::string text);

    [[nodiscard]] const std::string& text() const { return text_; }  ///< in the syntax of TOML

private:
    Value() = default;
    std::string text_;
};

/// A key of a scene and its value, for programs that show or edit scenes.
struct SceneKey {
    /// Kind of a value.
    enum class Type : int {
        Boolean = 1,  ///< true or false
        Integer = 2,  ///< a whole number from 0
        Real = 3,     ///< a number
        Text = 4,
        Choice = 5,      ///< one of `choices`
        Choices = 6,     ///< any number of `choices`; none: the default
        AutoInteger = 7  ///< a whole number, or "auto"
    };
    std::string path;                  ///< such as "flow.vorticity" or "emitter[0].radius"
    std::string value;                 ///< in the syntax of TOML; empty: not given
    Type type = Type::Real;            ///< of each number of the value
    std::uint32_t count = 1;           ///< how many numbers the value has
    bool optional = false;             ///< the key may be left out, which is not the same as any value
    std::string unit;                  ///< such as "m"
    std::string help;                  ///< one line about its meaning
    double low = 0.0;                  ///< lower end of the usual range, for a slider; check() has the allowed one
    double high = 1.0;                 ///< its upper end
    bool logarithmic = false;          ///< a slider should be
    bool colour = false;               ///< the numbers are red, green and blue
    std::vector<std::string> choices;  ///< names that the value can have
};

/// What a scene reads because of one key.
struct SceneFiles {
    std::string key;   ///< such as "obstacle[0].file"
    std::string name;  ///< the file, or the pattern of a sequence such as x_%04d.vdb
    /// Everything that is read with it: all files of a sequence; with a .gltf file those of its buffers.
    std::vector<std::string> files;
};

/// How a scene is read.
struct LoadOptions {
    /// A key that replaces that of the file. Its value is in the syntax of TOML, or a word without quotes for a text.
    struct Setting {
        std::string key;     ///< such as "flow.vorticity" or "emitter[0].radius"
        std::string value;   ///< such as "0.5"
        std::string source;  ///< where it comes from, for messages, such as "--set seed=7"
        /// "key.path=value", whose source is "--set " and the text. @throws Error Argument if there is no '='.
        [[nodiscard]] WISP_API static Setting parse(const std::string& text);
    };
    std::vector<Setting> set;          ///< in order
    std::string quality = "standard";  ///< scales the grid: draft 0.25, preview 0.5, standard 1, high 1.5, ultra 2
    bool lines = true;                 ///< of Scene::parse: problems have lines and columns; false if a program has made the text
};

/// The pictures of a film. Picture n shows the time (n + 1) * stepsPerFrame * the scene's time.step, and is at n / fps in a file.
struct FilmFrames {
    std::size_t count = 1;            ///< number of pictures
    double fps = 60.0;                ///< pictures per second
    std::uint32_t stepsPerFrame = 1;  ///< steps from one picture to the next
};

/// A field of a volume in memory: values at the points of a lattice, and 0 outside.
struct WISP_API VolumeGrid {
    std::string field = "density";        ///< or temperature [K above ambient], or fuel as a share
    std::array<std::uint32_t, 3> size{};  ///< number of values along x, y, z; x varies fastest in memory
    /// From the indices (i, j, k, 1) of a value to its position [m]; 16 numbers in columns. The last row is 0, 0, 0, 1.
    std::array<double, 16> toWorld{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    std::span<const float> values;  ///< finite; density and fuel below 0 count as 0

    /// A field that was read from a simulation, at the same place. It refers to the values of `data`.
    static VolumeGrid of(const FieldData& data);
};

/// A description of a simulation and its picture: the keys of a scene file, see docs/scenes.md. The keys are the stable interface.
/// A copy is independent of its original.
class WISP_API Scene {
public:
    /// A scene with the default of every key.
    Scene();
    /// A scene file, or the name of a built-in scene. @throws Error Scene with all problems; Error File.
    static Scene load(const std::string& fileOrName, const LoadOptions& options = {});
    /// The scene of a checkpoint file. @throws Error File if that is damaged; Scene.
    static Scene ofCheckpoint(const std::string& file, const LoadOptions& options = {});
    /// The text of a scene file. Files that it names are relative to `folder`. @throws Error Scene with all problems.
    static Scene parse(std::string_view toml, const std::string& folder = {});
    /// The same for a text that names meshes and volumes in memory: those of another scene.
    static Scene parse(std::string_view toml, const std::string& folder, const Scene& data);
    /// The same with keys that replace those of the text, and at a quality. Messages call the text `name`,
    /// which may be empty.
    static Scene parse(std::string_view toml, const std::string& folder, const LoadOptions& options, const std::string& name);
    /// The same with meshes and volumes in memory.
    static Scene parse(std::string_view toml, const std::string& folder, const LoadOptions& options, const std::string& name,
                       const Scene& data);
    [[nodiscard]] static std::vector<std::string> builtIn();                   ///< names of the built-in scenes
    [[nodiscard]] static std::string description(const std::string& builtIn);  ///< one line. @throws Error File for an unknown name
    /// Keys of a preset such as "physical", for LoadOptions::set. @throws Error Argument that lists all presets.
    [[nodiscard]] static std::vector<LoadOptions::Setting> preset(const std::string& name);

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
    /// Removes an element of a list. @throws Error Scene if there is none.
    Scene& remove(const std::string& list, std::size_t index);
    /// Makes the scene one that shows volume files instead of a simulation: the files are its initial smoke, with their temperature and
    /// fuel if the first one has these. Emitters, strokes, probes, the initial smoke, the path of the box and a prescribed velocity are
    /// removed. Simulation::show then gives a picture of any time. @throws Error Scene; File naming what is wrong with the files.
    Scene& showVolumes(const VolumeSequence& sequence);
    /// Scales the grid of the scene, see LoadOptions::quality. @throws Error Argument.
    Scene& setQuality(const std::string& level);
    [[nodiscard]] std::string quality() const;                  ///< name of the level
    [[nodiscard]] static std::vector<std::string> qualities();  ///< names of all levels, the coarsest first

    /// Names of the fields that a simulation of this scene has, as Simulation::fields.
    [[nodiscard]] std::vector<std::string> fields() const;

    /// The value of a key, in the syntax of TOML; also a default. Empty: not given. @throws Error Scene if there is no such key.
    [[nodiscard]] std::string get(const std::string& key) const;
    /// All keys that have an effect in this scene, in the order of docs/scenes.md, with their values. With `quality`, grid.cells are
    /// scaled.
    [[nodiscard]] std::vector<SceneKey> keys() const;
    /// Every key that a scene can have without another one, with its default; those of lists as of an element [0].
    [[nodiscard]] static std::vector<SceneKey> allKeys();
    /// Whether a key of this scene, such as "camera.eye" or "obstacle[0].colour", changes only pictures and not the simulation.
    /// @throws Error Scene.
    [[nodiscard]] bool isOfPicture(const std::string& key) const;
    [[nodiscard]] std::size_t count(const std::string& list) const;  ///< number of elements, such as those of "emitter"
    [[nodiscard]] std::string file() const;                          ///< from which it was read; otherwise empty

    /// Gives the scene a mesh in memory. Keys then name it like a file: shape = "mesh", file = "memory:NAME". The surface must be closed,
    /// as that of a file. A copy of the scene shares the data, which is kept until no scene and no simulation uses it. The same name again
    /// replaces the data, in this scene only. toml() has the name without the data. @param name letters, digits, _ and -
    /// @param positions [units, see the key scale] @param triangles indices into positions, counter-clockwise seen from outside
    /// @throws Error Argument if the mesh cannot be used; Error Scene if it cannot be used for the keys that already name it.
    Scene& mesh(const std::string& name, std::span<const std::array<float, 3>> positions,
                std::span<const std::array<std::uint32_t, 3>> triangles);
    /// Gives the scene a volume in memory, for emitters and initial smoke: shape = "volume", file = "memory:NAME". As mesh(); each field
    /// may have a lattice of its own. @throws Error Argument; Error Scene.
    Scene& volume(const std::string& name, const std::vector<VolumeGrid>& grids);
    /// Whether both scenes have the same meshes and volumes in memory under the same names: copies of each other's.
    [[nodiscard]] bool sharesMemory(const Scene& other) const;
    [[nodiscard]] bool hasMemory() const;  ///< whether it has any

    /// Files that the scene reads: meshes, volumes, images. Not those that are built in, nor looks, nor what is in memory.
    /// @throws Error Scene; File.
    [[nodiscard]] std::vector<SceneFiles> files() const;

    /// @throws Error Scene with all problems.
    void check() const;
    /// What is allowed, but probably not meant.
    [[nodiscard]] std::vector<SceneProblem> warnings() const;
    /// A line about each mesh: triangles, size in cells, open edges, thin parts.
    [[nodiscard]] std::vector<SceneProblem> meshes() const;
    /// The text of a scene file for `folder`, without the keys that have their defaults, and with the cells of quality "standard". @throws
    /// Error Scene, as check().
    [[nodiscard]] std::string toml(const std::string& folder = {}) const;
    /// Writes bodies, ground, camera and lights, with their motion at the frames, as a .glb file (glTF 2.0, y up). @throws Error Argument
    /// for another kind of file, or a count or a rate that is not above 0; Output.
    void writeModel(const std::string& file, const FilmFrames& frames = {}) const;

    struct Impl;
    [[nodiscard]] const Impl& impl() const { return *impl_; }  ///< for the library itself

private:
    explicit Scene(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace wisp

#endif
