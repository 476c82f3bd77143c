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

}  // namespace

void bindScene(nb::module_& m) {
    using namespace nb::literals;
    nb::class_<Scene>(m, "Scene", "A scene, whose values are text in the syntax of TOML.")
        .def(nb::init<>())
        .def(nb::init<const Scene&>(), "other"_a)
        .def_static(
            "load", [](const std::string& name) { return Scene::load(name); }, "file_or_name"_a)
        .def_static(
            "parse", [](const std::string& text, const std::string& folder) { return Scene::parse(text, folder); }, "text"_a, "folder"_a)
        .def_static(
            "parse_with",
            [](const std::string& text, const std::string& folder, const Scene& data) { return Scene::parse(text, folder, data); },
            "text"_a, "folder"_a, "data"_a)
        .def("mesh", &addMesh, "name"_a, "positions"_a, "triangles"_a)
        .def("volume", &addVolume, "name"_a, "fields"_a, "transform"_a)
        .def("shares_memory", &Scene::sharesMemory, "other"_a)
        .def("has_memory", &Scene::hasMemory)
        .def(
            "set", [](Scene& s, const std::string& key, const std::string& value) { s.set(key, Value::toml(value)); }, "key"_a, "value"_a)
        .def(
            "add", [](Scene& s, const std::string& list, const std::string& keys) { s.add(list, keys); }, "list"_a, "keys"_a)
        .def("get", &Scene::get, "key"_a)
        .def("check", &Scene::check)
        .def("warnings", [](const Scene& s) { return listOf(s.warnings()); })
        .def("toml", &Scene::toml, "folder"_a);
    m.def("scenes", &Scene::builtIn);
}

}  // namespace wisp::python
