// SPDX-License-Identifier: MIT
// The window: what happens in a picture's time, in order. See Live::frame.
#include "app/environment_file.h"
#include "app/interrupt.h"
#include "app/live/fixed_step.h"
#include "app/live/gui.h"
#include "app/live/hands.h"
#include "app/live/history.h"
#include "app/live/input_age.h"
#include "app/live/keys.h"
#include "app/live/orbit_camera.h"
#include "app/live/overlay.h"
#include "app/live/output.h"
#include "app/live/panels.h"
#include "app/live/preferences.h"
#include "app/live/profiler_panel.h"
#include "app/live/scene_panel.h"
#include "app/live/stage.h"
#include "app/live/video_recording.h"
#include "app/live/window.h"
#include "app/live/window_legend.h"
#include "app/memory_plan.h"
#include "app/options.h"
#include "app/scene_shapes.h"
#include "app/user_folders.h"
#include "engine/swapchain.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

namespace wisp::app {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kSlowFrame = 0.05;    // [s]: from here on a picture waits for the one before, so that a hand soon sees what it does
constexpr double kStepBudget = 0.1;    // [s] of a picture's time that steps may take
constexpr int kPicturesPerMeasure = 8;

double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }
double clockSeconds() { return seconds(Clock::now().time_since_epoch()); }

class Live {
public:
    Live(const LiveOptions& options, const Settings& settings, engine::Device& device, Window& window, PreferencesFile& file, const Preferences& preferences, const Log& log);
    void run();

private:
    void frame(double elapsed);
    void simulate(double elapsed);
    void control(double elapsed);
    void show();
    void handleWishes();
    void resizePicture(double now);
    void probe();
    [[nodiscard]] float usualPictureScale() const;
    [[nodiscard]] Preferences preferences();
    void restart();
    void tell(const std::string& message);  // empty: nothing
    void noteInputAges();
    void open(const std::string& scene);
    void opened();
    void save();
    void take(const std::string& file);
    void travel(std::optional<Settings> to);
    void measured(const Quality& quality);
    Settings& settings() { return stage_.settings; }
    double time() { return stage_.simulator().time(); }

    LiveOptions options_;
    engine::Device& device_;
    Window& window_;
    PreferencesFile& file_;
    const Log& log_;
    Gui gui_;
    Stage stage_;
    std::optional<Overlay> overlay_;
    WindowLegend legend_;
    engine::Buffer depth_;
    engine::Swapchain swapchain_;
    engine::Recorder recorder_;  // its destructor waits for frames that use all of the above
    FixedStep clock_;
    OrbitCamera camera_;
    Hands hands_;
    PanelState state_;
    ScenePanel scenePanel_;
    History history_;
    CameraSettings sceneCamera_;  // that camera_ was set to last
    glm::uvec2 sceneSize_;        // pixels of the scene's pictures
    Profile profile_;
    ProfilerPanel profiler_;
    InputAge inputAge_;
    VideoRecording video_;
    std::vector<engine::PassTime> times_;  ///< of what has finished since the last picture
    glm::uvec2 lastPixels_{0};
    double changedAt_ = 0.0;   // [s], of the window's size
    int pictures_ = 0;
    bool slow_ = true;
    bool busy_ = false;        // the hand, in the last picture
    bool kept_ = false;        // pipelines, for the next start
    bool wrong_ = false;       // a number went bad: what is shown is the last
};

Live::Live(const LiveOptions& options, const Settings& scene, engine::Device& device, Window& window, PreferencesFile& file, const Preferences& preferences, const Log& log)
    : options_(options),
      device_(device),
      window_(window),
      file_(file),
      log_(log),
      gui_(window, preferences.layout),
      stage_(device, scene),
      overlay_(std::in_place, device),
      depth_(device, {.name = "depth under the mouse", .bytes = 16}),
      swapchain_(device, [&window](VkInstance instance) { return window.makeSurface(instance); }),
      recorder_(device, stage_.shaders(), {.timing = engine::Timing::Passes, .readbackBytes = kMeasureBytes}),
      clock_(static_cast<double>(scene.timeStep)),
      camera_(scene.camera),
      hands_(stage_.settings, camera_),
      sceneSize_(scene.render.size),
      profiler_(device),
      video_(device, log) {
    recorder_.onTimes = [this](const std::vector<engine::PassTime>& times) { times_.insert(times_.end(), times.begin(), times.end()); };
    state_.pictureScale = preferences.pictureScale.value_or(usualPictureScale());
    state_.panelScale = preferences.panelScale;
    state_.vsync = preferences.vsync;
    state_.panels = preferences.panels;
    state_.help = preferences.help;
    state_.profiler = preferences.profiler;
    state_.device = device.report().name;
    state_.scenes = builtInScenes();
    state_.level = options.common.sceneOptions.quality;
    opened();
    restart();
}

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
void Live::save() {
    Settings scene = settings();
    scene.camera = camera_.settings();
    scene.render.size = sceneSize_;
    state_.message = saveScene(scene);
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

void Live::run() {
    auto last = Clock::now();
    while (!window_.closing() && !interrupted()) {
        if (!window_.visible()) window_.wait(0.1);
        const auto now = Clock::now();
        frame(seconds(now - std::exchange(last, now)));
        if (file_.due()) file_.save(preferences());
    }
    file_.save(preferences());
    recorder_.finish();
    if (const std::string told = video_.finish(); !told.empty()) log_.note(told);
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

void Live::measured(const Quality& quality) {
    profile_.addQuality(quality);
    log_.debug(fmt::format("t = {:.3f} s: residual {:.2e}, fine divergence {:.2e} 1/s, mass {:.5f}, leaked {:.2e}", time(), quality.residual, quality.fineDivergenceRms,
                           quality.mass, quality.leakedMass));
    if (quality.finite() || std::exchange(wrong_, true)) return;
    state_.paused = true;
    state_.message = fmt::format("{} is no longer finite: the simulation has stopped. R begins again.", quality.notFinite);
    log_.error(state_.message);
}

/// As many steps as the clock asks for, as long as a picture does not wait too long for them.
void Live::simulate(double elapsed) {
    // What a step takes is not known before the first: eight would keep a slow device busy for seconds.
    clock_.most = state_.stepMs > 0.0 ? static_cast<std::uint32_t>(std::clamp(1e3 * kStepBudget / state_.stepMs, 1.0, 8.0)) : 1u;
    clock_.most = std::min(clock_.most, video_.stepsToFrame(static_cast<double>(settings().timeStep), clock_.speed));
    std::uint32_t steps = state_.paused ? (std::exchange(state_.step, false) ? 1u : 0u) : clock_.advance(elapsed);
    if (wrong_) steps = 0;
    SmokeSimulator& simulator = stage_.simulator();
    recorder_.begin();
    for (std::uint32_t i = 0; i < steps; ++i) {
        hands_.beforeStep(simulator, i, steps);
        if (hands_.changed()) stage_.follow();
        const engine::Recorder::Scope scope(recorder_, "step");
        simulator.step(recorder_);
    }
    if (steps > 0 || state_.paused) hands_.afterSteps();
    if (steps > 0 && pictures_++ % kPicturesPerMeasure == 0) simulator.measure(recorder_, [this](const Quality& q) { measured(q); });
    recorder_.submit();
}

/// Takes in what has happened in the window, and does what it asks for.
void Live::control(double elapsed) {
    window_.poll();
    if (gui_.begin(state_.panelScale)) overlay_.emplace(device_);
    state_.time = time();
    const Input now = takeInput(window_, gui_, elapsed);
    inputAge_.polled(clockSeconds(), !now.events.empty());
    for (const InputEvent& event : now.events)
        if (event.kind == InputEvent::Kind::Key) pressKey(event, state_, window_, gui_, hands_);
    hands_.update(now, time());
    if (std::exchange(busy_, hands_.busy()) != hands_.busy()) log_.debug(busy_ ? "the hand is busy" : "the hand is free");
    hands_.drawGizmo(time());
    legend_.draw(settings(), time());
    drawPanels(state_, settings(), clock_, hands_.brush, scenePanel_);
    profiler_.draw(state_.profiler, profile_);
    video_.drawMark();
    ImGui::Render();
    handleWishes();
}

/// How far away is what the brush is set on?
void Live::probe() {
    const std::optional<glm::vec2> place = hands_.wantsDepth();
    if (!place) return;
    const engine::Image* const depths = stage_.picture().depth();
    if (!depths) return hands_.setDepth(std::numeric_limits<float>::infinity());
    recorder_.dispatch("probe", glm::uvec3(1), {{"depth", *depths}, {"found", depth_}}, glm::ivec2(*place * glm::vec2(settings().render.size)));
    recorder_.read(depth_, [this](std::span<const std::byte> bytes) {
        float depth = 0.0f;
        std::memcpy(&depth, bytes.data(), sizeof depth);
        log_.debug(fmt::format("the brush is set on {:.3f} m away", depth));
        hands_.setDepth(depth);
    });
}

void Live::show() {
    recorder_.begin();
    const bool shown = stage_.hasPicture() && window_.visible() && swapchain_.acquire(window_.pixels());
    if (shown || video_.recording()) {
        stage_.picture().setCamera(camera_.settings());
        stage_.picture().draw(recorder_, stage_.simulator().fields());
    }
    if (shown) {
        probe();
        legend_.read(recorder_, stage_.picture(), settings());
        overlay_->draw(recorder_, stage_.picture().display(), settings().render.size, *ImGui::GetDrawData(), swapchain_.size(), swapchain_.blueFirst());
        recorder_.present(overlay_->words(), swapchain_);
    }
    const std::uint64_t serial = recorder_.submit();
    if (shown) inputAge_.submitted(serial);
    swapchain_.present();
    tell(video_.take(stage_, clock_.speed));
}

void Live::noteInputAges() {
    for (const double age : inputAge_.presented(device_.completed(), clockSeconds())) profile_.addInputAge(1e3 * age);
}

/// A picture: steps with what the hands did until the last one; then what they did meanwhile, so that it is seen at once.
void Live::frame(double elapsed) {
    const auto finishIfSlow = [&] {
        if (slow_) recorder_.finish();
    };
    slow_ = elapsed > kSlowFrame || device_.isCpu();
    const auto timed = [](auto&& work) {  // [ms] of this thread
        const double before = threadCpuTime();
        work();
        return 1e3 * (threadCpuTime() - before);
    };
    noteInputAges();  // of the picture before, where nobody waited for it
    PictureCost cost{.frame = 1e3 * elapsed};
    cost.record = timed([&] { simulate(elapsed); });
    finishIfSlow();
    cost.panels = timed([&] { control(elapsed); });
    cost.record += timed([&] { show(); });
    finishIfSlow();
    noteInputAges();
    if (std::exchange(state_.screenshot, false) && stage_.hasPicture()) state_.message = savePicture(stage_, device_);
    for (const engine::PassTime& p : times_)
        if (p.scope && p.name == "step" && p.calls > 0) state_.stepMs = p.ms / p.calls;
    profile_.add(std::exchange(times_, {}), cost);
    state_.memory = formatBytes(device_.memory().used());
    if (stage_.simulator().stepCount() > 0 && !std::exchange(kept_, true)) log_.debug(stage_.shaders().save());
}

}  // namespace

void live(const LiveOptions& options, const Log& log) {
    const Settings settings = loadScene(findScene(options.common.scene), options.common.sceneOptions);
    PreferencesFile file(configFolder(), log);
    const Preferences preferences = file.load();
    Window window("wisp", preferences.window);
    engine::Device device(options.common.device);
    requireFit(device, settings, {true, 0});
    catchInterrupts();
    Live(options, settings, device, window, file, preferences, log).run();
    device.throwOnValidation();
}

}  // namespace wisp::app
