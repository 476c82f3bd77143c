#version 460
// SPDX-License-Identifier: MIT
#extension GL_GOOGLE_include_directive : require
#include "shared/grid.glsl"
#include "shared/volume.glsl"
// The medium of the discrete ordinates on cells twice as large: mean extinction; albedo and transmittances by extinction and by what scatters.
layout(binding = 3) uniform sampler3D mediumIn;  // see ordinates_medium.comp
layout(binding = 4) uniform sampler3D reachIn;
layout(binding = 5) uniform writeonly image3D mediumOut;
layout(binding = 6) uniform writeonly image3D reachOut;

void main() {
    ivec3 c = cell(), finer = textureSize(mediumIn, 0);
    if (outside(c, imageSize(mediumOut))) return;
    vec4 medium = vec4(0.0), reach = vec4(0.0);
    float scattering = 0.0, number = 0.0;
    for (int n = 0; n < 8; ++n) {
        ivec3 f = 2 * c + ivec3(n & 1, (n >> 1) & 1, n >> 2);
        if (outside(f, finer)) continue;
        vec4 here = texelFetch(mediumIn, f, 0);
        float weight = here.a * max(here.r, max(here.g, here.b));
        medium += vec4(here.rgb * here.a, here.a);
        reach += weight * texelFetch(reachIn, f, 0);
        scattering += weight;
        number += 1.0;
    }
    imageStore(mediumOut, c, vec4(medium.rgb / max(medium.a, 1e-20), medium.a / number));
    imageStore(reachOut, c, reach / max(scattering, 1e-20));
}
