// SPDX-License-Identifier: MIT
#include "compute/picture/scattered_light.h"

#include "compute/domain/domain.h"
#include "compute/picture/ordinates.h"
#include "shaders/shared/fire_lights.h"
#include "shaders/shared/ordinates.h"

#include <glm/common.hpp>

#include <algorithm>
#include <span>
#include <utility>

namespace wisp {
namespace {

using engine::Image;

constexpr std::uint32_t kUsualCells = 32;
// On each grid, the coarsest first: the same for all lights, so that pictures of single lights add up to that of all.
constexpr std::array<int, 3> kSweeps{6, 4, 1};
// Times the albedo, an upper bound of the share of an error that a sweep leaves, in smoke of an optical depth of about 30. It is below 1
// because some light leaves the smoke.
constexpr float kConvergence = 0.96f;

glm::uvec3 finestCells(const Settings& s) {
    const std::uint32_t most = s.render.scatteringCells;
    std::uint32_t edge = ScatteredLight::smallestEdge(s);
    if (s.grid.sparse) return glm::min(ceilDiv(s.grid.cells, edge), most);
    while (std::max({s.grid.cells.x, s.grid.cells.y, s.grid.cells.z}) > edge * most) edge *= 2;
    return ceilDiv(s.grid.cells, edge);
}

}  // namespace

/// Factors of Chebyshev's semi-iteration (Golub, Varga 1961) for sweeps that multiply errors by 0 to `radius`, for each channel.
struct Iteration {
    bool begin = false, fromCoarser = false, toEye = false, everywhere = false;
    glm::vec3 gain{1.0f}, pull{1.0f};

    void next(glm::vec3 radius) {
        const glm::vec3 rho = radius / (2.0f - radius);
        if (gain.x == 1.0f) gain = 2.0f / (2.0f - radius);
        else pull = pull.x == 1.0f ? 2.0f / (2.0f - rho * rho) : 4.0f / (4.0f - rho * rho * pull);
    }
};

// Cells as small as fine cells are used only if more cells than usual are asked for, or if the grid has no more fine cells than that.
std::uint32_t ScatteredLight::smallestEdge(const Settings& s) {
    const bool isSmall = std::max({s.grid.cells.x, s.grid.cells.y, s.grid.cells.z}) <= kUsualCells;
    return isSmall || s.render.scatteringCells > kUsualCells ? 1 : 2;
}

ScatteredLight::ScatteredLight(engine::Device& device, const Settings& s)
    : phase_(s.medium.phase), burns_(s.usesFuel()), hasGround_(s.environment.ground), hasWindow_(s.grid.sparse) {
    glm::uvec3 cells = finestCells(s);
    everywhere_ = s.grid.sparse ? smallestEdge(s) == 1 : cells == s.grid.cells;
    const auto volume = [&](const char* name, glm::uvec3 size) {
        return Image(device, {.name = name, .size = size, .format = VK_FORMAT_R16G16B16A16_SFLOAT});
    };
    scattered_ = volume("scattered light", cells * glm::uvec3(1, 1, burns_ ? 2 : 1));  // see ordinates.comp
    for (std::size_t n = levels_.size(); n-- > 0; cells = ceilDiv(cells, 2)) {
        Level& level = levels_[n];
        const glm::uvec3 atlas = cells * glm::uvec3(WISP_ORDINATE_TILES, WISP_ORDINATES / WISP_ORDINATE_TILES, 1);
        level.index = static_cast<int>(n);
        level.medium = volume("ordinates: medium", cells);
        level.reach = volume("ordinates: light", cells);
        level.glow = volume("ordinates: flames", burns_ ? cells : glm::uvec3(1));
        for (Image& source : level.source) source = volume("ordinates: sources", atlas);
    }
    fireLights_ = engine::Buffer(device, {.name = "fire lights", .bytes = sizeof(gpu::FireLights)});
    phaseTable_ = engine::Buffer(device, {.name = "phase table", .bytes = phaseTable(phase_).size() * sizeof(float)});
}

void ScatteredLight::setScene(const Settings& s) {
    hasGround_ = s.environment.ground;
    if (std::exchange(phase_, s.medium.phase) != phase_) hasTable_ = false;
}

void ScatteredLight::sweep(engine::Recorder& rec, const LightVolumes& volumes, const Level& level, const Image& from, const Image& to,
                           const Iteration& i) {
    const glm::uvec3 cells = level.medium.size();
    rec.dispatch("ordinates", {cells.x * cells.y * cells.z, WISP_ORDINATES, 1},
                 {{"medium", level.medium},
                  {"reach", level.reach},
                  {"glow", level.glow},
                  {"sourceIn", from},
                  {"sourceBefore", to},
                  {"sourceOut", to},
                  {"scattered", scattered_},
                  {"phaseTable", phaseTable_},
                  {"light", volumes.light()},
                  {"sky", volumes.sky()}},
                 gpu::OrdinatesPush{.cells = cells,
                                    .level = level.index,
                                    .from = level.index - (i.fromCoarser ? 1 : 0),
                                    .gain = i.gain,
                                    .pull = i.pull,
                                    .begin = i.begin,
                                    .toEye = i.everywhere ? 2 : i.toEye});
}

void ScatteredLight::clear(engine::Recorder& rec) {
    rec.clear(scattered_, 0.0f);
    for (const Level& level : levels_)
        for (const Image* image : {&level.medium, &level.reach, &level.glow, &level.source[0], &level.source[1]}) rec.clear(*image, 0.0f);
}

void ScatteredLight::fillMedium(engine::Recorder& rec, const LightVolumes& volumes, const Image& occupancy) {
    const Level& finest = levels_.back();
    const glm::uvec3 cells = finest.medium.size();
    rec.dispatch("ordinates_medium", {cells.x * cells.y * cells.z, WISP_MEDIUM_THREADS, 1},
                 {{"light", volumes.light()},
                  {"occupancy", occupancy},
                  {"mediumOut", finest.medium},
                  {"reachOut", finest.reach},
                  {"glowOut", finest.glow}});
    for (std::size_t n = levels_.size() - 1; n-- > 0;)
        rec.dispatch("ordinates_coarsen", levels_[n].medium.size(),
                     {{"mediumIn", levels_[n + 1].medium},
                      {"reachIn", levels_[n + 1].reach},
                      {"glowIn", levels_[n + 1].glow},
                      {"mediumOut", levels_[n].medium},
                      {"reachOut", levels_[n].reach},
                      {"glowOut", levels_[n].glow}},
                     hasWindow_ ? levels_[n].index : -1);
    if (!burns_) return;
    const Level& coarser = levels_[levels_.size() - 2];
    rec.dispatch("fire_box", {1024, 1, 1}, {{"glow", coarser.glow}, {"medium", coarser.medium}, {"fireLightsOut", fireLights_}});
    if (hasGround_) fillFireLights(rec, false);  // the ground lights smoke from below
}

void ScatteredLight::fillFireLights(engine::Recorder& rec, bool scatters) const {
    const Level& finest = levels_.back();
    rec.dispatch("fire_beams", {WISP_FIRE_LIGHTS * WISP_ORDINATES * WISP_FIRE_THREADS, 1, 1},
                 {{"glow", finest.glow}, {"medium", finest.medium}, {"sources", finest.source[0]}, {"fireLightsOut", fireLights_}},
                 scatters ? 1 : 0);
    rec.dispatch("fire_lights", {WISP_FIRE_LIGHTS, 1, 1}, {{"fireLightsOut", fireLights_}});
}

void ScatteredLight::fill(engine::Recorder& rec, const LightVolumes& volumes, const Image& occupancy, glm::vec3 albedo, bool sameSmoke) {
    const glm::vec3 radius = glm::max(kConvergence * albedo, 0.01f);  // spectral radius: largest share of an error that a sweep leaves
    if (!std::exchange(hasTable_, true)) {
        const std::vector<float> table = phaseTable(phase_);
        rec.update(phaseTable_, std::as_bytes(std::span(table)));
    }
    if (std::exchange(isNew_, false) && hasWindow_) clear(rec);
    if (!sameSmoke) {
        fillMedium(rec, volumes, occupancy);
        for (std::size_t n = 0; n < kSweeps.size(); ++n) {
            Level& level = levels_[n];
            if (n == 0) sweep(rec, volumes, level, level.source[1], level.source[0], {.begin = true});
            else sweep(rec, volumes, level, levels_[n - 1].source[0], level.source[0], {.fromCoarser = true});
            Iteration iteration;
            for (int k = n == 0 ? 0 : 1; k < kSweeps[n]; ++k) {
                iteration.next(radius);
                sweep(rec, volumes, level, level.source[0], level.source[1], iteration);
                std::swap(level.source[0], level.source[1]);
            }
        }
    }
    if (burns_ && !sameSmoke) fillFireLights(rec, true);
    sweep(rec, volumes, levels_.back(), levels_.back().source[0], levels_.back().source[1], {.toEye = true, .everywhere = everywhere_});
}

}  // namespace wisp
