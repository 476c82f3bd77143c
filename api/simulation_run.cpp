// SPDX-License-Identifier: MIT
// What a run needs, checkpoints, and what is shown or sampled between steps.
#include "api/handles.h"
#include "api/simulation_impl.h"
#include "compute/sim/wind.h"

#include <fmt/format.h>

#include <utility>

namespace wisp {
namespace {

/// Settings as those of a simulation that is made with these options.
Settings plannedSettings(const Scene& scene, const SimulationOptions& options) {
    Settings settings = settingsOf(scene.impl().settings(), options);
    if (options.needs.resume.empty()) return settings;
    return resumedScenes(CheckpointFile(options.needs.resume), std::move(settings)).scene;
}

}  // namespace

std::vector<MemoryUse> Simulation::plan(const Device& device, const Scene& scene, const SimulationOptions& options) {
    return guarded([&] {
        const std::lock_guard lock(device.impl()->mutex);
        const Settings settings = plannedSettings(scene, options);
        try {
            return memoryUse(planMemory(device.impl()->device, settings, needsOf(options.needs, settings)).rows);
        } catch (const std::invalid_argument& e) {  // the scene is valid, so a limit of the device is exceeded
            throw Error(ErrorCode::OutOfMemory, fmt::format("exceeds the limits of the device: {}", e.what()));
        }
    });
}

void Simulation::requireMemory(const Device& device, const Scene& scene, const SimulationOptions& options) {
    guarded([&] {
        const std::lock_guard lock(device.impl()->mutex);
        const Settings settings = plannedSettings(scene, options);
        wisp::requireFit(device.impl()->device, settings, needsOf(options.needs, settings));
    });
}

void Simulation::Impl::settle() {
    finish();
    frame([&] { simulator.catchUp(recorder); });
    recorder.finish();
}

void Simulation::Impl::save(const std::string& checkpoint, const FilmProgress& film) {
    requireSteps();
    for (const Settings* s : {static_cast<const Settings*>(&settings), input().ofStep})
        if (const std::string key = s ? keyOfMemory(*s) : ""; !key.empty())
            throw Error(ErrorCode::Unsupported,
                        fmt::format("{}: a checkpoint has no meshes and volumes in memory: write the data to a file, "
                                    "and name that in the scene",
                                    key),
                        {{"", 0, 0, key, "names data in memory"}});
    if (fromHost.strokes.size() > kMaxSavedStrokes)
        throw Error(ErrorCode::Unsupported,
                    fmt::format("{} strokes are painted for the next step, and a checkpoint has at most {}: make the step before you save",
                                fromHost.strokes.size(), kMaxSavedStrokes));
    settle();
    saveCheckpoint(checkpoint, run(), input(), film);
}

void Simulation::save(const std::string& checkpoint, const FilmProgress& film) {
    called(*impl_, [&] { impl_->save(checkpoint, film); });
}

std::vector<FieldHash> Simulation::hashes() {
    return called(*impl_, [&] {
        impl_->settle();
        std::vector<FieldHash> list;
        for (const auto& [name, hash] : hashesOf(impl_->run(), impl_->input())) list.push_back({name, hash});
        return list;
    });
}

void Simulation::show(double time) {
    called(*impl_, [&] { impl_->show(time); });
}

void Simulation::sampleProbes(std::function<void(const ProbeSample&)> done) {
    called(*impl_, [&] { impl_->sampleProbes(std::move(done)); });
}

std::vector<ProbeValue> Simulation::probe(const std::array<float, 3>& from, const std::array<float, 3>& to, std::uint32_t points) {
    return called(*impl_, [&] { return impl_->probe(vectorOf(from, "probe: from"), vectorOf(to, "probe: to"), points); });
}

gpu::WispWind Simulation::wind() const {
    return guarded([&] {
        const Entry entry(*impl_);
        return windOf(impl_->simulator);
    });
}

std::vector<std::array<float, 3>> Simulation::windAt(const std::vector<std::array<float, 3>>& points) {
    return called(*impl_, [&] { return impl_->windAt(points); });
}

std::uint64_t Simulation::particleCapacity() const {
    return guarded([&] {
        const Entry entry(*impl_);
        return impl_->settings.usesLiquid() ? impl_->settings.liquidCapacity() : 0;
    });
}

}  // namespace wisp
