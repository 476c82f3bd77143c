// SPDX-License-Identifier: MIT
#include "wisp/simulation.h"

#include "api/field_access.h"
#include "api/guarded.h"
#include "api/handles.h"
#include "api/memory_plan.h"
#include "api/resumed_scene.h"
#include "api/simulation_impl.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace wisp {
namespace {

constexpr std::uint32_t kStepsOfHost = CyclePlan::kPeriod;  // in a batch: residuals must be known two batches later

std::shared_ptr<Simulation::Impl> resumed(const Device& device, CheckpointFile& file, const Scene& scene,
                                          const SimulationOptions& options) {
    const ResumedScenes scenes = resumedScenes(file, settingsOf(scene.impl().settings(), options));
    Needs needs = needsOf(options.needs, scenes.scene);
    needs.copies = kCheckpointBlock;
    requireFit(device.impl()->device, scenes.scene, needs);
    std::shared_ptr<Simulation::Impl> impl;
    explainOutOfMemory(device.impl()->device, scenes.scene, needs,
                       [&] { impl = std::make_shared<Simulation::Impl>(device.impl(), scene, scenes, file, options); });
    return impl;
}

void requireTrace(const Simulation::Impl& simulation, const char* call) {
    if (!simulation.options.trace)
        throw Error(ErrorCode::Argument, fmt::format("{}: the simulation records no trace, see SimulationOptions::trace", call));
}

}  // namespace

Simulation::Simulation(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

Simulation::Simulation(const Device& device, const Scene& scene, const SimulationOptions& options) {
    guarded([&] {
        const std::lock_guard lock(device.impl()->mutex);
        const Collector collector(*device.impl());
        const Settings settings = settingsOf(scene.impl().settings(), options);
        const Needs needs = needsOf(options.needs, settings);
        wisp::requireFit(device.impl()->device, settings, needs);
        explainOutOfMemory(device.impl()->device, settings, needs, [&] { impl_ = std::make_shared<Impl>(device.impl(), scene, options); });
    });
}

Simulation Simulation::resume(const Device& device, const std::string& checkpoint, const SimulationOptions& options) {
    return guarded([&] {
        const std::lock_guard lock(device.impl()->mutex);
        const Collector collector(*device.impl());
        CheckpointFile file(checkpoint);
        return Simulation(resumed(device, file, Scene::ofCheckpoint(checkpoint), options));
    });
}

Simulation Simulation::resume(const Device& device, const std::string& checkpoint, const Scene& scene, const SimulationOptions& options) {
    return guarded([&] {
        const std::lock_guard lock(device.impl()->mutex);
        const Collector collector(*device.impl());
        CheckpointFile file(checkpoint);
        return Simulation(resumed(device, file, scene, options));
    });
}

Simulation::~Simulation() {
    if (!impl_) return;
    const auto device = impl_->device;  // outlives the simulation
    const std::lock_guard lock(device->mutex);
    impl_->closing = true;
    try {
        impl_->finish();
        impl_.reset();
        device->device.collect();      // frees its memory now, not with the next step of another simulation
    } catch (const std::exception&) {  // a lost device, or a host that does not submit: the device frees it at its end
    }
}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&& other) noexcept {
    std::swap(impl_, other.impl_);
    return *this;
}

void Simulation::step(std::uint32_t count) {
    called(*impl_, [&] { impl_->step(count); });
}

void Simulation::step(const SubmitInfo& info) {
    called(*impl_, [&] {
        impl_->device->device.waitForHost();
        impl_->requireSteps();
        impl_->frame([&] { impl_->recordStep(); }, info);
    });
}

void Simulation::record(const HostCommands& commands) {
    called(*impl_, [&] {
        impl_->requireSteps();
        if (commands.timeline == impl_->hostTimeline && commands.value == impl_->hostValue && impl_->hostSteps >= kStepsOfHost)
            throw Error(ErrorCode::Argument, fmt::format("HostCommands: more than {} steps have one value of the timeline", kStepsOfHost));
        impl_->frame(
            [&] {
                ++impl_->hostSteps;
                impl_->recordStep();
            },
            {}, &commands);
    });
}

void Simulation::wait() {
    called(*impl_, [&] { impl_->finish(); });
}

void Simulation::reset() {
    called(*impl_, [&] { impl_->reset(); });
}

void Simulation::change(const Scene& scene) {
    called(*impl_, [&] { impl_->change(scene); });
}

void Simulation::set(const std::string& key, const Value& value) {
    called(*impl_, [&] {
        Scene next = impl_->scene;
        next.set(key, value);
        impl_->change(std::move(next));
    });
}

Scene Simulation::scene() const {
    return guarded([&] {
        const Entry entry(*impl_);
        return impl_->scene;
    });
}

std::uint64_t Simulation::steps() const noexcept { return impl_->steps; }
double Simulation::time() const noexcept { return impl_->time; }
double Simulation::timeStep() const noexcept { return impl_->timeStep; }

std::size_t Simulation::obstacleCount() const {
    return guarded([&] {
        const Entry entry(*impl_);
        return impl_->settings.obstacles.size();
    });
}

std::size_t Simulation::emitterCount() const {
    return guarded([&] {
        const Entry entry(*impl_);
        return impl_->settings.emitters.size();
    });
}

Obstacle Simulation::obstacle(std::size_t index) {
    return guarded([&] {
        const Entry entry(*impl_);
        if (const std::size_t count = impl_->settings.obstacles.size(); index >= count)
            throw Error(ErrorCode::Argument, fmt::format("there is no obstacle {}; the scene has {}", index, count));
        return Obstacle::Access::make(impl_, index);
    });
}

Emitter Simulation::emitter(std::size_t index) {
    return guarded([&] {
        const Entry entry(*impl_);
        if (const std::size_t count = impl_->settings.emitters.size(); index >= count)
            throw Error(ErrorCode::Argument, fmt::format("there is no emitter {}; the scene has {}", index, count));
        return Emitter::Access::make(impl_, index);
    });
}

std::vector<std::string> Simulation::fields() const {
    return guarded([&] {
        const Entry entry(*impl_);
        std::vector<std::string> names;
        for (const ReadableField& f : readableFields(impl_->settings)) names.emplace_back(f.name);
        return names;
    });
}

Field Simulation::field(const std::string& name) {
    return called(*impl_, [&] { return Field::Access::make(*impl_, impl_->readable(name)); });
}

FieldData Simulation::read(const std::string& name) {
    return called(*impl_, [&] {
        const ReadableField field = impl_->readable(name);
        FieldData data{name, impl_->latticeOf(field), field.components, {}};
        data.values.resize(floatBytes(field, impl_->settings.grid) / sizeof(float));
        impl_->read(field, data.values.data());
        return data;
    });
}

void Simulation::read(const std::string& name, float* into, std::size_t count) {
    called(*impl_, [&] {
        const ReadableField field = impl_->readable(name);
        const std::uint64_t wanted = floatBytes(field, impl_->settings.grid) / sizeof(float);
        if (!into || count != wanted) throw Error(ErrorCode::Argument, fmt::format("{} has {} floats, not {}", name, wanted, count));
        impl_->read(field, into);
    });
}

Lattice Simulation::lattice(const std::string& name) const {
    return guarded([&] {
        const Entry entry(*impl_);
        return impl_->latticeOf(impl_->readable(name));
    });
}

std::uint32_t Simulation::components(const std::string& name) const {
    return guarded([&] {
        const Entry entry(*impl_);
        return impl_->readable(name).components;
    });
}

Quality Simulation::quality() {
    return called(*impl_, [&] {
        Quality quality;
        impl_->finish();
        impl_->frame([&] { impl_->simulator.measure(impl_->recorder, [&](const Quality& q) { quality = q; }); });
        impl_->recorder.finish();
        return quality;
    });
}

void Simulation::measure(std::function<void(std::uint64_t, const Quality&)> done) {
    guarded([&] {
        if (!done) throw Error(ErrorCode::Argument, "measure: needs a function");
        const Call call(*impl_);
        const std::uint64_t step = impl_->simulator.stepCount();
        impl_->frame([&] {
            impl_->simulator.measure(impl_->recorder, [impl = impl_.get(), done = std::move(done), step](const Quality& quality) {
                if (!impl->closing) done(step, quality);
            });
        });
    });
}

void Simulation::onTimes(std::function<void(const SubmitTimes&)> done) {
    called(*impl_, [&] {
        if (impl_->options.timing == Timing::Off)
            throw Error(ErrorCode::Argument, "onTimes: the simulation measures no times, see SimulationOptions::timing");
        impl_->timesDone = std::move(done);
    });
}

void Simulation::onTrace(std::function<void(const SubmitTrace&)> done) {
    called(*impl_, [&] {
        requireTrace(*impl_, "onTrace");
        impl_->traceDone = std::move(done);
    });
}

void Simulation::setTiming(Timing timing, bool trace) {
    guarded([&] {
        const Call call(*impl_);
        impl_->setTiming(timing, trace);
    });
}

void Simulation::setResiduals(bool measure) {
    guarded([&] {
        const Call call(*impl_);
        impl_->options.residuals = measure;
    });
}

TraceClock Simulation::traceClock() const {
    return guarded([&] {
        const Entry entry(*impl_);
        requireTrace(*impl_, "traceClock");
        const engine::GpuClock& clock = *impl_->recorder.clock();
        return TraceClock{clock.isCalibrated(), clock.deviation()};
    });
}

}  // namespace wisp
