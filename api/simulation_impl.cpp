// SPDX-License-Identifier: MIT
#include "api/simulation_impl.h"

#include "api/profile_impl.h"
#include "compute/scene/motion.h"
#include "compute/sim/shaders.h"
#include "files/scene/named_file.h"
#include "files/scene/simulated_keys.h"
#include "files/scene/volume_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace wisp {
namespace {

/// Keeps what both settings have read from the same files: settings that are read again are otherwise other objects, which count as
/// changes.
void keepFiles(const Settings& from, Settings& to) {
    const auto sameSource = [](const auto& a, const auto& b) { return a->source == b->source; };
    // Meshes of unchanged files are mostly the same objects: their hashes would take time in each frame of a drag.
    if (from.meshes != to.meshes && std::ranges::equal(from.meshes, to.meshes, sameSource) && meshHashes(from) == meshHashes(to))
        to.meshes = from.meshes;
    for (std::size_t n = 0; n < std::min(from.initial.size(), to.initial.size()); ++n) {
        const InitialSettings& a = from.initial[n];
        InitialSettings& b = to.initial[n];
        if (a.image && b.image && *a.image == *b.image) b.image = a.image;
        VolumeSettings again = b.volume;
        again.frames = a.volume.frames;
        if (!isInMemory(b.volume.file) && again == a.volume) b.volume = again;
    }
}

/// Makes the box follow this position. A camera that follows has its place relative to the first key of the scene, which this replaces.
void moveTarget(Settings& s, glm::vec3 target) {
    if (s.camera.follows) {
        const glm::vec3 displacement = target - s.follow.keys.front().centre;
        s.camera.eye += displacement;
        s.camera.target += displacement;
        for (CameraKey& key : s.camera.keys) {
            key.eye += displacement;
            key.target += displacement;
        }
    }
    s.follow.keys = {{.t = 0.0f, .centre = target}};
}

/// Sets what the host has moved.
void place(Settings& s, const HostInput& host) {
    if (host.target) moveTarget(s, *host.target);
    for (const auto& [n, moved] : host.emitters) {
        if (n >= s.emitters.size()) continue;
        EmitterSettings& e = s.emitters[n];
        if (moved.at) {
            e.shape.centre = *moved.at;
            e.keys.clear();
        }
        if (moved.velocity) e.velocity = *moved.velocity;
        e.hasVelocity = e.hasVelocity || moved.velocity.has_value();
    }
}

/// Forgets obstacles and emitters that the scene does not have.
void forgetMissing(HostInput& host, const Settings& s) {
    std::erase_if(host.obstacles, [&](const auto& moved) { return moved.first >= s.obstacles.size(); });
    std::erase_if(host.emitters, [&](const auto& moved) { return moved.first >= s.emitters.size(); });
}

engine::Timing timingOf(Timing timing) {
    return timing == Timing::Passes ? engine::Timing::Passes : timing == Timing::Scopes ? engine::Timing::Scopes : engine::Timing::Off;
}

engine::RecorderOptions recorderOptions(const SimulationOptions& options, const Settings& settings) {
    return {.timing = timingOf(options.timing),
            .readbackBytes = kMeasureBytes + (options.needs.probes ? probeReadback(settings) : 0),
            .trace = options.trace};
}

}  // namespace

Settings settingsOf(Settings settings, const SimulationOptions& options) {
    settings.byHand = settings.byHand || options.addsObstacles || (options.moves && !settings.obstacles.empty());
    const double open = shutterSeconds(settings.camera, options.showTime);
    if (open <= 0.0) return settings;  // without motion blur the velocity would be read in vain
    for (InitialSettings& i : settings.initial) {
        if (!i.volume.frames) continue;
        i.volume.exposure = static_cast<float>(open);
        if (auto moving = withVelocity(*i.volume.frames)) i.volume.frames = std::move(moving);
    }
    return settings;
}

Simulation::Impl::Impl(std::shared_ptr<Device::Impl> d, Scene s, const SimulationOptions& o)
    : device(std::move(d)),
      options(o),
      scene(std::move(s)),
      settings(settingsOf(scene.impl().settings(), options)),
      needs(needsOf(options.needs, settings)),
      probeBytes(probeReadback(settings)),
      shaderOptions(wisp::shaderOptions(settings)),
      simulator(device->device, settings),
      recorder(device->device, device->shaders, recorderOptions(options, settings)) {
    useShaders();
    listen();
    reset();
}

Simulation::Impl::Impl(std::shared_ptr<Device::Impl> d, Scene s, const ResumedScenes& scenes, CheckpointFile& from,
                       const SimulationOptions& o)
    : device(std::move(d)),
      options(o),
      scene(std::move(s)),
      settings(scenes.scene),
      needs(needsOf(options.needs, settings)),
      probeBytes(probeReadback(settings)),
      shaderOptions(wisp::shaderOptions(settings)),
      simulator(device->device, scenes.before),
      recorder(device->device, device->shaders, recorderOptions(options, settings)) {
    useShaders();
    wisp::resume(from, simulator, recorder, run(), &history);
    recorder.finish();
    fromHost = scenes.host;
    forgetMissing(fromHost, settings);
    place(settings, fromHost);
    ofStep = scenes.before;
    simulator.change(settings);
    listen();
    moved();
}

void Simulation::Impl::useShaders() {
    if (std::exchange(device->shadersOf, number) != number) device->shaders.setOptions(shaderOptions);
}

void Simulation::Impl::recordStep(engine::Recorder& into, bool residuals) {
    for (auto& [obstacle, moved] : fromHost.obstacles) {
        const glm::vec3 to = moved.goal.value_or(moved.at + moved.velocity * settings.timeStep);
        simulator.overrideMotion(obstacle, {moved.at, to});
        moved.at = to;
        moved.goal.reset();
    }
    for (const BrushStroke& stroke : std::exchange(fromHost.strokes, {})) paintInto(simulator, stroke, settings);
    ofStep.reset();
    try {
        const engine::Recorder::Scope scope(into, "step");
        simulator.step(into, residuals);
        stepped = true;
    } catch (const std::exception& e) {
        failure = e.what();
        throw;
    }
    moved();
}

void Simulation::Impl::moved() {
    version = std::make_shared<const std::uint64_t>(++versions);
    timeStep = static_cast<double>(settings.timeStep);
    time = simulator.time();
    steps = simulator.stepCount();  // last: who sees a step finds its time
}

void Simulation::Impl::requireSteps() const {
    if (!failure.empty())
        throw Error(ErrorCode::Outdated, fmt::format("a step has failed before ({}): reset the simulation, or make a new one", failure));
}

void Simulation::Impl::step(std::uint32_t count) {
    device->device.waitForHost();
    requireSteps();
    for (std::uint32_t n = 0; n < count; ++n) frame([&] { recordStep(); });
}

std::uint64_t Simulation::Impl::frame(const std::function<void()>& body, const SubmitInfo& info, const HostCommands* host) {
    host ? beginFrame(*host) : recorder.begin();
    stepped = false;
    const auto submit = [&](const engine::SemaphorePoint& wait, const engine::SemaphorePoint& signal) {
        const std::uint64_t serial = recorder.submit(wait, signal);
        const auto ms = [](std::int64_t ns) { return static_cast<double>(ns) * 1e-6; };
        const engine::FrameCpu& cpu = recorder.cpu();
        if (recorder.onTimes)
            submits.push_back({simulator.stepCount(), stepped, ms(cpu.submit - cpu.record), ms(cpu.end - cpu.submit), {}});
        return serial;
    };
    try {
        body();
    } catch (...) {
        submit({}, {});
        throw;
    }
    return submit({info.wait, info.waitValue}, {info.signal, info.signalValue});
}

void Simulation::Impl::listen() {
    recorder.onTimes = nullptr;
    recorder.onTrace = nullptr;
    if (options.timing != Timing::Off) recorder.onTimes = [this](const auto& times) { takeTimes(times); };
    if (options.trace) recorder.onTrace = [this](const auto& trace) { takeTrace(trace); };
}

void Simulation::Impl::setTiming(Timing timing, bool trace) {
    finish();
    recorder.setTiming(timingOf(timing), trace);
    options.timing = timing;
    options.trace = trace;
    listen();
}

void Simulation::Impl::takeTimes(const std::vector<engine::PassTime>& times) {
    if (submits.empty()) return;  // a submit that validation has refused
    SubmitTimes submit = std::move(submits.front());
    submits.pop_front();
    if (!timesDone || closing) return;
    submit.passes = passTimesOf(times);
    timesDone(submit);
}

void Simulation::Impl::takeTrace(const engine::FrameTrace& trace) const {
    if (!traceDone || closing) return;
    traceDone(traceOf(trace));
}

void Simulation::Impl::beginFrame(const HostCommands& c) {
    if (!device->device.isBorrowed())
        throw Error(ErrorCode::Argument, "commands of a host need a device of the host: make it from a DeviceRef");
    if (!c.commands || !c.timeline || c.value == 0)
        throw Error(ErrorCode::Argument,
                    "HostCommands: needs a command buffer, a timeline semaphore and the value above 0 that it will reach");
    if (c.timeline == hostTimeline && c.value < hostValue)
        throw Error(ErrorCode::Argument,
                    fmt::format("HostCommands: the value of the timeline is {}, but was {} before", c.value, hostValue));
    const bool same = std::exchange(hostTimeline, c.timeline) == c.timeline;
    if (std::exchange(hostValue, c.value) != c.value || !same) hostSteps = 0;
    recorder.begin({c.commands, {c.timeline, c.value}});
}

void Simulation::Impl::finish() {
    device->device.wait(device->device.submitted());
    recorder.finish();
}

void Simulation::Impl::reset() {
    finish();
    const bool isPlaced = !fromHost.emitters.empty() || fromHost.target;
    fromHost = {};
    if (isPlaced) setByHost();
    failure.clear();
    temporal = nullptr;
    history.reset();
    ++resets;
    frame([&] { simulator.reset(recorder); });
    ofStep.reset();
    ++restarts;
    moved();
}

void Simulation::Impl::show(double at) {
    device->device.waitForHost();
    if (!std::isfinite(at)) throw Error(ErrorCode::Argument, fmt::format("show: the time is {} s; must be finite", at));
    failure.clear();
    frame([&] { simulator.show(recorder, at); });
    ofStep.reset();
    ++restarts;
    moved();
}

void Simulation::Impl::clear() {
    device->device.waitForHost();
    frame([&] { simulator.clear(recorder); });
    ++restarts;
    moved();
}

void Simulation::Impl::use(Settings wanted) {
    simulator.change(wanted);
    shaderOptions = wisp::shaderOptions(wanted);
    device->shaders.setOptions(shaderOptions);
    if (!ofStep) ofStep = std::move(settings);
    settings = std::move(wanted);
}

void Simulation::Impl::setByHost() {
    Settings wanted = settings;
    const Settings& own = scene.impl().settings();
    wanted.emitters = own.emitters;
    wanted.follow.keys = own.follow.keys;
    wanted.camera = own.camera;
    place(wanted, fromHost);
    use(std::move(wanted));
}

void Simulation::Impl::change(Scene next) {
    Settings wanted = settingsOf(next.impl().settings(), options);
    if (!wanted.usesColour()) wanted.coloured = settings.usesColour();  // existing fields are kept
    wanted.byHand = settings.byHand || wanted.byHand;
    keepFiles(settings, wanted);
    if (const std::string key = fixedKey(settings, wanted); !key.empty())
        throw Error(ErrorCode::Unsupported, fmt::format("{} cannot change while the simulation runs: make a new one", key),
                    {{"", 0, 0, key, "cannot change while the simulation runs"}});
    if (options.needs.probes && probeReadback(wanted) > probeBytes)
        throw Error(ErrorCode::Unsupported, "probes cannot get more points while the simulation runs: make a new one",
                    {{"", 0, 0, "probe", "has more points than the scene had when the simulation was made"}});
    HostInput kept = fromHost;
    if (wanted.follow.keys != scene.impl().settings().follow.keys) kept.target.reset();
    forgetMissing(kept, wanted);
    place(wanted, kept);
    if (wanted.probes != settings.probes && sampler) {
        finish();
        sampler.reset();  // its memory is for the largest of the probes
    }
    use(std::move(wanted));
    fromHost = std::move(kept);
    scene = std::move(next);
    moved();
}

glm::vec3 Simulation::Impl::centreOf(std::size_t obstacle) const {
    if (const auto own = fromHost.obstacles.find(obstacle); own != fromHost.obstacles.end()) return own->second.at;
    const auto& last = simulator.state().overrides;
    if (const auto moved = last.find(obstacle); moved != last.end()) return moved->second.to;
    return obstacleCentre(settings.obstacles.at(obstacle), simulator.time());
}

glm::vec3 Simulation::Impl::velocityOf(std::size_t obstacle) const {
    if (const auto own = fromHost.obstacles.find(obstacle); own != fromHost.obstacles.end()) {
        const MovedObstacle& o = own->second;
        return o.goal ? (*o.goal - o.at) / settings.timeStep : o.velocity;
    }
    const ObstacleSettings& own = settings.obstacles.at(obstacle);
    const double now = simulator.time();
    return (obstacleCentre(own, now + static_cast<double>(settings.timeStep)) - obstacleCentre(own, now)) / settings.timeStep;
}

MovedObstacle& Simulation::Impl::movedObstacle(std::size_t obstacle) {
    if (!settings.byHand)
        throw Error(ErrorCode::Unsupported, "the host cannot move obstacles: the simulation was made without SimulationOptions::moves");
    return fromHost.obstacles.try_emplace(obstacle, MovedObstacle{.at = centreOf(obstacle)}).first->second;
}

Entry::Entry(Simulation::Impl& simulation) : simulation_(simulation) {
    if (simulation_.inside.exchange(true))
        throw Error(ErrorCode::Busy, "another thread is inside a call of this simulation: use it from one thread at a time");
}

Entry::~Entry() { simulation_.inside = false; }

Call::Call(Simulation::Impl& simulation) : entry_(simulation), lock_(simulation.device->mutex) { simulation.useShaders(); }

std::shared_ptr<Simulation::Impl> existing(const std::weak_ptr<void>& simulation) {
    if (auto impl = std::static_pointer_cast<Simulation::Impl>(simulation.lock())) return impl;
    throw Error(ErrorCode::Outdated, "the simulation no longer exists");
}

}  // namespace wisp
