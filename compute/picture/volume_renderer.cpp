// SPDX-License-Identifier: MIT
#include "compute/picture/volume_renderer.h"

#include "compute/domain/domain.h"
#include "compute/picture/blue_noise.h"
#include "compute/picture/camera.h"
#include "compute/picture/environment_sampling.h"
#include "compute/picture/surface_data.h"
#include "compute/scene/environment.h"
#include "compute/scene/scene_fluid.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace wisp {
namespace {

using engine::Traffic;

constexpr float kSparsePath = 512.0f;    // longest path through the smoke of a sparse simulation, in cells: most of its box is empty
constexpr float kStepDepth = 1.0f / 64;  // largest optical depth of a step that is longer than a cell

// In double, because the squared length of a short vector underflows as a float.
glm::vec3 unit(glm::vec3 v) { return glm::normalize(glm::dvec3(v)); }

gpu::LightData lightData(const LightSettings& light) {
    const bool sun = light.kind == LightKind::Sun;
    gpu::LightData data{.towards = sun ? -unit(light.direction) : light.position,
                        .kind = static_cast<int>(light.kind),
                        .power = light.colour * light.intensity};
    data.width = sun ? 2.0f * std::tan(0.5f * light.size) : light.size;
    if (light.kind != LightKind::Spot) return data;
    const double outer = 0.5 * static_cast<double>(light.angle), inner = outer * (1.0 - static_cast<double>(light.softness));
    data.axis = unit(light.direction);
    data.cosOuter = static_cast<float>(std::cos(outer));
    // A sharp edge becomes the steepest ramp that floats resolve.
    data.perCos = static_cast<float>(1.0 / std::max(std::cos(inner) - std::cos(outer), 1e-6));
    return data;
}

float stepLength(const Settings& s) {
    return s.render.step > 0.0f ? s.render.step : s.grid.cellSize() / static_cast<float>(s.grid.scalarRatio);
}

gpu::ViewData viewData(const Settings& s, glm::uvec3 lightCells, glm::uvec3 skyCells, glm::uvec3 bricks,
                       std::span<const glm::vec3, 9> harmonics) {
    gpu::ViewData v{};
    setCamera(v, s.camera, s.render.size);
    v.pixels = s.render.size;
    v.lightCells = lightCells;
    v.skyCells = skyCells;
    v.bricks = bricks;
    v.stepLength = stepLength(s);
    v.footprint = s.render.antialias ? 1.0f : 0.0f;
    // Bricks below minDensity are skipped. Their optical depth is at most 5e-3, even along the diagonal of the box.
    const float longest = s.grid.sparse ? kSparsePath * s.grid.cellSize() : glm::length(s.grid.size);
    v.minDensity = 5e-3f / std::max(s.medium.extinction * longest, 1e-3f);
    v.stepDensity = s.render.step > 0.0f ? 0.0f : kStepDepth / std::max(s.medium.extinction, 1e-6f);
    v.extinction = s.medium.extinction;
    v.albedo = s.medium.albedo;
    v.emission = s.medium.emission;
    v.ambient = s.flow.ambient;
    v.ignition = s.fire.ignition;
    v.glow = s.fire.glow;
    v.flame = s.fire.flame / std::max(s.medium.extinction, 1e-6f);
    v.g = s.medium.phase.g;
    v.gBack = s.medium.phase.gBack;
    v.blend = s.medium.phase.blend;
    std::ranges::copy(harmonics, v.environment);
    v.environmentRotation = s.environment.rotation / glm::two_pi<float>();
    setSurfaces(v, s);
    v.groundRadius = s.environment.groundRadius;
    v.exposure = std::exp2(s.render.exposure);
    v.tonemap = static_cast<int>(s.render.tonemap);
    std::ranges::transform(s.lights, v.lights, lightData);
    return v;
}

/// The ranks of the blue noise, mapped to the centres of equal intervals of (0, 1).
std::vector<float> jitterTile() {
    std::vector<float> tile(blueNoise().size());
    std::ranges::transform(blueNoise(), tile.begin(),
                           [&](std::uint16_t rank) { return (static_cast<float>(rank) + 0.5f) / static_cast<float>(tile.size()); });
    return tile;
}

/// Mesa's CPU device silently ends all loops of an invocation after 65,535 iterations. Rejects settings with which a march to the lights
/// from every sample could exceed this limit.
void checkLoops(const engine::Device& device, const Settings& s) {
    if (!device.isCpu() || s.render.mode != RenderMode::Raymarch || s.render.shadows != Shadows::March) return;
    // A ray along the diagonal covers at least 8 cells / sqrt 3 per brick. Each brick adds up to two steps that are shorter than a cell.
    const double shorter = s.render.step > 0.0f ? 1.0 : 1.0 + 2.0 * std::sqrt(3.0) / WISP_BRICK;
    const double steps = std::ceil(shorter * static_cast<double>(glm::length(s.grid.size) / stepLength(s)));
    const double toLight = std::min(steps, 512.0) + 16.0 * static_cast<double>(s.obstacles.size());  // about 16 steps past an obstacle
    const double worst = steps * (1.0 + static_cast<double>(s.lights.size()) * toLight);
    if (worst > 65535.0)
        throw std::invalid_argument(
            "render.step: is too short for render.shadows = \"march\" on a CPU device, which allows at most 65535 samples per pixel");
}

// Without an entry for the usual pictures, which so share their pipelines with those of before.
engine::ShaderConstants constantsOf(bool transparent) {
    return transparent ? engine::ShaderConstants{{"kTransparent", 1}} : engine::ShaderConstants{};
}

}  // namespace

VolumeRenderer::VolumeRenderer(engine::Device& device, const Settings& s) : settings_(s), splats_(device, s), brickEdges_(device, s) {
    checkLoops(device, s);
    const auto volume = [&](const char* name, glm::uvec3 size, VkFormat format) {
        return engine::Image(device, {.name = name, .size = size, .format = format});
    };
    environment_ = engine::Image(
        device,
        {.name = "environment", .size = {environmentMapSize(s.environment), 1}, .format = VK_FORMAT_R32G32B32A32_SFLOAT, .flat = true});
    occupancy_ = volume("occupancy", ceilDiv(s.grid.scalarCells(), WISP_BRICK),
                        s.usesFuel() ? VK_FORMAT_R16G16_SFLOAT : VK_FORMAT_R16_SFLOAT);
    if (s.grid.sparse) {
        smokeBox_ = engine::Buffer(device, {.name = "smoke box", .bytes = sizeof(gpu::SmokeBox)});
        lightWindow_ = engine::Buffer(device, {.name = "light window", .bytes = sizeof(gpu::LightWindow)});
    }
    if (s.usesShutter()) shutter_.emplace(device, s, occupancy_);
    if (s.render.mode == RenderMode::Path) {
        path_.emplace(device, s, occupancy_.size());
    } else {
        light_.emplace(device, s);
        surface_ = makeSurfacePicture(device, s);
        if (!surface_ && s.usesOrdinates()) scattered_.emplace(device, s);
        if (s.render.temporal) temporal_.emplace(device, s.render.size);
        noise_ = engine::Buffer(device, {.name = "blue noise", .bytes = sizeof(float) * kBlueNoiseEdge * kBlueNoiseEdge});
    }
    radiance_ = engine::Image(device,
                              {.name = "radiance", .size = {s.render.size, 1}, .format = VK_FORMAT_R16G16B16A16_SFLOAT, .flat = true});
    depth_ = engine::Image(device, {.name = "depth", .size = {s.render.size, 1}, .format = VK_FORMAT_R32_SFLOAT, .flat = true});
    display_ = engine::Buffer(device,
                              {.name = "display", .bytes = std::uint64_t{s.render.size.x} * s.render.size.y * sizeof(std::uint32_t)});
    view_ = engine::Buffer(device, {.name = "view", .bytes = sizeof(gpu::ViewData)});
}

void VolumeRenderer::copyLiveKeys(const Settings& from, Settings& to) {
    to.seed = from.seed;
    to.flow = from.flow;
    to.fire = from.fire;
    to.tracers = from.tracers;
    to.grass = from.grass;
    setFluidLook(to, from);
    const std::uint32_t octaves = to.medium.octaves;
    to.medium = from.medium;
    to.medium.octaves = octaves;
    for (std::size_t n = 0; n < std::min(from.lights.size(), to.lights.size()); ++n)
        if (from.lights[n].kind == to.lights[n].kind) to.lights[n] = from.lights[n];
    if (environmentMapSize(from.environment) == environmentMapSize(to.environment) && samplesEnvironment(from) == samplesEnvironment(to))
        to.environment = from.environment;
    for (std::size_t n = 0; n < std::min(from.obstacles.size(), to.obstacles.size()); ++n)
        to.obstacles[n].colour = from.obstacles[n].colour;
    const RenderSettings& r = from.render;
    to.render.exposure = r.exposure;
    to.render.tonemap = r.tonemap;
    to.render.obstacleColour = r.obstacleColour;
    to.render.obstacleSpecular = r.obstacleSpecular;
    to.render.obstacleRoughness = r.obstacleRoughness;
    to.render.groundColour = r.groundColour;
    to.render.antialias = r.antialias;
}

void VolumeRenderer::setScene(const Settings& now, double time) {
    const EnvironmentSettings before = settings_.environment;
    copyLiveKeys(now, settings_);
    if (settings_.environment != before) started_ = false;
    if (light_) light_->setSuns(settings_);
    if (scattered_) scattered_->setScene(settings_);
    time_ = time;
}

void VolumeRenderer::setExposure(const Exposure& exposure) {
    if (!shutter_) return;
    if (exposure.seconds != shutter_->exposure().seconds) lit_ = false;  // smoke reaches other bricks
    shutter_->set(exposure);
}

void VolumeRenderer::restart(std::uint64_t picture) {
    if (path_) path_->restart(settings_.seed, picture);
    if (temporal_) temporal_->restart();
}

void VolumeRenderer::start(engine::Recorder& rec) {
    if (std::exchange(started_, true)) return;
    const EnvironmentSettings& e = settings_.environment;
    const EnvironmentImage map = environmentMap(e);
    harmonics_ = environmentHarmonics(map, e.rotation, e.ground);
    const std::vector<double> chances = samplesEnvironment(settings_) ? environmentProbabilities(*e.image) : std::vector<double>{};
    const std::vector<glm::vec4> texels = environmentTexels(map, chances);
    rec.upload(environment_, std::as_bytes(std::span(texels)));
    if (path_) path_->setEnvironment(rec, chances);
}

void VolumeRenderer::occupy(engine::Recorder& rec, const Domain& d, float above) {
    constexpr glm::uvec3 brickGroup{WISP_BRICK_THREADS, 1, 1};  // one work group per brick
    if (!d.bricks) return rec.dispatch("occupancy", occupancy_.size() * brickGroup, {{"occupancyOut", occupancy_}});
    const std::uint32_t edge = WISP_BRICK_EDGE * d.grid.scalarRatio / WISP_BRICK;  // of a listed brick
    rec.clear(occupancy_, 0.0f);
    rec.dispatch("occupancy", d.bricks->each(BrickPart::Listed, edge * edge * edge * WISP_BRICK_THREADS), {{"occupancyOut", occupancy_}});
    rec.clear(smokeBox_, 0);
    rec.dispatch("smoke_box", d.bricks->over(BrickPart::Listed, edge), {{"occupancy", occupancy_}, {"smokeBoxOut", smokeBox_}}, above);
    if (!light_) return;
    const gpu::LightWindowPush push{.lightEdge = static_cast<int>(settings_.render.lightRatio),
                                    .ordinateEdge = static_cast<int>(ScatteredLight::smallestEdge(settings_)),
                                    .ordinates = static_cast<int>(settings_.render.scatteringCells)};
    rec.dispatch("light_window", {1, 1, 1}, {{"lightWindowOut", lightWindow_}}, push);
}

void VolumeRenderer::march(engine::Recorder& rec, const Fields& f, const gpu::ViewData& view, bool lit) {
    if (!std::exchange(hasNoise_, true)) {
        const std::vector<float> noise = jitterTile();
        rec.update(noise_, std::as_bytes(std::span(noise)));
    }
    if (!lit) light_->fill(rec, occupancy_, f.domain.bricks ? &lightWindow_ : nullptr);
    if (scattered_) scattered_->fill(rec, *light_, occupancy_, settings_.medium.albedo, lit);
    splats_.draw(rec, f, settings_, view_, time_);
    const engine::Image& picture = temporal_ ? temporal_->picture() : radiance_;
    if (surface_) {
        if (!lit) surface_->measure(rec, f, settings_);
        surface_->draw(rec, settings_, occupancy_, *light_, splats_, picture, depth_);
    } else if (shutter_) {
        shutter_->expose(rec, view, view_, picture, depth_,
                         [&](const engine::Image& radiance, const engine::Image& depth) { raymarch(rec, radiance, depth); });
    } else {
        raymarch(rec, picture, depth_);
    }
    if (temporal_) temporal_->add(rec, view, depth_, radiance_);
}

void VolumeRenderer::raymarch(engine::Recorder& rec, const engine::Image& radiance, const engine::Image& depth) const {
    const bool drawn = splats_.picture().bytes() > 0;  // if false, the shader reads neither buffer
    const bool sees = host_ && host_->image;
    engine::ShaderConstants behind = constantsOf(transparent_);
    if (host_) behind["kComposite"] = 1;
    rec.dispatch("raymarch", {radiance_.size(), std::move(behind)},
                 {{"occupancy", seenOccupancy()},
                  {"light", light_->light()},
                  {"sky", light_->sky()},
                  {"scattered", scattered_ ? scattered_->scattered() : light_->sky()},
                  {"noise", noise_},
                  {"hostDepth", sees ? *host_->image : environment_},
                  {"splats", drawn ? splats_.picture() : noise_},
                  {"splatColours", drawn ? splats_.colours() : noise_},
                  {"radiance", radiance},
                  {"depth", depth}});
}

void VolumeRenderer::draw(engine::Recorder& rec, const Fields& f, std::uint32_t samples, bool sameSmoke) {
    const bool lit = std::exchange(lit_, true) && sameSmoke;
    settings_.grid.origin = f.domain.grid.origin;
    start(rec);
    const std::optional<Bricks>& bricks = f.domain.bricks;
    rec.setCommon({{"stepData", f.domain.step},
                   {"view", view_},
                   {"scalars", f.smoke.scalars[0]},
                   {"velocity", shutter_ ? f.flow.divergenceFree() : f.smoke.scalars[0]},  // read only with a shutter
                   {"coarseVelocity", Traffic::none(shutter_ ? f.flow.coarseDivergenceFree() : f.smoke.scalars[0])},
                   {"smokeColour", f.smoke.smokeColour()},
                   {"meshDistances", Traffic::none(f.domain.meshes.image())},
                   {"meshVelocities", Traffic::none(f.domain.meshes.velocities())},
                   {"brickList", Traffic::none(bricks ? bricks->list : f.domain.step)},  // dense simulations read none of these
                   {"brickSlots", Traffic::none(bricks ? bricks->slots : f.domain.step)},
                   {"smokeBox", Traffic::none(bricks ? smokeBox_ : f.domain.step)},
                   {"lightWindow", Traffic::none(bricks ? lightWindow_ : f.domain.step)},
                   {"fireLights", Traffic::none(scattered_ ? scattered_->fireLights() : f.domain.step)},
                   {"environmentMap", environment_}});
    gpu::ViewData view = viewData(settings_, light_ ? light_->light().size() : glm::uvec3(0), light_ ? light_->sky().size() : glm::uvec3(0),
                                  occupancy_.size(), harmonics_);
    if (frame_) wisp::setCamera(view, *frame_);
    if (host_ && host_->image) {
        view.hostFactor = host_->factor;
        view.hostOffset = host_->offset;
    }
    if (temporal_) view.noiseShift = temporal_->noiseShift();
    if (shutter_) shutter_->setView(view, settings_.render);
    if (!path_ || path_->samples() == 0) {
        rec.update(view_, std::as_bytes(std::span(&view, 1)));
        if (!lit) {
            recordSmokeMargins(rec, f.domain, f.smoke.scalars[0]);
            if (f.smoke.hasColours()) recordSmokeMargins(rec, f.domain, f.smoke.colours[0]);
            occupy(rec, f.domain, path_ || settings_.usesFuel() ? 0.0f : view.minDensity);
            if (path_ && settings_.usesFuel()) path_->findFlames(rec, occupancy_);
            if (shutter_) shutter_->widen(rec, f, occupancy_, f.domain.bricks ? &smokeBox_ : nullptr);
        }
    }
    if (path_) {
        for (std::uint32_t i = 0; i < samples; ++i) path_->sample(rec, seenOccupancy(), transparent_);
        path_->resolve(rec, radiance_, depth_);
    } else {
        march(rec, f, view, lit);
    }
    brickEdges_.draw(rec, f.domain, view_, radiance_, settings_.render.exposure);
    rec.dispatch("tonemap", {radiance_.size(), constantsOf(transparent_)}, {{"radiance", radiance_}, {"display", display_}});
}

}  // namespace wisp
