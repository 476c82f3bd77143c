// SPDX-License-Identifier: MIT
// Coverage of a pixel by splats. Needs the image of the splats.
#include "shared/marks.h"
layout(constant_id = 22) const bool kMarks = false;
layout(binding = 11, scalar) readonly buffer Marks { uint marks[]; };
layout(binding = 15, scalar) readonly buffer MarkColours { vec3 markColours[]; };

struct Marked {
    float t;       // mean distance along the ray [m]
    float cover;   // covered share of the pixel
    vec3 shining;  // emitted radiance times the covered share [W/(m^2 sr)]
    vec3 albedo;   // albedo times the covered share
};

// Splats before `far`. `perDepth`: distance along the ray over distance along the view axis.
Marked marksBefore(ivec2 pixel, float far, float perDepth) {
    Marked m = Marked(0.0, 0.0, vec3(0.0), vec3(0.0));
    const float share = 1.0 / float(WISP_MARK_SAMPLES * WISP_MARK_SAMPLES);
    for (int n = 0; n < WISP_MARK_SAMPLES * WISP_MARK_SAMPLES; ++n) {
        ivec2 at = WISP_MARK_SAMPLES * pixel + ivec2(n % WISP_MARK_SAMPLES, n / WISP_MARK_SAMPLES);
        uint word = marks[uint(at.y) * uint(WISP_MARK_SAMPLES * view.pixels.x) + uint(at.x)];
        float t = uintBitsToFloat(word & ~WISP_MARK_BITS) * perDepth;
        if (word == WISP_NO_MARK || t >= far) continue;
        vec3 colour = share * markColours[word & WISP_MARK_BITS];
        if ((word & WISP_MARK_LIT) != 0u) m.albedo += colour;
        else m.shining += colour;
        m.cover += share;
        m.t += share * t;
    }
    m.t /= max(m.cover, 1e-6);
    return m;
}
