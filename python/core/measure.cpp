// SPDX-License-Identifier: MIT
// What a simulation tells besides its fields: memory, values at points, times, hashes, volume files.
#include "measure.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstring>

namespace wisp::python {
namespace {

using Vector = std::array<float, 3>;

nb::list listOf(const std::vector<MemoryUse>& rows) {
    nb::list list;
    for (const MemoryUse& r : rows) list.append(nb::make_tuple(r.name, r.layout, r.bytes));
    return list;
}

nb::list plan(const SharedDevice& device, const Scene& scene, bool picture, bool moves) {
    const Device& open = device.get();
    const Scene copy = scene;
    std::vector<MemoryUse> rows;
    {
        const nb::gil_scoped_release released;
        rows = Simulation::plan(open, copy, {.moves = moves, .needs = {.picture = picture}});
    }
    return listOf(rows);
}

/// An array (n), or (n, 3), of a member of each value.
template <class Member>
nb::object column(const std::vector<ProbeValue>& values, Member ProbeValue::*member) {
    constexpr std::size_t kNumbers = sizeof(Member) / sizeof(float);
    auto* const numbers = new float[values.size() * kNumbers];
    const nb::capsule owner(numbers, [](void* p) noexcept { delete[] static_cast<float*>(p); });
    for (std::size_t n = 0; n < values.size(); ++n) {
        const auto* const from = reinterpret_cast<const float*>(&(values[n].*member));
        std::copy(from, from + kNumbers, numbers + n * kNumbers);
    }
    std::vector<std::size_t> shape{values.size()};
    if (kNumbers > 1) shape.push_back(kNumbers);
    return nb::cast(nb::ndarray<nb::numpy, float>(numbers, shape.size(), shape.data(), owner));
}

/// The names are those of wisp._simulation.ProbeValues.
nb::dict probe(SharedSimulation& shared, const Vector& from, const Vector& to, std::uint32_t points) {
    const std::vector<ProbeValue> values = shared.call([&](Simulation& s) { return s.probe(from, to, points); });
    nb::dict d;
    d["velocity"] = column(values, &ProbeValue::velocity);
    d["pressure"] = column(values, &ProbeValue::pressure);
    d["vorticity"] = column(values, &ProbeValue::vorticity);
    d["density"] = column(values, &ProbeValue::density);
    d["temperature"] = column(values, &ProbeValue::temperature);
    return d;
}

using Points = nb::ndarray<const float, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;

nb::object windAt(SharedSimulation& shared, const Points& points) {
    std::vector<Vector> at(points.shape(0));
    std::memcpy(at.data(), points.data(), at.size() * sizeof(Vector));
    const std::vector<Vector> wind = shared.call([&](Simulation& s) { return s.windAt(at); });
    auto* const numbers = new float[3 * wind.size()];
    const nb::capsule owner(numbers, [](void* p) noexcept { delete[] static_cast<float*>(p); });
    std::memcpy(numbers, wind.data(), wind.size() * sizeof(Vector));
    return nb::cast(nb::ndarray<nb::numpy, float>(numbers, {wind.size(), 3}, owner));
}

nb::dict hashes(SharedSimulation& shared) {
    nb::dict d;
    for (const FieldHash& h : shared.call([](Simulation& s) { return s.hashes(); })) d[h.name.c_str()] = h.hash;
    return d;
}

nb::list times(SharedSimulation& shared) {
    nb::list list;
    for (const SubmitTimes& t : shared.takeTimes()) {
        nb::list passes;
        for (const PassTime& p : t.passes) passes.append(nb::make_tuple(p.name, p.calls, p.ms, p.scope, p.threads, p.bytes));
        list.append(nb::make_tuple(t.step, t.stepped, t.recordMs, t.submitMs, passes));
    }
    return list;
}

}  // namespace

SharedVolumeWriter::SharedVolumeWriter(SharedSimulation& simulation, const VolumeOptions& options) : process_(getpid()) {
    writer_ = simulation.call([&](Simulation& s) { return std::make_unique<VolumeWriter>(s, options); });
}

SharedVolumeWriter::~SharedVolumeWriter() {
    if (process_ != getpid()) (void)writer_.release();  // its threads are in the other process
    const nb::gil_scoped_release released;              // waits for files
    writer_.reset();
}

void bindMeasure(nb::module_& m, nb::class_<SharedSimulation>& simulation) {
    using namespace nb::literals;
    m.def("plan", &plan, "device"_a, "scene"_a, "picture"_a, "moves"_a);
    m.def("memory", [](const SharedDevice& d) {
        const Device& device = d.get();
        std::vector<MemoryUse> rows;
        {
            const nb::gil_scoped_release released;  // waits for calls of simulations
            rows = device.memory();
        }
        return listOf(rows);
    });
    simulation.def("probe", &probe, "start"_a, "end"_a, "points"_a)
        .def("wind_at", &windAt, "points"_a)
        .def("hashes", &hashes)
        .def("times", &times);
    using W = SharedVolumeWriter;
    nb::class_<W>(m, "VolumeWriter")
        .def(
            "__init__",
            [](W* self, SharedSimulation& s, const std::vector<std::string>& fields, float threshold, bool upIsZ, double fps) {
                new (self) W(s, {.fields = fields, .threshold = threshold, .upIsZ = upIsZ, .fps = fps});
            },
            "simulation"_a, "fields"_a, "threshold"_a, "up_is_z"_a, "fps"_a)
        .def(
            "write", [](W& w, SharedSimulation& s, const std::string& file) { s.call([&](Simulation&) { w.writer().write(file); }); },
            "simulation"_a, "file"_a)
        .def(
            "flush", [](W& w, SharedSimulation& s) { s.call([&](Simulation&) { w.writer().flush(); }); }, "simulation"_a);
}

}  // namespace wisp::python
