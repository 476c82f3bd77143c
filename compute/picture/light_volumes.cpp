// SPDX-License-Identifier: MIT
#include "compute/picture/light_volumes.h"

#include "compute/domain/domain.h"
#include "shaders/shared/view.h"

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace wisp {
namespace {

using engine::Image;

using Steps = std::vector<glm::vec4>;  // as gpu::DepthPush::steps

/// The first step: WISP_DEPTH_CELLS times `cell`.
glm::vec4 firstStep(glm::vec3 cell, glm::vec3 box) {
    const glm::vec3 step = static_cast<float>(WISP_DEPTH_CELLS) * cell;
    return {step / box, glm::length(step)};
}

/// First steps towards each sun, in lengths of a cell's edge.
Steps stepsToSuns(const Settings& s, float length) {
    Steps steps;
    for (const LightSettings& light : s.lights)
        if (light.kind == LightKind::Sun)
            steps.push_back(firstStep(-length * glm::vec3(glm::normalize(glm::dvec3(light.direction))), s.grid.size));
    return steps;
}

/// First steps along the four diagonals of a cell towards -z, or towards +z.
Steps diagonals(const Settings& s, glm::vec3 cell, float z) {
    Steps steps;
    for (const float y : {-1.0f, 1.0f})
        for (const float x : {-1.0f, 1.0f}) steps.push_back(firstStep(glm::vec3(x, y, z) * cell, s.grid.size));
    return steps;
}

int doublingsToLeave(const Steps& steps) {
    float most = 1.0f;
    for (const glm::vec4& step : steps) {
        const glm::vec3 along = glm::abs(glm::vec3(step));
        most = std::max(most, 1.0f / std::max({along.x, along.y, along.z}));
    }
    return static_cast<int>(std::ceil(std::log2(most)));
}

engine::Threads tiles(const engine::Buffer& window, std::uint64_t offset) {
    return {engine::ListedUnits{.commands = &window, .offset = offset, .threads = WISP_TILE_THREADS}, {}};
}

VkFormat channels(std::size_t number) {
    constexpr VkFormat kHalves[]{VK_FORMAT_R16_SFLOAT, VK_FORMAT_R16_SFLOAT, VK_FORMAT_R16G16_SFLOAT, VK_FORMAT_R16G16B16A16_SFLOAT,
                                 VK_FORMAT_R16G16B16A16_SFLOAT};
    return kHalves[number];
}

}  // namespace

LightVolumes::LightVolumes(engine::Device& device, const Settings& s) {
    const auto volume = [&](const char* name, glm::uvec3 size, VkFormat format) {
        return Image(device, {.name = name, .size = size, .format = format});
    };
    const std::uint32_t edge = s.render.lightRatio, most = s.grid.sparse ? WISP_WINDOW_CELLS : ~0u;
    light_ = volume("light", glm::min(ceilDiv(s.grid.cells, edge), most), VK_FORMAT_R16G16B16A16_UNORM);
    sky_ = volume("sky", glm::min(ceilDiv(s.grid.cells, 2 * edge), most / 2), VK_FORMAT_R16_SFLOAT);
    // In a light window, where LightWindow::scale is 1.
    const glm::vec3 cell = s.grid.sparse ? glm::vec3(static_cast<float>(2 * edge) * s.grid.cellSize())
                                         : s.grid.size / glm::vec3(sky_.size());
    sunStep_ = cell.x;
    const auto depths = [&](const char* name, const Steps& steps) {
        const VkFormat format = channels(steps.size());
        Depths d{.volumes = {volume(name, sky_.size(), format), volume(name, sky_.size(), format)}};
        d.setSteps(steps);
        return d;
    };
    depths_ = {depths("depth to suns", stepsToSuns(s, cell.x)), depths("depth along -z", diagonals(s, cell, -1.0f)),
               depths("depth along +z", diagonals(s, cell, 1.0f))};
}

void LightVolumes::Depths::setSteps(const std::vector<glm::vec4>& first) {
    std::ranges::copy(first, step.steps);
    any = !first.empty();
    doublings = doublingsToLeave(first);
}

void LightVolumes::setSuns(const Settings& s) { depths_[0].setSteps(stepsToSuns(s, sunStep_)); }

// The dispatches of the three volumes alternate, so that they share barriers.
void LightVolumes::sumDepths(engine::Recorder& rec, const Image& occupancy, const engine::Threads& cells) const {
    int doublings = 0;
    for (const Depths& d : depths_) {
        if (d.any) rec.dispatch("optical_depth", cells, {{"occupancy", occupancy}, {"depth", d.volumes[0]}}, d.step);
        doublings = std::max(doublings, d.doublings);
    }
    for (int k = 0; k < doublings; ++k) {
        for (const Depths& d : depths_) {
            if (k >= d.doublings) continue;
            gpu::DepthPush push = d.step;
            for (glm::vec4& step : push.steps) step *= std::exp2(static_cast<float>(k));
            const std::size_t now = static_cast<std::size_t>(k) % 2;
            rec.dispatch("optical_depth_double", cells, {{"depthIn", d.volumes[now]}, {"depth", d.volumes[1 - now]}}, push);
        }
    }
}

void LightVolumes::fill(engine::Recorder& rec, const engine::Image& occupancy, const engine::Buffer* window) {
    if (std::exchange(isNew_, false) && window) {  // filters reach texels beside a light window
        for (const Image* image : {&light_, &sky_}) rec.clear(*image, 0.0f);
        for (const Depths& d : depths_)
            for (const Image& image : d.volumes) rec.clear(image, 0.0f);
    }
    const engine::Threads light = window ? tiles(*window, offsetof(gpu::LightWindow, lightCommands)) : light_.size(),
                          sky = window ? tiles(*window, offsetof(gpu::LightWindow, skyCommands)) : sky_.size();
    sumDepths(rec, occupancy, sky);
    rec.dispatch("sky_volume", sky, {{"depthBack", depths_[1].last()}, {"depthAhead", depths_[2].last()}, {"sky", sky_}});
    rec.dispatch("light_volume", light, {{"occupancy", occupancy}, {"depthToSuns", depths_[0].last()}, {"sky", sky_}, {"light", light_}});
}

}  // namespace wisp
