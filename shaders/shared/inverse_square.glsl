// SPDX-License-Identifier: MIT
// Means over boxes around a lamp. Needs shared/lights.glsl.

// Mean of 1/r^2 over a box of this size, for a lamp at the offset d from its centre. By the divergence theorem (1/r^2 is the divergence of
// x/r^2) it is a sum over the six faces: the distance of the face's plane times the integral of 1/r^2 over the face. Along c this integral
// is an arc tangent. Along b it is Gauss's rule with three points in s, where b = distance * sinh s. The error is at most 0.5 % for cubes
// and for boxes that are longer along z. Means of boxes that fill a space add up to the integral over it, wherever the lamp is.
float inverseSquareMean(vec3 d, vec3 size) {
    float r2 = dot(d, d), most = max(size.x, max(size.y, size.z)), sum = 0.0;
    if (r2 > 16.0 * most * most) return 1.0 / r2;  // 1/12 of 1/16 too small for a cube
    for (int face = 0; face < 6; ++face) {
        int a = face >> 1, b = a == 0 ? 1 : 0, c = a == 2 ? 1 : 2;
        float outwards = (face & 1) == 0 ? -1.0 : 1.0, h = d[a] + 0.5 * outwards * size[a], away = max(abs(h), 1e-4 * size[a]);
        float low = asinh((d[b] - 0.5 * size[b]) / away), high = asinh((d[b] + 0.5 * size[b]) / away), part = 0.5 * (high - low);
        for (int k = -1; k <= 1; ++k) {
            float q = away * cosh(0.5 * (low + high) + float(k) * 0.7745966692 * part);
            float turn = atan(size[c] * q, q * q + d[c] * d[c] - 0.25 * size[c] * size[c]);
            sum += outwards * h * part * (k == 0 ? 8.0 / 9.0 : 5.0 / 9.0) * turn;
        }
    }
    return sum / (size.x * size.y * size.z);
}

// Mean over a box of inCone: its edges are wider by the angle of half a box, with the same light in all.
float coneOver(int n, vec3 d, float size) {
    if (!isKind(n, WISP_SPOT)) return 1.0;
    float cosOuter = view.lights[n].cosOuter, cosInner = cosOuter + 1.0 / view.lights[n].perCos;
    float wider = 0.6 * size / max(length(d), 0.1 * size);
    float outer = cos(min(acos(cosOuter) + wider, kPi)), inner = cos(max(acos(min(cosInner, 1.0)) - wider, 0.0));
    float inside = smoothstep(outer, inner, dot(-towardsLamp(d), view.lights[n].axis));
    return inside * (2.0 - cosOuter - cosInner) / (2.0 - outer - inner);
}
