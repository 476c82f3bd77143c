// SPDX-License-Identifier: MIT
// What a user asks for: other scenes, changes, undo, files, sizes.
#include "app/live/live.h"

#include "app/environment_file.h"
#include "app/live/output.h"
#include "app/scene_shapes.h"

#include <fmt/format.h>
#include <imgui.h>

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <utility>

namespace wisp::app {

void Live::tell(const std::string& message) {
    if (!message.empty()) state_.message = message;
}

float Live::usualPictureScale() const { return device_.isCpu() ? 0.35f : 1.0f; }

Preferences Live::preferences() {
    const float scale = state_.pictureScale;
    return {.window = window_.placement(), .vsync = state_.vsync, .pictureScale = scale == usualPictureScale() ? std::nullopt : std::optional(scale),
            .panels = state_.panels, .help = state_.help, .profiler = state_.profiler, .panelScale = state_.panelScale, .layout = gui_.layout()};
}

void Live::restart() {
    hands_.letGo();
    stage_.restart(recorder_);
    wrong_ = false;
}

void Live::resume(Start& start) {
    stage_.resume(*start.from, recorder_);
    log_.debug(fmt::format("goes on at step {}", stage_.simulator().stepCount()));
    settings() = forHands(start.scene);
    tell(stage_.apply(recorder_, false));
}

/// Another scene, or this one from its file again; what is wrong with it is said, and the old one stays.
void Live::open(const std::string& scene) {
    try {
        const Settings settings = loadScene(findScene(scene), options_.common.sceneOptions);
        hands_.letGo();
        stage_.open(settings, recorder_);
        options_.common.scene = scene;
        sceneSize_ = settings.render.size;
        state_.message.clear();
        wrong_ = false;
        opened();
    } catch (const Failure& e) {
        state_.message = e.what();
    }
}

void Live::opened() {
    camera_.set(sceneCamera_ = settings().camera);
    scenePanel_.setBase(settings());
    history_.reset(settings());
    state_.scene = settings().name;
}

/// With the window's view, and the picture's size of the file.
Settings Live::asFile(Settings scene) const {
    scene.camera = camera_.settings();
    scene.render.size = sceneSize_;
    return scene;
}

void Live::save() { state_.message = saveScene(asFile(settings())); }

void Live::keep() {
    if (wrong_) return tell("There is nothing to go on from: a number is no longer finite.");
    recorder_.finish();
    state_.message = saveRun(stage_, asFile(stage_.simulator().settings()));
}

/// A file that was dropped on the window.
void Live::take(const std::string& file) {
    const std::string kind = std::filesystem::path(file).extension();
    if (kind == ".toml") return open(file);
    try {
        Settings changed = settings();
        if (kind == ".obj") addMesh(changed, file);
        else if (kind == ".hdr" || kind == ".exr") changed.environment.image = std::make_shared<const EnvironmentImage>(readEnvironment(file));
        else throw std::runtime_error("is no scene (.toml), mesh (.obj) or picture of surroundings (.hdr, .exr)");
        settings() = std::move(changed);
    } catch (const std::runtime_error& e) {
        state_.message = fmt::format("{}: {}", file, e.what());
    }
}

void Live::travel(std::optional<Settings> to) {
    if (!to) return;
    hands_.letGo();
    settings() = std::move(*to);
}

/// Pictures follow the window once it rests; until then they are stretched.
void Live::resizePicture(double now) {
    const glm::uvec2 pixels = window_.pixels();
    if (pixels.x == 0 || pixels.y == 0) return;
    if (std::exchange(lastPixels_, pixels) != pixels) changedAt_ = now;
    if (!stage_.hasPicture() || now - changedAt_ >= 0.2) stage_.resize(glm::max(glm::uvec2(glm::vec2(pixels) * state_.pictureScale + 0.5f), 1u));
}

void Live::handleWishes() {
    swapchain_.setVsync(state_.vsync);
    const glm::vec2 size(lastPixels_);
    const GridSettings& grid = settings().grid;
    if (std::exchange(state_.frameAll, false)) camera_.frame(grid.origin, grid.origin + grid.size, size.y > 0.0f ? size.x / size.y : 1.0f);
    if (std::exchange(state_.home, false)) camera_.set(settings().camera);
    if (const std::string scene = std::exchange(state_.openScene, {}); !scene.empty()) open(scene);
    if (std::exchange(state_.restart, false)) restart();
    for (const std::string& file : window_.takeFiles()) take(file);
    if (QualityLevel& level = options_.common.sceneOptions.quality; state_.level != level) {
        scaleGrid(settings().grid, scaleOf(state_.level) / scaleOf(level));
        level = state_.level;
    }
    if (std::exchange(state_.reload, false)) open(options_.common.scene);
    if (std::exchange(state_.save, false)) save();
    if (std::exchange(state_.keep, false)) keep();
    if (std::exchange(state_.undo, false)) travel(history_.undo());
    if (std::exchange(state_.redo, false)) travel(history_.redo());
    if (stage_.hasPicture() && std::exchange(state_.record, false)) tell(video_.recording() ? video_.stop() : video_.start(stage_));
    tell(video_.told());
    state_.recording = video_.recording();
    if (hands_.brush.colour != glm::vec3(1.0f)) settings().coloured = true;
    const bool editing = scenePanel_.editing();
    tell(stage_.apply(recorder_, editing));
    if (!editing && !hands_.busy()) history_.keep(settings());
    if (settings().camera != sceneCamera_) camera_.set(sceneCamera_ = settings().camera);
    clock_.setStep(static_cast<double>(settings().timeStep));
    resizePicture(ImGui::GetTime());
}

}  // namespace wisp::app
