#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/divergence.glsl"
#include "shared/pressure_level.h"
#include "shared/field_view.h"
#include "shared/vectors.glsl"
#include "shared/velocity_anywhere.glsl"
// The value of each cell for a view: density, temperature [K], fuel, fuel where it burns, |u| [m/s], |curl u| [1/s], q [m^2/s],
// div u [1/s]. The first four are at scalar cells, the others at fine cells. q is trilinear between the pressure cells that have weights. A
// solid cell takes the mean of its fluid neighbours, `base` if there are none, so that colours do not fade towards a surface. Outside the
// active bricks of a sparse simulation u is the coarse velocity, and there is no smoke. Its divergence there is left out.
layout(binding = 3, scalar) readonly buffer PressureIn { float pressureIn[]; };
layout(binding = 4) uniform sampler3D scalars;
layout(binding = 5) uniform sampler3D centre;  // [m/s]
layout(binding = 7) uniform writeonly image3D valuesOut;
layout(binding = 8, scalar) readonly buffer Weights { vec4 weights[]; };  // see coarse_aperture.comp
VECTORS_IN(6, curl);
layout(push_constant, scalar) uniform Push { VectorsIn curlAddress; FieldPush push; };

float pressureOf(ivec3 c) {
    PressureLevel level = PressureLevel(sim.pressureCells, vec3(1.0), 0, 0, 0);
    vec3 p = (vec3(c) + 0.5) / float(sim.ratio) - 0.5, f = fract(p);
    float sum = 0.0, weight = 0.0;
    for (int n = 0; n < 8; ++n) {
        ivec3 o = ivec3(n & 1, (n >> 1) & 1, n >> 2), C = clamp(ivec3(floor(p)) + o, ivec3(0), level.cells - 1);
        vec3 w = mix(1.0 - f, f, vec3(o));
        if (weights[weightIndex(level, C)].w == 0.0) continue;
        sum += w.x * w.y * w.z * pressureIn[cellIndex(level, C)];
        weight += w.x * w.y * w.z;
    }
    return weight > 0.0 ? sum / weight : 0.0;
}

float vorticityOf(ivec3 c) {
    if (isFine(c)) return LOAD(curl, placeOf(c)).w;
    return length(coarseCurl(vec3(c) + 0.5));
}

float flameOf(ivec3 c) {
    vec4 s = texelFetch(scalars, scalarTexel(c), 0);
    return s.y >= push.ignition ? s.z : 0.0;
}

float valueOf(ivec3 c) {
    switch (push.field) {
        case WISP_VIEW_DENSITY: return texelFetch(scalars, scalarTexel(c), 0).x;
        case WISP_VIEW_TEMPERATURE: return texelFetch(scalars, scalarTexel(c), 0).y;
        case WISP_VIEW_FUEL: return texelFetch(scalars, scalarTexel(c), 0).z;
        case WISP_VIEW_FLAME: return flameOf(c);
        case WISP_VIEW_SPEED: return length(centreOf(centre, c));
        case WISP_VIEW_VORTICITY: return vorticityOf(c);
        case WISP_VIEW_PRESSURE: return pressureOf(c);
        default: return isFine(c) ? blockDivergence(c, 1, false) : 0.0;
    }
}

bool isScalar() { return WISP_VIEW_ON_SCALAR_CELLS(push.field); }
ivec3 viewCells() { return isScalar() ? sim.scalarCells : sim.cells; }
bool isFluid(ivec3 c) { return texelFetch(aperture, texelOf(isScalar() ? c / kScalarRatio : c), 0).w > 0.0; }

void main() {
    ivec3 c = cell();
    if (outside(c, viewCells())) return;
    float sum = 0.0, count = 0.0;
    if (isFluid(c)) {
        sum = valueOf(c);
        count = 1.0;
    } else {
        for (int n = 0; n < 6; ++n) {
            ivec3 other = c + (n < 3 ? -1 : 1) * unit(n % 3);
            if (outside(other, viewCells()) || !isFluid(other)) continue;
            sum += valueOf(other);
            count += 1.0;
        }
    }
    imageStore(valuesOut, c, vec4(push.base + sum / max(count, 1.0)));
}
