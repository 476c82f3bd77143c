// SPDX-License-Identifier: MIT
#include "wisp/renderer.h"

#include "api/guarded.h"
#include "api/renderer_impl.h"
#include "shaders/shared/view.h"

#include <fmt/format.h>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace wisp {
namespace {

void requireSize(const char* what, std::uint32_t width, std::uint32_t height) {
    if (width == 0 || height == 0)
        throw Error(ErrorCode::Argument, fmt::format("{}: the size is {} x {}; both must be above 0", what, width, height));
}

glm::vec3 vectorOf(const std::array<float, 3>& v) { return {v[0], v[1], v[2]}; }

}  // namespace

CameraFrame frameOf(const Camera& c) {
    const CameraFrame frame{vectorOf(c.eye), vectorOf(c.forward), vectorOf(c.right), vectorOf(c.up)};
    for (const auto* v : {&c.eye, &c.forward, &c.right, &c.up})
        if (!std::ranges::all_of(*v, [](float x) { return std::isfinite(x); }))
            throw Error(ErrorCode::Argument, "the camera has a number that is not finite");
    if (glm::length(frame.right) == 0.0f || glm::length(frame.up) == 0.0f || std::abs(glm::length(frame.forward) - 1.0f) > 1e-3f)
        throw Error(ErrorCode::Argument, "the camera needs a forward of length 1, and a right and an up above 0");
    return frame;
}

CameraSettings cameraOf(const SceneCamera& c) {
    for (const float x : {c.eye[0], c.eye[1], c.eye[2], c.target[0], c.target[1], c.target[2], c.fov, c.height})
        if (!std::isfinite(x)) throw Error(ErrorCode::Argument, "the camera has a number that is not finite");
    if (c.eye == c.target) throw Error(ErrorCode::Argument, "the camera's eye and target are the same");
    if (!(c.fov > 0.0f && c.fov < glm::pi<float>()) || c.height < 0.0f)
        throw Error(ErrorCode::Argument,
                    fmt::format("the camera has fov {} and height {}; must be between 0 and pi, and 0 or more", c.fov, c.height));
    return {.eye = vectorOf(c.eye), .target = vectorOf(c.target), .fov = c.fov, .height = c.height};
}

bool Renderer::Impl::draw(const std::function<bool(std::uint32_t)>& goOn) {
    simulation->device->device.waitForHost();
    follow();
    setFrame();
    VolumeRenderer* const smoke = picture->smoke();
    if (options.composite) smoke->setComposite({});  // the depth of the last record() may no longer exist
    if (smoke && smoke->path()) return drawPaths(goOn);
    simulation->frame([&] { recordPicture(); });
    drawn = true;
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

Renderer::Renderer(Simulation& simulation, const RendererOptions& options) {
    called(*simulation.impl(), [&] {
        const Collector collector(*simulation.impl()->device);
        requireSize("RendererOptions", options.width, options.height);
        impl_ = std::make_unique<Impl>(simulation.impl(), options);
    });
}

Renderer::~Renderer() {
    if (!impl_) return;
    const auto device = impl_->simulation->device;  // outlives the renderer
    const std::lock_guard lock(device->mutex);
    const Collector collector(*device);
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
        impl_->byKeys.reset();
    });
}

void Renderer::setCamera(const SceneCamera& camera) {
    guarded([&] {
        const Entry entry(*impl_->simulation);
        impl_->byKeys = cameraOf(camera);
        impl_->camera.reset();
    });
}

void Renderer::useSceneCamera() {
    guarded([&] {
        const Entry entry(*impl_->simulation);
        impl_->camera.reset();
        impl_->byKeys.reset();
    });
}

void Renderer::resize(std::uint32_t width, std::uint32_t height) {
    called(*impl_->simulation, [&] {
        const Collector collector(*impl_->simulation->device);
        requireSize("Renderer::resize", width, height);
        impl_->resize(width, height);
    });
}

void Renderer::draw() { (void)draw(nullptr); }

bool Renderer::draw(const std::function<bool(std::uint32_t)>& goOn) {
    return called(*impl_->simulation, [&] { return impl_->draw(goOn); });
}

void Renderer::record(const HostCommands& commands, const HostDepth& depth) {
    called(*impl_->simulation, [&] { impl_->record(commands, depth); });
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
                       .layout = VK_IMAGE_LAYOUT_GENERAL,
                       .display = p.display().handle(),
                       .range = p.limits() ? p.limits()->handle() : nullptr};
    });
}

}  // namespace wisp
