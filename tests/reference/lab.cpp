// SPDX-License-Identifier: MIT
#include "tests/reference/lab.h"

#include "tests/reference/motion.h"

#include <glm/gtc/constants.hpp>
#include <glm/vec2.hpp>

#include <algorithm>
#include <cmath>

namespace wisp::reference {
namespace {

using glm::dvec2;

constexpr double kPi = glm::pi<double>();

bool isPeriodic(const Step& s, int a) { return (periodicAxes(s) >> a & 1) != 0; }

// Sum of one hat function per arrow, one tile wide to each side. Constant beyond the centres of the outermost arrows.
dvec2 betweenArrows(const Step& s, const gpu::PrescribedData& field, dvec2 tile) {
    dvec2 sum(0.0);
    for (int a = 0; a < 2; ++a) tile[a] = isPeriodic(s, a) ? tile[a] : std::clamp(tile[a], 0.5, WISP_ARROW_ROWS - 0.5);
    for (int y = -1; y <= WISP_ARROW_ROWS; ++y)
        for (int x = -1; x <= WISP_ARROW_ROWS; ++x) {
            const dvec2 hat = glm::max(1.0 - glm::abs(tile - dvec2(x, y) - 0.5), 0.0);
            const int n = (y + WISP_ARROW_ROWS) % WISP_ARROW_ROWS * WISP_ARROW_ROWS + (x + WISP_ARROW_ROWS) % WISP_ARROW_ROWS;
            sum += hat.x * hat.y * dvec2(field.arrows[n]);
        }
    return sum;
}

}  // namespace

dvec3 prescribedVelocity(const Step& s, const gpu::PrescribedData& field, dvec3 p) {
    const double h = double(s.h), U = double(field.speed), a = s.cells.x * h, b = s.cells.y * h;
    const dvec3 x = p * h, r = x - 0.5 * dvec3(a, b, 0.0);
    switch (field.field) {
        case WISP_UNIFORM: return dvec3(field.velocity);
        case WISP_ROTATION: return U / (0.5 * std::min(a, b)) * dvec3(-r.y, r.x, 0.0);
        case WISP_SHEAR: return {2.0 * U * r.y / b, 0.0, 0.0};
        case WISP_SINE: return U / std::sqrt(2.0) * dvec3(1.0, std::cos(2.0 * kPi * x.x / a), 0.0);
        case WISP_TAYLOR_GREEN: {
            const double k = (isPeriodic(s, 0) ? 2.0 : 1.0) * kPi / a, l = (isPeriodic(s, 1) ? 2.0 : 1.0) * kPi / b;
            return U * dvec3(std::sin(k * x.x) * std::cos(l * x.y), -k / l * std::cos(k * x.x) * std::sin(l * x.y), 0.0);
        }
        default: return {betweenArrows(s, field, dvec2(p) / dvec2(s.cells) * double(WISP_ARROW_ROWS)), 0.0};
    }
}

Field prescribe(const Step& s, const gpu::PrescribedData& field) {
    Field result(faces(s));
    forEach(faces(s), [&](ivec3 c) {
        for (int a = 0; a < axes(s); ++a)
            if (faceExists(s, c, a)) result(c)[a] = prescribedVelocity(s, field, facePoint(c, a))[a];
    });
    return result;
}

Field upwind(const Step& s, const gpu::PrescribedData& field, const Field& scalars, dvec4 keep, double dt, const gpu::InflowPush& inflow) {
    Field result(s.scalarCells);
    const auto at = [&](ivec3 c) {
        const dvec3 p = scalarPoint(s, c);
        return beyondOpenSide(s, p) ? surroundings(s, inflow, p) : scalars.nearest(c, period(s, s.scalarCells));
    };
    forEach(s.scalarCells, [&](ivec3 c) {
        dvec4 change(0.0);
        for (int a = 0; a < axes(s); ++a) {
            const double edge = double(s.h) / scalarsPerCell(s)[a];
            for (const int side : {-1, 1}) {
                const dvec3 face = scalarPoint(s, c) + 0.5 * side * dvec3(unit(a)) / dvec3(scalarsPerCell(s));
                const double in = std::max(-side * prescribedVelocity(s, field, face)[a], 0.0);
                change += dt / edge * in * (at(c + side * unit(a)) - scalars(c));
            }
        }
        result(c) = keep * (scalars(c) + change);
    });
    return result;
}

Field departurePoints(const Step& s, const gpu::PrescribedData& field, const Field& departures, double dt, int parts) {
    const auto back = [&](dvec3 p) {
        if (!beyondOpenSide(s, p)) return -prescribedVelocity(s, field, p) / double(s.h);
        for (int a = 0; a < 3; ++a)
            if (!isPeriodic(s, a) && ((p[a] < 0.0 && s.sidesLow[a] == WISP_INFLOW) || (p[a] > s.cells[a] && s.sidesHigh[a] == WISP_INFLOW)))
                return -dvec3(s.inflow) / double(s.h);
        return dvec3(0.0);
    };
    Field result(s.scalarCells);
    forEach(s.scalarCells, [&](ivec3 c) {
        dvec3 p = parts == 0 ? scalarPoint(s, c) : dvec3(departures(c));
        for (int n = 0; n < parts; ++n) {
            const double t = dt / parts;
            const dvec3 k1 = back(p), k2 = back(p + 0.5 * t * k1), k3 = back(p + 0.5 * t * k2), k4 = back(p + t * k3);
            p += t * (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0;
        }
        for (int a = 0; a < 3; ++a)
            p[a] = std::clamp(p[a], s.sidesLow[a] == WISP_WALL ? 0.0 : -1e9, s.sidesHigh[a] == WISP_WALL ? s.cells[a] : 1e9);
        for (int a = 0; a < 3; ++a) p[a] -= isPeriodic(s, a) ? s.cells[a] * std::floor(p[a] / s.cells[a]) : 0.0;
        result(c) = dvec4(p, 0.0);
    });
    return result;
}

Field exactAmbient(const Step& s, const Field& departures, const gpu::InflowPush& inflow) {
    Field result(s.scalarCells);
    forEach(s.scalarCells, [&](ivec3 c) {
        const dvec3 p(departures(c));
        result(c).x = beyondOpenSide(s, p) ? surroundings(s, inflow, p).x : 0.0;
    });
    return result;
}

Measures measureError(const Field& scalars, const Field& exact, double greatest) {
    Measures m{};
    for (std::size_t i = 0; i < scalars.count(); ++i) {
        const double s = scalars.values()[i].x, e = exact.values()[i].x;
        m[0] += std::abs(s - e);
        m[1] += (s - e) * (s - e);
        m[2] += std::abs(e);
        m[3] += e * e;
        m[4] += s;
        m[5] += e;
        m[6] = std::max(m[6], s - greatest);
        m[7] = std::max(m[7], -s);
    }
    return m;
}

}  // namespace wisp::reference
