// SPDX-License-Identifier: MIT
// The part of the box in which light is computed: the light window of a sparse simulation, all of the box in others. Positions u are in
// edges of this part. Needs shared/volume.glsl.
#ifndef WISP_LIGHT_WINDOW_GLSL
#define WISP_LIGHT_WINDOW_GLSL
layout(binding = 23, scalar) readonly buffer LightWindowBlock { LightWindow lightWindow; };

vec3 litLow() { return kSparse ? lightWindow.low : sim.origin; }
vec3 litSize() { return kSparse ? lightWindow.size : boxSize(); }
ivec3 lightCells() { return kSparse ? lightWindow.lightCells : view.lightCells; }
ivec3 skyCells() { return kSparse ? lightWindow.skyCells : view.skyCells; }
float lightEdge() { return litSize().x / float(lightCells().x); }  // of a cell of the light volume [m]
// The margin keeps points of the ground below the smoke inside.
bool isInWindow(vec3 x) {
    return !kSparse || all(lessThan(abs(x - clamp(x, litLow(), litLow() + litSize())), vec3(1e-3 * sim.h)));
}

// Texture coordinate of u in a volume of the size `texels`, of which `cells` are used.
vec3 inVolume(vec3 u, ivec3 cells, ivec3 texels) { return kSparse ? u * (vec3(cells) / vec3(texels)) : u; }

// Texture coordinate at which a light volume is sampled at x. Samplers repeat fields along periodic axes, but light falls from one side, so
// the coordinate is clamped.
vec3 lightPoint(vec3 x, ivec3 cells, ivec3 texels) {
    vec3 rim = 0.5 / vec3(cells), u = (x - litLow()) / litSize();
    return kPeriodic == 0 && !kSparse ? u : inVolume(clamp(u, rim, 1.0 - rim), cells, texels);
}
vec3 lightPoint(vec3 x) { return lightPoint(x, lightCells(), view.lightCells); }
vec3 skyPoint(vec3 x) { return lightPoint(x, skyCells(), view.skyCells); }
#endif
