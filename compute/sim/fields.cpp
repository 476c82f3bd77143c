// SPDX-License-Identifier: MIT
#include "compute/sim/fields.h"

namespace wisp {
namespace {

StateField imageField(const char* name, const engine::Image& i) { return {name, i.size(), i.desc().format, &i, nullptr}; }

StateField wordsField(const char* name, const engine::Buffer& b) {
    return {name, rowsOf(b.bytes() / sizeof(float)), VK_FORMAT_R32_SFLOAT, nullptr, &b};
}

StateField vectorsField(const char* name, const engine::Buffer& b) {
    return {name, rowsOf(b.bytes() / (4 * sizeof(float))), VK_FORMAT_R32G32B32A32_SFLOAT, nullptr, &b};
}

void addLiquid(std::vector<StateField>& fields, const Liquid& l) {
    fields.push_back(vectorsField("liquid places", l.positions[0]));
    fields.push_back(vectorsField("liquid velocities", l.velocities[0]));
    if (l.affine) fields.push_back(vectorsField("liquid gradients", l.gradients[0]));
    fields.push_back(wordsField("liquid in cells", l.cellFirst[0]));
    fields.push_back(wordsField("liquid speed", l.speed));
    fields.push_back(wordsField("liquid gone", l.removed));
    fields.push_back(wordsField("liquid reborn", l.respawned[0]));
}

SlotLayout layoutOfFlow(glm::uvec3 size, bool isImage, glm::uvec3 group = glm::uvec3(1)) {
    return {.isSmoke = false, .isImage = isImage, .edge = std::uint32_t{WISP_BRICK_EDGE} / group, .size = (size + group - 1u) / group};
}

void addSparse(std::vector<StateField>& fields, const Domain& d, const Flow& flow) {
    fields.push_back(imageField("coarse velocity", flow.coarse->flow.velocity));
    fields.push_back(wordsField("brick states", d.bricks->states));
    fields.push_back(wordsField("slots of bricks", d.bricks->slots));
    fields.push_back(wordsField("free slots", d.bricks->freeSlots));
    fields.push_back(wordsField("brick list", d.bricks->list));
    fields.push_back(wordsField("reach of paths", flow.reach));
    fields.back().slots = layoutOfFlow(d.cells(), false, d.pathGroup());
    fields.push_back(wordsField("losses of bricks", d.bricks->losses));
}

}  // namespace

Fields::Fields(engine::Device& device, const Settings& s)
    : domain(device, s, s.usesLiquid() ? rowsOf(s.liquidCapacity()) : glm::uvec3(0)),
      flow(device, domain),
      pressure(device, s, domain, s.usesLiquid()),
      smoke(device, s, domain) {
    if (s.usesLiquid()) liquid.emplace(device, s);
}

std::vector<StateField> Fields::state() const {
    // A step of a liquid starts from the particles. The velocity of a liquid is stored only for pictures.
    std::vector<StateField> fields{imageField("velocity", liquid ? flow.divergenceFree() : flow.velocity),
                                   imageField("scalars", smoke.scalars[0])};
    if (smoke.hasColours()) fields.push_back(imageField("colours", smoke.colours[0]));
    if (domain.bricks) {
        fields[0].slots = layoutOfFlow(domain.faceTexels(), true);
        for (std::size_t n = 1; n < fields.size(); ++n)
            fields[n].slots = {.isSmoke = true,
                               .isImage = true,
                               .edge = glm::uvec3(WISP_BRICK_EDGE * domain.grid.scalarRatio),
                               .size = domain.scalarCells()};
    }
    if (smoke.expands && domain.grid.pressureRatio > 1) {  // its w is the divergence that the next pre-smoothing leaves
        fields.push_back(imageField("projected velocity", flow.projected));
        fields.back().isNew = true;
        if (domain.bricks) fields.back().slots = layoutOfFlow(domain.faceTexels(), true);
    }
    // The velocity that advected the smoke, at cell centres, for the vorticity of the next step.
    const glm::uvec3 cells = domain.bricks ? rowsOf(domain.flowElements(0)) : domain.cells();
    fields.push_back({"centre velocity", cells, domain.vectorFormat(), nullptr, &flow.centreVectors});
    if (domain.bricks) fields.back().slots = layoutOfFlow(domain.cells(), false);
    if (smoke.prescribed)
        fields.push_back({"departures", domain.scalarCells(), VK_FORMAT_R32G32B32A32_SFLOAT, nullptr, &smoke.prescribed->departures});
    if (smoke.tracers.bytes() > 0) fields.push_back(vectorsField("tracers", smoke.tracers));
    if (smoke.crossed.bytes() > 0) {
        fields.push_back(wordsField("crossed mass", smoke.crossed));
        fields.back().isNew = true;
    }
    if (liquid) addLiquid(fields, *liquid);
    if (flow.coarse) addSparse(fields, domain, flow);
    fields.push_back({"pressure", domain.pressureCells(), VK_FORMAT_R32_SFLOAT, nullptr, &pressure.pressure[0]});
    return fields;
}

}  // namespace wisp
