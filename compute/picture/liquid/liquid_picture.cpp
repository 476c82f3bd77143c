// SPDX-License-Identifier: MIT
#include "compute/picture/liquid/liquid_picture.h"

#include "shaders/shared/liquid/liquid_picture.h"
#include "shaders/shared/view.h"

#include <glm/gtc/constants.hpp>

#include <cmath>
#include <span>
#include <string_view>
#include <vector>

namespace wisp {
namespace {

constexpr double kReach = 4.0;  // radius of the kernel, in mean distances between particles

// For the kernel (1 - s^2)^3 and particles that fill a half-space evenly, at a point of its plane: the weighted mean of the particles'
// positions is 63/256 of the kernel radius below the point. The sum of the weights is half of 4 pi 16/315 times the number of particles in
// a cube with the kernel radius as its edge.
gpu::LiquidDistance liquidDistance(const LiquidSettings& l) {
    constexpr double pi = glm::pi<double>();
    const double between = 1.0 / std::cbrt(static_cast<double>(l.particlesPerCell)), reach = kReach * between;
    return {.reach = static_cast<float>(reach),
            .radius = static_cast<float>(63.0 / 256.0 * reach),
            .alone = static_cast<float>(std::cbrt(0.75 / pi) * between),
            .plane = static_cast<float>(2.0 * pi * 16.0 / 315.0 * kReach * kReach * kReach)};
}

}  // namespace

std::unique_ptr<SurfacePicture> makeSurfacePicture(engine::Device& device, const Settings& s) {
    return s.showsSurface() ? std::make_unique<LiquidPicture>(device, s) : nullptr;
}

LiquidPicture::LiquidPicture(engine::Device& device, const Settings& s) {
    const auto volume = [&](const char* name, glm::uvec3 size, VkFormat format) {
        return engine::Image(device, {.name = name, .size = size, .format = format});
    };
    const glm::uvec3 cells = s.grid.scalarCells();
    rough_ = volume("liquid distances, rough", cells, VK_FORMAT_R16_SFLOAT);
    distances_ = volume("liquid distances", cells, VK_FORMAT_R16_SFLOAT);
    normals_ = volume("liquid normals", cells, VK_FORMAT_R16G16B16A16_SFLOAT);
    bricks_ = volume("liquid bricks", (cells + (WISP_BRICK - 1u)) / std::uint32_t{WISP_BRICK}, VK_FORMAT_R16G16_SFLOAT);
    if (s.render.antialias)
        stepped_ = engine::Image(
            device,
            {.name = "liquid picture, one ray a pixel", .size = {s.render.size, 1}, .format = VK_FORMAT_R16G16B16A16_SFLOAT, .flat = true});
    nothing_ = engine::Buffer(device, {.name = "no marks", .bytes = sizeof(std::uint32_t)});
}

void LiquidPicture::measure(engine::Recorder& rec, const Fields& f, const Settings& s) const {
    const Liquid& l = *f.liquid;
    const LiquidDistanceSolids solids{liquidDistance(s.liquid), f.domain.solids.first * static_cast<int>(s.grid.scalarRatio)};
    rec.dispatch("liquid_distance", (distances_.size() + 1u) / 2u,
                 {{"positions", l.positions[0]}, {"cellFirst", l.cellFirst[0]}, {"distanceOut", rough_}}, solids.push);
    if (f.domain.solids.size != glm::uvec3(0))
        rec.dispatch("liquid_distance_solids", f.domain.solids.size * s.grid.scalarRatio,
                     {{"positions", l.positions[0]},
                      {"cellFirst", l.cellFirst[0]},
                      {"solidDistance", f.domain.solidDistance},
                      {"distanceOut", rough_}},
                     solids);
    rec.dispatch("liquid_normals", (distances_.size() + glm::uvec3(0, 0, WISP_LIQUID_COLUMN - 1)) / glm::uvec3(1, 1, WISP_LIQUID_COLUMN),
                 {{"distanceIn", rough_}, {"distanceOut", distances_}, {"normalsOut", normals_}});
    rec.dispatch("liquid_bricks", bricks_.size() * glm::uvec3(WISP_BRICK_THREADS, 1, 1),
                 {{"distances", distances_}, {"bricksOut", bricks_}});
}

void LiquidPicture::draw(engine::Recorder& rec, const Settings& s, const engine::Image& occupancy, const LightVolumes& light,
                         const Splats& splats, const engine::Image& radiance, const engine::Image& depth) const {
    const bool splat = splats.picture().bytes() > 0;
    const gpu::LiquidOptics optics{s.liquid.absorption, s.liquid.refraction};
    const auto pass = [&](std::string_view name, std::vector<engine::Binding> bindings) {
        bindings.insert(bindings.end(), {{"occupancy", occupancy},
                                         {"light", light.light()},
                                         {"sky", light.sky()},
                                         {"splats", splat ? splats.picture() : nothing_},
                                         {"splatColours", splat ? splats.colours() : nothing_},
                                         {"distances", distances_},
                                         {"bricks", bricks_},
                                         {"normals", normals_}});
        rec.dispatch(name, radiance.size(), bindings, engine::PushConstants::of(optics));
    };
    const bool smooth = s.render.antialias;
    pass("liquid_picture", {{"radiance", smooth ? stepped_ : radiance}, {"depth", depth}});
    if (smooth) pass("liquid_edges", {{"whole", stepped_}, {"depthIn", depth}, {"radiance", radiance}});
}

}  // namespace wisp
