// SPDX-License-Identifier: MIT
#include "simulation.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace wisp::python {

void bindScene(nb::module_& m) {
    using namespace nb::literals;
    nb::class_<Scene>(m, "Scene", "A scene, whose values are text in the syntax of TOML.")
        .def(nb::init<>())
        .def(nb::init<const Scene&>(), "other"_a)
        .def_static("load", &Scene::load, "file_or_name"_a)
        .def_static(
            "parse", [](const std::string& text, const std::string& folder) { return Scene::parse(text, folder); }, "text"_a, "folder"_a)
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
