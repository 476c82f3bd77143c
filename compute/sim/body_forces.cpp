// SPDX-License-Identifier: MIT
#include "compute/sim/measure.h"
#include "compute/sim/reduced.h"
#include "shaders/shared/body.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>

namespace wisp {
namespace {

using engine::Traffic;

// The blocks of `ratio` cells that cover a box of cells.
CellBox blocksOf(const CellBox& box, glm::ivec3 ratio) {
    const glm::ivec3 first = box.first / ratio, end = (box.first + glm::ivec3(box.size) + ratio - 1) / ratio;
    return {first, glm::uvec3(end - first)};
}

// Adds a record of force and torque.
void add(BodyForce& body, const Reduced& n, bool isFriction) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        body.force[axis] += static_cast<double>(n[axis]);
        body.torque[axis] += static_cast<double>(n[axis + 3]);
        if (isFriction) body.friction[axis] = static_cast<double>(n[axis]);
    }
}

gpu::BodyPush pushOf(const CellBox& box, std::size_t index, float factor, float amount) {
    return {.first = box.first, .size = glm::ivec3(box.size), .index = static_cast<int>(index), .factor = factor, .amount = amount};
}

}  // namespace

std::shared_ptr<const std::vector<BodyForce>> recordBodyForces(engine::Recorder& rec, const Domain& d, const Flow& flow,
                                                               const PressureSystem& p, const Measures& m, const Settings& s) {
    auto bodies = std::make_shared<std::vector<BodyForce>>(s.obstacles.size());
    if (!d.hasSolids()) return bodies;  // no obstacle is in the box
    const float density = s.fluidDensity(), viscosity = s.viscosity();
    const float h = s.grid.cellSize(), amount = std::min(viscosity * s.timeStep / (h * h), 1.0f / 6.0f);
    const int ratio = static_cast<int>(s.grid.pressureRatio);
    const CellBox blocks = blocksOf(d.solids, {ratio, ratio, s.grid.isFlat() ? 1 : ratio});
    const CellBox texels{d.solids.first, d.solids.size + 1u};  // the texel after the last cell holds the high face of that cell
    for (std::size_t n = 0; n < s.obstacles.size(); ++n) {
        const auto take = [&](const CellBox& box, bool isFriction) {
            const engine::Buffer& record = m.bodies[2 * n + (isFriction ? 1 : 0)];
            recordReduceFinal(rec, d, d.stridedThreads(box.size), record);
            rec.read(record, [bodies, n, isFriction](std::span<const std::byte> bytes) {
                Reduced numbers;
                std::memcpy(numbers.data(), bytes.data(), sizeof numbers);
                add((*bodies)[n], numbers, isFriction);
            });
        };
        rec.dispatch("body_pressure", d.stridedThreads(blocks.size),
                     {{"aperture", Traffic::none(d.aperture)},
                      {"pressureIn", Traffic::none(p.pressure[0])},
                      {"potential", Traffic::none(p.potential)},
                      {"partialsOut", d.partials}},
                     pushOf(blocks, n, density / s.timeStep, 0.0f));
        take(blocks, false);
        if (viscosity == 0.0f) continue;
        rec.dispatch("body_friction", d.stridedThreads(texels.size),
                     {{"velocity", Traffic::none(flow.divergenceFree())}, {"partialsOut", d.partials}},
                     pushOf(texels, n, density * viscosity, amount));
        take(texels, true);
    }
    return bodies;
}

}  // namespace wisp
