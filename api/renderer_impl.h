// SPDX-License-Identifier: MIT
#pragma once

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

struct Renderer::Impl {
    Impl(std::shared_ptr<Simulation::Impl> s, const RendererOptions& o) : simulation(std::move(s)), options(o) { make(); }

    [[nodiscard]] Settings wanted() const {
        Settings next = simulation->settings;
        next.render.size = {options.width, options.height};
        return next;
    }
    void make() {
        Settings next = wanted();
        checkComposite(next);
        drawn = false;
        if (reader) reader->finish();  // delivers what is fetched
        reader.reset();                // has room for one picture of this size
        picture.reset();
        simulation->device->device.collect();  // frees its memory first, unless it is still drawn
        settings = std::move(next);
        picture.emplace(simulation->device->device, settings);
        if (options.composite) picture->smoke()->setComposite({});
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
    /// Follows a change of the scene.
    void follow() {
        const Settings next = wanted();
        if (!picture || !looksAlike(settings, next)) make();
        else settings = next;
    }
    void setFrame() {
        FluidSimulator& s = simulation->simulator;
        picture->setScene(s.settings(), s.time());
        CameraSettings now = cameraAt(s.settings(), s.time());
        picture->setCamera(now);
        const double frame = options.frameTime > 0.0 ? options.frameTime : static_cast<double>(s.settings().timeStep);
        picture->setExposure(exposureAt(s.settings(), s.time(), frame));
        if (VolumeRenderer* smoke = picture->smoke()) {
            smoke->setCamera(camera ? std::optional(frameOf(*camera)) : std::nullopt);
        } else if (camera) {
            throw Error(ErrorCode::Unsupported, "a camera of the host is for pictures of smoke; this scene shows a flat grid or a field");
        }
    }
    void recordPicture() {
        simulation->simulator.catchUp(simulation->recorder);
        const engine::Recorder::Scope scope(simulation->recorder, "frame");
        picture->draw(simulation->recorder, simulation->simulator.fields());
    }
    bool draw(const std::function<bool()>& goOn);
    PathProgress refine(std::uint32_t samples);
    void fetch(PictureContent content, std::function<void(const FetchedPicture&)> done);
    void beginRead();
    void record(const HostCommands& commands, const HostDepth& depth);
    std::vector<std::byte> bytesOf(const engine::Image* image, const engine::Buffer* buffer);
    void requirePicture() const;

    std::shared_ptr<Simulation::Impl> simulation;
    RendererOptions options;
    std::optional<Camera> camera;
    Settings settings;
    std::optional<ScenePicture> picture;
    std::optional<engine::Recorder> reader;
    engine::Image depthOfHost;
    bool drawn = false;
    std::optional<std::uint64_t> refined;  ///< step of the picture that refine() adds to
};

}  // namespace wisp
