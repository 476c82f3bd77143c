// SPDX-License-Identifier: MIT
// Henyey, Greenstein 1941, normalised over the sphere [1/sr]. `cosine` is between the direction in which the light travels
// on and the ray's continuation away from the camera: cos = dot(towardsLight, rayDirection), so g > 0 glows against the light.
float henyeyGreenstein(float cosine, float g) {
    float a = abs(g), d = (1.0 - a) * (1.0 - a) + 2.0 * a * max(1.0 - (g < 0.0 ? -cosine : cosine), 0.0);  // 1 + g^2 - 2 g cos
    return (1.0 - g * g) / (4.0 * 3.14159265358979 * d * sqrt(d));
}

float phase(float cosine, float g, float gBack, float blend) {
    return mix(henyeyGreenstein(cosine, g), henyeyGreenstein(cosine, gBack), blend);
}

// 1 - cosine where the distribution of the cosine reaches u: with q = 1 - g + 2 g u the usual
// cos = (1 + g^2 - ((1 - g^2) / q)^2) / (2 g), written so that nothing cancels, g = 0 included.
float henyeyGreensteinDrop(float u, float g) {
    float q = 1.0 - g + 2.0 * g * u;
    return (1.0 - g) * (1.0 - g) * (1.0 - u) * (1.0 + g + q) / (q * q);
}

// Two unit vectors across the unit vector d (Duff et al. 2017).
void across(vec3 d, out vec3 a, out vec3 b) {
    float s = d.z < 0.0 ? -1.0 : 1.0, p = -1.0 / (s + d.z), q = d.x * d.y * p;
    a = vec3(1.0 + s * d.x * d.x * p, s * q, -s * d.x);
    b = vec3(q, s + d.y * d.y * p, -d.y);
}

// The unit vector at 1 - cos = `drop` from d, turned by a share `u` of the circle.
vec3 turned(vec3 d, float drop, float u) {
    vec3 a, b;
    across(d, a, b);
    float sine = sqrt(max(drop * (2.0 - drop), 0.0)), angle = 2.0 * 3.14159265358979 * u;
    return normalize((1.0 - drop) * d + sine * (cos(angle) * a + sin(angle) * b));
}

// A direction with the density phase(dot(result, ray)): u.x chooses the lobe, u.y the cosine, u.z the turn about the ray.
vec3 samplePhase(vec3 ray, float g, float gBack, float blend, vec3 u) {
    return turned(ray, henyeyGreensteinDrop(u.y, u.x < blend ? gBack : g), u.z);
}
