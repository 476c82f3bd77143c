// SPDX-License-Identifier: MIT
#pragma once

#include "app/live/document.h"
#include "app/live/gui.h"
#include "app/live/history.h"
#include "app/live/input_age.h"
#include "app/live/interaction.h"
#include "app/live/options.h"
#include "app/live/orbit_camera.h"
#include "app/live/overlay.h"
#include "app/live/panels.h"
#include "app/live/picture_text.h"
#include "app/live/preferences.h"
#include "app/live/profiler_panel.h"
#include "app/live/quality_watch.h"
#include "app/live/scene_panel.h"
#include "app/live/scene_session.h"
#include "app/live/video_recording.h"
#include "app/live/window.h"
#include "app/live/window_legend.h"
#include "app/run/fixed_step.h"
#include "engine/shader.h"
#include "engine/swapchain.h"

#include <optional>
#include <string>
#include <vector>

namespace wisp::app {

/// A scene in a window. live.cpp has the frame loop, wishes.cpp the user commands.
class Live {
public:
    Live(const LiveOptions& options, const Document& document, engine::Device& device, Device& library, Window& window,
         PreferencesFile& file, const Preferences& preferences, const Log& log);
    void run();

private:
    void frame(double elapsed);
    void simulate(double elapsed);
    void control(double elapsed);
    void show();
    void applyInput(std::uint32_t step, std::uint32_t steps);
    bool drawPicture();
    void executeCommands();
    void resizePicture(double now);
    void record();
    void pickDepth();
    [[nodiscard]] float usualPictureScale() const;
    [[nodiscard]] Preferences preferences();
    void restart();
    void clear();
    void look(ViewField field);
    void fitPlane();
    [[nodiscard]] float aspect() const;
    void placePicture();
    [[nodiscard]] CameraSettings homeCamera();
    void goHome();
    void followTarget(double elapsed);
    void tell(const std::string& message);  // no effect if empty
    void noteInputAges();
    void noteTimes();
    void watchQuality(double elapsed);
    void open(const std::string& scene);
    void opened();
    void warn();
    [[nodiscard]] Settings asFile(Settings scene);
    void save();
    void keep();
    void take(const std::string& file);
    void travel(std::optional<Settings> to);
    void measured(const Quality& quality);
    void takeTimes(const SubmitTimes& times);
    Settings& settings() { return session_.settings; }
    double time() { return session_.simulation().time(); }
    /// Current position of the box. settings() has its position without a target.
    GridSettings box() { return session_.box(); }
    glm::vec3 boxOffset() { return box().origin - session_.applied().grid.origin; }

    LiveOptions options_;
    engine::Device& device_;
    Window& window_;
    PreferencesFile& file_;
    const Log& log_;
    Gui gui_;
    Device& library_;  // on device_
    SceneSession session_;
    engine::ShaderLibrary shaders_;  // of the window's own passes
    std::optional<Overlay> overlay_;
    WindowLegend legend_;
    engine::Buffer depth_;
    engine::Swapchain swapchain_;
    engine::Recorder recorder_;  // its destructor waits for frames that use the members above
    FixedStep clock_;
    OrbitCamera camera_;
    FollowCamera chase_;  // moves camera_ with the target
    Interaction interaction_;
    PanelState state_;
    Hint hint_;
    StatusLine status_;
    double pictureMs_ = 0.0;  // GPU time of rendering a frame
    ScenePanel scenePanel_;
    History history_;
    std::optional<Settings> warned_;  // settings of the warnings in state_
    CameraSettings sceneCamera_;      // scene camera that camera_ was set to last
    CameraSettings played_;           // camera that the path of the scene has set last
    CameraSettings fitted_;           // camera that shows a whole flat grid in this window
    glm::uvec2 sceneSize_;            // render.size of the scene file
    glm::uvec3 ownCells_;             // cells of the scene without a quality level
    std::uint32_t dyeArrows_ = 0;     // view.arrows when the dye was visible last
    Profile profile_;
    ProfilerPanel profiler_;
    InputAge inputAge_;
    VideoRecording video_;
    std::optional<QualityWatch> quality_;  ///< with --quality auto, until the user chooses a level
    std::string qualityMessage_;           ///< reason of a pending change of the level
    std::vector<PassTime> times_;          ///< of the passes completed since the last frame
    double overlayMs_ = 0.0;               ///< GPU time of what is drawn over the picture, in the newest frame
    glm::uvec2 lastPixels_{0};             // of the window
    Area area_;                            // filled by the image
    glm::uvec2 areaPixels_{0};
    double changedAt_ = 0.0;                      // last change of areaPixels_ [s]
    double nextMeasure_ = 0.0, lastInput_ = 0.0;  // [s] of the steady clock
    bool slow_ = true;
    bool busy_ = false;   // interaction_.busy() in the last frame
    bool kept_ = false;   // the pipeline cache has been saved
    bool wrong_ = false;  // a field is not finite: the simulation has stopped
    std::string logged_;  // last message that was logged
};

}  // namespace wisp::app
