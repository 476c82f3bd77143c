// SPDX-License-Identifier: MIT
#include "tests/reference/ground_light.h"

#include "tests/reference/lamps.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>

namespace wisp::reference {

double skyAbove(const Step& s, const Field& sky, dvec3 x) {
    const dvec3 low(s.origin), nearest = glm::clamp(x, low, low + boxSize(s));
    const double away = std::min(glm::distance(x, nearest) / boxSize(s).y, 1.0);
    return glm::mix(std::min(2.0 * sampleBox(s, sky, nearest).x, 1.0), 1.0, away * away * (3.0 - 2.0 * away));
}

dvec3 groundAlong(const Step& s, const View& v, const GroundLight& g, dvec3 x, dvec3 d) {
    const dvec3 at = x - std::max(x.y - double(s.origin.y), 0.0) / d.y * d;
    const dvec4 T = throughFromRoots(s, v, g.lights, sampleBox(s, g.light, at), at);
    dvec3 arrives = skyAbove(s, g.sky, at) *
                    environmentMean(v, {0.0, 1.0, 0.0}, 2.0 / 3.0, 0.25);  // irradiance over pi, as a diffuse surface reflects it
    for (int n = 0; n < g.lights; ++n) {
        const Beam beam = beamAt(v.lights[n], at);
        arrives += T[n] * std::max(beam.towards.y, 0.0) / glm::pi<double>() * beam.irradiance;
    }
    return glm::mix(environmentRadiance(v, g.surroundings, d), dvec3(v.surfaces[WISP_MAX_OBSTACLES].colour) * arrives,
                    groundCover(s, v, at));
}

dvec3 groundBelow(const Step& s, const View& v, const GroundLight& g, dvec3 x, dvec3 normal) {
    dvec3 sum(0.0);
    double weights = 0.0;
    const auto add = [&](dvec3 d, double share) {
        const double w = share * std::max(glm::dot(normal, d), 0.0);
        if (w == 0.0) return;
        sum += w * groundAlong(s, v, g, x, d);
        weights += w;
    };
    add({0.0, -1.0, 0.0}, 1.0 / 15.0);
    for (const double side : {-1.0, 1.0})
        for (const double ahead : {-1.0, 1.0}) add(glm::normalize(dvec3(side, -1.0, ahead)), 3.0 / 40.0);
    return weights > 0.0 ? sum / weights : dvec3(0.0);
}

}  // namespace wisp::reference
