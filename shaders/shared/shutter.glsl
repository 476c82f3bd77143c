// SPDX-License-Identifier: MIT
// Motion blur: what an invocation sees at one moment of the time during which the shutter is open. Smoke moves with the velocity of the
// fields, bodies with their velocities (shapeOf), the camera along a straight line. Needs shared/volume.glsl, shared/camera.glsl.
#include "shared/velocity_anywhere.glsl"
layout(binding = 26) uniform sampler3D velocity;  // [m/s], on faces
Camera camera = stillCamera();

// Chooses the moment: `share` of the time for which the shutter is open, in [0, 1).
void openShutter(float share) {
    if (!kShutter) return;
    shutterTime = view.shutterFrom + share * view.shutterSpan;
    deformedFor = shutterTime;
    camera.eye += shutterTime * view.eyeMotion;
    camera.right += shutterTime * view.rightMotion;
    camera.up += shutterTime * view.upMotion;
    camera.forward += shutterTime * view.forwardMotion;
}

// As componentAnywhere, but always by the sampler's filter, like smoke.
float seenComponent(vec3 p, int axis) {
    vec3 texel = faceTexel(p, axis);
    if (!kSparse) return textureLod(velocity, texel * sim.perFace, 0.0)[axis];
    return isFine(texel) ? sampleParts(velocity, texel, sim.cells + 1, false)[axis] : coarseComponent(p, axis);
}
vec3 cellsPerSecond(vec3 p) { return vec3(seenComponent(p, 0), seenComponent(p, 1), seenComponent(p, 2)) / sim.h; }

// Where the smoke that is at x [m] at the invocation's moment is at the time of the fields, by the midpoint rule. Second order.
vec3 departure(vec3 x) {
    if (!kShutter) return x;
    vec3 p = (x - sim.origin) / sim.h;
    p -= shutterTime * cellsPerSecond(p - 0.5 * shutterTime * cellsPerSecond(p));
    return sim.origin + sim.h * mix(p, mod(p, vec3(sim.cells)), periodicAxes());
}
