// SPDX-License-Identifier: MIT
#pragma once

#include <nanobind/nanobind.h>
#include <wisp/wisp.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wisp::python {

namespace nb = nanobind;

/// A simulation of a Python program, with its renderer. A call releases the global interpreter lock; a call of another thread meanwhile is
/// Error Busy. Steps and time are copies, so that every thread may read them at any time.
class SharedSimulation {
public:
    /// @param timed collects times for takeTimes()
    explicit SharedSimulation(Simulation simulation, bool timed = false);
    ~SharedSimulation();
    SharedSimulation(const SharedSimulation&) = delete;
    SharedSimulation& operator=(const SharedSimulation&) = delete;

    /// Runs `call(simulation)` without the global interpreter lock. @throws Error Busy; Outdated after close or in another process.
    template <class Function>
    auto call(Function&& function) {
        const Entry entry(*this);
        const nb::gil_scoped_release released;
        const Counters counters(*this);
        return function(*simulation_);
    }

    /// The renderer of pictures of this size. Only within `call`.
    Renderer& renderer(std::uint32_t width, std::uint32_t height, bool transparent);
    void close();
    /// GPU times of submits that have arrived since the last call, if the simulation measures them. Without the interpreter lock.
    [[nodiscard]] std::vector<SubmitTimes> takeTimes();

    [[nodiscard]] bool closed() const { return closed_; }
    [[nodiscard]] std::uint64_t steps() const { return steps_; }
    [[nodiscard]] double time() const { return time_; }
    [[nodiscard]] double timeStep() const { return timeStep_; }
    void count();  ///< copies steps and time of the simulation

private:
    /// A thread inside a call.
    struct Entry {
        explicit Entry(SharedSimulation& s);
        ~Entry() { simulation.inside_ = false; }
        Entry(const Entry&) = delete;
        Entry& operator=(const Entry&) = delete;
        SharedSimulation& simulation;
    };
    /// Copies steps and time at the end of a call, also if it throws.
    struct Counters {
        explicit Counters(SharedSimulation& s) : simulation(s) {}
        ~Counters() { simulation.count(); }
        Counters(const Counters&) = delete;
        Counters& operator=(const Counters&) = delete;
        SharedSimulation& simulation;
    };

    std::deque<SubmitTimes> times_;  ///< before the simulation, which delivers them
    std::unique_ptr<Simulation> simulation_;
    std::unique_ptr<Renderer> renderer_;
    bool transparent_ = false;  ///< of the renderer
    std::atomic<bool> inside_ = false, closed_ = false;
    std::atomic<std::uint64_t> steps_ = 0;
    std::atomic<double> time_ = 0.0, timeStep_ = 0.0;
    long process_;  ///< that made it: a Vulkan device does not survive a fork
};

/// A device of a Python program.
class SharedDevice {
public:
    explicit SharedDevice(const DeviceOptions& options);
    ~SharedDevice();
    SharedDevice(const SharedDevice&) = delete;
    SharedDevice& operator=(const SharedDevice&) = delete;
    /// @throws Error Outdated in another process than that which opened it.
    [[nodiscard]] const Device& get() const;

private:
    std::unique_ptr<Device> device_;
    long process_;
};

void bindScene(nb::module_& m);
void bindSimulation(nb::module_& m);
void bindSharedField(nb::module_& m);
/// Shape of the array of a field: (z, y, x), and 3 for a vector.
std::vector<std::size_t> shapeOf(const Lattice& lattice, std::uint32_t components);
/// Makes every Error of the library an exception of wisp._errors.
void translateErrors();
/// Problems as a list of (key, message, file, line, column).
nb::list listOf(const std::vector<SceneProblem>& problems);

}  // namespace wisp::python
