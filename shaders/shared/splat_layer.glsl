// SPDX-License-Identifier: MIT
// Coverage of a pixel by splats. Needs the image of the splats.
#include "shared/splats.h"
layout(constant_id = 22) const bool kSplats = false;
layout(binding = 11, scalar) readonly buffer Splats { uint splats[]; };
layout(binding = 15, scalar) readonly buffer SplatColours { vec3 splatColours[]; };

struct SplatLayer {
    float t;       // mean distance along the ray [m]
    float cover;   // covered share of the pixel
    vec3 shining;  // emitted radiance times the covered share [W/(m^2 sr)]
    vec3 albedo;   // albedo times the covered share
};

// Splats before `far`. `perDepth`: distance along the ray over distance along the view axis.
SplatLayer splatBefore(ivec2 pixel, float far, float perDepth) {
    SplatLayer m = SplatLayer(0.0, 0.0, vec3(0.0), vec3(0.0));
    const float share = 1.0 / float(WISP_SPLAT_SAMPLES * WISP_SPLAT_SAMPLES);
    for (int n = 0; n < WISP_SPLAT_SAMPLES * WISP_SPLAT_SAMPLES; ++n) {
        ivec2 at = WISP_SPLAT_SAMPLES * pixel + ivec2(n % WISP_SPLAT_SAMPLES, n / WISP_SPLAT_SAMPLES);
        uint word = splats[uint(at.y) * uint(WISP_SPLAT_SAMPLES * view.pixels.x) + uint(at.x)];
        float t = uintBitsToFloat(word & ~WISP_SPLAT_BITS) * perDepth;
        if (word == WISP_NO_SPLAT || t >= far) continue;
        vec3 colour = share * splatColours[word & WISP_SPLAT_BITS];
        if ((word & WISP_SPLAT_LIT) != 0u) m.albedo += colour;
        else m.shining += colour;
        m.cover += share;
        m.t += share * t;
    }
    m.t /= max(m.cover, 1e-6);
    return m;
}
