// SPDX-License-Identifier: MIT
#include "app/run/scene_session.h"

#include "api/memory_plan.h"
#include "compute/scene/validate.h"
#include "compute/sim/shaders.h"
#include "engine/recorder.h"

#include <fmt/format.h>

#include <algorithm>

namespace wisp::app {
Settings interactiveSettings(Settings settings) {
    settings.byHand = true;
    settings.render.mode = RenderMode::Raymarch;
    return settings;
}

SceneSession::SceneSession(engine::Device& device, const Settings& scene)
    : settings(interactiveSettings(scene)),
      device_(device),
      shaders_(device, embeddedShaders(), shaderOptions(settings)),
      simulator_(std::in_place, device, settings),
      applied_(settings) {}

void SceneSession::draw(engine::Recorder& rec) {
    const std::uint64_t step = simulator_->stepCount();
    picture_->setScene(simulator_->settings(), simulator_->time());
    picture_->setExposure(exposureOfStep(simulator_->settings()));
    picture_->draw(rec, simulator_->fields(), drawn_ == step);
    drawn_ = step;
}

void SceneSession::restart(engine::Recorder& rec) {
    drawn_.reset();
    rec.begin();
    simulator_->reset(rec);
    rec.submit();
}

void SceneSession::resume(CheckpointFile& from, engine::Recorder& rec) {
    drawn_.reset();
    wisp::resume(from, *simulator_, rec, run());
}

void SceneSession::open(const Settings& scene, engine::Recorder& rec) {
    Settings wanted = interactiveSettings(scene);
    wanted.render.size = settings.render.size;
    requireFit(device_, wanted, {true, 0});
    rec.finish();
    const Settings before = applied_;
    try {
        make(wanted);
    } catch (const engine::Error& e) {  // the driver has less memory than it reported
        if (e.kind() != engine::ErrorKind::OutOfMemory) throw;
        make(before);
        restart(rec);
        throw Failure(Exit::OutOfMemory, fmt::format("{}; the previous scene restarts", e.what()));
    }
    restart(rec);
}

void SceneSession::make(const Settings& scene) {
    picture_.reset();
    simulator_.reset();  // frees the old simulation first, because both may not fit into memory
    settings = applied_ = scene;
    shaders_.setOptions(shaderOptions(settings));
    simulator_.emplace(device_, settings);
    picture_.emplace(device_, settings);
}

void SceneSession::follow() {
    if (fixedKey(applied_, settings).empty()) simulator_->change(settings);
}

std::string SceneSession::apply(engine::Recorder& rec, bool wait) {
    if (settings == applied_) return {};
    if (!settings.usesColour()) settings.coloured = applied_.usesColour();  // existing colour fields are kept
    if (settings == applied_) return {};
    if (const std::vector<Problem> problems = validate(settings); !problems.empty()) {
        settings = applied_;
        return fmt::format("{} {}", problems.front().key, problems.front().message);
    }
    if (const std::string key = fixedKey(applied_, settings); !key.empty()) {
        if (wait) return {};
        try {
            open(Settings(settings), rec);
        } catch (const Failure& e) {
            settings = applied_;
            return e.what();
        }
        return fmt::format("{} has changed: the simulation restarts", key);
    }
    const bool alike = looksAlike(applied_, settings);
    try {
        simulator_->change(settings);
    } catch (const engine::Error& e) {  // no memory for colour fields
        settings = applied_;
        return e.what();
    }
    applied_ = settings;
    shaders_.setOptions(shaderOptions(settings));  // also needed for simulation shaders, even if the image does not change
    if (alike) return {};
    rec.begin();
    simulator_->catchUp(rec);
    rec.submit();
    if (picture_) picture_.emplace(device_, settings);
    return {};
}

void SceneSession::resize(glm::uvec2 pixels) {
    if (picture_ && pixels == settings.render.size) return;
    settings.render.size = applied_.render.size = pixels;
    picture_.emplace(device_, settings);
}

}  // namespace wisp::app
