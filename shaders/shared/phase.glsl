// SPDX-License-Identifier: MIT
// Henyey, Greenstein 1941, normalised over the sphere [1/sr]. `cosine` is between the direction in which the light travels
// on and the ray's continuation away from the camera: cos = dot(towardsLight, rayDirection), so g > 0 glows against the light.
float henyeyGreenstein(float cosine, float g) {
    float d = 1.0 + g * g - 2.0 * g * cosine;
    return (1.0 - g * g) / (4.0 * 3.14159265358979 * d * sqrt(d));
}

float phase(float cosine, float g, float gBack, float blend) {
    return mix(henyeyGreenstein(cosine, g), henyeyGreenstein(cosine, gBack), blend);
}
