// SPDX-License-Identifier: MIT
// The window: what happens in a picture's time, in order. See Live::frame.
#include "app/image.h"
#include "app/interrupt.h"
#include "app/live/fixed_step.h"
#include "app/live/hands.h"
#include "app/live/orbit_camera.h"
#include "app/live/overlay.h"
#include "app/live/panels.h"
#include "app/live/profile.h"
#include "app/live/window.h"
#include "app/memory_plan.h"
#include "app/options.h"
#include "app/pending_file.h"
#include "compute/picture.h"
#include "compute/shaders.h"
#include "compute/smoke_simulator.h"
#include "engine/swapchain.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <optional>

namespace wisp::app {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kSlowFrame = 0.05;    // [s]: from here on a picture waits for the one before, so that a hand soon sees what it does
constexpr double kStepBudget = 0.1;    // [s] of a picture's time that steps may take
constexpr int kPicturesPerMeasure = 8;

double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

/// Dear ImGui with its GLFW half.
class Gui {
public:
    explicit Gui(const Window& window) {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        ImFontConfig font;
        font.SizePixels = std::round(13.0f * window.scale());
        io.Fonts->AddFontDefault(&font);
        ImGui::StyleColorsDark();
        ImGui::GetStyle().ScaleAllSizes(window.scale());
        ImGui::GetStyle().WindowRounding = ImGui::GetStyle().FrameRounding = 4.0f * window.scale();
        ImGui_ImplGlfw_InitForOther(window.handle(), true);
    }
    ~Gui() {
        ImGui_ImplGlfw_Shutdown();
        ImGui::DestroyContext();
    }
    Gui(const Gui&) = delete;
    Gui& operator=(const Gui&) = delete;
};

Settings forHands(Settings settings) {
    settings.byHand = true;
    settings.render.mode = RenderMode::Raymarch;
    return settings;
}

class Live {
public:
    Live(const LiveOptions& options, const Settings& settings, engine::Device& device, Window& window, const Log& log);
    void run();

private:
    void frame(double elapsed);
    Input input(double elapsed);
    void handleKey(const InputEvent& event);
    void handleWishes();
    void handleChanges();
    void resizePicture(double now);
    void simulate(double elapsed);
    void show();
    void probe();
    void restart();
    void screenshot();
    void open(const std::string& scene);
    void measured(const Quality& quality);

    LiveOptions options_;
    Settings settings_;
    engine::Device& device_;
    Window& window_;
    const Log& log_;
    Gui gui_;
    engine::ShaderLibrary shaders_;
    std::optional<SmokeSimulator> simulator_;
    std::optional<Picture> picture_;
    Overlay overlay_;
    engine::Buffer depth_;
    engine::Swapchain swapchain_;
    engine::Recorder recorder_;  // its destructor waits for frames that use all of the above
    FixedStep clock_;
    OrbitCamera camera_;
    Hands hands_;
    PanelState state_;
    Profile profile_;
    glm::uvec2 lastPixels_{0};
    double changedAt_ = 0.0;   // [s], of the window's size
    int pictures_ = 0;
    bool kept_ = false;        // pipelines, for the next start
    bool wrong_ = false;       // a number went bad: what is shown is the last
};

Live::Live(const LiveOptions& options, const Settings& settings, engine::Device& device, Window& window, const Log& log)
    : options_(options),
      settings_(forHands(settings)),
      device_(device),
      window_(window),
      log_(log),
      gui_(window),
      shaders_(device, embeddedShaders(), shaderOptions(settings_)),
      simulator_(std::in_place, device, settings_),
      overlay_(device),
      depth_(device, {.name = "depth under the mouse", .bytes = 16}),
      swapchain_(device, [&window](VkInstance instance) { return window.makeSurface(instance); }),
      recorder_(device, shaders_, {.timing = engine::Timing::Passes, .readbackBytes = kMeasureBytes}),
      clock_(static_cast<double>(settings_.timeStep)),
      camera_(settings_.camera),
      hands_(settings_, camera_) {
    state_.pictureScale = device.isCpu() ? 0.35f : 1.0f;
    state_.device = device.report().name;
    state_.scenes = builtInScenes();
    state_.scene = settings_.name;
    restart();
}

void Live::restart() {
    recorder_.begin();
    simulator_->reset(recorder_);
    recorder_.submit();
    wrong_ = false;
}

/// Another scene, or this one from its file again; what is wrong with it is said, and the old one stays.
void Live::open(const std::string& scene) {
    try {
        const Settings settings = forHands(loadScene(findScene(scene), options_.common.sceneOptions));
        requireFit(device_, settings, {true, 0});
        hands_.letGo();
        recorder_.finish();
        settings_ = settings;
        shaders_.setOptions(shaderOptions(settings_));
        picture_.reset();
        simulator_.emplace(device_, settings_);
        camera_.set(settings_.camera);
        clock_.setStep(static_cast<double>(settings_.timeStep));
        state_.scene = settings_.name;
        state_.message.clear();
        restart();
    } catch (const Failure& e) {
        state_.message = e.what();
    }
}

void Live::run() {
    auto last = Clock::now();
    while (!window_.closing() && !interrupted()) {
        window_.poll();
        if (!window_.visible()) window_.wait(0.1);
        const auto now = Clock::now();
        frame(seconds(now - std::exchange(last, now)));
    }
    recorder_.finish();
}

/// Pictures follow the window once it rests; until then they are stretched.
void Live::resizePicture(double now) {
    const glm::uvec2 pixels = window_.pixels();
    if (pixels.x == 0 || pixels.y == 0) return;
    if (std::exchange(lastPixels_, pixels) != pixels) changedAt_ = now;
    const glm::uvec2 wanted = glm::max(glm::uvec2(glm::vec2(pixels) * state_.pictureScale + 0.5f), 1u);
    if (picture_ && (wanted == settings_.render.size || now - changedAt_ < 0.2)) return;
    settings_.render.size = wanted;
    picture_.emplace(device_, settings_);
}

Input Live::input(double elapsed) {
    Input input{.events = window_.takeEvents(), .mouse = window_.mouse(), .size = glm::vec2(window_.pixels())};
    input.elapsed = elapsed;
    const bool typing = ImGui::GetIO().WantTextInput;
    input.isDown = [this, typing](int key) { return !typing && window_.isDown(key); };
    input.isPanel = [](glm::vec2 at) {
        const ImVector<ImGuiWindow*>& windows = ImGui::GetCurrentContext()->Windows;
        return std::any_of(windows.begin(), windows.end(), [&](const ImGuiWindow* w) {
            return w->WasActive && (w->Flags & ImGuiWindowFlags_NoMouseInputs) == 0 && w->OuterRectClipped.Contains({at.x, at.y});
        });
    };
    GLFWgamepadstate pad;
    if (glfwJoystickIsGamepad(GLFW_JOYSTICK_1) && glfwGetGamepadState(GLFW_JOYSTICK_1, &pad)) {
        const auto axis = [&](int n) { return std::abs(pad.axes[n]) < 0.15f ? 0.0f : pad.axes[n]; };  // sticks rest a little off
        input.stick = {axis(GLFW_GAMEPAD_AXIS_LEFT_X), axis(GLFW_GAMEPAD_AXIS_LEFT_Y)};
        input.turn = {axis(GLFW_GAMEPAD_AXIS_RIGHT_X), axis(GLFW_GAMEPAD_AXIS_RIGHT_Y)};
    }
    return input;
}

void Live::handleKey(const InputEvent& event) {
    if (event.ctrl && event.code == GLFW_KEY_Q) window_.close();
    if (event.ctrl || ImGui::GetIO().WantTextInput) return;
    const auto pressed = [&](int key) { return event.code == key; };
    if (pressed(GLFW_KEY_TAB)) state_.panels = !state_.panels;
    if (pressed(GLFW_KEY_F1)) state_.help = !state_.help;
    if (pressed(GLFW_KEY_F3)) state_.profiler = !state_.profiler;
    if (pressed(GLFW_KEY_F11)) window_.setFullScreen(!window_.fullScreen());
    if (pressed(GLFW_KEY_F12)) state_.screenshot = true;
    if (pressed(GLFW_KEY_SPACE)) state_.paused = !state_.paused;
    if (pressed(GLFW_KEY_N)) state_.step = true;
    if (pressed(GLFW_KEY_R)) state_.restart = true;
    if (pressed(GLFW_KEY_F)) state_.frameAll = true;
    if (pressed(GLFW_KEY_HOME)) state_.home = true;
    if (pressed(GLFW_KEY_ESCAPE)) {
        if (hands_.busy()) hands_.letGo();
        else window_.setFullScreen(false);
    }
}

void Live::handleWishes() {
    swapchain_.setVsync(state_.vsync);
    const glm::vec2 size(lastPixels_);
    if (std::exchange(state_.frameAll, false)) camera_.frame(settings_.grid.origin, settings_.grid.origin + settings_.grid.size, size.y > 0.0f ? size.x / size.y : 1.0f);
    if (std::exchange(state_.home, false)) camera_.set(settings_.camera);
    if (const std::string scene = std::exchange(state_.openScene, {}); !scene.empty()) open(scene);
    if (std::exchange(state_.restart, false)) {
        hands_.letGo();
        restart();
    }
}

/// Settings that a panel or a hand has changed reach the simulation and the picture.
void Live::handleChanges() {
    const bool looks = std::exchange(state_.changed, false);
    if (!looks && !hands_.changed()) return;
    try {
        simulator_->change(settings_);
        if (!looks) return;
        shaders_.setOptions(shaderOptions(settings_));
        picture_.emplace(device_, settings_);
        state_.message.clear();
    } catch (const std::invalid_argument& e) {
        state_.message = e.what();
    }
}

/// The picture, without panels, beside earlier ones.
void Live::screenshot() {
    const glm::uvec2 size = settings_.render.size;
    std::vector<std::byte> pixels;
    engine::Recorder reader(device_, shaders_, {.timing = engine::Timing::Off, .readbackBytes = picture_->display().bytes()});
    reader.begin();
    reader.read(picture_->display(), [&](std::span<const std::byte> bytes) { pixels.assign(bytes.begin(), bytes.end()); });
    reader.submit();
    reader.finish();
    try {
        int n = 0;
        const std::string name = std::filesystem::path(settings_.name).filename().string();  // never in another folder
        const auto path = [&] { return std::filesystem::path(fmt::format("{}-{:03}.png", name.empty() ? "wisp" : name, n)); };
        while (std::filesystem::exists(path())) ++n;
        PendingFile file(path());
        file.write(encode(ImageKind::Png, size, pixels));
        file.commit();
        state_.message = "wrote " + path().string();
    } catch (const Failure& e) {
        state_.message = e.what();
    }
}

void Live::measured(const Quality& quality) {
    state_.quality = quality;
    if (quality.finite() || std::exchange(wrong_, true)) return;
    state_.paused = true;
    state_.message = fmt::format("{} is no longer finite: the simulation has stopped. R begins again.", quality.notFinite);
    log_.error(state_.message);
}

void Live::simulate(double elapsed) {
    // As many as the clock asks for, as long as a picture does not wait too long for them.
    const double stepMs = std::max(state_.stepMs, 0.01);
    clock_.most = static_cast<std::uint32_t>(std::clamp(1e3 * kStepBudget / stepMs, 1.0, 8.0));
    std::uint32_t steps = state_.paused ? (std::exchange(state_.step, false) ? 1u : 0u) : clock_.advance(elapsed);
    if (wrong_) steps = 0;
    for (std::uint32_t i = 0; i < steps; ++i) {
        hands_.beforeStep(*simulator_, i, steps);
        if (hands_.changed()) simulator_->change(settings_);
        const engine::Recorder::Scope scope(recorder_, "step");
        simulator_->step(recorder_);
    }
    if (steps > 0 || state_.paused) hands_.afterSteps();
    if (steps > 0 && pictures_++ % kPicturesPerMeasure == 0) simulator_->measure(recorder_, [this](const Quality& q) { measured(q); });
}

/// How far away is what the brush is set on?
void Live::probe() {
    const std::optional<glm::vec2> place = hands_.wantsDepth();
    if (!place) return;
    if (!picture_->smoke()) return hands_.setDepth(std::numeric_limits<float>::infinity());
    recorder_.dispatch("probe", glm::uvec3(1), {{"depth", picture_->smoke()->depth()}, {"found", depth_}}, glm::ivec2(*place * glm::vec2(settings_.render.size)));
    recorder_.read(depth_, [this](std::span<const std::byte> bytes) {
        float depth = 0.0f;
        std::memcpy(&depth, bytes.data(), sizeof depth);
        hands_.setDepth(depth);
    });
}

void Live::show() {
    if (!window_.visible() || !swapchain_.acquire(window_.pixels())) return;
    picture_->draw(recorder_, simulator_->fields());
    probe();
    overlay_.draw(recorder_, picture_->display(), settings_.render.size, *ImGui::GetDrawData(), swapchain_.size(), swapchain_.blueFirst());
    recorder_.present(overlay_.words(), swapchain_);
}

void Live::frame(double elapsed) {
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    state_.time = simulator_->time();
    const Input now = input(elapsed);
    for (const InputEvent& event : now.events)
        if (event.kind == InputEvent::Kind::Key) handleKey(event);
    hands_.update(now, simulator_->time());
    hands_.drawGizmo(simulator_->time());
    drawPanels(state_, settings_, clock_, hands_.brush, profile_);
    ImGui::Render();
    handleWishes();
    handleChanges();
    resizePicture(ImGui::GetTime());
    if (!picture_) return;
    picture_->setCamera(camera_.settings());

    recorder_.begin();
    const auto recording = Clock::now();
    simulate(elapsed);
    show();
    recorder_.submit();
    swapchain_.present();
    if (!std::exchange(kept_, true)) log_.debug(shaders_.save());  // after the first picture
    const double record = seconds(Clock::now() - recording);
    if (elapsed > kSlowFrame || device_.isCpu()) recorder_.finish();
    if (std::exchange(state_.screenshot, false)) screenshot();
    profile_.add(recorder_.times(), 1e3 * elapsed, 1e3 * record);
    for (const engine::PassTime& p : recorder_.times())
        if (p.scope && p.name == "step" && p.calls > 0) state_.stepMs = p.ms / p.calls;
    state_.memory = formatBytes(device_.memory().used());
}

}  // namespace

void live(const LiveOptions& options, const Log& log) {
    const Settings settings = loadScene(findScene(options.common.scene), options.common.sceneOptions);
    Window window("wisp", {1280, 720});
    engine::Device device(options.common.device);
    requireFit(device, settings, {true, 0});
    catchInterrupts();
    Live(options, settings, device, window, log).run();
    device.throwOnValidation();
}

}  // namespace wisp::app
