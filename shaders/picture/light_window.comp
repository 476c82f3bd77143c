#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#define WISP_OWN_LOCAL_SIZE
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/occupancy.glsl"
layout(local_size_x = 1) in;
// The light window of a sparse simulation: the box with smoke, in whole cells. The corners of cells are multiples of their edges, so that
// cells stay in place when the smoke moves. At the high sides of the box cells are cut and then fill the rest evenly.
layout(binding = 3, scalar) writeonly buffer LightWindowOut { LightWindow lightWindowOut; };
layout(push_constant, scalar) uniform Push { LightWindowPush push; };

// Work groups for tiles of 8 x 8 x 4 cells, of 2^n groups each.
uvec3 command(ivec3 cells, int n) {
    ivec3 tiles = (cells + ivec3(7, 7, 3)) / ivec3(8, 8, 4);
    return uvec3(1 << n, tiles.x * tiles.y, tiles.z);
}

void main() {
    ivec3 first = ivec3(0), end = ivec3(1);
    if (smokeBox.end[0] != 0) {
        first = smokeFirst() * WISP_BRICK / kScalarRatio;
        end = smokeEnd() * WISP_BRICK / kScalarRatio;
    }
    int edge = push.lightEdge, coarse = push.ordinateEdge;
    ivec3 low, size;
    for (bool fits = false; !fits;) {
        int whole = max(2 * edge, coarse);
        low = first / whole * whole;
        size = min((end + whole - 1) / whole * whole, sim.cells) - low;
        bool lightFits = all(lessThanEqual(size, view.lightCells * edge));
        bool ordinatesFit = max(size.x, max(size.y, size.z)) <= push.ordinates * coarse;
        if (!lightFits) edge *= 2;
        if (!ordinatesFit) coarse *= 2;
        fits = lightFits && ordinatesFit;
    }
    lightWindowOut.low = sim.origin + vec3(low) * sim.h;
    lightWindowOut.size = vec3(size) * sim.h;
    ivec3 light = (size + edge - 1) / edge, sky = (light + 1) / 2;
    // Lavapipe 22.3 would end a loop after one iteration where GPU-assisted validation has added a branch to it.
    [[unroll]] for (int n = 0; n < WISP_WINDOW_COMMANDS; ++n) {
        lightWindowOut.lightCommands[n] = command(light, n);
        lightWindowOut.skyCommands[n] = command(sky, n);
    }
    lightWindowOut.lightCells = light;
    lightWindowOut.skyCells = sky;
    ivec3 fine = (size + coarse - 1) / coarse, middle = (fine + 1) / 2;
    lightWindowOut.ordinateCells[2] = fine;
    lightWindowOut.ordinateCells[1] = middle;
    lightWindowOut.ordinateCells[0] = (middle + 1) / 2;
    lightWindowOut.scale = float(edge / push.lightEdge);
}
