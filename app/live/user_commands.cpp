// SPDX-License-Identifier: MIT
// User commands: scenes, edits, undo, files, sizes.
#include "app/live/live.h"

#include "app/live/output.h"
#include "app/run/quality_probe.h"
#include "compute/scene/motion.h"
#include "compute/scene/scene_warnings.h"
#include "files/base/extension.h"
#include "files/scene/environment_file.h"
#include "files/scene/gltf_file.h"
#include "files/scene/scene_shapes.h"

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
    interaction_.letGo();
    if (interaction_.target.restorePath()) tell(session_.apply(false));
    session_.simulation().reset();
    state_.measured.reset();
    wrong_ = false;
}

/// Opens a scene, or reloads the current one. If it has an error, the error is shown and the old scene stays.
void Live::open(const std::string& scene) {
    try {
        const Document document = documentOf(Scene::load(scene, options_.common.load));
        interaction_.letGo();
        session_.open(document.settings);
        options_.common.scene = scene;
        sceneSize_ = document.settings.render.size;
        ownCells_ = document.ownCells;
        state_.message.clear();
        wrong_ = false;
        opened();
    } catch (const Failure& e) {
        state_.message = e.what();
    } catch (const Error& e) {
        if (e.code() == ErrorCode::DeviceLost) throw;
        state_.message = e.what();
    }
}

void Live::opened() {
    sceneCamera_ = settings().camera;
    goHome();
    interaction_.brush = settings().brush;
    interaction_.target.forget();
    scenePanel_.setBase(settings());
    history_.reset(settings());
    dyeArrows_ = 0;
    state_.measured.reset();
    state_.scene = settings().name;
    quality_.reset();
    state_.warnings.clear();
    warned_.reset();
    warn();
    if (!options_.common.autoQuality) return;
    Settings standard = settings();
    standard.grid.cells = ownCells_;
    const auto memory = [&](const Scene& scene) { return interactiveMemory(library_, scene); };
    quality_.emplace(levelsThatFit(library_, sceneOf(standard), memory), stepsOfFrame(static_cast<double>(settings().timeStep)));
}

namespace {

/// Whether settings differ in more than the picture. No warning depends on it, and with large meshes they take a second.
bool differInMoreThanThePicture(Settings a, const Settings& b) {
    a.medium = b.medium;
    a.lights = b.lights;
    a.render = b.render;
    a.view = b.view;
    a.brush = b.brush;
    return a != b;
}

}  // namespace

/// Shows the warnings about the settings if these have changed, and logs the new ones.
void Live::warn() {
    if (warned_ == settings()) return;
    const std::optional<Settings> before = std::exchange(warned_, settings());
    if (before && !differInMoreThanThePicture(settings(), *before)) return;
    std::vector<std::string> warnings;
    for (const Problem& p : sceneWarnings(settings())) {
        warnings.push_back(fmt::format("warning: {}: {}", p.key, p.message));
        if (std::ranges::find(state_.warnings, warnings.back()) == state_.warnings.end()) log_.note(warnings.back());
    }
    state_.warnings = std::move(warnings);
}

/// The scene as a file: with the current view of the window, and the image size of the scene file. A camera that follows the target is
/// saved relative to the first position of the target.
Settings Live::asFile(Settings scene) {
    const bool follows = std::exchange(scene.camera, camera_.settings()).follows;
    scene.camera.follows = follows;
    if (follows && !scene.follow.keys.empty()) {
        const glm::vec3 back = scene.follow.keys.front().centre - targetPosition(scene.follow, time()) + chase_.behind();
        scene.camera.eye += back;
        scene.camera.target += back;
    }
    scene.grid.origin = settings().grid.origin;
    if (!settings().camera.keys.empty() && camera_.settings() == played_) scene.camera = settings().camera;
    if (session_.settings.grid.isFlat() && camera_.settings() == fitted_) scene.camera = session_.settings.camera;  // fits any window
    scene.render.size = sceneSize_;
    scene.brush = interaction_.brush;
    return scene;
}

float Live::aspect() const {
    return areaPixels_.y > 0 ? static_cast<float>(areaPixels_.x) / static_cast<float>(areaPixels_.y) : 16.0f / 9.0f;
}

/// Places the image in the area beside the panel. It shows the same horizontal range as the whole window would. While a video is recorded
/// the image fills the window.
void Live::placePicture() {
    const Area window = wholeWindow();
    area_ = video_.recording() ? window : state_.dock.free();
    camera_.widen(std::max(window.size.x, 1.0f) / area_.size.x);
    const glm::vec2 scale = glm::vec2(lastPixels_) / glm::max(window.size, 1.0f);
    const glm::uvec2 pixels = glm::uvec2(glm::round((area_.low + area_.size) * scale) - glm::round(area_.low * scale));
    interaction_.setPicture(area_.low, area_.size);
    if (std::exchange(areaPixels_, pixels) != pixels) changedAt_ = ImGui::GetTime();
}

/// Camera of the scene. For a flat grid without a camera height: a camera that shows the whole grid in this window.
CameraSettings Live::homeCamera() {
    const Settings& s = settings();
    return s.grid.isFlat() && s.camera.height == 0.0f ? fitted_ = planeCamera(box(), aspect()) : cameraAt(s, time());
}

void Live::goHome() {
    camera_.set(homeCamera());
    played_ = camera_.settings();
    chase_ = {};
}

/// Moves the camera. A camera on a path follows the path until the user moves the view. A camera with `follows` moves with the target,
/// unless it shows a whole flat box anyway.
void Live::followTarget(double elapsed) {
    const Settings& s = settings();
    if (!s.camera.keys.empty() && camera_.settings() == played_) return goHome();
    const bool goes = s.camera.follows && !s.follow.keys.empty() && camera_.settings() != fitted_;
    const std::optional<glm::vec3> position = goes ? std::optional(targetPosition(s.follow, time())) : std::nullopt;
    camera_.shift(chase_.step(position, interaction_.target.takeDisplacement(), interaction_.holdsTarget(), static_cast<float>(elapsed)));
}

/// Fits a flat grid to a resized window, until the user moves the view.
void Live::fitPlane() {
    if (settings().grid.isFlat() && camera_.settings() == fitted_) camera_.set(fitted_ = planeCamera(box(), aspect()));
}

/// Shows a field by colour, or smoke again if the field is already shown.
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
    session_.simulation().clear();
    wrong_ = false;
}

void Live::save() {
    Settings scene = asFile(settings());
    scene.grid.cells = cellsToSave(scene.grid, ownCells_);  // without the factor of --quality, which would be applied again
    state_.message = saveScene(scene);
}

void Live::keep() {
    if (wrong_) return tell("No checkpoint was saved, because a field is no longer finite. Press R to reset the simulation.");
    recorder_.finish();
    state_.message = saveRun(session_, asFile(session_.applied()));
}

/// Handles a file that was dropped on the window.
void Live::take(const std::string& file) {
    const std::string kind = extensionOf(file);
    if (kind == ".toml") return open(file);
    try {
        Settings changed = settings();
        if (kind == ".obj" || isGltf(file)) {
            addMesh(changed, file);
            changed.obstacles.back().shape.centre += boxOffset();
        } else if (kind == ".hdr" || kind == ".exr")
            changed.environment.image = std::make_shared<const EnvironmentImage>(readEnvironment(file));
        else throw std::runtime_error("is not a scene (.toml), a mesh (.obj, .glb, .gltf) or an environment image (.hdr, .exr)");
        settings() = std::move(changed);
    } catch (const std::runtime_error& e) {
        state_.message = fmt::format("{}: {}", file, e.what());
    }
}

void Live::travel(std::optional<Settings> to) {
    if (!to) return;
    interaction_.letGo();
    if (to->follow != settings().follow) sceneCamera_ = to->camera;  // shifted with the target, like the camera of the window
    settings() = std::move(*to);
}

/// Resizes the image when the window size has been constant for a moment. Until then the image is stretched.
void Live::resizePicture(double now) {
    const glm::uvec2 pixels = areaPixels_;
    if (pixels.x == 0 || pixels.y == 0) return;
    if (session_.hasPicture() && now - changedAt_ < 0.2) return;
    const float scale = video_.recording() ? 1.0f : state_.pictureScale;  // videos always have the resolution of the window
    session_.resize(glm::max(glm::uvec2(glm::vec2(pixels) * scale + 0.5f), 1u));
}

void Live::record() {
    if (video_.recording()) return tell(video_.stop(session_));
    if (lastPixels_.x == 0 || lastPixels_.y == 0) return;
    session_.resize(lastPixels_);
    tell(video_.start(session_));
}

void Live::executeCommands() {
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
    if (const QualityLevel level = levelNamed(options_.common.load.quality); state_.level != level) {
        GridSettings& grid = settings().grid;
        const bool own = cellsToSave(grid, ownCells_) == ownCells_;  // scale from these: rounded cells do not scale back
        if (own) grid.cells = ownCells_;
        scaleGrid(grid, own ? scaleOf(state_.level) : scaleOf(state_.level) / scaleOf(level));
        options_.common.load.quality = nameOf(state_.level);
        if (qualityMessage_.empty()) {  // the user has chosen the level
            options_.common.autoQuality = false;
            quality_.reset();
        }
    }
    if (std::exchange(state_.reload, false)) open(options_.common.scene);
    if (std::exchange(state_.save, false)) save();
    if (std::exchange(state_.keep, false)) keep();
    if (std::exchange(state_.undo, false)) travel(history_.undo());
    if (std::exchange(state_.redo, false)) travel(history_.redo());
    if (session_.hasPicture() && std::exchange(state_.record, false)) record();
    tell(video_.told());
    state_.recording = video_.recording();
    const bool editing = scenePanel_.editing();
    const GridSettings wanted = settings().grid;
    const std::string told = session_.apply(editing), why = std::exchange(qualityMessage_, {});
    interaction_.applied(session_.simulation());
    const bool taken = settings().grid == wanted;
    tell(why.empty() || !taken ? told : why);
    if (!taken) quality_.reset();  // not enough memory for the other level
    if (!editing && !interaction_.busy()) {
        history_.keep(settings());
        warn();
    }
    const bool shifted = interaction_.target.takeShift();  // the camera of the window was shifted as well
    if (std::exchange(sceneCamera_, settings().camera) != settings().camera && !shifted) goHome();
    clock_.setStep(static_cast<double>(settings().timeStep));
    placePicture();  // a video may have started or stopped
    resizePicture(ImGui::GetTime());
}

}  // namespace wisp::app
