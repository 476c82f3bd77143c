// SPDX-License-Identifier: MIT
// The frame loop, see Live::frame.
#include "app/live/live.h"

#include "app/base/interrupt.h"
#include "app/live/keys.h"
#include "app/live/lent_device.h"
#include "app/live/output.h"
#include "app/live/window_shaders.h"
#include "app/run/quality_probe.h"
#include "app/run/run_start.h"
#include "files/base/bytes.h"
#include "files/base/user_folders.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace wisp::app {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kSlowFrame = 0.05;     // [s]: longer frames wait for the GPU to finish, which reduces the input latency
constexpr double kStepBudget = 0.1;     // [s] of a frame for simulation steps
constexpr double kMeasureShare = 0.02;  // fraction of the time for measuring the quality
constexpr double kLabShare = 0.2;       // the same with a prescribed velocity, where the panel shows the advection error
constexpr double kNewest = 0.1;         // weight of the newest time in the exponential mean
constexpr double kQuiet = 3.0;          // [s] without input after which a slow device may measure the quality
constexpr double kUntouched = 1.0;      // [s] without input after which the quality level may change
constexpr const char* kOverlay = "overlay";

double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }
double clockSeconds() { return seconds(Clock::now().time_since_epoch()); }

}  // namespace

Live::Live(const LiveOptions& options, const Document& document, engine::Device& device, Device& library, Window& window,
           PreferencesFile& file, const Preferences& preferences, const Log& log)
    : options_(options),
      device_(device),
      window_(window),
      file_(file),
      log_(log),
      gui_(window, preferences.layout, sceneEntries()),
      library_(library),
      session_(library, document.settings, options.common.resume),
      shaders_(device, windowShaders()),
      overlay_(std::in_place, device),
      depth_(device, {.name = "depth under the mouse", .bytes = 16}),
      swapchain_(device, [&window](VkInstance instance) { return window.makeSurface(instance); }),
      recorder_(device, shaders_, {.timing = engine::Timing::Passes}),
      clock_(static_cast<double>(document.settings.timeStep)),
      camera_(document.settings.camera),
      interaction_(session_.settings, camera_),
      sceneSize_(document.settings.render.size),
      ownCells_(document.ownCells),
      profiler_(device, library),
      video_(log) {
    session_.onTimes = [this](const SubmitTimes& times) { takeTimes(times); };
    recorder_.onTimes = [this](const std::vector<engine::PassTime>& times) {
        for (const engine::PassTime& p : times) {
            if (p.scope && p.name == kOverlay) overlayMs_ = p.ms;
            else times_.push_back({p.name, p.calls, p.ms, p.scope, p.work.threads, p.work.bytes});
        }
    };
    state_.pictureScale = preferences.pictureScale.value_or(usualPictureScale());
    state_.panelScale = preferences.panelScale;
    state_.vsync = preferences.vsync;
    state_.panels = preferences.panels;
    state_.help = preferences.help;
    state_.profiler = preferences.profiler;
    state_.outlines = preferences.outlines;
    state_.dock.side = preferences.panelSide;
    area_.size = window.size();
    state_.device = device.report().name;
    state_.scenes = gui_.scenes();
    options_.common.load.quality = nameOf(state_.level = document.level);
    if (!options.common.resume.empty()) {
        options_.common.autoQuality = false;  // a resumed run must not restart at another level
        log_.debug(fmt::format("resumed at step {}", session_.simulation().steps()));
    }
    opened();
}

/// Times of the library. A picture is counted with what the window draws over it.
void Live::takeTimes(const SubmitTimes& times) {
    for (PassTime p : times.passes) {
        if (p.scope && p.name == "frame") p.ms += overlayMs_;
        times_.push_back(std::move(p));
    }
}

void Live::run() {
    const auto note = [&](const std::string& told) {
        if (!told.empty()) log_.note(told);
    };
    try {
        auto last = Clock::now();
        while (!window_.closing() && !interrupted()) {
            if (!window_.visible()) window_.wait(0.1);
            const auto now = Clock::now();
            frame(seconds(now - std::exchange(last, now)));
            if (file_.due()) file_.save(preferences());
        }
        file_.save(preferences());
        recorder_.finish();
        note(video_.finish(session_));
    } catch (...) {  // for example a lost device: save the video so far and the window settings
        note(video_.rescue());
        file_.save(preferences());
        throw;
    }
}

void Live::measured(const Quality& quality) {
    profile_.addQuality(quality);
    state_.measured = quality;
    log_.debug(fmt::format("t = {:.3f} s: residual {:.2e}, fine divergence {:.2e} 1/s, mass {:.5f}, leaked {:.2e}", time(),
                           quality.residual, quality.fineDivergenceRms, quality.mass, quality.leakedMass));
    if (quality.finite() || std::exchange(wrong_, true)) return;
    state_.paused = true;
    state_.message = fmt::format("{} is no longer finite: the simulation has stopped. Press R to reset it.", quality.notFinite);
    log_.error(state_.message);
}

/// Gives the user's input to the next step.
void Live::applyInput(std::uint32_t step, std::uint32_t steps) {
    try {
        interaction_.beforeStep(session_.simulation(), step, steps);
    } catch (const Error& e) {  // no memory for the colours of the brush
        if (e.code() != ErrorCode::OutOfMemory) throw;
        interaction_.brush.colour = glm::vec3(1.0f);
        interaction_.brush.cycle = 0.0f;
        tell(e.what());
    }
}

/// Records the steps that are due, within kStepBudget.
void Live::simulate(double elapsed) {
    // The first frame has one step, because the time of a step is still unknown: eight could take seconds on a slow device.
    clock_.most = state_.stepMs > 0.0 ? static_cast<std::uint32_t>(std::clamp(1e3 * kStepBudget / state_.stepMs, 1.0, 8.0)) : 1u;
    clock_.most = std::min(clock_.most, video_.stepsToFrame(static_cast<double>(settings().timeStep), clock_.speed));
    std::uint32_t steps = state_.paused ? (std::exchange(state_.step, false) ? 1u : 0u) : clock_.advance(elapsed);
    if (wrong_) steps = 0;
    submitFrame(recorder_, [&] {
        for (std::uint32_t i = 0; i < steps; ++i) {
            applyInput(i, steps);
            session_.simulation().record(lend(recorder_));
        }
        if (steps > 0 || state_.paused) interaction_.afterSteps();
    });
    const bool mayMeasure = state_.stepMs < 1e3 * kSlowFrame || clockSeconds() - lastInput_ > kQuiet;
    if (steps > 0 && mayMeasure && clockSeconds() >= nextMeasure_)
        session_.simulation().measure([this](std::uint64_t, const Quality& quality) { measured(quality); });
}

/// Polls the input, draws the panels and executes the user commands.
void Live::control(double elapsed) {
    window_.poll();
    if (gui_.begin(state_.panelScale)) overlay_.emplace(device_);
    state_.time = time();
    state_.boxOffset = boxOffset();
    followTarget(elapsed);
    const Input now = takeInput(window_, gui_, area_, elapsed);
    inputAge_.polled(clockSeconds(), !now.events.empty());
    if (!now.events.empty()) lastInput_ = clockSeconds();
    for (const InputEvent& event : now.events)
        if (event.kind == InputEvent::Kind::Key) pressKey(event, state_, window_, gui_, interaction_);
    interaction_.update(now, time(), boxOffset());
    if (std::exchange(busy_, interaction_.busy()) != interaction_.busy()) log_.debug(busy_ ? "interaction started" : "interaction ended");
    if (state_.measured && !session_.simulation().knowsExact()) state_.measured->error.reset();  // measured before the last change
    drawPanels(state_, settings(), clock_, interaction_.brush, scenePanel_);
    placePicture();
    interaction_.outlines = state_.outlines;
    interaction_.drawGizmo(time());
    legend_.draw(settings(), time(), area_);
    profiler_.draw(state_.profiler, profile_);
    hint_.update(interaction_.busy(), elapsed);
    status_.update({.frameSeconds = elapsed, .stepMs = state_.stepMs, .pictureMs = pictureMs_}, box().cells, time());
    status_.draw(area_);
    hint_.draw(area_, status_.top(area_), settings());
    video_.drawSplat(area_.low.x + 0.5f * area_.size.x);
    ImGui::Render();
    executeCommands();
}

/// Reads the depth at the position where a stroke has begun.
void Live::pickDepth() {
    const std::optional<glm::vec2> place = interaction_.wantsDepth();
    if (!place) return;
    const Picture picture = session_.renderer().picture();
    if (!picture.depth) return interaction_.setDepth(std::numeric_limits<float>::infinity());
    const engine::Image depths(device_,
                               {.name = "depth", .size = {picture.width, picture.height, 1}, .format = VK_FORMAT_R32_SFLOAT, .flat = true},
                               picture.depthView, static_cast<VkImageLayout>(picture.layout));
    recorder_.dispatch("pick_depth", glm::uvec3(1), {{"depth", depths}, {"found", depth_}},
                       glm::ivec2(*place * glm::vec2(settings().render.size)));
    recorder_.read(depth_, [this](std::span<const std::byte> bytes) {
        float depth = 0.0f;
        std::memcpy(&depth, bytes.data(), sizeof depth);
        log_.debug(fmt::format("brush depth: {:.3f} m", depth));
        interaction_.setDepth(depth);
    });
}

/// Records the picture, and what the window draws over it. Returns whether the window shows it.
bool Live::drawPicture() {
    const bool shown = session_.hasPicture() && window_.visible() && swapchain_.acquire(window_.pixels());
    if (!shown && !video_.recording()) return false;
    followTarget(0.0);  // the user commands may have moved the target
    Renderer& renderer = session_.renderer();
    renderer.setCamera(cameraOf(camera_.seen()));
    renderer.record(lend(recorder_));
    if (!shown) return false;
    const engine::Recorder::Scope scope(recorder_, kOverlay);
    const Picture picture = renderer.picture();
    const glm::uvec2 size(picture.width, picture.height);
    const engine::Buffer display({.name = "picture", .bytes = std::uint64_t{4} * size.x * size.y}, picture.display);
    pickDepth();
    legend_.read(recorder_, renderer, settings());
    overlay_->draw(recorder_, display, size, area_, *ImGui::GetDrawData(), swapchain_.size(), swapchain_.blueFirst());
    return true;
}

void Live::show() {
    bool shown = false;
    const std::uint64_t serial = submitFrame(recorder_, [&] {
        shown = drawPicture();
        if (shown) recorder_.present(overlay_->words(), swapchain_);
    });
    if (shown) inputAge_.submitted(serial);
    swapchain_.present();
    tell(video_.take(session_, clock_.speed));
}

void Live::noteInputAges() {
    for (const double age : inputAge_.presented(device_.completed(), clockSeconds())) profile_.addInputAge(1e3 * age);
}

void Live::noteTimes() {
    double measuring = 0.0;  // [ms]
    for (const PassTime& p : times_) {
        if (p.scope && p.name == "step" && p.calls > 0) state_.stepMs = p.ms / p.calls;
        if (p.scope && p.name == "frame" && p.calls > 0) pictureMs_ += (pictureMs_ > 0.0 ? kNewest : 1.0) * (p.ms / p.calls - pictureMs_);
        if (p.name.starts_with("measure_") || p.name.starts_with("exact_")) measuring += p.ms;
    }
    const bool lab = settings().prescribed.field != PrescribedField::None;
    if (measuring > 0.0) nextMeasure_ = clockSeconds() + 1e-3 * measuring / (lab ? kLabShare : kMeasureShare);
    if (const auto ms = advectionTime(times_))
        state_.advectionMs += (state_.advectionMs > 0.0 ? kNewest : 1.0) * (*ms - state_.advectionMs);
}

/// With `--quality auto`: changes a level that is too slow or needlessly coarse, while the user does not edit the scene.
void Live::watchQuality(double elapsed) {
    if (!quality_) return;
    if (!state_.paused && window_.visible()) quality_->add(elapsed, times_);
    if (state_.paused || wrong_ || interaction_.busy() || scenePanel_.editing() || video_.recording() ||
        clockSeconds() - lastInput_ < kUntouched)
        return;
    const std::optional<QualityWatch::Advice> advice = quality_->advice(nameOf(state_.level));
    if (!advice) return;
    qualityMessage_ = fmt::format("quality changed from {} to {}, because a frame took {:.1f} ms: the simulation restarts",
                                  nameOf(state_.level), advice->level, advice->ms);
    quality_->changed(*advice, nameOf(state_.level));
    state_.level = levelNamed(advice->level);
}

/// One frame: steps with the input of the previous frame, then the newest input, so that it is visible at once.
void Live::frame(double elapsed) {
    const auto finishIfSlow = [&] {
        if (!slow_) return;
        recorder_.finish();
        session_.simulation().wait();  // delivers its times
    };
    slow_ = elapsed > kSlowFrame || device_.isCpu();
    const auto timed = [](auto&& work) {  // [ms] of this thread
        const double before = threadCpuTime();
        work();
        return 1e3 * (threadCpuTime() - before);
    };
    noteInputAges();  // of the previous frame, unless it was waited for
    FrameCost cost{.frame = 1e3 * elapsed};
    cost.record = timed([&] { simulate(elapsed); });
    finishIfSlow();
    const auto picture = [&](double since) {
        cost.panels += timed([&] { control(since); });
        cost.record += timed([&] { show(); });
        finishIfSlow();
        noteInputAges();
    };
    picture(elapsed);
    // Input during a slow frame is shown before the next long step.
    if (state_.stepMs > 1e3 * kSlowFrame) {
        if (window_.anythingNew()) picture(0.0);
        else inputAge_.polled(clockSeconds(), false);
    }
    if (std::exchange(state_.screenshot, false) && session_.hasPicture())
        state_.message = savePicture(session_, camera_.settings(), lastPixels_);
    if (const bool isNew = std::exchange(logged_, state_.message) != state_.message; isNew && !logged_.empty()) log_.debug(logged_);
    noteTimes();
    watchQuality(elapsed);
    profile_.add(std::exchange(times_, {}), cost);
    state_.memory = formatBytes(device_.memory().used() + library_.memoryUsed());
    if (session_.simulation().steps() > 0 && !std::exchange(kept_, true)) {
        shaders_.save();
        log_.debug(library_.savePipelines());
    }
}

namespace {

void runWindow(const LiveOptions& options, const Log& log) {
    RunStart start = runStartOf(options.common);
    PreferencesFile file(configFolder(), log);
    const Preferences preferences = file.load();
    Window window("wisp", preferences.window);
    engine::Device device(engineOptions(options.common.device));
    Device library = libraryOn(device);
    if (options.common.autoQuality && !start.from) {
        const auto memory = [&](const Scene& scene) { return interactiveMemory(library, scene); };
        start.scene.setQuality(chooseQuality(library, start.scene, memory, log));
    }
    const Document document = documentOf(start.scene);
    const glm::uvec3 cells = document.settings.grid.cells;
    log.debug(fmt::format("{}: {}x{}x{} cells on {}", document.settings.name, cells.x, cells.y, cells.z, device.report().name));
    catchInterrupts();
    Live(options, document, device, library, window, file, preferences, log).run();
    device.throwOnValidation();
    if (interrupted()) throw Failure(Exit::Interrupted, "interrupted");
}

}  // namespace

void live(const LiveOptions& options, const Log& log) {
    try {
        runWindow(options, log);
    } catch (const engine::Error& e) {  // of the window's own objects
        throw errorOf(e);
    }
}

}  // namespace wisp::app
