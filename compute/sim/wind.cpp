// SPDX-License-Identifier: MIT
#include "compute/sim/wind.h"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

namespace wisp {
namespace {

using engine::Traffic;

constexpr std::uint64_t kPointBytes = sizeof(glm::vec3);
constexpr std::uint64_t kTexelsOfPoint = 24;  // 8 per component

std::uint32_t checkedPoints(std::uint32_t maxPoints) {
    if (maxPoints >= 1 && maxPoints <= WindSampler::kMostPoints) return maxPoints;
    throw std::invalid_argument(fmt::format("WindSampler: maxPoints is {}; it can be 1 to {}", maxPoints, WindSampler::kMostPoints));
}

}  // namespace

gpu::WispWind windOf(const FluidSimulator& simulator) {
    const Settings& s = simulator.settings();
    return {.origin = s.grid.origin,
            .h = s.grid.cellSize(),
            .cells = s.grid.cells,
            .periodic = static_cast<int>(s.grid.periodicAxes()),
            .ambient = s.flow.inflow * glm::vec3(1.0f, 1.0f, s.grid.isFlat() ? 0.0f : 1.0f),
            .unused = 0.0f};
}

const engine::Image& windFaces(const FluidSimulator& simulator) {
    if (simulator.settings().grid.sparse)
        throw std::invalid_argument("windFaces: with grid.sparse = true no image holds the velocity of the whole box; use WindSampler");
    return simulator.fields().flow.divergenceFree();
}

WindSampler::WindSampler(engine::Device& device, std::uint32_t maxPoints)
    : maxPoints_(checkedPoints(maxPoints)), points_(device, {"wind points", kPointBytes * maxPoints}) {}

void WindSampler::sample(engine::Recorder& rec, const FluidSimulator& simulator, std::span<const glm::vec3> points,
                         std::function<void(std::span<const glm::vec3>)> deliver) {
    if (points.size() > maxPoints_)
        throw std::invalid_argument(fmt::format("WindSampler: {} points; maxPoints is {}", points.size(), maxPoints_));
    // Without points, reads one point anyway, so that `deliver` is called in the order of the reads.
    if (points.empty()) {
        rec.read(points_, 0, kPointBytes, [deliver = std::move(deliver)](std::span<const std::byte>) { deliver({}); });
        return;
    }
    const WindPush push{windOf(simulator), static_cast<std::uint32_t>(points.size())};
    const Fields& f = simulator.fields();
    rec.upload(points_, std::as_bytes(points));
    rec.dispatch("sample_wind", {push.count, 1, 1},
                 {{"stepData", f.domain.step},
                  {"brickSlots", Traffic::none(f.domain.bricks ? f.domain.bricks->slots : f.domain.step)},
                  {"coarseVelocity", Traffic::none(f.flow.coarseDivergenceFree())},
                  {"faces", Traffic::texels(f.flow.divergenceFree(), kTexelsOfPoint * points.size())},
                  {"points", Traffic::bytes(points_, points.size_bytes())}},
                 push);
    rec.read(points_, 0, points.size_bytes(), [deliver = std::move(deliver)](std::span<const std::byte> bytes) {
        std::vector<glm::vec3> winds(bytes.size() / kPointBytes);
        std::memcpy(winds.data(), bytes.data(), bytes.size());
        deliver(winds);
    });
}

}  // namespace wisp
