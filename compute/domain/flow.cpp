// SPDX-License-Identifier: MIT
#include "compute/domain/flow.h"

#include "compute/domain/scroll_push.h"
#include "compute/scene/ambient_flow.h"

namespace wisp {

Flow::Flow(engine::Device& device, const Domain& d) : Flow(device, d, d.cells(), "") {
    if (d.bricks) coarse = std::make_unique<CoarseFlow>(device, d);
}

Flow::Flow(engine::Device& device, const Domain& d, glm::uvec3 cells, const std::string& prefix) {
    const auto image = [&](const char* name, glm::uvec3 size) {
        return engine::Image(device, {.name = prefix + name, .size = size, .format = d.vectorFormat()});
    };
    const auto vectors = [&](const char* name) {
        return engine::Buffer(device, {.name = prefix + name, .bytes = countOf(cells) * d.vectorBytes(), .byAddress = true});
    };
    velocity = image("velocity", cells + 1u);
    scratch = image("velocity scratch", cells + 1u);
    projected = image("projected velocity", cells + 1u);
    centre = image("centre velocity", cells);
    centreVectors = vectors("centre velocity, vectors");
    back = vectors("paths back");
    ahead = vectors("paths ahead");
    const std::uint64_t groups = countOf((cells + glm::uvec3(7, 3, 1)) / glm::uvec3(8, 4, 2));
    reach = engine::Buffer(device, {.name = prefix + "reach of paths", .bytes = countOf(rowsOf(groups)) * sizeof(float)});
}

Flow::~Flow() = default;

CoarseFlow::CoarseFlow(engine::Device& device, const Domain& d)
    : flow(device, d, d.pressureCells(), "coarse "), step(device, {.name = "coarse step", .bytes = sizeof(gpu::StepData)}) {}

void CoarseFlow::upload(engine::Recorder& rec, const gpu::StepData& fine) const {
    gpu::StepData d = fine;
    d.cells = d.scalarCells = d.pressureCells;
    d.ratio = d.scalarRatio = 1;
    d.h = fine.h * static_cast<float>(fine.ratio);
    d.perCell = d.perScalar = 1.0f / glm::vec3(d.cells);
    d.perFace = 1.0f / glm::vec3(d.cells + 1);
    d.obstacleCount = 0;
    rec.update(step, std::as_bytes(std::span(&d, 1)));
}

void recordAmbientFlow(engine::Recorder& rec, const Domain& d, Flow& flow, const Settings& s, double time) {
    rec.dispatch("scroll_faces", d.faces(), {{"velocityIn", flow.scratch}, {"velocityOut", flow.velocity}},
                 ScrollFacesPush{glm::ivec3(d.faceTexels()), ambientFlow(s, time)});  // a shift that discards all of `scratch`
}

void recordCentreVelocity(engine::Recorder& rec, const Domain& d, Flow& flow, const engine::Image& velocity) {
    rec.dispatch("centre_velocity", d.cells(), {{"velocity", velocity}, {"centreOut", flow.centre}, {"centreVectors", flow.centreVectors}});
}

}  // namespace wisp
