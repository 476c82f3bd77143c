#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/sampling.glsl"
#include "shared/vectors.glsl"
#include "shared/pressure_level.h"
#include "shared/probe.h"
#include "shared/velocity_anywhere.glsl"
// In flat grids only the first layer counts.
#define WISP_WIND_SAMPLE(faces, texel, perTexel) \
    (kSparse ? facesAnywhere(faces, texel, true) : sampleExactly(faces, max(texel, vec3(0.5))))
#include "wisp/wind.glsl"
// Fields at the points of a probe. Velocity: trilinear between the faces of each component. Other fields: the mean over the fluid cells
// around, by trilinear weights. Uses float weights whatever the filter setting; second order away from bodies. Outside the active bricks of
// a sparse simulation the velocity is the coarse one.
layout(local_size_x = 64) in;
layout(binding = 1) uniform sampler3D faces;  // velocity [m/s]
layout(binding = 2) uniform sampler3D aperture;
layout(binding = 3) uniform sampler3D solidDistance;  // of cell centres [cells]
layout(binding = 4) uniform sampler3D scalars;        // density, temperature [K]
layout(binding = 5, scalar) readonly buffer PressureIn { float pressureIn[]; };  // q = p dt / rho [m^2/s]
layout(binding = 6, scalar) readonly buffer Weights { vec4 weights[]; };         // see coarse_aperture.comp
VECTORS_IN(7, centre);
layout(binding = 8, scalar) writeonly buffer ProbeValues { ProbeValue probeValues[]; };
FLOATS_IN(9, potential);  // [m/s], see presmooth_pressure.comp
layout(push_constant, scalar) uniform Push { VectorsIn centreAddress; FloatFieldIn potentialAddress; ProbePush probe; };
#include "shared/curl.glsl"
#include "shared/fine_pressure.glsl"
const int kScalars = 0, kVorticity = 1, kPressure = 2;
const float kRim = 1e-3;  // [cells] points so far beyond a side still count as inside, because of rounding

float notANumber() { return uintBitsToFloat(0x7fc00000u); }

ivec3 sizeOf(int what) { return what == kScalars ? sim.scalarCells : what == kVorticity ? sim.cells : sim.pressureCells; }
vec3 cellsPerCell(int what) { return what == kScalars ? scalarsPerCell() : vec3(what == kVorticity ? 1.0 : 1.0 / float(sim.ratio)); }

vec3 curlOf(ivec3 C) {
    if (isFine(C)) return curlAt(placeOf(C), C);
    return coarseCurl(vec3(C) + 0.5);
}

// Value of cell C; w: 1 if it is fluid.
vec4 valueOf(int what, ivec3 C) {
    if (what == kPressure) {
        PressureLevel level = PressureLevel(sim.pressureCells, vec3(1.0), 0, 0, 0);
        return vec4(pressureIn[cellIndex(level, C)], 0.0, 0.0, weights[weightIndex(level, C)].w > 0.0 ? 1.0 : 0.0);
    }
    float fluid = texelFetch(aperture, texelOf(what == kScalars ? C / ivec3(scalarsPerCell()) : C), 0).w > 0.0 ? 1.0 : 0.0;
    return vec4(what == kScalars ? texelFetch(scalars, scalarTexel(C), 0).xyz : curlOf(C), fluid);
}

vec3 around(int what, vec3 p) {
    vec3 t = p * cellsPerCell(what) - 0.5, f = fract(t), sum = vec3(0.0);
    float weight = 0.0;
    for (int n = 0; n < 8; ++n) {
        ivec3 o = ivec3(n & 1, (n >> 1) & 1, n >> 2);
        vec3 w = mix(1.0 - f, f, vec3(o));
        vec4 value = valueOf(what, inGrid(ivec3(floor(t)) + o, sizeOf(what)));
        if (value.w == 0.0) continue;
        sum += w.x * w.y * w.z * value.xyz;
        weight += w.x * w.y * w.z;
    }
    return weight > 0.0 ? sum / weight : vec3(notANumber());
}

bool insideBody(vec3 p) {
    if (sim.obstacleCount == 0) return false;
    float phi = kSparse ? samplePartsExactly(solidDistance, p, sim.cells, false).x : sampleExactly(solidDistance, p).x;
    return phi < 0.0 || texelFetch(aperture, texelOf(inGrid(ivec3(floor(p)), sim.cells)), 0).w == 0.0;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= probe.count) return;
    float share = float(i) / float(max(probe.count, 2u) - 1u);
    vec3 n = vec3(sim.cells), p = (probe.from - probe.wind.origin + share * probe.way) / probe.wind.h;  // [cells]
    p = mix(p, mod(p, n), periodicAxes());
    if (kFlat) p.z = 0.5;
    bool inFluid = all(greaterThanEqual(p, vec3(-kRim))) && all(lessThanEqual(p, n + kRim)) && !insideBody(p);
    if (!inFluid) {
        probeValues[i] = ProbeValue(vec3(notANumber()), notANumber(), vec3(notANumber()), notANumber(), notANumber());
        return;
    }
    vec3 scalar = around(kScalars, p);
    float q = around(kPressure, p).x + finePressure(p);
    probeValues[i] = ProbeValue(wispVelocityAt(faces, probe.wind, p), q / sim.dt, around(kVorticity, p), scalar.x, scalar.y);
}
