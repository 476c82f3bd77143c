// SPDX-License-Identifier: MIT
// A prescribed velocity field. Needs shared/grid.glsl.
#include "shared/prescribed.h"
layout(binding = 11, scalar) uniform PrescribedBlock { PrescribedData prescribed; };
const float kTurn = 6.28318530717959;

vec2 arrowAt(ivec2 n) {
    ivec2 last = ivec2(WISP_ARROW_ROWS - 1);
    n = mix(clamp(n, ivec2(0), last), (n + WISP_ARROW_ROWS) % WISP_ARROW_ROWS, periodicAxes().xy);
    return prescribed.arrows[n.y * WISP_ARROW_ROWS + n.x];
}

vec2 betweenArrows(vec2 place) {  // place: 0 to 1 along each edge of the box
    vec2 t = place * float(WISP_ARROW_ROWS) - 0.5, f = fract(t);
    ivec2 n = ivec2(floor(t));
    return mix(mix(arrowAt(n), arrowAt(n + ivec2(1, 0)), f.x), mix(arrowAt(n + ivec2(0, 1)), arrowAt(n + ivec2(1, 1)), f.x), f.y);
}

// Velocity [m/s] at p [cells].
vec3 prescribedVelocity(vec3 p) {
    vec2 box = vec2(sim.cells.xy), place = p.xy / box, r = p.xy - 0.5 * box;
    float U = prescribed.speed;
    if (prescribed.field == WISP_UNIFORM) return prescribed.velocity;
    if (prescribed.field == WISP_ROTATION) return 2.0 * U / min(box.x, box.y) * vec3(-r.y, r.x, 0.0);
    if (prescribed.field == WISP_SHEAR) return vec3(2.0 * U * r.y / box.y, 0.0, 0.0);
    if (prescribed.field == WISP_SINE) return U * sqrt(0.5) * vec3(1.0, cos(kTurn * place.x), 0.0);
    if (prescribed.field == WISP_TAYLOR_GREEN) {
        vec2 k = 0.5 * kTurn * mix(vec2(1.0), vec2(2.0), periodicAxes().xy), a = k * place;
        return U * vec3(sin(a.x) * cos(a.y), -k.x * box.y / (k.y * box.x) * cos(a.x) * sin(a.y), 0.0);
    }
    return vec3(betweenArrows(place), 0.0);
}
