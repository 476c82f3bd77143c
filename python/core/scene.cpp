// SPDX-License-Identifier: MIT
#include "simulation.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace wisp::python {
namespace {

// Rows of three numbers, and values [z, y, x]. wisp._scene has checked what they contain.
template <class Number>
using Rows = nb::ndarray<const Number, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Values = nb::ndarray<const float, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

template <class Number>
std::span<const std::array<Number, 3>> rowsOf(const Rows<Number>& rows) {
    return {reinterpret_cast<const std::array<Number, 3>*>(rows.data()), rows.shape(0)};
}

void addMesh(Scene& scene, const std::string& name, const Rows<float>& positions, const Rows<std::uint32_t>& triangles) {
    scene.mesh(name, rowsOf(positions), rowsOf(triangles));
}

/// @param transform in columns
void addVolume(Scene& scene, const std::string& name, const std::vector<std::tuple<std::string, Values>>& fields,
               const std::array<double, 16>& transform) {
    std::vector<VolumeGrid> grids;
    for (const auto& [field, values] : fields)
        grids.push_back({.field = field,
                         .size = {static_cast<std::uint32_t>(values.shape(2)), static_cast<std::uint32_t>(values.shape(1)),
                                  static_cast<std::uint32_t>(values.shape(0))},
                         .toWorld = transform,
                         .values = {values.data(), values.size()}});
    scene.volume(name, grids);
}

/// In the order of wisp._scene.Key.
nb::list listOf(const std::vector<SceneKey>& keys) {
    const char* const types[] = {"", "boolean", "integer", "real", "text", "choice", "choices", "auto_integer"};
    nb::list list;
    for (const SceneKey& k : keys)
        list.append(nb::make_tuple(k.path, k.value, types[static_cast<int>(k.type)], k.count, k.optional, k.unit, k.help, k.low, k.high,
                                   k.logarithmic, k.colour, nb::tuple(nb::cast(k.choices))));
    return list;
}

}  // namespace

void bindScene(nb::module_& m) {
    using namespace nb::literals;
    nb::class_<Scene>(m, "Scene", "A scene, whose values are text in the syntax of TOML.")
        .def(nb::init<>())
        .def(nb::init<const Scene&>(), "other"_a)
        .def_static(
            "load", [](const std::string& name) { return Scene::load(name); }, "file_or_name"_a)
        .def_static(
            "of_checkpoint", [](const std::string& file) { return Scene::ofCheckpoint(file); }, "file"_a)
        .def_static(
            "parse", [](const std::string& text, const std::string& folder) { return Scene::parse(text, folder); }, "text"_a, "folder"_a)
        .def_static(
            "parse_with",
            [](const std::string& text, const std::string& folder, const Scene& data) { return Scene::parse(text, folder, data); },
            "text"_a, "folder"_a, "data"_a)
        .def_static(
            "of_keys",  // of a text that no user has written: messages name keys alone
            [](const std::string& text, const std::string& folder, const Scene& data) {
                return Scene::parse(text, folder, {.lines = false}, "", data);
            },
            "text"_a, "folder"_a, "data"_a)
        .def("mesh", &addMesh, "name"_a, "positions"_a, "triangles"_a)
        .def("volume", &addVolume, "name"_a, "fields"_a, "transform"_a)
        .def("shares_memory", &Scene::sharesMemory, "other"_a)
        .def("has_memory", &Scene::hasMemory)
        .def(
            "set", [](Scene& s, const std::string& key, const std::string& value) { s.set(key, Value::toml(value)); }, "key"_a, "value"_a)
        .def(
            "add", [](Scene& s, const std::string& list, const std::string& keys) { s.add(list, keys); }, "list"_a, "keys"_a)
        .def(
            "remove", [](Scene& s, const std::string& list, std::size_t index) { s.remove(list, index); }, "list"_a, "index"_a)
        .def("count", &Scene::count, "list"_a)
        .def("get", &Scene::get, "key"_a)
        .def("keys", [](const Scene& s) { return listOf(s.keys()); })
        .def("quality", &Scene::quality)
        .def(
            "set_quality", [](Scene& s, const std::string& level) { s.setQuality(level); }, "level"_a)
        .def("meshes", [](const Scene& s) { return listOf(s.meshes()); })
        .def(
            "write_model",
            [](const Scene& s, const std::string& file, std::size_t frames, double fps, std::uint32_t stepsPerFrame) {
                s.writeModel(file, {.count = frames, .fps = fps, .stepsPerFrame = stepsPerFrame});
            },
            "file"_a, "frames"_a, "fps"_a, "steps_per_frame"_a)
        .def("check", &Scene::check)
        .def("warnings", [](const Scene& s) { return listOf(s.warnings()); })
        .def("toml", &Scene::toml, "folder"_a);
    m.def("scenes", &Scene::builtIn);
    m.def("description", &Scene::description, "scene"_a);
    m.def("keys", [] { return listOf(Scene::allKeys()); });
    m.def("preset", [](const std::string& name) {
        nb::list list;
        for (const LoadOptions::Setting& s : Scene::preset(name)) list.append(nb::make_tuple(s.key, s.value));
        return list;
    });
}

}  // namespace wisp::python
