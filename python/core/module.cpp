// SPDX-License-Identifier: MIT
// The part of the Python package that calls the library. The interface for users is in ../wisp: its modules check arguments, convert
// dictionaries and wrap the classes of this one.
#include "simulation.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace wisp::python {

nb::list listOf(const std::vector<SceneProblem>& problems) {
    nb::list list;
    for (const SceneProblem& p : problems) list.append(nb::make_tuple(p.key, p.message, p.file, p.line, p.column));
    return list;
}

void translateErrors() {
    nb::register_exception_translator(
        [](const std::exception_ptr& thrown, void*) {
            try {
                std::rethrow_exception(thrown);
            } catch (const Error& e) {
                try {
                    const nb::object error = nb::module_::import_("wisp._errors")
                                                 .attr("make")(static_cast<int>(e.code()), std::string(e.what()), listOf(e.problems()));
                    PyErr_SetObject(error.type().ptr(), error.ptr());
                } catch (nb::python_error& python) {
                    python.restore();
                }
            }
        },
        nullptr);
}

}  // namespace wisp::python

NB_MODULE(_core, m) {
    nanobind::set_leak_warnings(false);  // objects that are alive at the end of the program are no mistake of its author
    m.doc() = "Calls of the wisp library, for the other modules of the package.";
    m.attr("version") = wisp::version();
    wisp::python::translateErrors();
    wisp::python::bindScene(m);
    wisp::python::bindSimulation(m);
    wisp::python::bindSharedField(m);
}
