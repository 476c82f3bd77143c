// SPDX-License-Identifier: MIT
#pragma once

#include "api/device_impl.h"
#include "api/guarded.h"
#include "api/memory_plan.h"
#include "api/resumed_scene.h"
#include "api/run_needs.h"
#include "api/scene_impl.h"
#include "compute/sim/field_reader.h"
#include "compute/sim/fluid_simulator.h"
#include "compute/sim/probes.h"
#include "engine/recorder.h"
#include "files/checkpoint/checkpoint.h"
#include "wisp/simulation.h"

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

namespace wisp {

struct Simulation::Impl : std::enable_shared_from_this<Simulation::Impl> {
    /// Starts at time 0.
    Impl(std::shared_ptr<Device::Impl> device, Scene scene, const SimulationOptions& options);
    /// Continues from a checkpoint with this scene.
    Impl(std::shared_ptr<Device::Impl> device, Scene scene, const ResumedScenes& scenes, CheckpointFile& from,
         const SimulationOptions& options);

    /// One step, or `count` steps with a submit each.
    void step(std::uint32_t count);
    /// Records a frame by `body` and submits it, or leaves it to the host whose commands these are. If `body` throws, what it has recorded
    /// runs nevertheless: the order of accesses stays known. Returns the serial.
    std::uint64_t frame(const std::function<void()>& body, const SubmitInfo& info = {}, const HostCommands* host = nullptr);
    /// Records one step in the current frame. If it throws, no step is possible until a reset.
    void recordStep() { recordStep(recorder, options.residuals); }
    void recordStep(engine::Recorder& into, bool residuals);
    void requireSteps() const;
    void reset();
    void change(Scene next);
    void use(Settings wanted);  ///< from the next step on. After an exception nothing has changed.
    void clear();
    void paint(const BrushStroke& stroke);
    void follow(glm::vec3 target);
    /// Waits for all commands, also of the host, and delivers what they read.
    void finish();
    [[nodiscard]] CheckpointedRun run() { return {device->device, device->shaders, simulator, temporal}; }
    [[nodiscard]] CheckpointedInput input() const { return {scene.impl().settings(), ofStep ? &*ofStep : nullptr, fromHost}; }
    /// Waits for all commands, and makes the fields complete that a change of the scene has added.
    void settle();
    void save(const std::string& checkpoint, const FilmProgress& film);
    /// Makes the shaders of the device those of this simulation.
    void useShaders();
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void beginFrame(const HostCommands& commands);
    void show(double at);
    void sampleProbes(std::function<void(const ProbeSample&)> done);
    std::vector<ProbeValue> probe(glm::vec3 from, glm::vec3 to, std::uint32_t points);
    std::vector<std::array<float, 3>> windAt(const std::vector<std::array<float, 3>>& points);
    void listen();  ///< to the recorder, for onTimes and onTrace
    void setTiming(Timing timing, bool trace);
    void takeTimes(const std::vector<engine::PassTime>& times);
    void takeTrace(const engine::FrameTrace& trace) const;
    [[nodiscard]] ReadableField readable(const std::string& name) const;
    [[nodiscard]] Lattice latticeOf(const ReadableField& field) const;
    void read(const ReadableField& field, float* into);
    /// After a step, a reset or a change.
    void moved();

    MovedObstacle& movedObstacle(std::size_t obstacle);  ///< which the host moves from now on
    void setByHost();                                    ///< makes emitters and target those of the scene, with what the host has set
    [[nodiscard]] glm::vec3 centreOf(std::size_t obstacle) const;
    [[nodiscard]] glm::vec3 velocityOf(std::size_t obstacle) const;  ///< in the next step

    std::shared_ptr<Device::Impl> device;
    SimulationOptions options;
    std::uint64_t number = ++device->simulations;
    Scene scene;
    Settings settings;  ///< those of the scene, with what the host has moved
    Needs needs;
    std::uint64_t probeBytes;  ///< room for the values of the scene's probes in a step
    engine::ShaderOptions shaderOptions;
    FluidSimulator simulator;
    engine::Recorder recorder;
    HostInput fromHost;
    std::optional<Settings> ofStep;   ///< those of the last step, if they may be others than `settings`
    std::uint64_t restarts = 0;       ///< times that the fields became others without a step
    std::deque<SubmitTimes> submits;  ///< whose GPU times are pending
    std::function<void(const SubmitTimes&)> timesDone;
    std::function<void(const SubmitTrace&)> traceDone;
    bool stepped = false;  ///< the current frame has a step
    std::string failure;   ///< of a step; empty: none has failed
    std::uint64_t versions = 0;
    std::shared_ptr<const std::uint64_t> version;  ///< fields of an older one are outdated
    std::uint64_t resets = 0;
    TemporalMean* temporal = nullptr;     ///< of the renderer that drew last; null: it has none
    std::optional<SavedHistory> history;  ///< of a checkpoint, for the next renderer
    std::optional<ProbeSampler> sampler;  ///< for sampleProbes
    engine::Buffer values;                ///< in host memory, of the field that was read last
    VkSemaphore hostTimeline = nullptr;   ///< that the host gave last
    std::uint64_t hostValue = 0;          ///< of that timeline, and how many steps have it
    std::uint32_t hostSteps = 0;
    bool closing = false;              ///< what arrives now is not passed on: what the functions use may be gone
    std::atomic<bool> inside = false;  ///< a thread is in a call
    /// Of the last step, for threads that are not inside.
    std::atomic<std::uint64_t> steps = 0;
    std::atomic<double> time = 0.0, timeStep = 0.0;
};

/// Records a frame by `record`, and submits it. If `record` throws, what it has recorded runs nevertheless: the order of accesses stays
/// known, and the recorder can begin the next frame.
template <class Record>
void submitFrame(engine::Recorder& recorder, const Record& record) {
    recorder.begin();
    try {
        record();
    } catch (...) {
        recorder.submit();
        throw;
    }
    recorder.submit();
}

/// Adds the fluid of a stroke in the next step.
void paintInto(FluidSimulator& simulator, const BrushStroke& stroke, const Settings& settings);

/// The settings of a scene for a host, which may move every obstacle if the options allow it. Volume files have their velocity if the
/// options and the camera ask for it.
Settings settingsOf(Settings settings, const SimulationOptions& options);

/// A call of one thread that does not use the device. @throws Error Busy if another thread is inside.
class Entry {
public:
    explicit Entry(Simulation::Impl& simulation);
    ~Entry();
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

private:
    Simulation::Impl& simulation_;
};

/// A call of one thread that may use the device. @throws as Entry.
class Call {
public:
    explicit Call(Simulation::Impl& simulation);

private:
    Entry entry_;
    std::unique_lock<std::recursive_mutex> lock_;
};

/// A call with the work that it does. If memory runs out, the error says how much the whole run needs.
template <class Work>
auto called(Simulation::Impl& simulation, Work work) {
    return guarded([&] {
        const Call call(simulation);
        using Result = decltype(work());
        if constexpr (std::is_void_v<Result>) {
            explainOutOfMemory(simulation.device->device, simulation.settings, simulation.needs, work);
        } else {
            std::optional<Result> result;
            explainOutOfMemory(simulation.device->device, simulation.settings, simulation.needs, [&] { result.emplace(work()); });
            return std::move(*result);
        }
    });
}

/// @throws Error Outdated if the simulation no longer exists.
std::shared_ptr<Simulation::Impl> existing(const std::weak_ptr<void>& simulation);

}  // namespace wisp
