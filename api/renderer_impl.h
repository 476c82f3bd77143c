// SPDX-License-Identifier: MIT
#pragma once

#include "api/memory_plan.h"
#include "api/simulation_impl.h"
#include "compute/picture/picture.h"
#include "compute/scene/motion.h"
#include "wisp/renderer.h"

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace wisp {

/// @throws Error Argument
CameraFrame frameOf(const Camera& camera);
/// @throws Error Argument
CameraSettings cameraOf(const SceneCamera& camera);

struct Renderer::Impl {
    Impl(std::shared_ptr<Simulation::Impl> s, const RendererOptions& o) : simulation(std::move(s)), options(o), resets(simulation->resets) {
        make();
    }
    ~Impl() { leave(); }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    [[nodiscard]] Settings wanted() const {
        Settings next = simulation->settings;
        next.render.size = {options.width, options.height};
        return next;
    }
    void make() {
        Settings next = wanted();
        checkComposite(next);
        checkTransparent(next);
        drawn = false;
        drawnAt.reset();
        if (reader) reader->finish();  // delivers what is fetched
        reader.reset();                // has room for one picture of this size
        leave();
        picture.reset();
        simulation->device->device.collect();  // frees its memory first, unless it is still drawn
        settings = std::move(next);
        explainOutOfMemory(simulation->device->device, settings, {.picture = true},
                           [&] { picture.emplace(simulation->device->device, settings); });
        if (options.composite) picture->smoke()->setComposite({});
        if (options.transparent) picture->smoke()->setTransparent(true);
        if (!temporal() || !simulation->history) return;
        simulation->temporal = temporal();
        restoreHistory(*simulation->history, simulation->run());
        simulation->history.reset();
    }
    /// The history of render.temporal; null without it.
    [[nodiscard]] TemporalMean* temporal() { return picture && picture->smoke() ? picture->smoke()->temporal() : nullptr; }
    /// A checkpoint of the simulation no longer has the history of this renderer.
    void leave() {
        if (simulation->temporal && simulation->temporal == temporal()) simulation->temporal = nullptr;
    }
    void resize(std::uint32_t width, std::uint32_t height) {
        const RendererOptions before = options;
        if (std::pair(width, height) == std::pair(before.width, before.height)) return;
        options.width = width;
        options.height = height;
        try {
            make();
        } catch (...) {
            options = before;
            throw;
        }
    }
    void checkComposite(const Settings& s) const {
        if (!options.composite) return;
        const char* const why = s.grid.isFlat()                     ? "a flat grid (grid.cells)"
                                : s.view.field != ViewField::Smoke  ? "a view of a field (view.field)"
                                : s.render.mode == RenderMode::Path ? "path tracing (render.mode)"
                                : s.showsSurface()                  ? "the surface of a liquid (liquid)"
                                : s.render.temporal                 ? "temporal accumulation (render.temporal)"
                                                                    : nullptr;
        if (why) throw Error(ErrorCode::Unsupported, fmt::format("a composite is a raymarched picture of smoke; this scene has {}", why));
    }
    void checkTransparent(const Settings& s) const {
        if (!options.transparent) return;
        const char* const why = s.grid.isFlat()                    ? "a flat grid (grid.cells)"
                                : s.view.field != ViewField::Smoke ? "a view of a field (view.field)"
                                : s.showsSurface()                 ? "the surface of a liquid (liquid), which refracts the environment"
                                                                   : nullptr;
        if (why) throw Error(ErrorCode::Unsupported, fmt::format("a transparent picture is one of smoke; this scene has {}", why));
    }
    /// Follows a change of the scene.
    void follow() {
        Settings next = wanted();
        if (!picture || !looksAlike(settings, next)) return make();
        settings.camera = next.camera;
        if (settings == next) return;
        settings = std::move(next);
        drawnAt.reset();  // its light is no longer that of the scene
        refined.reset();
    }
    void setFrame() {
        FluidSimulator& s = simulation->simulator;
        if (std::exchange(resets, simulation->resets) != simulation->resets && picture->smoke()) picture->smoke()->restart(0);
        simulation->temporal = temporal();
        picture->setScene(s.settings(), s.time());
        picture->setCamera(byKeys ? *byKeys : cameraAt(s.settings(), s.time()));
        const double frame = options.frameTime > 0.0 ? options.frameTime : static_cast<double>(s.settings().timeStep);
        const Exposure exposure = exposureAt(s.settings(), s.time(), frame);
        picture->setExposure(camera || byKeys ? Exposure{.seconds = exposure.seconds, .from = {}, .to = {}} : exposure);
        if (VolumeRenderer* smoke = picture->smoke()) {
            smoke->setCamera(camera ? std::optional(frameOf(*camera)) : std::nullopt);
        } else if (camera) {
            throw Error(ErrorCode::Unsupported, "a camera of the host is for pictures of smoke; this scene shows a flat grid or a field");
        }
    }
    void recordPicture() {
        simulation->simulator.catchUp(simulation->recorder);
        const engine::Recorder::Scope scope(simulation->recorder, "frame");
        const std::pair now(simulation->simulator.stepCount(), simulation->restarts);
        const bool sameSmoke = std::exchange(drawnAt, now) == now;
        picture->draw(simulation->recorder, simulation->simulator.fields(), sameSmoke && !(picture->smoke() && picture->smoke()->path()));
    }
    bool draw(const std::function<bool(std::uint32_t)>& goOn);
    bool drawPaths(const std::function<bool(std::uint32_t)>& goOn);
    PathProgress refine(std::uint32_t samples);
    void fetch(PictureContent content, std::function<void(const FetchedPicture&)> done);
    engine::Recorder& readerOf(PictureContent content);
    void record(const HostCommands& commands, const HostDepth& depth);
    std::vector<std::byte> bytesOf(PictureContent content);
    void requirePicture() const;

    std::shared_ptr<Simulation::Impl> simulation;
    RendererOptions options;
    std::optional<Camera> camera;          ///< of the host
    std::optional<CameraSettings> byKeys;  ///< the same, by the keys of a scene; at most one of the two
    Settings settings;
    std::optional<ScenePicture> picture;
    std::optional<engine::Recorder> reader;
    std::uint64_t readerBytes = 0;  ///< room of the reader
    std::uint64_t resets;           ///< of the simulation, when it drew last
    engine::Image depthOfHost;
    bool drawn = false;
    std::optional<std::uint64_t> refined;                            ///< version of the fields of the picture that refine() adds to
    std::optional<std::pair<std::uint64_t, std::uint64_t>> drawnAt;  ///< steps and restarts at the last picture
};

}  // namespace wisp
