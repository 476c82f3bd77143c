// SPDX-License-Identifier: MIT
// Henyey, Greenstein 1941, normalised over the sphere [1/sr]. `cosine` is that of the scattering angle, dot(towardsLight, rayDirection),
// where the ray leads away from the camera. With g > 0 smoke glows against the light.
float henyeyGreenstein(float cosine, float g) {
    float a = abs(g), d = (1.0 - a) * (1.0 - a) + 2.0 * a * max(1.0 - (g < 0.0 ? -cosine : cosine), 0.0);  // 1 + g^2 - 2 g cos
    return (1.0 - g * g) / (4.0 * 3.14159265358979 * d * sqrt(d));
}

float phase(float cosine, float g, float gBack, float blend) {
    return mix(henyeyGreenstein(cosine, g), henyeyGreenstein(cosine, gBack), blend);
}

// 1 - cosine at which the cumulative distribution of the cosine reaches u. With q = 1 - g + 2 g u the usual formula is
// cos = (1 + g^2 - ((1 - g^2) / q)^2) / (2 g). This form has no cancellation, also at g = 0.
float henyeyGreensteinDrop(float u, float g) {
    float q = 1.0 - g + 2.0 * g * u;
    return (1.0 - g) * (1.0 - g) * (1.0 - u) * (1.0 + g + q) / (q * q);
}

// Two unit vectors orthogonal to the unit vector d (Duff et al. 2017).
void across(vec3 d, out vec3 a, out vec3 b) {
    float s = d.z < 0.0 ? -1.0 : 1.0, p = -1.0 / (s + d.z), q = d.x * d.y * p;
    a = vec3(1.0 + s * d.x * d.x * p, s * q, -s * d.x);
    b = vec3(q, s + d.y * d.y * p, -d.y);
}

// The unit vector at 1 - cos = `drop` from d, rotated about d by the share `u` of a full turn.
vec3 turned(vec3 d, float drop, float u) {
    vec3 a, b;
    across(d, a, b);
    float sine = sqrt(max(drop * (2.0 - drop), 0.0)), angle = 2.0 * 3.14159265358979 * u;
    return normalize((1.0 - drop) * d + sine * (cos(angle) * a + sin(angle) * b));
}

// Draws a direction with the density phase(dot(result, ray)): u.x selects the lobe, u.y the cosine, u.z the rotation about the ray.
vec3 samplePhase(vec3 ray, float g, float gBack, float blend, vec3 u) {
    return turned(ray, henyeyGreensteinDrop(u.y, u.x < blend ? gBack : g), u.z);
}
