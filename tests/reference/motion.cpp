// SPDX-License-Identifier: MIT
#include "tests/reference/motion.h"

#include "shaders/shared/correction.h"
#include "tests/reference/tracers.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>

namespace wisp::reference {
namespace {

// Texel coordinate of a component. Along its axis, face i is texel i. Tangentially, only the first n texels (those of cells) contain faces.
dvec3 faceTexel(const Step& s, dvec3 p, int axis) {
    dvec3 texel = glm::clamp(p, dvec3(0.5), dvec3(s.cells) - 0.5);
    for (int a = 0; a < 3; ++a) texel[a] = (periodicAxes(s) >> a & 1) != 0 ? p[a] : texel[a];
    texel[axis] = p[axis] + 0.5;
    return texel;
}

bool leavesBox(const Step& s, dvec3 p) {
    for (int a = 0; a < 3; ++a) {
        if ((periodicAxes(s) >> a & 1) == 0 && (p[a] < 0.0 || p[a] > s.cells[a])) return true;
    }
    return false;
}

// Type of the side of axis a that p is beyond, or WISP_WALL.
int sideBeyond(const Step& s, dvec3 p, int a, double margin = 0.0) {
    if ((periodicAxes(s) >> a & 1) != 0) return WISP_WALL;
    return p[a] < margin ? s.sidesLow[a] : p[a] > s.cells[a] - margin ? s.sidesHigh[a] : WISP_WALL;
}

// Cubic Lagrange polynomial through four values, the middle two at 0 and 1, minus the line through the middle two.
dvec4 bend(const dvec4& a, const dvec4& b, const dvec4& c, const dvec4& d, double t) {
    const dvec4 cubic = -t * (t - 1.0) * (t - 2.0) / 6.0 * a + (t + 1.0) * (t - 1.0) * (t - 2.0) / 2.0 * b -
                        (t + 1.0) * t * (t - 2.0) / 2.0 * c + (t + 1.0) * t * (t - 1.0) / 6.0 * d;
    return cubic - (1.0 - t) * b - t * c;
}

// Trilinear interpolation plus the cubic term of each axis (linear in the other axes), clamped to the surrounding texels.
dvec4 sampleCubic(const Field& field, dvec3 texel, ivec3 period) {
    const auto at = [&](ivec3 c) { return field.nearest(c, period); };
    const ivec3 base(glm::floor(texel - 0.5));
    const dvec3 t = texel - 0.5 - dvec3(base);
    dvec4 sum = dvec4(0.0), low(1e300), high(-1e300);
    forEach(ivec3(2), [&](ivec3 o) {
        const dvec3 w = glm::mix(1.0 - t, t, dvec3(o));
        sum += w.x * w.y * w.z * at(base + o);
        low = glm::min(low, at(base + o));
        high = glm::max(high, at(base + o));
        for (int a = 0; a < 3; ++a) {
            if (o[a] == 1) continue;
            const ivec3 c = base + o, e = unit(a);
            sum += w[(a + 1) % 3] * w[(a + 2) % 3] * bend(at(c - e), at(c), at(c + e), at(c + 2 * e), t[a]);
        }
    });
    return glm::clamp(sum, low, high);
}

// The aperture of cells is a cell field: n texels with clamped edges. Texels beyond them are ignored.
bool nearSolid(const Step& s, const Field& aperture, dvec3 p) {
    dvec3 texel = glm::clamp(p, dvec3(0.5), dvec3(s.cells) - 0.5);
    for (int a = 0; a < 3; ++a) texel[a] = (periodicAxes(s) >> a & 1) != 0 ? p[a] : texel[a];
    return s.obstacleCount > 0 && aperture.sample(texel, period(s, s.cells)).w < 0.999;
}

template <class F>
Field onFaces(const Step& s, F&& f) {
    Field result(faces(s));
    forEach(faces(s), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            if (faceExists(s, c, axis)) result(c)[axis] = f(c, axis);
        }
    });
    return result;
}

// The displacement of a face is the mean of the two adjacent cells.
dvec3 onFace(const Step& s, const Field& displacement, ivec3 c, int axis) {
    const ivec3 around = period(s, s.cells);
    return 0.5 * dvec3(displacement.nearest(c, around) + displacement.nearest(c - unit(axis), around));
}

struct Bounds {
    dvec4 low{1e300}, high{-1e300};
};

// Bounds of the eight texels around a position. The lowest texel index is at most `last`.
Bounds boundsAround(const Field& field, dvec3 texel, ivec3 last, ivec3 period) {
    Bounds b;
    ivec3 base(glm::floor(texel - 0.5));
    for (int a = 0; a < 3; ++a) base[a] = period[a] > 0 ? base[a] : std::min(base[a], last[a]);
    forEach(ivec3(2), [&](ivec3 o) {
        b.low = glm::min(b.low, field.nearest(base + o, period));
        b.high = glm::max(b.high, field.nearest(base + o, period));
    });
    return b;
}

// Whether MacCormack's correction is omitted for the path from - p - to.
bool forwardOnly(const Step& s, const Field& aperture, dvec3 from, dvec3 p, dvec3 to) {
    return leavesBox(s, from) || leavesBox(s, to) || nearSolid(s, aperture, p) || nearSolid(s, aperture, from) ||
           nearSolid(s, aperture, to);
}

bool solid(const Step& s, const Field& aperture, ivec3 scalarCell) {
    return s.obstacleCount > 0 && aperture(scalarCell / s.scalarRatio).w == 0.0;
}

// Fluid-only sample at `from`. Without fluid there, at 1/2, 1/4 and 1/8 of the path from p, and finally at p itself.
dvec4 fluidShare(const Step& s, const Field& aperture, const Field& before, const Field& scalars, dvec3 p, dvec3 from, int halvings = 0) {
    const dvec3 texel = dvec3(scalarsPerCell(s)) * (halvings == 4 ? p : p + (from - p) * std::exp2(-halvings));
    dvec4 sum(0.0);
    double share = 0.0;
    scalars.forTexelsAround(
        texel,
        [&](ivec3 c, double weight) {
            if (solid(s, aperture, c) && solid(s, before, c)) return;
            sum += weight * scalars(c);
            share += weight;
        },
        period(s, s.scalarCells));
    if (share > 1e-4) return sum / share;
    return halvings == 4 ? dvec4(0.0) : fluidShare(s, aperture, before, scalars, p, from, halvings + 1);
}

}  // namespace

bool beyondOpenSide(const Step& s, dvec3 p) {
    for (int a = 0; a < 3; ++a)
        if (sideBeyond(s, p, a) != WISP_WALL) return true;
    return false;
}

double ambientWeight(const Step& s, dvec3 p, dvec3 margin) {
    double share = 0.0;
    for (int a = 0; a < 3; ++a) {
        if (sideBeyond(s, p, a, margin[a]) == WISP_WALL) continue;
        const double inside = std::min(p[a], s.cells[a] - p[a]);
        share = std::max(share, inside < 0.0 ? 1.0 : 1.0 - inside / margin[a]);
    }
    return share;
}

dvec4 surroundings(const Step& s, const gpu::InflowPush& inflow, dvec3 p, dvec3 margin) {
    bool inflowing = false;
    for (int a = 0; a < 3; ++a) inflowing = inflowing || sideBeyond(s, p, a, margin[a]) == WISP_INFLOW;
    if (!inflowing) return dvec4(0.0);
    if (inflow.pattern != WISP_STRIPES && inflow.pattern != WISP_CHECKERBOARD) return dvec4(inflow.value);
    const dvec3 x = (p * double(s.h) - dvec3(inflow.shift)) / double(inflow.width);
    if (inflow.pattern == WISP_STRIPES && static_cast<int>(std::floor(glm::dot(x, dvec3(inflow.along)))) % 2 != 0) return dvec4(0.0);
    if (inflow.pattern == WISP_CHECKERBOARD && (static_cast<int>(std::floor(x.x)) + static_cast<int>(std::floor(x.y))) % 2 != 0)
        return dvec4(0.0);
    return dvec4(inflow.value);
}

double component(const Step& s, const Field& velocity, dvec3 p, int axis) {
    return velocity.sample(faceTexel(s, p, axis), period(s, s.cells))[axis];
}

namespace {

// A path from p, cut where it enters a solid.
dvec3 outsidePart(const Step& s, const Field& distance, dvec3 p, dvec3 path) {
    const auto phi = [&](double t) { return distance.sample(p + t * path, period(s, s.cells)).x; };
    if (s.obstacleCount == 0 || phi(0.0) <= 0.0 || phi(0.0) > glm::length(path) || phi(1.0) >= 0.0) return path;
    double low = 0.0, high = 1.0;  // outside, inside
    const auto crossing = [&] { return low + (high - low) * phi(low) / (phi(low) - phi(high)); };
    (phi(crossing()) < 0.0 ? high : low) = crossing();
    return crossing() * path;
}

}  // namespace

Paths trace(const Step& s, const Field& centre, const Field& before, const Field& distance) {
    Paths paths{Field(s.cells), Field(s.cells)};
    const double cellsPerSpeed = double(s.dt) / double(s.h);
    forEach(s.cells, [&](ivec3 c) {
        const dvec3 p = dvec3(c) + 0.5, half = 0.5 * cellsPerSpeed * dvec3(centre(c));
        paths.back(c) = dvec4(outsidePart(s, before, p, -cellsPerSpeed * dvec3(centre.sample(p - half, period(s, s.cells)))), 0.0);
        paths.ahead(c) = dvec4(outsidePart(s, distance, p, cellsPerSpeed * dvec3(centre.sample(p + half, period(s, s.cells)))), 0.0);
    });
    return paths;
}

namespace {

// Distance from the sides of the box to the outermost faces of an axis.
dvec3 faceMargin(int axis) { return 0.5 - 0.5 * dvec3(unit(axis)); }

}  // namespace

Field advectVelocity(const Step& s, const Field& velocity, const Field& back, double keep, const gpu::AmbientFlow* air) {
    return onFaces(s, [&](ivec3 c, int axis) {
        const dvec3 from = facePoint(c, axis) + onFace(s, back, c, axis);
        const double share = ambientWeight(s, from, faceMargin(axis)),
                     outside = air && axis < axes(s) && share > 0.0 ? ambientFlow(*air, from)[axis] : double(s.inflow[axis]);
        return keep * glm::mix(component(s, velocity, from, axis), outside, share);
    });
}

namespace {

// Minus dt / 4 times the sum over axes of E_a D_a u, see advect_velocity_correct.comp.
double conservation(const Step& s, const Field& velocity, const Field& forward, ivec3 c, int axis) {
    const auto at = [&](const Field& f, ivec3 n, int a) {
        for (int b = 0; b < 3; ++b)
            if ((periodicAxes(s) >> b & 1) != 0) n[b] = (n[b] + s.cells[b]) % s.cells[b];
        return f(n)[a];
    };
    const auto across = [&](ivec3 cell, int a) { return at(velocity, cell + unit(a), a) - at(velocity, cell, a); };
    double sum = 0.0;
    for (int a = 0; a < axes(s); ++a) {
        const bool periodic = (periodicAxes(s) >> a & 1) != 0;
        if (!periodic && (c[a] == 0 || c[a] + 1 >= s.cells[a] + (a == axis ? 1 : 0))) continue;
        double second = 0.0;
        for (const Field* f : {&velocity, &forward})
            second += 0.5 * (at(*f, c - unit(a), axis) - 2.0 * at(*f, c, axis) + at(*f, c + unit(a), axis));
        const bool atSide = (periodicAxes(s) >> axis & 1) == 0 && (c[axis] == 0 || c[axis] == s.cells[axis]);
        if (!atSide) sum += 0.5 * (across(c, a) + across(c - unit(axis), a)) * second;
    }
    return -double(s.dt) / double(s.h) / 4.0 * sum;
}

}  // namespace

Field advectVelocityCorrect(const Step& s, const Field& velocity, const Paths& paths, const Field& aperture, const Field& forward,
                            double keep, int correction) {
    return onFaces(s, [&](ivec3 c, int axis) {
        const dvec3 p = facePoint(c, axis), from = p + onFace(s, paths.back, c, axis), to = p + onFace(s, paths.ahead, c, axis);
        const double base = correction == WISP_COMPENSATE ? velocity(c)[axis] : forward(c)[axis];
        const bool limit = correction == WISP_LIMIT, clamped = correction == WISP_CLAMPED || limit;
        if (ambientWeight(s, from, faceMargin(axis)) > 0.0 || (!limit && forwardOnly(s, aperture, from, p, to))) return keep * base;
        const double corrected = limit ? base : base + 0.5 * (velocity(c)[axis] - component(s, forward, to, axis)),
                     conserves = limit ? 0.0 : conservation(s, velocity, forward, c, axis);
        if (!clamped) return keep * (corrected + conserves);
        const Bounds b = boundsAround(velocity, faceTexel(s, from, axis), s.cells - 2 + unit(axis), period(s, s.cells));
        const double most = double(WISP_CONSERVED_SHARE) * (b.high[axis] - b.low[axis]);
        return keep * (glm::clamp(corrected, b.low[axis], b.high[axis]) + glm::clamp(conserves, -most, most));
    });
}

Field advectScalars(const Step& s, const Field& back, const Field& aperture, const Field& before, const Field& scalars, dvec4 keep,
                    const gpu::InflowPush& inflow, bool cubic) {
    Field result(s.scalarCells);
    const dvec3 perCell(scalarsPerCell(s));
    forEach(s.scalarCells, [&](ivec3 c) {
        const dvec3 p = (dvec3(c) + 0.5) / perCell, from = p + dvec3(back.sample(p, period(s, s.cells)));
        const bool beside = nearSolid(s, aperture, p) || nearSolid(s, aperture, from);
        dvec4 value(0.0);
        if (cubic) value = sampleCubic(scalars, from * perCell, period(s, s.scalarCells));
        else if (!solid(s, aperture, c))
            value = beside ? fluidShare(s, aperture, before, scalars, p, from) : scalars.sample(from * perCell, period(s, s.scalarCells));
        const dvec3 margin = 0.5 / perCell;
        const double share = ambientWeight(s, from, margin);
        result(c) = keep * glm::mix(value, surroundings(s, inflow, from, share < 1.0 ? margin : dvec3(0.0)), share);
    });
    return result;
}

Field advectScalarsCorrect(const Step& s, const Paths& paths, const Field& aperture, const Field& scalars, const Field& forward, dvec4 keep,
                           int correction, dvec4 inflow) {
    Field result(s.scalarCells);
    const dvec3 perCell(scalarsPerCell(s));
    forEach(s.scalarCells, [&](ivec3 c) {
        const dvec3 p = (dvec3(c) + 0.5) / perCell, from = p + dvec3(paths.back.sample(p, period(s, s.cells))),
                    to = p + dvec3(paths.ahead.sample(p, period(s, s.cells)));
        dvec4 value = correction == WISP_COMPENSATE ? scalars(c) : forward(c);
        const double entering = ambientWeight(s, from, 0.5 / perCell);
        const bool enters = entering > 0.0;
        if (correction == WISP_LIMIT && entering < 1.0 && !solid(s, aperture, c)) {
            Bounds all = boundsAround(scalars, from * perCell, s.scalarCells, period(s, s.scalarCells));
            const bool beside = nearSolid(s, aperture, p) || nearSolid(s, aperture, from);
            for (const double share : {0.5, 0.25, 0.125, 0.0}) {  // the positions that fluidShare samples
                if (!beside) break;
                const Bounds b = boundsAround(scalars, (p + share * (from - p)) * perCell, s.scalarCells, period(s, s.scalarCells));
                all = {glm::min(all.low, b.low), glm::max(all.high, b.high)};
            }
            if (enters) all = {glm::min(all.low, glm::min(inflow, 0.0)), glm::max(all.high, glm::max(inflow, 0.0))};
            value = glm::clamp(value, all.low, all.high);
        } else if (correction != WISP_LIMIT && !enters && !forwardOnly(s, aperture, from, p, to)) {
            const bool clamped = correction == WISP_CLAMPED;
            value += 0.5 * (scalars(c) - forward.sample(to * perCell, period(s, s.scalarCells)));
            const Bounds b = boundsAround(scalars, from * perCell, s.scalarCells, period(s, s.scalarCells));
            if (clamped) value = glm::clamp(value, b.low, b.high);
        }
        result(c) = keep * value;
    });
    return result;
}

// Velocity of the obstacle at a face centre, `away` [cells] from it.
static double bodyVelocity(const Step& s, ivec3 face, int axis, dvec3 away = dvec3(0.0)) {
    return axis >= axes(s) ? 0.0 : velocityOfBody(s, nearestBody(s, world(s, facePoint(face, axis))), double(s.h) * away)[axis];
}

Field diffuseSweep(const Step& s, const Field& before, const Field& velocity, const Field& distance, double amount) {
    return onFaces(s, [&](ivec3 c, int axis) {
        const double phi = faceDistance(s, distance, c, axis);
        if (phi <= 0.0) return bodyVelocity(s, c, axis);
        double sum = before(c)[axis], weight = 1.0;
        for (int t = 0; t < axes(s); ++t) {
            for (const int step : {-1, 1}) {
                ivec3 neighbour = c + step * unit(t);
                if (const int n = period(s, s.cells)[t]; n > 0) neighbour[t] = (neighbour[t] + n) % n;
                if (!faceExists(s, neighbour, axis)) continue;
                const double there = faceDistance(s, distance, neighbour, axis), near = there > 0.0 ? 1.0 : nearness(phi, there);
                sum += amount * near *
                       (there > 0.0 ? velocity(neighbour)[axis]
                                    : bodyVelocity(s, neighbour, axis, (1.0 / near - 1.0) * step * dvec3(unit(t))));
                weight += amount * near;
            }
        }
        return sum / weight;
    });
}

Field diffuse(const Step& s, const Field& velocity, const Field& distance, double amount) {
    return onFaces(s, [&](ivec3 c, int axis) {
        const double here = velocity(c)[axis], phi = faceDistance(s, distance, c, axis);
        if (phi <= 0.0) return bodyVelocity(s, c, axis);
        double laplacian = 0.0, solidWeight = 0.0, wall = 0.0;
        for (int t = 0; t < 3; ++t) {
            for (const int step : {-1, 1}) {
                ivec3 neighbour = c + step * unit(t);
                if (const int n = period(s, s.cells)[t]; n > 0) neighbour[t] = (neighbour[t] + n) % n;
                if (!faceExists(s, neighbour, axis)) continue;
                const double there = faceDistance(s, distance, neighbour, axis);
                if (there > 0.0) {
                    laplacian += velocity(neighbour)[axis] - here;
                } else {
                    const double near = nearness(phi, there);
                    solidWeight += amount * near;
                    wall += amount * near * bodyVelocity(s, neighbour, axis, (1.0 / near - 1.0) * step * dvec3(unit(t)));
                }
            }
        }
        return (here + amount * laplacian + wall) / (1.0 + solidWeight);
    });
}

Field curl(const Step& s, const Field& centre) {
    Field result(s.cells);
    forEach(s.cells, [&](ivec3 c) {
        const auto slope = [&](int along, int of) {
            const ivec3 around = period(s, s.cells);
            return (centre.nearest(c + unit(along), around)[of] - centre.nearest(c - unit(along), around)[of]) / (2.0 * double(s.h));
        };
        const dvec3 omega(slope(1, 2) - slope(2, 1), slope(2, 0) - slope(0, 2), slope(0, 1) - slope(1, 0));
        result(c) = dvec4(omega, glm::length(omega));
    });
    return result;
}

Field forces(const Step& s, const Field& curl, const Field& scalars, const Force& force) {
    Field result(s.cells);
    const double h = double(s.h);
    forEach(s.cells, [&](ivec3 c) {
        dvec3 g(0.0);
        const ivec3 around = period(s, s.cells);
        for (int a = 0; a < 3; ++a) g[a] = (curl.nearest(c + unit(a), around).w - curl.nearest(c - unit(a), around).w) / (2.0 * h);
        const dvec3 omega(curl(c)), towards = g / (glm::length(g) + 1e-3 * glm::length(omega) / h + 1e-20);
        const dvec4 smoke = scalars.sample((dvec3(c) + 0.5) * dvec3(scalarsPerCell(s)), period(s, s.scalarCells));
        const double warm = force.ambient > 0.0 ? smoke.y / (1.0 + smoke.y / force.ambient) : smoke.y;
        const dvec3 a = force.epsilon * h * glm::cross(towards, omega) + force.down * (force.weight * smoke.x - force.buoyancy * warm);
        const ivec3 perCell(scalarsPerCell(s));
        double sum = 0.0;
        forEach(perCell, [&](ivec3 o) { sum += scalars(c * perCell + o).w; });
        result(c) = dvec4(a, sum / (perCell.x * perCell.y * perCell.z));
    });
    return result;
}

Field accelerate(const Step& s, const Field& acceleration, const Field& velocity) {
    Field result = onFaces(s, [&](ivec3 c, int axis) {
        const ivec3 around = period(s, s.cells);
        const double low = acceleration.nearest(c - unit(axis), around)[axis], high = acceleration.nearest(c, around)[axis];
        return std::clamp(velocity(c)[axis] + 0.5 * double(s.dt) * (low + high), -1e4, 1e4);
    });
    forEach(s.cells, [&](ivec3 c) { result(c).w = acceleration(c).w; });
    return result;
}

}  // namespace wisp::reference
