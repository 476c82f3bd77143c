// SPDX-License-Identifier: MIT
// Reflection of a surface: a diffuse base under a clear, rough coat. With alpha = roughness^2, the half vector m between the directions i
// to the light and o to the eye, and the cosines to the normal:
//   f = F(o.m) D(m) V(i, o) + (1 - F(i)) (1 - F(o)) colour / pi
// D is the facet distribution of Trowbridge and Reitz (GGX), V its shadowing (Smith, height-correlated: Heitz 2014), F the Fresnel
// reflectance (Schlick 1994). A coat that reflects less than glass, 0.04, also reflects less at grazing angles. Without a coat
// f = colour / pi.
// Needs shared/volume.glsl.

float coatReflectance(SurfaceData s, float cosine) {
    float a = 1.0 - clamp(cosine, 0.0, 1.0), a2 = a * a;
    return mix(s.specular, min(25.0 * s.specular, 1.0), a2 * a2 * a);
}

// D(m), from the cosine between m and the normal.
float facets(float alpha, float cosine) {
    float d = 1.0 + cosine * cosine * (alpha * alpha - 1.0);
    return alpha * alpha / (kPi * d * d);
}

// sqrt(alpha^2 + (1 - alpha^2) c^2)
float smith(float alpha, float c) { return sqrt(mix(c * c, 1.0, alpha * alpha)); }

// A surface that the eye sees faces the eye. By rounding, or at a filtered edge, the eye may be behind it.
float eyeCosine(vec3 normal, vec3 eye) { return max(dot(normal, eye), 1e-3); }

// f times the cosine of the light [1/sr]; 0 for light from behind. `alpha` is that of the coat. All vectors are unit vectors that point
// away from the surface.
vec3 reflected(SurfaceData s, float alpha, vec3 normal, vec3 eye, vec3 towards) {
    float i = dot(normal, towards), o = eyeCosine(normal, eye);
    if (i <= 0.0) return vec3(0.0);
    vec3 diffuse = (1.0 - coatReflectance(s, i)) * (1.0 - coatReflectance(s, o)) * s.colour / kPi;
    if (s.specular == 0.0) return i * diffuse;
    vec3 m = normalize(eye + towards);
    float V = 0.5 / (i * smith(alpha, o) + o * smith(alpha, i));
    return i * (diffuse + coatReflectance(s, dot(eye, m)) * facets(alpha, dot(normal, m)) * V);
}
