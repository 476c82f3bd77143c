// SPDX-License-Identifier: MIT
#include "compute/picture/flat_view.h"

#include "compute/picture/field_view.h"
#include "compute/picture/surface_data.h"
#include "compute/scene/environment.h"
#include "compute/scene/prescribed.h"
#include "shaders/shared/view.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>

namespace wisp {
namespace {

constexpr std::size_t kGlowLevels = 6;  // the widest glow is 2^6 pixels
constexpr float kReliefLength = 0.02f;  // [m]; a change of opacity from 0 to 1 over this length is a slope of 1

gpu::FlatPush flatPush(const Settings& s) {
    const PlanePlot plot = planePlot(s);
    gpu::FlatPush push{.corner = plot.corner,
                       .pixel = plot.pixel,
                       .pixels = s.render.size,
                       .depth = s.medium.extinction,
                       .relief = kReliefLength * s.render.relief};
    glm::vec3 towards(0.0f);
    for (const LightSettings& light : s.lights) {  // treats all lights as suns, without a distance to the plane
        const glm::vec3 toLight = light.kind == LightKind::Sun
                                      ? -light.direction
                                      : light.position - glm::vec3(0.5f * glm::vec2(s.grid.size), 0.0f) - s.grid.origin;
        const glm::vec3 power = light.intensity * light.colour / (4.0f * glm::pi<float>());
        push.light += power;
        towards += std::max({power.x, power.y, power.z}) * glm::vec3(glm::normalize(glm::dvec3(toLight)));
    }
    // Light from behind the plane counts as light from straight in front of it.
    push.towards = towards.z > 0.05f * glm::length(towards) ? glm::normalize(towards) : glm::vec3(0.0f, 0.0f, 1.0f);
    push.albedo = s.medium.albedo;
    push.background = environmentHarmonics(environmentMap(s.environment), s.environment.rotation, false)[0];  // the mean of all directions
    return push;
}

/// Arrows are white on a dark background, and black on a bright one.
gpu::ArrowsPush arrowsPush(const Settings& s, glm::vec3 background) {
    const gpu::SlicePush plot = slicePlot(s);
    const PlanePlot plane = planePlot(s);
    gpu::ArrowsPush push{.corner = plane.corner,
                         .pixel = plane.pixel,
                         .pixels = s.render.size,
                         .low = plot.low,
                         .spacing = glm::vec2(plot.spacing),
                         .pen = plot.pen};
    if (s.prescribed.field == PrescribedField::Arrows) push.spacing = glm::vec2(s.grid.size) / (static_cast<float>(kArrows) * plane.pixel);
    const float speed = greatestSpeed(s), white = std::exp2(-s.render.exposure);
    push.reach = speed > 0.0f ? WISP_ARROW_LENGTH * std::min(push.spacing.x, push.spacing.y) / speed : 0.0f;
    push.ink = background.g < 0.5f * white ? white : 0.0f;
    push.rim = white - push.ink;
    return push;
}

}  // namespace

FlatView::FlatView(engine::Device& device, const Settings& s) : settings_(s) {
    const auto image = [&](const char* name, glm::uvec2 size, VkFormat format) {
        return engine::Image(device, {.name = name, .size = {size, 1}, .format = format, .flat = true});
    };
    radiance_ = image("radiance", s.render.size, VK_FORMAT_R16G16B16A16_SFLOAT);
    density_ = image("density of pixels", s.render.size, VK_FORMAT_R32_SFLOAT);
    for (glm::uvec2 size = s.render.size / 2u; s.render.glow > 0.0f && glow_.size() < kGlowLevels && std::min(size.x, size.y) >= 2;
         size /= 2u)
        glow_.push_back(image("glow", size, VK_FORMAT_R16G16B16A16_SFLOAT));
    display_ = engine::Buffer(device,
                              {.name = "display", .bytes = std::uint64_t{s.render.size.x} * s.render.size.y * sizeof(std::uint32_t)});
    view_ = engine::Buffer(device, {.name = "view", .bytes = sizeof(gpu::ViewData)});
    if (s.view.arrows > 0) prescribed_ = engine::Buffer(device, {.name = "prescribed arrows", .bytes = sizeof(gpu::PrescribedData)});
}

void FlatView::glow(engine::Recorder& rec) {
    const auto picture = [&](std::size_t level) -> const engine::Image& { return level == 0 ? radiance_ : glow_[level - 1]; };
    for (std::size_t n = 1; n <= glow_.size(); ++n)
        rec.dispatch("glow_down", picture(n).size(), {{"finer", picture(n - 1)}, {"coarserOut", picture(n)}});
    for (std::size_t n = glow_.size(); n-- > 0;) {
        const float weight = n == 0 ? settings_.render.glow / static_cast<float>(glow_.size()) : 1.0f;
        rec.dispatch("glow_up", picture(n).size(), {{"coarser", picture(n + 1)}, {"finerIn", picture(n)}, {"finerOut", picture(n)}},
                     weight);
    }
}

void FlatView::arrows(engine::Recorder& rec, glm::vec3 background) {
    if (settings_.view.arrows == 0) return;
    const gpu::PrescribedData field = prescribedData(settings_.prescribed);
    rec.update(prescribed_, std::as_bytes(std::span(&field, 1)));
    rec.dispatch("arrows", radiance_.size(), {{"prescribed", prescribed_}, {"radianceIn", radiance_}, {"radianceOut", radiance_}},
                 arrowsPush(settings_, background));
}

void FlatView::draw(engine::Recorder& rec, const Fields& f) {
    settings_.grid.origin = f.domain.grid.origin;
    rec.setCommon({{"stepData", f.domain.step},
                   {"view", view_},
                   {"meshDistances", f.domain.meshes.image()},
                   {"meshVelocities", f.domain.meshes.velocities()}});
    gpu::ViewData view{};
    view.pixels = settings_.render.size;
    view.exposure = std::exp2(settings_.render.exposure);
    view.tonemap = static_cast<int>(settings_.render.tonemap);
    setSurfaces(view, settings_);
    rec.update(view_, std::as_bytes(std::span(&view, 1)));
    const gpu::FlatPush push = flatPush(settings_);
    rec.dispatch("flat", radiance_.size(),
                 {{"scalars", f.smoke.scalars[0]},
                  {"smokeColour", f.smoke.smokeColour()},
                  {"solidDistance", f.domain.solidDistance},
                  {"radiance", radiance_},
                  {"value", density_}},
                 push);
    glow(rec);
    arrows(rec, push.background);
    rec.dispatch("tonemap", radiance_.size(), {{"radiance", radiance_}, {"display", display_}});
}

}  // namespace wisp
