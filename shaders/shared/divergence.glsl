// SPDX-License-Identifier: MIT
// Divergence with moving cut cells (Ng, Min, Gibou 2009): sum_f s_f [alpha u + (1 - alpha) u_s] / H over the faces of a block of fine
// cells. Needs shared/grid.glsl.
#include "shared/solid_velocity.glsl"
layout(binding = 1) uniform sampler3D velocity;  // [m/s], on faces
// xyz = aperture (open area fraction) of the low-side faces, w = mean over the six faces of the cell
layout(binding = 2) uniform sampler3D aperture;

// Mean flux [m/s] through the r x r fine faces at plane `plane` of a block that starts at fine cell `low`.
float meanFlux(ivec3 low, int r, int axis, int plane, bool open) {
    ivec3 t1 = unit((axis + 1) % 3), t2 = unit((axis + 2) % 3);
    ivec3 first = low;
    first[axis] = plane;
    float sum = 0.0;
    for (int b = 0; b < r; ++b) {
        for (int a = 0; a < r; ++a) {
            ivec3 f = first + inLayer(a * t1 + b * t2);
            if (!open && !faceExists(f, axis)) continue;  // a block may extend past the box, where nothing flows
            float alpha = open ? 1.0 : texelFetch(aperture, texelOf(f), 0)[axis];
            sum += alpha * texelFetch(velocity, texelOf(f), 0)[axis];
            if (alpha < 1.0) sum += (1.0 - alpha) * solidVelocityAt(f, axis);
        }
    }
    return sum / float(r * r);
}

// Volume average of the fine divergences [1/s] in block c of r^3 cells. The inner faces cancel. `open`: all outer faces exist and are fully
// open.
float blockDivergence(ivec3 c, int r, bool open) {
    float sum = 0.0;
    for (int axis = 0; axis < kAxes; ++axis) {
        int high = min((c[axis] + 1) * r, sim.cells[axis]);
        sum += meanFlux(c * r, r, axis, high, open) - meanFlux(c * r, r, axis, c[axis] * r, open);
    }
    return sum / (float(r) * sim.h);
}
