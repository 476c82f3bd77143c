// SPDX-License-Identifier: MIT
#include "tests/reference/sources.h"

#include <glm/exponential.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>

#include <cmath>

namespace wisp::reference {
namespace {

// Position of x as a fraction of the box along each axis, wrapped along periodic axes.
dvec3 shareOfBox(const Step& s, dvec3 x) {
    dvec3 u = (x - dvec3(s.origin)) / (dvec3(s.cells) * double(s.h));
    for (int axis = 0; axis < 3; ++axis)
        if ((periodicAxes(s) >> axis & 1) != 0) u[axis] -= std::floor(u[axis]);
    return u;
}

double amountOfField(const Step& s, const gpu::ShapePush& push, dvec3 x) {
    const dvec3 d = nearestImage(s, dvec3(push.shape.centre), x);
    const double r = double(push.shape.radius);
    switch (push.field) {
        case WISP_FIELD_GAUSSIAN: return std::exp(-glm::dot(d, d) / (2.0 * r * r));
        case WISP_FIELD_ZALESAK: {
            const bool disc = d.x * d.x + d.y * d.y <= r * r;
            const bool slot = 2.0 * std::abs(d.x) < r / 3.0 && d.y < 2.0 * r / 3.0;
            return disc && !slot;
        }
        case WISP_FIELD_CHECKERBOARD: {
            const dvec3 square = glm::floor(shareOfBox(s, x) * dvec3(s.cells) * (double(s.h) / r));
            return std::fmod(std::abs(square.x + square.y), 2.0) == 0.0;
        }
        case WISP_FIELD_SHAPE: return periodicDistance(s, push.shape, x) <= 0.0;
        default: return 0.0;
    }
}

// Distance to an emitter, or to a layer on its surface.
double emitterDistance(const Step& s, const gpu::ShapeData& shape, float shell, dvec3 x) {
    const double phi = periodicDistance(s, shape, x);
    return shell > 0.0f ? std::abs(phi) - double(shell) : phi;
}

// Integral of a stroke's Gaussian at x along the stroke [m].
double weightedLength(const Step& s, const gpu::StrokePush& push, dvec3 x) {
    const dvec3 along(push.along), middle = dvec3(push.from) + 0.5 * double(push.pathLength) * along;
    dvec3 d = x - middle;
    for (int axis = 0; axis < 3; ++axis)  // uses the nearest image
        if (const double period = s.cells[axis] * double(s.h); (periodicAxes(s) >> axis & 1) != 0)
            d[axis] -= period * std::round(d[axis] / period);
    const double half = 0.5 * double(push.pathLength), r = double(push.radius), t = glm::dot(d, along), across = glm::dot(d, d) - t * t;
    const double scale = std::sqrt(2.0) * r;
    return r * std::sqrt(glm::half_pi<double>()) * std::exp(-across / (2.0 * r * r)) *
           (std::erf((half - t) / scale) + std::erf((half + t) / scale));
}

}  // namespace

dvec4 initialAmount(const Step& s, const gpu::ShapePush& push, const Field& picture, dvec3 x) {
    const dvec3 colour(push.colour);
    if (push.field != WISP_FIELD_IMAGE) return {colour, amountOfField(s, push, x)};
    const dvec3 u = shareOfBox(s, x);
    const dvec4 light = picture.sample({u.x * picture.size().x, u.y * picture.size().y, 0.5});
    return {light.w == 0.0 ? colour : colour * dvec3(light) / light.w, light.w};
}

Field initialVelocity(const Step& s, const gpu::ShapePush& push, const Field& velocity) {
    Field result = velocity;
    forEach(faces(s), [&](ivec3 c) {
        for (int axis = 0; axis < axes(s); ++axis) {
            if (!faceExists(s, c, axis)) continue;
            dvec3 k = glm::pi<double>() / dvec3(s.cells);  // half a wavelength in the box, a full one along periodic axes
            for (int a = 0; a < 3; ++a) k[a] *= (periodicAxes(s) >> a & 1) != 0 ? 2.0 : 1.0;
            const dvec3 p = facePoint(c, axis), turn = k * p;
            if (push.field == WISP_FIELD_TAYLOR_GREEN) {
                const double speed = double(push.velocity.x), aspect = k.x / k.y;
                const dvec3 u(std::sin(turn.x) * std::cos(turn.y), -aspect * std::cos(turn.x) * std::sin(turn.y), 0.0);
                result(c)[axis] = speed * u[axis];
            } else if (push.field == WISP_FIELD_SHAPE && periodicDistance(s, push.shape, world(s, p)) <= 0.0) {
                result(c)[axis] = double(push.velocity[axis]);
            }
        }
    });
    return result;
}

Field initialScalars(const Step& s, const gpu::ShapePush& push, const Field& picture, const Field& aperture, const Field& scalars) {
    Field result = scalars;
    forEach(s.scalarCells, [&](ivec3 c) {
        if (aperture(c / s.scalarRatio).w == 0.0) return;
        const double a = initialAmount(s, push, picture, world(s, scalarPoint(s, c))).w;
        result(c) += a * (dvec4(push.density, push.temperature, 0.0, 0.0) - scalars(c));
    });
    return result;
}

Field emitScalars(const Step& s, const gpu::ShapePush& push, const Field& aperture, const Field& scalars) {
    Field result = scalars;
    forEach(s.scalarCells, [&](ivec3 c) {
        if (aperture(c / s.scalarRatio).w == 0.0) return;
        const dvec3 x = world(s, scalarPoint(s, c));
        const double t = glm::clamp(0.5 - emitterDistance(s, push.shape, push.shell, x) / (2.0 * double(s.h)), 0.0, 1.0);
        const double f = t * t * (3.0 - 2.0 * t), density = f * double(push.density), temperature = f * double(push.temperature);
        dvec4& v = result(c);
        v.x = std::max(v.x, density);
        if (temperature > 0.0) v.y = std::max(v.y, temperature);
        if (temperature < 0.0) v.y = std::min(v.y, temperature);
        v.x += double(push.densityRate) * double(s.dt) * f;
        v.y += double(push.temperatureRate) * double(s.dt) * f;
    });
    return result;
}

Field initialColours(const Step& s, const gpu::ShapePush& push, const Field& picture, const Field& aperture, const Field& colours) {
    Field result = colours;
    forEach(s.scalarCells, [&](ivec3 c) {
        if (aperture(c / s.scalarRatio).w == 0.0) return;
        const dvec4 v = initialAmount(s, push, picture, world(s, scalarPoint(s, c)));
        result(c) = (1.0 - v.w) * colours(c) + v.w * double(push.density) * dvec4(dvec3(v), 0.0);
    });
    return result;
}

Field whiteColours(const Field& scalars) {
    Field result(scalars.size());
    forEach(scalars.size(), [&](ivec3 c) { result(c) = scalars(c).x * dvec4(1.0, 1.0, 1.0, 0.0); });
    return result;
}

Field emitColours(const Step& s, const gpu::ShapePush& push, const Field& aperture, const Field& scalars, const Field& colours) {
    Field result = colours;
    const Field emitted = emitScalars(s, push, aperture, scalars);
    forEach(s.scalarCells, [&](ivec3 c) {
        const double phi = emitterDistance(s, push.shape, push.shell, world(s, scalarPoint(s, c)));
        if (aperture(c / s.scalarRatio).w == 0.0 || phi >= double(s.h)) return;
        const dvec4 colour(push.colour, 0.0), added = colours(c) + (emitted(c).x - scalars(c).x) * colour;
        const double f = glm::smoothstep(-double(s.h), double(s.h), -phi);
        result(c) = push.density > 0.0f ? glm::mix(added, emitted(c).x * colour, f) : added;
    });
    return result;
}

Field emitVelocity(const Step& s, const gpu::JetPush& push, const Field& velocity) {
    Field result = velocity;
    forEach(faces(s), [&](ivec3 c) {
        for (int axis = 0; axis < axes(s); ++axis) {
            if (!faceExists(s, c, axis)) continue;
            const double phi = emitterDistance(s, push.shape, push.shell, world(s, facePoint(c, axis)));
            const double inside = glm::clamp(0.5 - phi / double(s.h), 0.0, 1.0);
            result(c)[axis] += inside * (double(push.velocity[axis]) - velocity(c)[axis]);
        }
    });
    return result;
}

Field strokeVelocity(const Step& s, const gpu::StrokePush& push, const Field& velocity) {
    Field result = velocity;
    forEach(faces(s), [&](ivec3 c) {
        for (int axis = 0; axis < axes(s); ++axis)
            if (faceExists(s, c, axis))
                result(c)[axis] += double(push.amount[axis]) * weightedLength(s, push, world(s, facePoint(c, axis)));
    });
    return result;
}

Field strokeScalars(const Step& s, const gpu::StrokePush& push, const Field& aperture, const Field& scalars) {
    Field result = scalars;
    forEach(s.scalarCells, [&](ivec3 c) {
        if (aperture(c / s.scalarRatio).w == 0.0) return;
        result(c) += dvec4(push.amount) * weightedLength(s, push, world(s, scalarPoint(s, c)));
        result(c).z = std::min(result(c).z, double(push.mostZ));
    });
    return result;
}

}  // namespace wisp::reference
