// SPDX-License-Identifier: MIT
#include "compute/picture/brick_edges.h"

#include "shaders/shared/brick_edges.h"

#include <algorithm>
#include <cmath>

namespace wisp {
namespace {

constexpr float kLineOpacity = 0.5f;             // the picture stays visible behind lines
constexpr glm::vec3 kColour{1.0f, 0.5f, 0.08f};  // amber: visible on smoke, sky, grass and black
constexpr float kRows = 720.0f;                  // of a picture whose lines are one pixel wide; lines of larger ones are wider
constexpr std::uint32_t kThreads = 64;           // per brick: the work group of draw_bricks

}  // namespace

BrickEdges::BrickEdges(engine::Device& device, const Settings& s) {
    if (!s.showsBricks()) return;
    cover_ = engine::Buffer(device,
                            {.name = "brick edges", .bytes = std::uint64_t{s.render.size.x} * s.render.size.y * sizeof(std::uint32_t)});
}

void BrickEdges::draw(engine::Recorder& rec, const Domain& domain, const engine::Buffer& view, const engine::Image& radiance,
                      float exposure) const {
    if (!shown()) return;
    rec.clear(cover_, 0);
    const gpu::BrickLines lines{.width = std::max(1.0f, static_cast<float>(radiance.size().y) / kRows),
                                .nearest = 0.25f * domain.grid.cellSize()};
    rec.dispatch("draw_bricks", domain.bricks->each(BrickPart::Active, kThreads), {{"view", view}, {"cover", cover_}}, lines);
    const gpu::BrickBlend blend{.colour = std::exp2(-exposure) * kColour, .opacity = kLineOpacity};
    rec.dispatch("blend_bricks", radiance.size(), {{"view", view}, {"cover", cover_}, {"radianceIn", radiance}, {"radianceOut", radiance}},
                 blend);
}

}  // namespace wisp
