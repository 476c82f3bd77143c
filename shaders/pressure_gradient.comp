#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/solids.glsl"
#include "shared/poisson.glsl"
// On coarse faces [m/s]: where one is wholly open what project.comp adds, and its bit in w is set: the correction -grad q,
// and the share (1 - keep) of the mean velocity, to which the fine one relaxes. Elsewhere the new velocity itself, the
// flux-weighted mean of the fine faces plus the correction, or the solid's. On open sides q = 0 lies half a cell away.
layout(binding = 3, scalar) readonly buffer PressureIn { float pressureIn[]; };
layout(binding = 4) uniform sampler3D velocity;
layout(binding = 5) uniform sampler3D openness;
layout(binding = 6) uniform writeonly image3D correction;
layout(push_constant, scalar) uniform Push { PressureLevel level; float keep; };  // exp(-rate dt) of the detail's decay

float pressureAt(ivec3 C) { return outside(C, level.cells) ? 0.0 : pressureIn[cellIndex(level, C)]; }

// Mean velocity of a coarse face's fluid; where it is closed, of its solid.
float faceVelocity(ivec3 C, int axis) {
    ivec3 first = C * sim.ratio, t1 = unit((axis + 1) % 3), t2 = unit((axis + 2) % 3);
    first[axis] = min(first[axis], sim.cells[axis]);
    float flux = 0.0, open = 0.0, solid = 0.0, count = 0.0;
    for (int n = 0; n < sim.ratio * sim.ratio; ++n) {
        ivec3 f = first + (n % sim.ratio) * t1 + (n / sim.ratio) * t2;
        if (!faceExists(f, axis)) continue;
        float alpha = texelFetch(openness, f, 0)[axis];
        flux += alpha * texelFetch(velocity, f, 0)[axis];
        open += alpha;
        count += 1.0;
        if (alpha == 0.0) solid += solidVelocity(f, axis);
    }
    return open > 0.0 ? flux / open : solid / max(count, 1.0);
}

void main() {
    ivec3 C = cell();
    if (outside(C, sim.pressureCells + 1)) return;
    vec4 w = weightsAt(level, C);
    float H = float(sim.ratio) * sim.h;
    vec4 c = vec4(0.0);
    [[unroll]] for (int axis = 0; axis < 3; ++axis) {
        if (outside(C, sim.pressureCells + unit(axis))) continue;
        bool side = C[axis] == 0 || C[axis] == sim.pressureCells[axis];
        float scale = side ? 2.0 : 1.0;
        if (w[axis] > 0.0) c[axis] = -scale * (pressureAt(C) - pressureAt(C - unit(axis))) / H;
        bool whollyOpen = w[axis] >= scale;
        if (whollyOpen) c.w += float(1 << axis);
        float share = whollyOpen ? 1.0 - keep : 1.0;
        if (share > 0.0) c[axis] += share * faceVelocity(C, axis);
    }
    imageStore(correction, C, c);
}
