// SPDX-License-Identifier: MIT
#ifndef WISP_SIMULATION_H
#define WISP_SIMULATION_H

#include <wisp/checkpoint.h>
#include <wisp/device.h>
#include <wisp/field.h>
#include <wisp/needs.h>
#include <wisp/profile.h>
#include <wisp/quality.h>
#include <wisp/scene.h>
#include <wisp/wind.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wisp {

/// Commands of the host into which the library records. The host submits them to the queue of the DeviceRef, in the order in which it
/// recorded them. Recording is outside of a render pass, changes no other state than the bindings of compute and the push constants, which
/// are undefined after it, and begins and ends with a memory barrier: what the host recorded before is done and visible, and what it
/// records after sees the results. A host that gives up commands, for example after an error, signals the timeline itself, so that nothing
/// waits for them. It then destroys the objects that recorded them, whose state assumes that they run.
struct HostCommands {
    VkCommandBuffer commands = nullptr;  ///< in the recording state
    /// A timeline semaphore that reaches `value` when the GPU has executed these commands. Each submit has a greater value than the ones
    /// before; everything that is recorded for one submit has the same. It must exist until the objects that have recorded for it are
    /// destroyed, or wait() has returned after its last use.
    VkSemaphore timeline = nullptr;
    std::uint64_t value = 0;  ///< above 0
};

/// Semaphores of a submit by the library. A value of 0 is for a binary semaphore; a null semaphore counts as none.
struct SubmitInfo {
    VkSemaphore wait = nullptr;     ///< the commands begin when this one has reached its value
    std::uint64_t waitValue = 0;    ///< of a timeline semaphore
    VkSemaphore signal = nullptr;   ///< is set to its value when the commands are done
    std::uint64_t signalValue = 0;  ///< of a timeline semaphore
};

/// What a simulation does besides its steps.
struct SimulationOptions {
    bool moves = true;            ///< the host can move obstacles (Simulation::obstacle), which takes memory for their velocities
    bool addsObstacles = false;   ///< a change may add obstacles to a scene that has none, which takes the same memory in any scene
    bool residuals = false;       ///< measure Quality::residuals and fineDivergenceBefore in each step, which takes time
    Timing timing = Timing::Off;  ///< see Simulation::onTimes
    bool trace = false;           ///< record when everything runs, see Simulation::onTrace
    /// For a simulation that shows volume files (Simulation::show): the time between its pictures [s], of which camera.shutter is a share.
    /// The velocity of the files is then read. 0: there is no motion blur by it.
    double showTime = 0.0;
    RunNeeds needs = {};  ///< what else takes memory
};

/// Hash of a field.
struct FieldHash {
    std::string name;  ///< of the field
    std::uint64_t hash =
        0;  ///< XXH3 of its texels; with grid.sparse of those of active bricks, which do not depend on where they are stored
};

/// Values at a point, interpolated. NaN where there is no value: outside the box or inside an obstacle.
struct ProbeValue {
    std::array<float, 3> velocity{};   ///< [m/s]
    float pressure = 0.0f;             ///< over the density of the fluid [m^2/s^2]
    std::array<float, 3> vorticity{};  ///< [1/s]
    float density = 0.0f;              ///< of the smoke
    float temperature = 0.0f;          ///< [K] above ambient
};

/// Values at the points of a probe of the scene.
struct ProbeSample {
    std::size_t probe = 0;           ///< its index in the scene
    std::uint64_t step = 0;          ///< number of steps before it
    double time = 0.0;               ///< [s]
    std::vector<ProbeValue> values;  ///< from its first to its last point
};

class Renderer;

/// Fluid that the host adds in a single step, along the path that a brush takes in that step. In a scene with liquid it is liquid.
struct BrushStroke {
    std::array<float, 3> from{};  ///< where the path begins [m]
    std::array<float, 3> to{};    ///< where it ends [m]; may be the same
    float radius = 0.05f;         ///< of the capsule around the path [m]; in a flat grid the standard deviation of a Gaussian
    float density = 1.0f;         ///< of the smoke there; in a flat grid added to it
    float temperature = 0.0f;     ///< [K above ambient], as density
    float fuel = 0.0f;            ///< share of fuel, as density
    std::array<float, 3> colour{1.0f, 1.0f, 1.0f};      ///< of that smoke, in [0, 1]
    std::optional<std::array<float, 3>> velocity = {};  ///< of the fluid there [m/s]; none: it keeps its own. Not in a flat grid
    float force = 0.0f;                                 ///< only in a flat grid: velocity added per metre of path [1/s]
};

class Simulation;

/// An obstacle of a simulation, moved by the host.
class WISP_API Obstacle {
public:
    /// In the next step the centre moves straight to `centre` [m], with the velocity that this takes, instead of along the path of the
    /// scene; then it stands still, also after a change of the scene, until release or a reset. @throws Error Argument if a number is not
    /// finite; Unsupported without SimulationOptions::moves; Outdated if the simulation no longer exists.
    void place(const std::array<float, 3>& centre);
    /// From the next step on the centre moves with this velocity [m/s], until the next call of place, velocity or release, or a
    /// reset.
    /// @throws as place.
    void velocity(const std::array<float, 3>& velocity);
    /// From the next step on it is again where the scene has it. @throws Error Outdated.
    void release();
    /// The centre [m] at the end of the steps so far. @throws Error Outdated.
    [[nodiscard]] std::array<float, 3> centre() const;
    /// The mean velocity of the centre in the next step [m/s]: as the host has set it, or along the path of the scene.
    /// @throws Error Outdated.
    [[nodiscard]] std::array<float, 3> velocity() const;

    struct Access;

private:
    friend struct Access;
    Obstacle() = default;
    std::weak_ptr<void> simulation_;
    std::size_t index_ = 0;
};

/// An emitter of a simulation, moved by the host.
class WISP_API Emitter {
public:
    /// From the next step on its centre is here [m], also after a change of the scene; until a reset. @throws Error Argument if a number is
    /// not finite; Outdated.
    void place(const std::array<float, 3>& centre);
    /// From the next step on it gives this velocity to the smoke [m/s], as long as place. @throws as place.
    void velocity(const std::array<float, 3>& velocity);
    /// From the next step on it is again as the scene has it. @throws Error Outdated.
    void release();
    /// The centre [m] at the end of the steps so far: as the host has set it, or on the path of the scene. @throws Error Outdated.
    [[nodiscard]] std::array<float, 3> centre() const;

    struct Access;

private:
    friend struct Access;
    Emitter() = default;
    std::weak_ptr<void> simulation_;
    std::size_t index_ = 0;
};

/// A simulation of smoke, fire or a liquid on a device.
///
/// Use it from one thread at a time: a call during another one is Error Busy. Only steps(), time() and timeStep() may be called at any
/// time, for example to show the progress of another thread. Calls that submit by themselves first wait for all commands that were recorded
/// for the host; but measure and Renderer::fetch do not wait: submit what was recorded before. If a step fails on the way, for lack of
/// memory or by a lost device, further ones are Error Outdated until a reset.
///
/// Its renderers and volume writers keep its memory, and its handles and fields usable, until they are destroyed.
class WISP_API Simulation {
public:
    /// Allocates all fields and starts at time 0. @throws Error Scene; OutOfMemory that gives needed and available memory, and a grid that
    /// would fit; Unsupported.
    Simulation(const Device& device, const Scene& scene, const SimulationOptions& options = {});
    /// The memory that a simulation of this scene takes, and what the options say that it needs. Allocates nothing.
    /// @throws Error Scene; OutOfMemory if it exceeds the limits of the device; File.
    [[nodiscard]] static std::vector<MemoryUse> plan(const Device& device, const Scene& scene, const SimulationOptions& options = {});
    /// Checks that this memory is available, as the constructor does. @throws Error OutOfMemory as the constructor; Unsupported naming a
    /// key of the picture if only that exceeds the limits of the device; Scene; File.
    static void requireMemory(const Device& device, const Scene& scene, const SimulationOptions& options = {});
    /// Continues from a checkpoint file, with its scene. What the host has moved stays so until it is released. @throws Error File if it is
    /// damaged or not of this version.
    static Simulation resume(const Device& device, const std::string& checkpoint, const SimulationOptions& options = {});
    /// The same with another scene. @throws Error Unsupported if a key such as grid.cells differs, which cannot change in a run: see
    /// Error::key.
    static Simulation resume(const Device& device, const std::string& checkpoint, const Scene& scene,
                             const SimulationOptions& options = {});
    ~Simulation();
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;

    /// Submits `count` steps. At most two submits are in flight: the call waits for the one before the last, not for its own.
    void step(std::uint32_t count = 1);
    /// Submits one step between the semaphores of the host.
    void step(const SubmitInfo& info);
    /// Records one step into the commands of the host. At most 8 steps may have one value of the timeline; and the call waits for the
    /// value before the last. @throws Error HostTimeout if that is not reached in time: the host has not submitted it.
    void record(const HostCommands& commands);
    void wait();  ///< until all submitted steps are done; also those that the host submits

    /// Starts again at time 0.
    void reset();
    /// Removes all smoke or liquid, and sets the velocity to 0, or to the ambient flow if the box follows a target. Time, obstacles and
    /// emitters stay.
    void clear();
    /// Uses another scene from the next step on. Does not wait. @throws Error Unsupported if a key differs that cannot change while it
    /// runs, such as grid.cells, with Error::key: make a new simulation; OutOfMemory if the first colours do not fit; Scene.
    void change(const Scene& scene);
    /// Changes one key of the scene. @throws as Scene::set and change.
    void set(const std::string& key, const Value& value);
    [[nodiscard]] Scene scene() const;  ///< a copy, with all changes

    /// Shows another time [s] without steps: obstacles are where they are then, and volume files of the initial smoke give their frame,
    /// see Scene::showVolumes. The number of steps is 0. @throws Error Argument if `time` is not finite; File if a file cannot be read.
    void show(double time);

    /// Saves everything that further steps depend on, so that they have the same results, bit for bit, with the same driver: the fields,
    /// the scene, and what the host has moved, painted and changed. docs/architecture.md lists it. With render.temporal also the history of
    /// the Renderer that drew last: a Renderer of the same size that is made after resume() continues it. `film` is for CheckpointInfo.
    /// Waits for the steps. @throws Error Output; Unsupported naming what cannot be saved: a key of the scene that names a mesh or a volume
    /// in memory, or more than 4096 strokes for the next step.
    void save(const std::string& checkpoint, const FilmProgress& film = {});

    /// Adds fluid in the next step only; that step may have several strokes. The first one with a colour in a scene without colours takes
    /// memory for them. @throws Error Argument naming the member that is not finite or out of range; OutOfMemory.
    void paint(const BrushStroke& stroke);
    /// From the next step on the box follows this position [m] instead of the path of the scene, until a reset or a change of follow.keys.
    /// @throws Error Unsupported if the scene has no follow.keys; Argument if the position is not finite or too far away.
    void follow(const std::array<float, 3>& target);

    [[nodiscard]] std::uint64_t steps() const noexcept;  ///< that are submitted or recorded since the start
    [[nodiscard]] double time() const noexcept;          ///< at the end of these steps [s]
    [[nodiscard]] double timeStep() const noexcept;      ///< length of a step [s]

    [[nodiscard]] std::size_t obstacleCount() const;  ///< of the scene
    [[nodiscard]] std::size_t emitterCount() const;   ///< of the scene
    /// Room for particles of a liquid (liquid.capacity); 0 without one.
    [[nodiscard]] std::uint64_t particleCapacity() const;

    /// An obstacle by its index in the scene, also after a change of the scene. @throws Error Argument if there is none.
    [[nodiscard]] Obstacle obstacle(std::size_t index);
    /// An emitter by its index in the scene, also after a change of the scene. @throws Error Argument if there is none.
    [[nodiscard]] Emitter emitter(std::size_t index);

    /// Names of the fields that this scene has: density, velocity, pressure, and temperature, fuel, colour where they are simulated.
    [[nodiscard]] std::vector<std::string> fields() const;
    /// A field on the device, at the end of the steps so far. @throws Error Argument if there is no such field; Unsupported for pressure,
    /// which can only be read.
    [[nodiscard]] Field field(const std::string& name);
    /// The values of a field at the centres of its cells, velocity included, as 32-bit floats. Density per unit, temperature [K above
    /// ambient], fuel as a share, velocity [m/s], pressure over the density of the fluid
    /// [m^2/s^2]. Waits for the steps. @throws Error Argument.
    [[nodiscard]] FieldData read(const std::string& name);
    /// The same into memory of the caller. @throws Error Argument if `count` is not the number of floats.
    void read(const std::string& name, float* into, std::size_t count);
    /// Where the values of a field are. @throws Error Argument if there is no such field.
    [[nodiscard]] Lattice lattice(const std::string& name) const;
    /// Numbers of a value: 1, or 3 of a vector or a colour. @throws Error Argument if there is no such field.
    [[nodiscard]] std::uint32_t components(const std::string& name) const;

    /// A field in memory that other interfaces can open, with its values after the steps so far. @throws Error Unsupported if the device
    /// cannot share memory (VK_KHR_external_memory_fd); Argument.
    [[nodiscard]] SharedField share(const std::string& name);

    /// Hashes (XXH3, 64 bits) of everything that further steps depend on: of each field, "run" of the state between steps and of what the
    /// host has moved and painted, and "scene" of its keys without those of pictures, with the data of meshes and of what is in memory; of
    /// other files only the names. Runs with equal ones go on identically, with the same driver. Of equal runs they are equal. Waits for
    /// the steps.
    [[nodiscard]] std::vector<FieldHash> hashes();
    /// Values at `points` points from `from` to `to` [m], evenly spaced; of one point, at `from`. Waits for the steps. @throws Error
    /// Argument if a number is not finite or there are 0 or more than 65536 points.
    [[nodiscard]] std::vector<ProbeValue> probe(const std::array<float, 3>& from, const std::array<float, 3>& to, std::uint32_t points);

    /// Position and size of field("velocity"), for wispWindAt in wisp/wind.glsl; its `ambient` is flow.inflow without gusts. A box that
    /// follows a target moves: ask again after each step.
    [[nodiscard]] gpu::WispWind wind() const;
    /// The wind [m/s] at points [m], by wispWindAt: also outside of the box, and with grid.sparse. A NaN position gives NaN. Waits for the
    /// steps. @throws Error Argument if there are more than 4194240 points; OutOfMemory.
    [[nodiscard]] std::vector<std::array<float, 3>> windAt(const std::vector<std::array<float, 3>>& points);

    /// Samples those probes of the scene whose probe.every divides the number of the last step, without waiting: a later call, at the
    /// latest wait(), calls `done` for each, in the order of steps. `done` is as for measure. Of a simulation with RunNeeds::probes.
    /// @throws Error Argument otherwise.
    void sampleProbes(std::function<void(const ProbeSample&)> done);

    /// Whether the exact density is known, and with it Quality::error: only a prescribed velocity has changed the density so far.
    [[nodiscard]] bool knowsExact() const;
    /// Quality numbers of the last step. Waits for the steps.
    [[nodiscard]] Quality quality();
    /// The same without waiting: a later call, at the latest wait(), calls `done` with the number of the step and its numbers, on the
    /// thread of that call. `done` may not use objects of the library, and may not throw. It is not called after the destructor has begun.
    void measure(std::function<void(std::uint64_t step, const Quality& quality)> done);
    /// Later calls call `done` for every submit that has run, in order: each step, each picture of a renderer, and submits of other calls.
    /// Of a simulation with SimulationOptions::timing. @throws Error Argument otherwise. An empty function ends it. `done` is as for
    /// measure.
    void onTimes(std::function<void(const SubmitTimes& times)> done);
    /// The same with the begin and the end of everything in a submit. Of a simulation with SimulationOptions::trace. @throws as onTimes.
    void onTrace(std::function<void(const SubmitTrace& trace)> done);
    /// The clock of these traces. @throws Error Argument for a simulation without SimulationOptions::trace.
    [[nodiscard]] TraceClock traceClock() const;
    /// Measures other times from the next step on, as when a profiler is opened: SimulationOptions::timing and trace. Waits for the steps.
    /// Functions of onTimes and onTrace stay, but are called only while that is measured.
    void setTiming(Timing timing, bool trace = false);
    /// Whether further steps measure their residuals: SimulationOptions::residuals.
    void setResiduals(bool measure);
    /// Makes two steps, each with a picture if there is a renderer, and tells what their passes do. The second one runs shaders that count
    /// what they do, which are compiled for it, so this takes seconds; the results of the steps are the same as ever. Path-traced pictures
    /// get one sample. Shaders of bricks cannot count: with grid.sparse it makes one step, and only the device and the driver count.
    /// @param renderer of this simulation, or null
    /// @param passes names of further passes, which the first of these steps need not have
    /// @return passes with threads, in order of first appearance @throws Error Argument for an unknown pass, or another's renderer.
    [[nodiscard]] std::vector<PassWork> inspect(Renderer* renderer = nullptr, const std::vector<std::string>& passes = {});

    struct Impl;
    [[nodiscard]] const std::shared_ptr<Impl>& impl() const { return impl_; }  ///< for the library itself

private:
    explicit Simulation(std::shared_ptr<Impl> impl);
    std::shared_ptr<Impl> impl_;
};

}  // namespace wisp

#endif
