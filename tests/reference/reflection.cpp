// SPDX-License-Identifier: MIT
#include "tests/reference/reflection.h"

#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <algorithm>
#include <cmath>

namespace wisp::reference {
namespace {

const double kPi = glm::pi<double>();

double eyeCosine(dvec3 normal, dvec3 eye) { return std::max(glm::dot(normal, eye), 1e-3); }

/// Trowbridge and Reitz.
double facets(double alpha, dvec3 normal, dvec3 m) {
    const double c = glm::dot(normal, m), d = c * c * (alpha * alpha - 1.0) + 1.0;
    return alpha * alpha / (kPi * d * d);
}

/// Smith's Lambda.
double lambda(double alpha, double cosine) { return 0.5 * (std::sqrt(1.0 + alpha * alpha * (1.0 / (cosine * cosine) - 1.0)) - 1.0); }

}  // namespace

double coatReflectance(const gpu::SurfaceData& s, double cosine) {
    const double f0 = double(s.specular);
    return f0 + (std::min(25.0 * f0, 1.0) - f0) * std::pow(1.0 - std::clamp(cosine, 0.0, 1.0), 5.0);
}

dvec3 reflected(const gpu::SurfaceData& s, double alpha, dvec3 normal, dvec3 eye, dvec3 towards) {
    const double i = glm::dot(normal, towards), o = eyeCosine(normal, eye);
    if (i <= 0.0) return dvec3(0.0);
    const dvec3 m = glm::normalize(eye + towards),
                diffuse = (1.0 - coatReflectance(s, i)) * (1.0 - coatReflectance(s, o)) / kPi * dvec3(s.colour);
    const double masking = 1.0 / (1.0 + lambda(alpha, i) + lambda(alpha, o));
    return i * diffuse + coatReflectance(s, glm::dot(eye, m)) * facets(alpha, normal, m) * masking / (4.0 * o);
}

double coatChance(const gpu::SurfaceData& s, dvec3 normal, dvec3 eye) {
    const double F = coatReflectance(s, eyeCosine(normal, eye)),
                 base = std::max({double(s.colour.x), double(s.colour.y), double(s.colour.z)});
    return F / std::max(F + (1.0 - F) * base, 1e-30);
}

double reflectionChance(const gpu::SurfaceData& s, dvec3 normal, dvec3 eye, dvec3 towards) {
    const double i = glm::dot(normal, towards), o = eyeCosine(normal, eye), coat = coatChance(s, normal, eye);
    if (i <= 0.0) return 0.0;
    const double alpha = double(s.roughness) * double(s.roughness);
    const dvec3 m = glm::normalize(eye + towards);
    return coat * facets(alpha, normal, m) / (1.0 + lambda(alpha, o)) / (4.0 * o) + (1.0 - coat) * i / kPi;
}

void across(dvec3 d, dvec3& a, dvec3& b) {
    const double s = d.z < 0.0 ? -1.0 : 1.0, p = -1.0 / (s + d.z);
    a = dvec3(1.0 + s * d.x * d.x * p, s * d.x * d.y * p, -s * d.x);
    b = dvec3(d.x * d.y * p, s + d.y * d.y * p, -d.y);
}

dvec3 seenFacet(dvec3 normal, dvec3 eye, double alpha, double u, double v) {
    dvec3 a, b;
    across(normal, a, b);
    const dvec3 o = glm::normalize(dvec3(alpha * glm::dot(eye, a), alpha * glm::dot(eye, b), eyeCosine(normal, eye)));
    const double z = (1.0 - u) * (1.0 + o.z) - o.z, sine = std::sqrt(std::max(1.0 - z * z, 0.0));
    const dvec3 m = dvec3(sine * std::cos(2.0 * kPi * v), sine * std::sin(2.0 * kPi * v), z) + o;
    return glm::normalize(alpha * m.x * a + alpha * m.y * b + m.z * normal);
}

}  // namespace wisp::reference
