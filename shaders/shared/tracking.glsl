// SPDX-License-Identifier: MIT
// Free flights through the smoke without a quadrature. Collisions are drawn in a medium with the bricks' majorants. A share
// density / majorant of the collisions is real. Needs shared/majorant.glsl, shared/random.glsl, shared/path.h,
// shared/shutter.glsl.
int budget = WISP_PATH_STEPS;  // remaining steps of this invocation
bool whole = true;             // false: the budget ran out or a majorant was too small, and the sample is wrong

float freeDepth(float u) { return -log(1.0 - u); }  // optical depth to the next collision

// Delta tracking (Woodcock et al. 1965): distance t < far to the next real collision; false if there is none. `flames`: the light that is
// sent out along the way. Collisions are drawn with the majorant's density, so its estimate is the sum over all of them, real or not, of
// emission / majorant. `density`: with which d was drawn, see directionShare; 0: nothing else finds these flames.
bool collision(vec3 x, vec3 d, float far, float density, inout Random random, out float t, out vec3 flames) {
    flames = vec3(0.0);
    Walk w = walkBricks(x, d, far);
    if (w.t >= w.end) return false;
    float depth = freeDepth(uniform4(random).x);
    for (; budget > 0; --budget) {
        float sigma = majorant(w), all = (brickEnd(w) - w.t) * sigma;
        if (depth >= all) {
            depth -= all;
            if (!leaveBrick(w)) return false;
            continue;
        }
        w.t += depth / sigma;
        vec4 u = uniform4(random);
        vec3 at = x + w.t * d, there = departure(at);
        vec4 smoke = smokeAt(there);
        float real = view.extinction * densityOf(smoke);
        vec3 emission = kFire ? emissionOf(there, smoke) : vec3(0.0);
        if (kFire && emission != vec3(0.0)) flames += emission / sigma * (density > 0.0 ? directionShare(density, at, w.t) : 1.0);
        whole = whole && real <= 1.001 * sigma;  // false for NaN, too
        if (u.x * sigma < real) {
            t = w.t;
            return true;
        }
        depth = freeDepth(u.y);
    }
    whole = false;
    return false;
}

// Ratio tracking (Novák, Selle, Jarosz 2014): an unbiased estimate of the transmittance up to `far`. Below 0.1, Russian roulette continues
// the walk with the probability T / 0.1 and the transmittance 0.1.
float transmittanceEstimate(vec3 x, vec3 d, float far, inout Random random) {
    Walk w = walkBricks(x, d, far);
    if (w.t >= w.end) return 1.0;
    float T = 1.0, depth = freeDepth(uniform4(random).x);
    for (; budget > 0; --budget) {
        float sigma = majorant(w), all = (brickEnd(w) - w.t) * sigma;
        if (depth >= all) {
            depth -= all;
            if (!leaveBrick(w)) return T;
            continue;
        }
        w.t += depth / sigma;
        vec4 u = uniform4(random);
        T *= max(1.0 - view.extinction * densityAt(x + w.t * d) / sigma, 0.0);
        if (T < 0.1) {
            if (u.x * 0.1 >= T) return 0.0;
            T = 0.1;
        }
        depth = freeDepth(u.y);
    }
    whole = false;
    return 0.0;
}
