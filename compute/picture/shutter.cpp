// SPDX-License-Identifier: MIT
#include "compute/picture/shutter.h"

#include "compute/picture/camera.h"

#include <cmath>
#include <span>

namespace wisp {

Shutter::Shutter(engine::Device& device, const Settings& s, const engine::Image& occupancy)
    : moments_(s.render.shutterSamples), fastest_(device, {.name = "fastest components", .bytes = 3 * sizeof(std::uint32_t)}) {
    const auto bricks = [&](const char* name) {
        return engine::Image(device, {.name = name, .size = occupancy.size(), .format = occupancy.desc().format});
    };
    between_ = bricks("occupancy along x and y");
    widened_ = bricks("occupancy during the exposure");
    if (s.render.mode == RenderMode::Path) return;
    const auto picture = [&](const char* name, VkFormat format) {
        return engine::Image(device, {.name = name, .size = {s.render.size, 1}, .format = format, .flat = true});
    };
    moment_ = picture("radiance of a moment", VK_FORMAT_R16G16B16A16_SFLOAT);
    momentDepth_ = picture("depth of a moment", VK_FORMAT_R32_SFLOAT);
    mean_ = picture("mean of moments", VK_FORMAT_R32G32B32A32_SFLOAT);
    meanDepth_ = picture("depth of moments", VK_FORMAT_R32G32_SFLOAT);
}

void Shutter::widen(engine::Recorder& rec, const Fields& f, const engine::Image& occupancy, const engine::Buffer* smokeBox) {
    const Domain& d = f.domain;
    rec.clear(fastest_, 0);
    const engine::Threads faces = d.bricks ? d.bricks->over(BrickPart::Listed, WISP_BRICK_EDGE) : engine::Threads(d.faceTexels());
    rec.dispatch("shutter_reach", faces, {{"velocity", f.flow.divergenceFree()}, {"fastestOut", fastest_}});
    if (d.bricks)
        rec.dispatch("shutter_reach", {d.pressureFaces(), {{"kSparse", 0}}},
                     {{"stepData", f.flow.coarse->step}, {"velocity", f.flow.coarseDivergenceFree()}, {"fastestOut", fastest_}});
    const engine::Image* from = &occupancy;
    for (int axis = 0; axis < 3; ++axis) {
        const engine::Image& to = axis == 1 ? between_ : widened_;
        rec.dispatch(
            "shutter_occupancy", occupancy.size(),
            {{"occupancyIn", *from}, {"occupancyOut", to}, {"fastest", fastest_}, {"smokeBoxOut", smokeBox ? *smokeBox : fastest_}},
            ShutterOccupancyPush{axis, 0.5f * exposure_.seconds});
        from = &to;
    }
}

void Shutter::setView(gpu::ViewData& v, const RenderSettings& render) const {
    v.shutterFrom = -0.5f * exposure_.seconds;
    v.shutterSpan = exposure_.seconds;
    if (!exposure_.from || !exposure_.to || exposure_.seconds <= 0.0f) return;
    gpu::ViewData from{}, to{};
    setCamera(from, *exposure_.from, render.size);
    setCamera(to, *exposure_.to, render.size);
    v.eyeMotion = (to.eye - from.eye) / exposure_.seconds;
    v.rightMotion = (to.right - from.right) / exposure_.seconds;
    v.upMotion = (to.up - from.up) / exposure_.seconds;
    v.forwardMotion = (to.forward - from.forward) / exposure_.seconds;
}

void Shutter::expose(engine::Recorder& rec, const gpu::ViewData& view, const engine::Buffer& viewOut, const engine::Image& radiance,
                     const engine::Image& depth,
                     const std::function<void(const engine::Image& radiance, const engine::Image& depth)>& draw) {
    gpu::ViewData v = view;
    v.shutterSpan = view.shutterSpan / static_cast<float>(moments_);
    v.shutterShift = view.noiseShift;
    for (std::uint32_t n = 0; n < moments_; ++n) {
        v.shutterFrom = view.shutterFrom + static_cast<float>(n) * v.shutterSpan;
        // The offsets of the first steps are shifted in each moment by a multiple of the golden ratio, as in a temporal mean.
        const double shift = static_cast<double>(view.noiseShift) + 0.61803398874989485 * n;
        v.noiseShift = static_cast<float>(shift - std::floor(shift));
        rec.update(viewOut, std::as_bytes(std::span(&v, 1)));
        draw(moment_, momentDepth_);
        rec.dispatch("shutter_mean", mean_.size(),
                     {{"moment", moment_},
                      {"momentDepth", momentDepth_},
                      {"mean", mean_},
                      {"meanDepth", meanDepth_},
                      {"radiance", radiance},
                      {"depth", depth}},
                     static_cast<int>(n + 1));
    }
    rec.update(viewOut, std::as_bytes(std::span(&view, 1)));
}

}  // namespace wisp
