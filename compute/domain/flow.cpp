// SPDX-License-Identifier: MIT
#include "compute/domain/flow.h"

#include "compute/domain/scroll_push.h"
#include "compute/scene/ambient_flow.h"

namespace wisp {

Flow::Flow(engine::Device& device, const Domain& d) {
    const auto image = [&](const char* name, glm::uvec3 size) {
        return engine::Image(device, {.name = name, .size = size, .format = d.vectorFormat()});
    };
    velocity = image("velocity", d.faceTexels());
    scratch = image("velocity scratch", d.faceTexels());
    projected = image("projected velocity", d.faceTexels());
    centre = image("centre velocity", d.cells());
    centreVectors = engine::Buffer(device,
                                   {.name = "centre velocity, vectors", .bytes = countOf(d.cells()) * d.vectorBytes(), .byAddress = true});
}

void recordAmbientFlow(engine::Recorder& rec, const Domain& d, Flow& flow, const Settings& s, double time) {
    rec.dispatch("scroll_faces", d.faces(), {{"velocityIn", flow.scratch}, {"velocityOut", flow.velocity}},
                 ScrollFacesPush{glm::ivec3(d.faceTexels()), ambientFlow(s, time)});  // a shift that discards all of `scratch`
}

void recordCentreVelocity(engine::Recorder& rec, const Domain& d, Flow& flow, const engine::Image& velocity) {
    rec.dispatch("centre_velocity", d.cells(), {{"velocity", velocity}, {"centreOut", flow.centre}, {"centreVectors", flow.centreVectors}});
}

}  // namespace wisp
