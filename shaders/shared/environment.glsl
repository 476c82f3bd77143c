// SPDX-License-Identifier: MIT
// The environment, without smoke. Needs shared/volume.glsl.
layout(binding = 13) uniform sampler2D environmentMap;  // radiance, equirectangular: row 0 is around +y, the middle column towards -z

// Linear between the centres of texels, which are whole numbers here. Wraps around the y axis.
vec4 environmentAt(vec2 at) {
    ivec2 size = textureSize(environmentMap, 0);
    ivec2 low = ivec2(floor(at)), a = ivec2((low.x + size.x) % size.x, max(low.y, 0)),
        b = ivec2((low.x + 1) % size.x, min(low.y + 1, size.y - 1));
    vec2 part = at - vec2(low);
    vec4 above = texelFetch(environmentMap, a, 0), below = texelFetch(environmentMap, ivec2(a.x, b.y), 0);
    above += part.x * (texelFetch(environmentMap, ivec2(b.x, a.y), 0) - above);  // this form keeps a constant environment exact
    below += part.x * (texelFetch(environmentMap, b, 0) - below);
    return above + part.y * (below - above);
}

// The environment that a ray along d sees. a: see environment_sampling.glsl.
vec4 environmentTexel(vec3 d) {
    float aside = length(d.xz), turn = aside > 0.0 ? atan(d.x, -d.z) / (2.0 * kPi) : 0.0;
    return environmentAt(vec2(fract(turn + 0.5 + view.environmentRotation), atan(aside, d.y) / kPi)
        * vec2(textureSize(environmentMap, 0)) - 0.5);
}

// Radiance that arrives from far away along -d.
vec3 environmentRadiance(vec3 d) { return environmentTexel(d).rgb; }

// Mean of the environment over the sphere, with a weight around d whose Legendre coefficients are 1, `first`, `second`. Uses spherical
// harmonics of three bands (Ramamoorthi, Hanrahan 2001). A Henyey-Greenstein lobe has g and g^2, the cosine over pi has 2/3 and 1/4.
vec3 environmentMean(vec3 d, float first, float second) {
    vec3 one = view.environment[1] * d.x + view.environment[2] * d.y + view.environment[3] * d.z;
    vec3 two = view.environment[4] * (d.x * d.y) + view.environment[5] * (d.y * d.z) + view.environment[6] * (d.z * d.x) +
               view.environment[7] * (3.0 * d.y * d.y - 1.0) + view.environment[8] * (d.x * d.x - d.z * d.z);
    return max(view.environment[0] + first * one + second * two, 0.0);
}
