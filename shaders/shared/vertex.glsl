// SPDX-License-Identifier: MIT
// A vertex of a path: how it scatters light, and how the path continues. Needs shared/phase.glsl, shared/reflection.glsl.
struct Vertex {
    vec3 ray;  // ray on which it was found
    bool smoke;
    vec3 normal;  // only for a surface, like the next member
    SurfaceData surface;
};

// Share of the light from `towards` that the vertex sends back along the ray [1/sr]: phase function, or reflectance times the cosine.
vec3 scattered(Vertex v, vec3 towards) {
    if (v.smoke) return vec3(phase(dot(towards, v.ray), view.g, view.gBack, view.blend));
    return reflected(v.surface, v.surface.roughness * v.surface.roughness, v.normal, -v.ray, towards);
}

// Probability that the coat mirrors the path and the base does not scatter it.
float coatChance(Vertex v) {
    float F = coatReflectance(v.surface, eyeCosine(v.normal, -v.ray)),
        base = max(v.surface.colour.x, max(v.surface.colour.y, v.surface.colour.z));
    return F / max(F + (1.0 - F) * base, 1e-30);
}

// Probability density of drawn() at d [1/sr]. For a surface, the cosine over pi for the base, and the density of visible facets for the
// coat.
float chance(Vertex v, vec3 d) {
    if (v.smoke) return phase(dot(d, v.ray), view.g, view.gBack, view.blend);
    float alpha = v.surface.roughness * v.surface.roughness, cosine = dot(v.normal, d), o = eyeCosine(v.normal, -v.ray),
        coat = coatChance(v);
    if (cosine <= 0.0) return 0.0;
    return coat * facets(alpha, dot(v.normal, normalize(d - v.ray))) / (2.0 * (o + smith(alpha, o))) + (1.0 - coat) * cosine / kPi;
}

// Draws the normal of a facet with the density with which the eye sees such facets (Dupuy, Benyoub 2023), on a sphere stretched by the
// roughness.
vec3 seenFacet(vec3 normal, vec3 eye, float alpha, vec2 u) {
    vec3 a, b;
    across(normal, a, b);
    vec3 o = normalize(vec3(alpha * dot(eye, a), alpha * dot(eye, b), eyeCosine(normal, eye)));
    float z = (1.0 - u.x) * (1.0 + o.z) - o.z, sine = sqrt(clamp(1.0 - z * z, 0.0, 1.0)), angle = 2.0 * kPi * u.y;
    vec3 m = vec3(sine * cos(angle), sine * sin(angle), z) + o;
    return normalize(alpha * (m.x * a + m.y * b) + m.z * normal);
}

// Draws the direction in which the path continues: u.x selects the lobe.
vec3 drawn(Vertex v, vec3 u) {
    if (v.smoke) return samplePhase(v.ray, view.g, view.gBack, view.blend, u);
    if (u.x < coatChance(v)) return reflect(v.ray, seenFacet(v.normal, -v.ray, v.surface.roughness * v.surface.roughness, u.yz));
    return turned(v.normal, 1.0 - sqrt(1.0 - u.y), u.z);
}
