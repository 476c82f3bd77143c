// SPDX-License-Identifier: MIT
// From the coarse pressure to the fine velocity: the second half of tests/reference/pressure.h.
#include "tests/reference/pressure.h"

#include <algorithm>
#include <array>

namespace wisp::reference {
namespace {

bool whollyOpen(const Field& coarse, ivec3 c, int axis) { return (static_cast<int>(coarse(c).w) >> axis & 1) != 0; }

bool coarseFaceExists(const Step& s, ivec3 c, int axis) {
    for (int a = 0; a < 3; ++a) {
        if (c[a] < 0 || c[a] > (a == axis ? s.pressureCells[a] : s.pressureCells[a] - 1)) return false;
    }
    return true;
}

int planeOf(const Step& s, int coarse, int axis) { return std::min(coarse * s.ratio, s.cells[axis]); }

// Mean velocity of a coarse face's fluid by flux; of its solid where it is closed.
double fluidOrSolid(const Step& s, const Field& velocity, const Field& openness, ivec3 coarse, int axis) {
    double flux = 0.0, open = 0.0, solid = 0.0, count = 0.0;
    forFineFaces(s, coarse, axis, [&](ivec3 f) {
        flux += openness(f)[axis] * velocity(f)[axis];
        open += openness(f)[axis];
        solid += solidVelocity(s, f, axis);
        count += 1.0;
    });
    return open > 0.0 ? flux / open : solid / count;
}

// Which coarse faces a fine face lies on or between, and how far between.
struct Place {
    ivec3 below, above;
    double t;      // 0: on the face below
    dvec3 offset;  // tangentially from a coarse face's centre, in coarse cells
};

Place placeOf(const Step& s, ivec3 face, int axis) {
    Place place;
    place.below = face / s.ratio;
    // The box's high side is the last coarse face even where its block is cut short.
    if (face[axis] == s.cells[axis]) place.below[axis] = s.pressureCells[axis];
    place.above = place.below + unit(axis);
    const int low = planeOf(s, place.below[axis], axis), high = planeOf(s, place.above[axis], axis);
    place.t = face[axis] == low ? 0.0 : double(face[axis] - low) / (high - low);
    place.offset = (dvec3(face) + 0.5) / double(s.ratio) - (dvec3(place.below) + 0.5);
    return place;
}

double onCoarseFace(const Step& s, const Field& coarse, ivec3 c, int axis, dvec3 offset) {
    double value = coarse(c)[axis];
    if (!whollyOpen(coarse, c, axis)) return value;
    for (int t = 0; t < 3; ++t) {
        if (t == axis) continue;
        const ivec3 below = c - unit(t), above = c + unit(t);
        if (!coarseFaceExists(s, below, axis) || !coarseFaceExists(s, above, axis)) continue;
        if (!whollyOpen(coarse, below, axis) || !whollyOpen(coarse, above, axis)) continue;
        value += 0.5 * (coarse(above)[axis] - coarse(below)[axis]) * offset[t];
    }
    return value;
}

// The new velocity of the fine face on coarse face c that is in line with `face`.
double newVelocity(const Step& s, const Field& correction, const Field& velocity, double keep, ivec3 c, ivec3 face, int axis,
                   dvec3 offset) {
    const double value = onCoarseFace(s, correction, c, axis, offset);
    face[axis] = planeOf(s, c[axis], axis);
    return whollyOpen(correction, c, axis) ? keep * velocity(face)[axis] + value : value;
}

double projected(const Step& s, const Field& correction, const Field& velocity, double keep, double alpha, ivec3 face, int axis) {
    const Place p = placeOf(s, face, axis);
    const auto between = [&](auto valueOn) {
        return p.t == 0.0 ? valueOn(p.below) : (1.0 - p.t) * valueOn(p.below) + p.t * valueOn(p.above);
    };
    const bool free = p.t > 0.0 && alpha == 1.0 && whollyOpen(correction, p.below, axis) && whollyOpen(correction, p.above, axis);
    if (free) {
        return keep * velocity(face)[axis] + between([&](ivec3 c) { return onCoarseFace(s, correction, c, axis, p.offset); });
    }
    return between([&](ivec3 c) { return newVelocity(s, correction, velocity, keep, c, face, axis, p.offset); });
}

}  // namespace

Field pressureGradient(const Step& s, const Field& weights, const Numbers& q, const Field& velocity, const Field& openness, double keep) {
    Field correction(pressureFaces(s));
    forEach(pressureFaces(s), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            if (!coarseFaceExists(s, c, axis)) continue;
            const ivec3 below = c - unit(axis);
            const bool side = !q.contains(below) || !q.contains(c);
            const double low = q.contains(below) ? q(below) : 0.0, high = q.contains(c) ? q(c) : 0.0;
            const double w = weights(c)[axis], whole = side ? 2.0 : 1.0;
            if (w > 0.0) correction(c)[axis] = -whole * (high - low) / (s.ratio * double(s.h));
            if (w == whole) correction(c).w += 1 << axis;
            correction(c)[axis] += (w == whole ? 1.0 - keep : 1.0) * fluidOrSolid(s, velocity, openness, c, axis);
        }
    });
    return correction;
}

Field project(const Step& s, const Field& correction, const Field& openness, const Field& velocity, double keep) {
    Field result(faces(s));
    forEach(faces(s), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            if (!faceExists(s, c, axis)) continue;
            const double alpha = openness(c)[axis];
            result(c)[axis] = alpha > 0.0 ? projected(s, correction, velocity, keep, alpha, c, axis) : velocity(c)[axis];
        }
    });
    return result;
}

Field solidFaces(const Step& s, const Field& openness, const Field& velocity) {
    Field result = velocity;
    forEach(faces(s), [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) {
            if (faceExists(s, c, axis) && openness(c)[axis] == 0.0) result(c)[axis] = solidVelocity(s, c, axis);
        }
    });
    return result;
}

namespace {

// Subtracts the gradient of the block's potential psi from its inner faces, which are those between two of its cells.
void repairBlock(Field& u, ivec3 first) {
    Numbers excess(ivec3(2)), psi(ivec3(2));  // h (div - mean div), and the potential over h
    double mean = 0.0;
    forEach(ivec3(2), [&](ivec3 o) {
        for (int a = 0; a < 3; ++a) excess(o) += u(first + o + unit(a))[a] - u(first + o)[a];
        mean += excess(o) / 8.0;
    });
    // Gauss-Seidel on eight cells of three neighbours each: its error falls at least by (1/3)^2 a sweep on this bipartite graph.
    for (int sweep = 0; sweep < 60; ++sweep) {
        forEach(ivec3(2), [&](ivec3 o) {
            double sum = -(excess(o) - mean);
            for (int a = 0; a < 3; ++a) sum += psi(o + unit(a) * (1 - 2 * o[a]));
            psi(o) = sum / 3.0;
        });
    }
    for (int a = 0; a < 3; ++a) {
        forEach(ivec3(2), [&](ivec3 o) {
            if (o[a] == 1) u(first + o)[a] -= psi(o) - psi(o - unit(a));
        });
    }
}

}  // namespace

Field repair(const Step& s, const Field& openness, const Field& velocity) {
    Field result = velocity;
    forEach(s.cells / 2, [&](ivec3 block) {
        bool open = true;
        forEach(ivec3(2), [&](ivec3 o) { open = open && openness(2 * block + o).w == 1.0; });
        if (open) repairBlock(result, 2 * block);
    });
    return result;
}

Field centreVelocity(const Step& s, const Field& velocity) {
    Field centre(s.cells);
    forEach(s.cells, [&](ivec3 c) {
        for (int axis = 0; axis < 3; ++axis) centre(c)[axis] = 0.5 * (velocity(c)[axis] + velocity(c + unit(axis))[axis]);
    });
    return centre;
}

}  // namespace wisp::reference
