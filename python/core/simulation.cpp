// SPDX-License-Identifier: MIT
#include "measure.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <new>
#include <utility>
#include <vector>

namespace wisp::python {

nb::dict dictOf(const Quality& quality);

SharedSimulation::SharedSimulation(Simulation simulation, bool timed)
    : simulation_(std::make_unique<Simulation>(std::move(simulation))), process_(getpid()) {
    count();
    if (!timed) return;
    simulation_->onTimes([this](const SubmitTimes& times) {
        constexpr std::size_t kMost = 4096;  // as wisp._simulation.Simulation.times says
        if (times_.size() == kMost) times_.pop_front();
        times_.push_back(times);
    });
}

SharedSimulation::~SharedSimulation() {
    if (process_ == getpid()) return;
    (void)renderer_.release();  // threads of the driver that they would wait for are in the other process
    (void)simulation_.release();
}

SharedSimulation::Entry::Entry(SharedSimulation& s) : simulation(s) {
    if (s.process_ != getpid())
        throw Error(ErrorCode::Outdated, "the simulation belongs to the process that made it: make a new one after a fork");
    if (s.inside_.exchange(true))
        throw Error(ErrorCode::Busy, "another thread is inside a call of this simulation: use it from one thread at a time");
    if (s.closed_) {
        s.inside_ = false;
        throw Error(ErrorCode::Outdated, "the simulation is closed");
    }
}

void SharedSimulation::count() {
    if (!simulation_) return;
    steps_ = simulation_->steps();
    time_ = simulation_->time();
    timeStep_ = simulation_->timeStep();
}

Renderer& SharedSimulation::renderer(std::uint32_t width, std::uint32_t height, bool transparent) {
    if (std::exchange(transparent_, transparent) != transparent) renderer_.reset();
    if (renderer_) renderer_->resize(width, height);
    else
        renderer_ = std::make_unique<Renderer>(*simulation_, RendererOptions{.width = width, .height = height, .transparent = transparent});
    return *renderer_;
}

std::vector<SubmitTimes> SharedSimulation::takeTimes() {
    return call([this](Simulation& s) {
        s.wait();
        std::vector<SubmitTimes> taken(std::make_move_iterator(times_.begin()), std::make_move_iterator(times_.end()));
        times_.clear();
        return taken;
    });
}

void SharedSimulation::close() {
    if (closed_) return;
    call([this](Simulation&) {
        renderer_.reset();
        simulation_.reset();
        closed_ = true;
    });
}

SharedDevice::SharedDevice(const DeviceOptions& options) : process_(getpid()) {
    const nb::gil_scoped_release released;
    device_ = std::make_unique<Device>(options);
}

SharedDevice::~SharedDevice() {
    if (process_ != getpid()) (void)device_.release();
}

const Device& SharedDevice::get() const {
    if (process_ != getpid())
        throw Error(ErrorCode::Outdated, "the device belongs to the process that opened it: open a new one after a fork");
    return *device_;
}

std::vector<std::size_t> shapeOf(const Lattice& lattice, std::uint32_t components) {
    std::vector<std::size_t> shape{lattice.size[2], lattice.size[1], lattice.size[0]};
    if (components > 1) shape.push_back(components);
    return shape;
}

namespace {

using Vector = std::array<float, 3>;

struct Free {
    void operator()(float* p) const { std::free(p); }
};
using Floats = std::unique_ptr<float[], Free>;

/// Memory that is not written yet. Huge pages take a tenth of the time at the first write, as numpy knows, too.
Floats newFloats(std::size_t count) {
    constexpr std::size_t kHugePage = std::size_t{2} << 20;
    const std::size_t bytes = count * sizeof(float), rounded = (bytes + kHugePage - 1) / kHugePage * kHugePage;
    const bool large = bytes >= 2 * kHugePage;
    Floats floats(static_cast<float*>(large ? std::aligned_alloc(kHugePage, rounded) : std::malloc(std::max<std::size_t>(bytes, 1))));
    if (!floats) throw std::bad_alloc();
    if (large) madvise(floats.get(), rounded, MADV_HUGEPAGE);  // advice: it may be refused
    return floats;
}

nb::object arrayOf(Floats numbers, const std::vector<std::size_t>& shape) {
    float* const data = numbers.get();
    const nb::capsule owner(numbers.release(), [](void* p) noexcept { std::free(p); });
    return nb::cast(nb::ndarray<nb::numpy, float>(data, shape.size(), shape.data(), owner));
}

/// Moves a vector to an array of Python without a copy.
template <class Number>
nb::object arrayOf(std::vector<Number>&& numbers, const std::vector<std::size_t>& shape) {
    auto* const kept = new std::vector<Number>(std::move(numbers));
    const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, Number>(kept->data(), shape.size(), shape.data(), owner));
}

std::size_t countOf(const Lattice& lattice, std::uint32_t components) {
    return std::size_t{lattice.size[0]} * lattice.size[1] * lattice.size[2] * components;
}

/// Between steps, and between the samples of a path-traced picture, Ctrl+C is noticed at least this often [s].
constexpr std::chrono::duration<double> kSignals{0.05};

/// Runs handlers of signals from time to time, in a call without the global interpreter lock.
class Signals {
public:
    /// Whether no handler has raised an exception.
    bool goOn() {
        if (raised_ || std::chrono::steady_clock::now() - checked_ < kSignals) return !raised_;
        const nb::gil_scoped_acquire held;
        raised_ = PyErr_CheckSignals() != 0;
        checked_ = std::chrono::steady_clock::now();
        return !raised_;
    }
    /// After the call. @throws the exception of a handler.
    void rethrow() const {
        if (raised_) throw nb::python_error();
    }

private:
    std::chrono::steady_clock::time_point checked_ = std::chrono::steady_clock::now();
    bool raised_ = false;
};

/// @throws the exception of a signal handler, after a whole number of steps
void step(SharedSimulation& shared, std::uint64_t count) {
    Signals signals;
    shared.call([&](Simulation& s) {
        for (std::uint64_t n = 0; n < count && signals.goOn(); ++n) {
            s.step();
            shared.count();
        }
    });
    signals.rethrow();
}

nb::object read(SharedSimulation& shared, const std::string& name) {
    Floats values;
    const std::vector<std::size_t> shape = shared.call([&](Simulation& s) {
        const Lattice lattice = s.lattice(name);
        const std::uint32_t components = s.components(name);
        const std::size_t count = countOf(lattice, components);
        values = newFloats(count);
        s.read(name, values.get(), count);
        return shapeOf(lattice, components);
    });
    return arrayOf(std::move(values), shape);
}

using FloatArray = nb::ndarray<float, nb::c_contig, nb::device::cpu>;

void readInto(SharedSimulation& shared, const std::string& name, const FloatArray& out) {
    shared.call([&](Simulation& s) { s.read(name, out.data(), out.size()); });
}

/// Shape, origin and cell of a field.
nb::tuple lattice(SharedSimulation& shared, const std::string& name) {
    std::uint32_t components = 1;
    const Lattice l = shared.call([&](Simulation& s) {
        components = s.components(name);
        return s.lattice(name);
    });
    return nb::make_tuple(nb::tuple(nb::cast(shapeOf(l, components))), nb::make_tuple(l.origin[0], l.origin[1], l.origin[2]), l.cell);
}

using CameraVectors = std::array<Vector, 4>;  // eye, forward, right, up

nb::object render(SharedSimulation& shared, std::uint32_t width, std::uint32_t height, const std::optional<CameraVectors>& camera,
                  bool linear, bool transparent) {
    std::vector<float> radiance;
    PictureData picture;
    Signals signals;
    shared.call([&](Simulation&) {
        Renderer& renderer = shared.renderer(width, height, transparent);
        if (camera) renderer.setCamera({.eye = (*camera)[0], .forward = (*camera)[1], .right = (*camera)[2], .up = (*camera)[3]});
        else renderer.useSceneCamera();
        if (!renderer.draw([&](std::uint32_t) { return signals.goOn(); })) return;
        if (linear) radiance = renderer.readRadiance();
        else picture = renderer.read();
    });
    signals.rethrow();
    return linear ? arrayOf(std::move(radiance), {height, width, 4}) : arrayOf(std::move(picture.rgba), {height, width, 4});
}

CameraVectors lookAt(const Vector& eye, const Vector& target, float fov, float aspect) {
    const Camera c = Camera::lookAt(eye, target, fov, aspect);
    return {c.eye, c.forward, c.right, c.up};
}

SimulationOptions optionsOf(bool moves, bool residuals, int timing) {
    return {.moves = moves, .residuals = residuals, .timing = static_cast<Timing>(timing)};
}

/// Calls `make` without the global interpreter lock.
template <class Make>
auto unlocked(const Make& make) {
    const nb::gil_scoped_release released;
    return make();
}

void bindDevice(nb::module_& m) {
    using namespace nb::literals;
    nb::class_<SharedDevice>(m, "Device")
        .def(
            "__init__",
            [](SharedDevice* self, const std::string& select, bool allowCpu, bool validate, const std::string& cache) {
                new (self) SharedDevice(DeviceOptions{.select = select, .allowCpu = allowCpu, .validate = validate, .cacheFolder = cache});
            },
            "select"_a, "allow_cpu"_a, "validate"_a, "cache"_a)
        .def_prop_ro("name", [](const SharedDevice& d) { return d.get().name(); })
        .def_prop_ro("driver", [](const SharedDevice& d) { return d.get().driver(); })
        .def_prop_ro("uuid",
                     [](const SharedDevice& d) {
                         const auto uuid = d.get().uuid();
                         return nb::bytes(uuid.data(), uuid.size());
                     })
        .def_prop_ro("is_cpu", [](const SharedDevice& d) { return d.get().isCpu(); })
        .def_prop_ro("memory_used",
                     [](const SharedDevice& d) {
                         const Device& device = d.get();
                         const nb::gil_scoped_release released;  // waits for calls of simulations
                         return device.memoryUsed();
                     })
        .def_prop_ro("memory_available", [](const SharedDevice& d) {
            const Device& device = d.get();
            const nb::gil_scoped_release released;
            return device.memoryAvailable();
        });
}

/// Obstacles and emitters.
void bindParts(nb::class_<SharedSimulation>& simulation) {
    using namespace nb::literals;
    using S = SharedSimulation;
    simulation.def("obstacle_count", [](S& s) { return s.call([](Simulation& x) { return x.obstacleCount(); }); })
        .def(
            "place_obstacle", [](S& s, std::size_t n, const Vector& at) { s.call([&](Simulation& x) { x.obstacle(n).place(at); }); },
            "index"_a, "centre"_a)
        .def(
            "move_obstacle", [](S& s, std::size_t n, const Vector& v) { s.call([&](Simulation& x) { x.obstacle(n).velocity(v); }); },
            "index"_a, "velocity"_a)
        .def(
            "obstacle_centre", [](S& s, std::size_t n) { return s.call([&](Simulation& x) { return x.obstacle(n).centre(); }); }, "index"_a)
        .def(
            "obstacle_velocity", [](S& s, std::size_t n) { return s.call([&](Simulation& x) { return x.obstacle(n).velocity(); }); },
            "index"_a)
        .def(
            "release_obstacle", [](S& s, std::size_t n) { s.call([&](Simulation& x) { x.obstacle(n).release(); }); }, "index"_a)
        .def(
            "release_emitter", [](S& s, std::size_t n) { s.call([&](Simulation& x) { x.emitter(n).release(); }); }, "index"_a)
        .def("emitter_count", [](S& s) { return s.call([](Simulation& x) { return x.emitterCount(); }); })
        .def(
            "place_emitter", [](S& s, std::size_t n, const Vector& at) { s.call([&](Simulation& x) { x.emitter(n).place(at); }); },
            "index"_a, "centre"_a)
        .def(
            "move_emitter", [](S& s, std::size_t n, const Vector& v) { s.call([&](Simulation& x) { x.emitter(n).velocity(v); }); },
            "index"_a, "velocity"_a)
        .def(
            "emitter_centre", [](S& s, std::size_t n) { return s.call([&](Simulation& x) { return x.emitter(n).centre(); }); }, "index"_a);
}

}  // namespace

void bindSimulation(nb::module_& m) {
    using namespace nb::literals;
    using S = SharedSimulation;
    bindDevice(m);
    m.def("look_at", &lookAt, "eye"_a, "target"_a, "fov"_a, "aspect"_a);
    nb::class_<S> simulation(m, "Simulation");
    simulation
        .def(
            "__init__",
            [](S* self, const SharedDevice& device, const Scene& scene, bool moves, bool residuals, int timing) {
                const Device& open = device.get();
                const Scene copy = scene;  // another thread may change the original
                new (self) S(unlocked([&] { return Simulation(open, copy, optionsOf(moves, residuals, timing)); }), timing > 0);
            },
            "device"_a, "scene"_a, "moves"_a, "residuals"_a, "timing"_a)
        .def_static(
            "resume",
            [](const SharedDevice& device, const std::string& file, const Scene* scene, bool moves, bool residuals, int timing) {
                const Device& open = device.get();
                const SimulationOptions options = optionsOf(moves, residuals, timing);
                const std::optional<Scene> copy = scene ? std::optional(*scene) : std::nullopt;
                const auto make = [&] {
                    return copy ? Simulation::resume(open, file, *copy, options) : Simulation::resume(open, file, options);
                };
                return std::make_unique<S>(unlocked(make), timing > 0);
            },
            "device"_a, "file"_a, "scene"_a.none(), "moves"_a, "residuals"_a, "timing"_a)
        .def("close", &S::close)
        .def_prop_ro("closed", &S::closed)
        .def_prop_ro("steps", &S::steps)
        .def_prop_ro("time", &S::time)
        .def_prop_ro("dt", &S::timeStep)
        .def("step", &step, "count"_a)
        .def("wait", [](S& s) { s.call([](Simulation& x) { x.wait(); }); })
        .def("clear", [](S& s) { s.call([](Simulation& x) { x.clear(); }); })
        .def("reset", [](S& s) { s.call([](Simulation& x) { x.reset(); }); })
        .def(
            "change",
            [](S& s, const Scene& scene) {
                const Scene copy = scene;
                s.call([&](Simulation& x) { x.change(copy); });
            },
            "scene"_a)
        .def("scene", [](S& s) { return s.call([](Simulation& x) { return Scene(x.scene()); }); })
        .def(
            "save", [](S& s, const std::string& file) { s.call([&](Simulation& x) { x.save(file); }); }, "file"_a)
        .def("fields", [](S& s) { return s.call([](Simulation& x) { return x.fields(); }); })
        .def("lattice", &lattice, "name"_a)
        .def("read", &read, "name"_a)
        .def("read_into", &readInto, "name"_a, "out"_a)
        .def("quality", [](S& s) { return dictOf(s.call([](Simulation& x) { return x.quality(); })); })
        .def("render", &render, "width"_a, "height"_a, "camera"_a.none(), "linear"_a, "transparent"_a);
    bindParts(simulation);
    bindMeasure(m, simulation);
}

}  // namespace wisp::python
