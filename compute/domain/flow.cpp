// SPDX-License-Identifier: MIT
#include "compute/domain/flow.h"

#include "compute/domain/scroll_push.h"
#include "compute/scene/ambient_flow.h"

namespace wisp {

namespace {

// Work groups of backtrace.comp have at least so many cells.
constexpr glm::uvec3 kSmallestGroup(8, 4, 2);

}  // namespace

Flow::Flow(engine::Device& device, const Domain& d)
    : Flow(device, d, "",
           {.faces = d.flowTexels(d.faceTexels()),
            .cells = d.flowTexels(d.cells()),
            .vectors = d.flowElements(countOf(d.cells())),
            .groups = d.bricks ? d.flowElements(0) / countOf(kSmallestGroup) : groupsOf(d.cells())}) {
    if (d.bricks) coarse = std::make_unique<CoarseFlow>(device, d);
}

Flow::Flow(engine::Device& device, const Domain& d, const std::string& prefix, const Sizes& size) {
    const auto image = [&](const char* name, glm::uvec3 texels) {
        return engine::Image(device, {.name = prefix + name, .size = texels, .format = d.vectorFormat()});
    };
    const auto vectors = [&](const char* name) {
        return engine::Buffer(device, {.name = prefix + name, .bytes = size.vectors * d.vectorBytes(), .byAddress = true});
    };
    velocity = image("velocity", size.faces);
    scratch = image("velocity scratch", size.faces);
    projected = image("projected velocity", size.faces);
    centre = image("centre velocity", size.cells);
    centreVectors = vectors("centre velocity, vectors");
    back = vectors("paths back");
    ahead = vectors("paths ahead");
    reach = engine::Buffer(device, {.name = prefix + "reach of paths", .bytes = countOf(rowsOf(size.groups)) * sizeof(float)});
}

std::uint64_t Flow::groupsOf(glm::uvec3 cells) { return countOf((cells + kSmallestGroup - 1u) / kSmallestGroup); }

Flow::~Flow() = default;

const engine::Image& Flow::coarseDivergenceFree() const {
    if (!coarse) return divergenceFree();
    return isProjected ? coarse->flow.projected : coarse->flow.velocity;
}

CoarseFlow::CoarseFlow(engine::Device& device, const Domain& d)
    : flow(device, d, "coarse ",
           {.faces = d.pressureFaces(),
            .cells = d.pressureCells(),
            .vectors = countOf(d.pressureCells()),
            .groups = Flow::groupsOf(d.pressureCells())}),
      step(device, {.name = "coarse step", .bytes = sizeof(gpu::StepData)}) {}

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
    rec.dispatch("centre_velocity", d.bricks ? d.bricks->over(BrickPart::Listed, WISP_BRICK_EDGE) : engine::Threads(d.cells()),
                 {{"velocity", velocity}, {"centreOut", flow.centre}, {"centreVectors", flow.centreVectors}});
}

}  // namespace wisp
