#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/volume.glsl"
#include "shared/ordinates.glsl"
// Means over the cells of the finest grid of the discrete ordinates: extinction [1/m]; albedo weighted by extinction; transmittances to the
// lights weighted by density, because the smoke scatters their light. Obstacles are black and opaque.
layout(binding = 3) uniform sampler3D light;  // fourth roots of transmittances, see light_volume.comp
layout(binding = 4) uniform writeonly image3D mediumOut;  // rgb albedo, a extinction
layout(binding = 5) uniform writeonly image3D reachOut;   // transmittance to each light

void main() {
    ivec3 c = cell(), cells = kSparse ? lightWindow.lightCells : textureSize(light, 0);
    ivec3 size = kSparse ? lightWindow.ordinateCells[2] : imageSize(mediumOut);
    if (outside(c, size)) return;
    // A sample between two texels is the mean of both.
    ivec3 samples = max((cells + size - 1) / size, 1);
    float density = 0.0;
    vec3 colour = vec3(0.0);
    vec4 reach = vec4(0.0);
    for (int z = 0; z < samples.z; ++z)
        for (int y = 0; y < samples.y; ++y)
            for (int x = 0; x < samples.x; ++x) {
                vec3 at = litLow() + (vec3(c) + (vec3(x, y, z) + 0.5) / vec3(samples)) / vec3(size) * litSize();
                float here = densityAt(at);
                vec4 root = textureLod(light, lightPoint(at), 0.0), T = root * root;
                density += here;
                reach += here * T * T;
                colour += here * albedoAt(at);
            }
    float edge = litSize().x / float(size.x), extinction = view.extinction * density / float(samples.x * samples.y * samples.z);
    float solid = solidExtinction(litLow() + (vec3(c) + 0.5) / vec3(size) * litSize(), edge);
    float smoke = extinction / max(extinction + solid, 1e-20);
    imageStore(mediumOut, c, vec4(smoke * colour / max(density, 1e-20), min(extinction + solid, 65504.0)));
    imageStore(reachOut, c, reach / max(density, 1e-20));
}
