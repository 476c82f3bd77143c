#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/vectors.glsl"
#include "shared/pressure_level.h"
#include "shared/read_field.h"
#include "shared/velocity_anywhere.glsl"
// A field as floats for the host, at the centres of all cells, x fastest. Bricks that a sparse simulation does not store have no smoke, and
// the coarse velocity.
layout(binding = 1) uniform sampler3D scalars;  // density, temperature [K], fuel
layout(binding = 2) uniform sampler3D smokeColour;
layout(binding = 3, scalar) readonly buffer PressureIn { float pressureIn[]; };  // q = p dt / rho [m^2/s]
VECTORS_IN(4, centre);
layout(binding = 5) uniform sampler3D aperture;
FLOATS_IN(6, potential);  // [m/s], see presmooth_pressure.comp
layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer FloatsOut { float numbers[]; };
layout(push_constant, scalar) uniform Push {
    VectorsIn centreAddress;
    FloatFieldIn potentialAddress;
    FloatsOut valuesAddress;
    int field;
};
#include "shared/fine_pressure.glsl"

ivec3 sizeOfField() { return field == WISP_READ_VELOCITY ? sim.cells : field == WISP_READ_PRESSURE ? sim.pressureCells : sim.scalarCells; }

vec3 valueAt(ivec3 c) {
    switch (field) {
        case WISP_READ_VELOCITY: return isFine(c) ? LOAD(centre, placeOf(c)).xyz : coarseAt(vec3(c) + 0.5);
        case WISP_READ_PRESSURE: {
            float q = pressureIn[cellIndex(PressureLevel(sim.pressureCells, vec3(1.0), 0, 0, 0), c)];
            vec3 centreOfBlock = (vec3(c) + 0.5) * float(sim.ratio);
            return vec3((q + finePressure(kFlat ? vec3(centreOfBlock.xy, 0.5) : centreOfBlock)) / sim.dt);
        }
        case WISP_READ_COLOUR: return texelFetch(smokeColour, scalarTexel(c), 0).rgb;
        default: return vec3(texelFetch(scalars, scalarTexel(c), 0)[field]);
    }
}

void main() {
    ivec3 c = cell();
    if (outside(c, sizeOfField())) return;
    vec3 value = valueAt(c);
    uint place = cellIndex(c, sizeOfField());
    if (field != WISP_READ_VELOCITY && field != WISP_READ_COLOUR) {
        valuesAddress.numbers[place] = value.x;
    } else {
        for (int axis = 0; axis < 3; ++axis) valuesAddress.numbers[3u * place + uint(axis)] = value[axis];
    }
}
