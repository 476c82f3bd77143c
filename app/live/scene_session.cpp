// SPDX-License-Identifier: MIT
#include "app/live/scene_session.h"

#include "app/live/document.h"
#include "compute/scene/validate.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

namespace wisp::app {
namespace {

std::array<float, 3> listOf(const glm::vec3& v) { return {v.x, v.y, v.z}; }

/// Whether the error is about the scene that was asked for, and not about the run.
bool isOfScene(ErrorCode code) {
    return code == ErrorCode::Scene || code == ErrorCode::File || code == ErrorCode::OutOfMemory || code == ErrorCode::Unsupported ||
           code == ErrorCode::Argument;
}

}  // namespace

Settings interactiveSettings(Settings settings) {
    settings.byHand = true;
    settings.render.mode = RenderMode::Raymarch;
    return settings;
}

SceneCamera cameraOf(const CameraSettings& c) {
    return {.eye = listOf(c.eye), .target = listOf(c.target), .fov = c.fov, .height = c.height};
}

SceneSession::SceneSession(const Device& device, const Settings& scene, const std::string& checkpoint)
    : settings(interactiveSettings(scene)), device_(device), applied_(settings) {
    if (checkpoint.empty()) simulation_.emplace(device, sceneOf(settings), interactiveOptions());
    else simulation_.emplace(Simulation::resume(device, checkpoint, sceneOf(settings), interactiveOptions()));
    listen();
}

void SceneSession::listen() {
    simulation_->onTimes([this](const SubmitTimes& times) {
        if (onTimes) onTimes(times);
    });
}

GridSettings SceneSession::box() const {
    GridSettings grid = applied_.grid;
    const std::array<float, 3> low = simulation_->lattice("velocity").origin;
    grid.origin = {low[0], low[1], low[2]};
    return grid;
}

void SceneSession::open(const Settings& scene) {
    Settings wanted = interactiveSettings(scene);
    wanted.render.size = settings.render.size;
    Simulation::requireMemory(device_, sceneOf(wanted), interactiveOptions());
    const Settings before = applied_;
    try {
        make(wanted);
    } catch (const Error& e) {  // the driver has less memory than it reported, or a file is damaged
        if (!isOfScene(e.code())) throw;
        try {
            make(before);
        } catch (const Error& again) {  // now there is no simulation: this ends the window
            throw std::runtime_error(fmt::format("{}; the previous scene cannot restart: {}", e.what(), again.what()));
        }
        throw Error(e.code(), fmt::format("{}; the previous scene restarts", e.what()));
    }
}

void SceneSession::make(const Settings& scene) {
    if (renderer_) renderer_->flush();  // a recording gets its last pictures
    renderer_.reset();
    simulation_.reset();  // frees the old simulation first, because both may not fit into memory
    settings = applied_ = scene;
    simulation_.emplace(device_, sceneOf(settings), interactiveOptions());
    listen();
    renderer_.emplace(*simulation_, RendererOptions{.width = settings.render.size.x, .height = settings.render.size.y});
}

std::string SceneSession::restartFor(const std::string& key, bool wait) {
    if (wait) return {};
    try {
        open(Settings(settings));
    } catch (const Error& e) {
        if (!isOfScene(e.code())) throw;
        settings = applied_;
        return e.what();
    }
    return fmt::format("{} has changed: the simulation restarts", key);
}

std::string SceneSession::apply(bool wait) {
    if (settings == applied_) return {};
    if (!settings.usesColour()) settings.coloured = applied_.usesColour();  // existing colour fields are kept
    if (settings == applied_) return {};
    if (const std::vector<Problem> problems = validate(settings); !problems.empty()) {
        settings = applied_;
        return fmt::format("{} {}", problems.front().key, problems.front().message);
    }
    try {
        simulation_->change(sceneOf(settings));
    } catch (const Error& e) {
        if (e.code() == ErrorCode::Unsupported && !e.key().empty()) return restartFor(e.key(), wait);
        if (!isOfScene(e.code())) throw;
        settings = applied_;  // for example no memory for colour fields
        return e.what();
    }
    applied_ = settings;
    return {};
}

void SceneSession::save(const std::string& file, const Settings& scene) {
    simulation_->change(sceneOf(scene));
    try {
        simulation_->save(file);
    } catch (...) {
        simulation_->change(sceneOf(applied_));
        throw;
    }
    simulation_->change(sceneOf(applied_));
}

void SceneSession::resize(glm::uvec2 pixels) {
    if (renderer_ && pixels == settings.render.size) return;
    settings.render.size = applied_.render.size = pixels;
    if (renderer_) renderer_->resize(pixels.x, pixels.y);
    else renderer_.emplace(*simulation_, RendererOptions{.width = pixels.x, .height = pixels.y});
}

}  // namespace wisp::app
