// SPDX-License-Identifier: MIT
#include "wisp/renderer.h"

#include "api/guarded.h"
#include "api/simulation_impl.h"
#include "compute/picture/picture.h"
#include "compute/scene/motion.h"
#include "shaders/shared/view.h"

#include <fmt/format.h>
#include <glm/gtc/packing.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

namespace wisp {
namespace {

glm::vec3 vectorOf(const std::array<float, 3>& v) { return {v[0], v[1], v[2]}; }

CameraFrame frameOf(const Camera& c) {
    const CameraFrame frame{vectorOf(c.eye), vectorOf(c.forward), vectorOf(c.right), vectorOf(c.up)};
    for (const auto* v : {&c.eye, &c.forward, &c.right, &c.up})
        if (!std::ranges::all_of(*v, [](float x) { return std::isfinite(x); }))
            throw Error(ErrorCode::Argument, "the camera has a number that is not finite");
    if (glm::length(frame.right) == 0.0f || glm::length(frame.up) == 0.0f || std::abs(glm::length(frame.forward) - 1.0f) > 1e-3f)
        throw Error(ErrorCode::Argument, "the camera needs a forward of length 1, and a right and an up above 0");
    return frame;
}

void requireSize(const char* what, std::uint32_t width, std::uint32_t height) {
    if (width == 0 || height == 0)
        throw Error(ErrorCode::Argument, fmt::format("{}: the size is {} x {}; both must be above 0", what, width, height));
}

}  // namespace

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
        reader.reset();   // has room for one picture
        picture.reset();  // frees its memory first
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
        picture->setExposure(exposureAt(s.settings(), s.time(), static_cast<double>(s.settings().timeStep)));
        if (VolumeRenderer* smoke = picture->smoke()) {
            smoke->setCamera(camera ? std::optional(frameOf(*camera)) : std::nullopt);
            smoke->restart(s.stepCount());
        } else if (camera) {
            throw Error(ErrorCode::Unsupported, "a camera of the host is for pictures of smoke; this scene shows a flat grid or a field");
        }
    }
    void recordPicture() {
        simulation->simulator.catchUp(simulation->recorder);
        picture->draw(simulation->recorder, simulation->simulator.fields());
    }
    bool draw(const std::function<bool()>& goOn);
    void record(const HostCommands& commands, const HostDepth& depth);
    std::vector<std::byte> bytesOf(const engine::Image* image, const engine::Buffer* buffer);

    std::shared_ptr<Simulation::Impl> simulation;
    RendererOptions options;
    std::optional<Camera> camera;
    Settings settings;
    std::optional<ScenePicture> picture;
    std::optional<engine::Recorder> reader;
    engine::Image depthOfHost;
    bool drawn = false;
};

bool Renderer::Impl::draw(const std::function<bool()>& goOn) {
    simulation->device->device.waitForHost();
    follow();
    setFrame();
    VolumeRenderer* const smoke = picture->smoke();
    if (options.composite) smoke->setComposite({});  // the depth of the last record() may no longer exist
    const std::uint32_t frames = smoke && smoke->path() ? settings.render.samples : 1;  // a sample per pixel each
    for (std::uint32_t n = 0; n < frames; ++n) {
        if (n > 0 && goOn && !goOn()) return false;
        simulation->frame([&] { recordPicture(); });
        drawn = true;
    }
    return true;
}

void Renderer::Impl::record(const HostCommands& commands, const HostDepth& depth) {
    follow();
    VolumeRenderer* const smoke = picture->smoke();
    if (smoke && smoke->path()) throw Error(ErrorCode::Unsupported, "path tracing takes many submits: use draw");
    if (depth.view && !options.composite) throw Error(ErrorCode::Argument, "a depth of the host is for RendererOptions::composite");
    if (depth.view && (!camera || camera->depthFactor == 0.0f))
        throw Error(ErrorCode::Argument, "a depth of the host needs a camera of its matrices: Camera::fromMatrices");
    setFrame();
    if (options.composite) {
        DepthBuffer of;
        depthOfHost = {};
        if (depth.view) {
            // The format only counts bytes: every depth is read as a float.
            depthOfHost = engine::Image(
                simulation->device->device,
                {.name = "depth of the host", .size = {options.width, options.height, 1}, .format = VK_FORMAT_R32_SFLOAT, .flat = true},
                depth.view, static_cast<VkImageLayout>(depth.layout));
            of = {&depthOfHost, camera->depthFactor, camera->depthOffset};
        }
        smoke->setComposite(of);
    }
    simulation->frame([&] { recordPicture(); }, {}, &commands);
    drawn = true;
}

std::vector<std::byte> Renderer::Impl::bytesOf(const engine::Image* image, const engine::Buffer* buffer) {
    if (!drawn)
        throw Error(ErrorCode::Outdated, "there is no picture: draw one after the renderer was made, and after a change of the scene");
    simulation->finish();
    if (!reader)
        reader.emplace(simulation->device->device, simulation->device->shaders,
                       engine::RecorderOptions{.timing = engine::Timing::Off, .readbackBytes = picture->radiance().bytes()});
    std::vector<std::byte> bytes;
    const auto take = [&](std::span<const std::byte> read) { bytes.assign(read.begin(), read.end()); };
    reader->begin();
    if (image) reader->read(*image, take);
    else reader->read(*buffer, take);
    reader->submit();
    reader->finish();
    return bytes;
}

Renderer::Renderer(Simulation& simulation, const RendererOptions& options) {
    guarded([&] {
        const Call call(*simulation.impl());
        requireSize("RendererOptions", options.width, options.height);
        impl_ = std::make_unique<Impl>(simulation.impl(), options);
    });
}

Renderer::~Renderer() {
    if (!impl_) return;
    const auto device = impl_->simulation->device;  // outlives the renderer
    const std::lock_guard lock(device->mutex);
    impl_.reset();
}
Renderer::Renderer(Renderer&&) noexcept = default;
Renderer& Renderer::operator=(Renderer&& other) noexcept {
    std::swap(impl_, other.impl_);
    return *this;
}

void Renderer::setCamera(const Camera& camera) {
    guarded([&] {
        const Entry entry(*impl_->simulation);
        (void)frameOf(camera);
        impl_->camera = camera;
    });
}

void Renderer::useSceneCamera() {
    guarded([&] {
        const Entry entry(*impl_->simulation);
        impl_->camera.reset();
    });
}

void Renderer::resize(std::uint32_t width, std::uint32_t height) {
    guarded([&] {
        const Call call(*impl_->simulation);
        requireSize("Renderer::resize", width, height);
        impl_->resize(width, height);
    });
}

void Renderer::draw() { (void)draw(nullptr); }

bool Renderer::draw(const std::function<bool()>& goOn) {
    return guarded([&] {
        const Call call(*impl_->simulation);
        return impl_->draw(goOn);
    });
}

void Renderer::record(const HostCommands& commands, const HostDepth& depth) {
    guarded([&] {
        const Call call(*impl_->simulation);
        impl_->record(commands, depth);
    });
}

Picture Renderer::picture() const {
    return guarded([&] {
        const Entry entry(*impl_->simulation);
        if (!impl_->drawn) throw Error(ErrorCode::Outdated, "there is no picture yet: draw one");
        const ScenePicture& p = *impl_->picture;
        const engine::Image* depth = p.depth();
        return Picture{.image = p.radiance().handle(),
                       .view = p.radiance().view(),
                       .depth = depth ? depth->handle() : nullptr,
                       .depthView = depth ? depth->view() : nullptr,
                       .width = impl_->options.width,
                       .height = impl_->options.height,
                       .format = static_cast<int>(p.radiance().desc().format),
                       .layout = VK_IMAGE_LAYOUT_GENERAL};
    });
}

PictureData Renderer::read() {
    return guarded([&] {
        const Call call(*impl_->simulation);
        const std::vector<std::byte> bytes = impl_->bytesOf(nullptr, &impl_->picture->display());
        PictureData data{impl_->options.width, impl_->options.height, std::vector<std::uint8_t>(bytes.size())};
        std::memcpy(data.rgba.data(), bytes.data(), bytes.size());
        return data;
    });
}

std::vector<float> Renderer::readRadiance() {
    return guarded([&] {
        const Call call(*impl_->simulation);
        const std::vector<std::byte> bytes = impl_->bytesOf(&impl_->picture->radiance(), nullptr);
        std::vector<std::uint16_t> halves(bytes.size() / sizeof(std::uint16_t));
        std::memcpy(halves.data(), bytes.data(), bytes.size());
        std::vector<float> floats(halves.size());
        std::ranges::transform(halves, floats.begin(), [](std::uint16_t half) { return glm::unpackHalf1x16(half); });
        return floats;
    });
}

}  // namespace wisp
