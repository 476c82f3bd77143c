#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
layout(local_size_x = 64) in;
#include "shared/grid.glsl"
#include "shared/brick_list.h"
// The largest |omega_H| H [m/s] of each brick, on the coarse grid, which knows the velocity everywhere. So vortices in clear air open
// bricks, and close them when they are gone. Also the largest speed along an axis anywhere. One work group per brick.
layout(binding = 1) uniform sampler3D coarseVelocity;  // [m/s], on coarse faces
layout(binding = 2, scalar) writeonly buffer VorticityOut { float vorticityOut[]; };
layout(binding = 3, scalar) buffer Fastest { uint fastest; };  // bits of a float [m/s]; zero at the start
shared uint swirl, speed;

vec3 at(ivec3 C) { return texelFetch(coarseVelocity, clamp(C, ivec3(0), sim.pressureCells - 1), 0).xyz; }

void main() {
    ivec3 brick = ivec3(gl_WorkGroupID), count = sim.cells / WISP_BRICK_EDGE + 1;
    if (gl_LocalInvocationIndex == 0u) swirl = speed = 0u;
    barrier();
    const int edge = WISP_BRICK_EDGE / kRatio;
    for (int n = int(gl_LocalInvocationIndex); n < edge * edge * edge; n += 64) {
        ivec3 C = brick * edge + ivec3(n % edge, n / edge % edge, n / (edge * edge));
        if (outside(C, sim.pressureCells)) continue;
        vec3 u = at(C), x = u - at(C - unit(0)), y = u - at(C - unit(1)), z = u - at(C - unit(2));  // differences along each axis
        // At open sides and walls one-sided: the texel before the first is the first.
        vec3 omega = vec3(y.z - z.y, z.x - x.z, x.y - y.x), a = abs(u);
        atomicMax(swirl, floatBitsToUint(length(omega)));
        atomicMax(speed, floatBitsToUint(max(a.x, max(a.y, a.z))));
    }
    barrier();
    if (gl_LocalInvocationIndex != 0u) return;
    vorticityOut[cellIndex(brick, count)] = uintBitsToFloat(swirl);
    atomicMax(fastest, speed);
}
