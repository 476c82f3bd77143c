// SPDX-License-Identifier: MIT
// What a user asks for: other scenes, changes, undo, files, sizes.
#include "app/live/live.h"

#include "app/live/output.h"
#include "app/run/quality_probe.h"
#include "app/scene/environment_file.h"
#include "app/scene/scene_shapes.h"
#include "compute/scene/motion.h"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <imgui.h>

#include <algorithm>
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
    return {.window = window_.placement(),
            .vsync = state_.vsync,
            .pictureScale = scale == usualPictureScale() ? std::nullopt : std::optional(scale),
            .panels = state_.panels,
            .help = state_.help,
            .profiler = state_.profiler,
            .outlines = state_.outlines,
            .panelScale = state_.panelScale,
            .panelSide = state_.dock.side,
            .layout = gui_.layout()};
}

void Live::restart() {
    hands_.letGo();
    if (hands_.target.giveBack()) tell(stage_.apply(recorder_, false));
    stage_.restart(recorder_);
    state_.measured.reset();
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
        const auto [settings, ownCells] = loadSceneAndCells(findScene(scene), options_.common.sceneOptions);
        hands_.letGo();
        stage_.open(settings, recorder_);
        options_.common.scene = scene;
        sceneSize_ = settings.render.size;
        ownCells_ = ownCells;
        state_.message.clear();
        wrong_ = false;
        opened();
    } catch (const Failure& e) {
        state_.message = e.what();
    }
}

void Live::opened() {
    sceneCamera_ = settings().camera;
    goHome();
    hands_.brush = settings().brush;
    hands_.target.forget();
    scenePanel_.setBase(settings());
    history_.reset(settings());
    dyeArrows_ = 0;
    state_.measured.reset();
    state_.scene = settings().name;
    quality_.reset();
    if (options_.common.autoQuality)
        quality_.emplace(levelsThatFit(device_, {settings(), ownCells_}, {true, 0}), stepsOfFrame(settings().timeStep));
}

/// With the window's view, and the picture's size of the file. A camera that goes with the target is said as where it is when that is at
/// its first place.
Settings Live::asFile(Settings scene) {
    const bool follows = std::exchange(scene.camera, camera_.settings()).follows;
    scene.camera.follows = follows;
    if (follows && !scene.follow.keys.empty()) {
        const glm::vec3 back = scene.follow.keys.front().centre - targetPlace(scene.follow, time()) + chase_.behind();
        scene.camera.eye += back;
        scene.camera.target += back;
    }
    scene.grid.origin = settings().grid.origin;
    if (!settings().camera.keys.empty() && camera_.settings() == played_) scene.camera = settings().camera;
    if (stage_.settings.grid.isFlat() && camera_.settings() == fitted_) scene.camera = stage_.settings.camera;  // it fits in any window
    scene.render.size = sceneSize_;
    scene.brush = hands_.brush;
    return scene;
}

float Live::aspect() const {
    return areaPixels_.y > 0 ? static_cast<float>(areaPixels_.x) / static_cast<float>(areaPixels_.y) : 16.0f / 9.0f;
}

/// Into the part of the window that the panel leaves free, with all that the whole window would show from left to right. What is recorded
/// has the window's pixels.
void Live::placePicture() {
    const Area window = wholeWindow();
    area_ = video_.recording() ? window : state_.dock.free();
    camera_.widen(std::max(window.size.x, 1.0f) / area_.size.x);
    const glm::vec2 scale = glm::vec2(lastPixels_) / glm::max(window.size, 1.0f);
    const glm::uvec2 pixels = glm::uvec2(glm::round((area_.low + area_.size) * scale) - glm::round(area_.low * scale));
    hands_.setPicture(area_.low, area_.size);
    if (std::exchange(areaPixels_, pixels) != pixels) changedAt_ = ImGui::GetTime();
}

/// The scene's own; of a flat grid that gives no height, one that shows all of it in this window.
CameraSettings Live::homeCamera() {
    const Settings& s = settings();
    return s.grid.isFlat() && s.camera.height == 0.0f ? fitted_ = planeCamera(box(), aspect()) : cameraAt(s, time());
}

void Live::goHome() {
    camera_.set(homeCamera());
    played_ = camera_.settings();
    chase_ = {};
}

/// A camera on a path keeps to it until somebody turns the view. One that follows goes with the target, but for one that shows all of a
/// flat box anyway.
void Live::accompany(double elapsed) {
    const Settings& s = settings();
    if (!s.camera.keys.empty() && camera_.settings() == played_) return goHome();
    const bool goes = s.camera.follows && !s.follow.keys.empty() && camera_.settings() != fitted_;
    const std::optional<glm::vec3> place = goes ? std::optional(targetPlace(s.follow, time())) : std::nullopt;
    camera_.shift(chase_.step(place, hands_.target.takeWay(), hands_.holdsTarget(), static_cast<float>(elapsed)));
}

/// A window of another shape shows all of a flat grid, too, until the view is moved.
void Live::fitPlane() {
    if (settings().grid.isFlat() && camera_.settings() == fitted_) camera_.set(fitted_ = planeCamera(box(), aspect()));
}

/// A field by colour instead of the smoke, or the smoke again.
void Live::look(ViewField field) {
    ViewSettings& view = settings().view;
    if (field == view.field) field = ViewField::Smoke;
    if (view.field == ViewField::Smoke) dyeArrows_ = view.arrows;
    const bool flat = settings().grid.isFlat() && field != ViewField::Smoke;
    view = {.field = field,
            .slice = flat ? SliceAxis::Z : SliceAxis::None,
            .arrows = flat && field == ViewField::Speed ? 8u : 0u,
            .legend = view.legend};
    if (field == ViewField::Smoke && settings().grid.isFlat() && settings().prescribed.field != PrescribedField::None)
        view.arrows = dyeArrows_;
}

void Live::clear() {
    recorder_.begin();
    stage_.simulator().clear(recorder_);
    recorder_.submit();
    stage_.forget();
    wrong_ = false;
}

void Live::save() {
    Settings scene = asFile(settings());
    scene.grid.cells = cellsToSave(scene.grid, ownCells_);  // not those of --quality, which would scale them again
    state_.message = saveScene(scene);
}

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
        if (kind == ".obj") {
            addMesh(changed, file);
            changed.obstacles.back().shape.centre += gone();
        } else if (kind == ".hdr" || kind == ".exr")
            changed.environment.image = std::make_shared<const EnvironmentImage>(readEnvironment(file));
        else throw std::runtime_error("is no scene (.toml), mesh (.obj) or picture of surroundings (.hdr, .exr)");
        settings() = std::move(changed);
    } catch (const std::runtime_error& e) {
        state_.message = fmt::format("{}: {}", file, e.what());
    }
}

void Live::travel(std::optional<Settings> to) {
    if (!to) return;
    hands_.letGo();
    if (to->follow != settings().follow) sceneCamera_ = to->camera;  // it was shifted with the target, as the window's is
    settings() = std::move(*to);
}

/// Pictures follow the window once it rests; until then they are stretched.
void Live::resizePicture(double now) {
    const glm::uvec2 pixels = areaPixels_;
    if (pixels.x == 0 || pixels.y == 0) return;
    if (stage_.hasPicture() && now - changedAt_ < 0.2) return;
    const float scale = video_.recording() ? 1.0f : state_.pictureScale;  // a video has the window's pixels, however slow that is
    stage_.resize(glm::max(glm::uvec2(glm::vec2(pixels) * scale + 0.5f), 1u));
}

void Live::record() {
    if (video_.recording()) return tell(video_.stop());
    if (lastPixels_.x == 0 || lastPixels_.y == 0) return;
    stage_.resize(lastPixels_);
    tell(video_.start(stage_));
}

void Live::handleWishes() {
    swapchain_.setVsync(state_.vsync);
    if (const glm::uvec2 pixels = window_.pixels(); pixels.x > 0 && pixels.y > 0) lastPixels_ = pixels;
    if (std::exchange(state_.frameAll, false)) {
        if (box().isFlat()) camera_.set(fitted_ = planeCamera(box(), aspect()));
        else camera_.frame(box().origin, box().origin + box().size, aspect());
        chase_ = {};
    }
    if (std::exchange(state_.home, false)) goHome();
    fitPlane();
    if (const auto view = std::exchange(state_.view, std::nullopt)) look(*view);
    if (std::exchange(state_.clear, false)) clear();
    if (const std::string scene = std::exchange(state_.openScene, {}); !scene.empty()) open(scene);
    if (std::exchange(state_.restart, false)) restart();
    for (const std::string& file : window_.takeFiles()) take(file);
    if (QualityLevel& level = options_.common.sceneOptions.quality; state_.level != level) {
        GridSettings& grid = settings().grid;
        const bool own = cellsToSave(grid, ownCells_) == ownCells_;  // then from those: rounded ones do not scale back
        if (own) grid.cells = ownCells_;
        scaleGrid(grid, own ? scaleOf(state_.level) : scaleOf(state_.level) / scaleOf(level));
        level = state_.level;
        if (qualityMessage_.empty()) {  // the user has chosen it
            options_.common.autoQuality = false;
            quality_.reset();
        }
    }
    if (std::exchange(state_.reload, false)) open(options_.common.scene);
    if (std::exchange(state_.save, false)) save();
    if (std::exchange(state_.keep, false)) keep();
    if (std::exchange(state_.undo, false)) travel(history_.undo());
    if (std::exchange(state_.redo, false)) travel(history_.redo());
    if (stage_.hasPicture() && std::exchange(state_.record, false)) record();
    tell(video_.told());
    state_.recording = video_.recording();
    if (hands_.brush.colour != glm::vec3(1.0f) || (settings().grid.isFlat() && hands_.brush.cycle > 0.0f)) settings().coloured = true;
    const bool editing = scenePanel_.editing();
    const GridSettings wanted = settings().grid;
    const std::string told = stage_.apply(recorder_, editing), why = std::exchange(qualityMessage_, {});
    const bool taken = settings().grid == wanted;
    tell(why.empty() || !taken ? told : why);
    if (!taken) quality_.reset();  // there is no memory for another level
    if (!editing && !hands_.busy()) history_.keep(settings());
    const bool shifted = hands_.target.takeShift();  // and the window's with it
    if (std::exchange(sceneCamera_, settings().camera) != settings().camera && !shifted) goHome();
    clock_.setStep(static_cast<double>(settings().timeStep));
    placePicture();  // a video may have begun or ended
    resizePicture(ImGui::GetTime());
}

}  // namespace wisp::app
