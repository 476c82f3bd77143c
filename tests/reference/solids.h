// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/step.h"
#include "tests/reference/grid.h"

/// Geometry that all twins use: faces, sides and obstacles. A step contains the same data as on the GPU.
namespace wisp::reference {

using Step = gpu::StepData;

inline ivec3 faces(const Step& s) { return s.cells + 1; }
inline ivec3 pressureFaces(const Step& s) { return s.pressureCells + 1; }
/// A flat grid has one cell in depth: it is two-dimensional, without velocity along z.
inline bool isFlat(const Step& s) { return s.cells.z == 1; }
inline int axes(const Step& s) { return isFlat(s) ? 2 : 3; }
/// Scalar cells per fine cell along each axis.
inline ivec3 scalarsPerCell(const Step& s) { return {s.scalarRatio, s.scalarRatio, isFlat(s) ? 1 : s.scalarRatio}; }
/// Centre of a scalar cell, in fine cells.
inline dvec3 scalarPoint(const Step& s, ivec3 c) { return (dvec3(c) + 0.5) / dvec3(scalarsPerCell(s)); }

/// Whether texel c of a face field contains a face of `axis`. The index along the axis is at most n, the other two at most n - 1.
bool faceExists(const Step& s, ivec3 c, int axis);
/// The face's centre, in cells.
dvec3 facePoint(ivec3 c, int axis);
dvec3 world(const Step& s, dvec3 p);

/// Calls f(face) for every fine face of a coarse face (see docs/passes.md, Fields). In flat grids each face is visited once per layer.
template <class F>
void forFineFaces(const Step& s, ivec3 coarse, int axis, F&& f) {
    ivec3 low = glm::min(coarse * s.ratio, s.cells);
    ivec3 high = glm::min((coarse + 1) * s.ratio, s.cells);
    high[axis] = low[axis] + 1;
    for (int layer = 0; layer < (isFlat(s) && axis < 2 ? s.ratio : 1); ++layer)
        forEach(glm::max(high - low, ivec3(0)), [&](ivec3 o) { f(low + o); });
}

/// Bits of the periodic axes.
int periodicAxes(const Step& s);
/// Number of cells after which a field with `cells` cells repeats along each axis, or 0 where it does not repeat.
ivec3 period(const Step& s, ivec3 cells);
/// Pass `wrap_faces`, in place.
void wrapFaces(const Step& s, Field& field);

/// WISP_OPEN, ... of the side of the box that a face lies on; -1 inside the box.
int sideOf(const Step& s, ivec3 face, int axis);
/// Whether any side of the box is of this kind.
bool anySide(const Step& s, int kind);

double signedDistance(const gpu::ShapeData& shape, dvec3 x);
/// Signed distance to the nearest periodic image of the body.
double periodicDistance(const Step& s, const gpu::ShapeData& shape, dvec3 x);
/// Vector from a centre to x, or to the image of x nearest to the centre.
dvec3 nearestImage(const Step& s, dvec3 centre, dvec3 x);
/// Distance to the nearest obstacle [m]; 1e30 without obstacles.
double obstacleDistance(const Step& s, dvec3 x);
/// The nearest obstacle, and a point relative to it.
struct NearestBody {
    int index;        ///< -1: none
    double distance;  ///< [m]
    dvec3 r;          ///< the point relative to the obstacle's centre, at the time of the smallest distance [m]
};
NearestBody nearestBody(const Step& s, dvec3 x);
/// Rigid-body velocity [m/s] at the offset `away` [m] from the point.
dvec3 velocityOfBody(const Step& s, const NearestBody& body, dvec3 away = dvec3(0.0));
/// Velocity along `axis` of the solid at a face: 0 for a wall, the inflow velocity for an inflow side, rigid-body motion for an obstacle.
double solidVelocity(const Step& s, ivec3 face, int axis);

/// Pass `obstacles`, third output: solidVelocity() for every face that is not fully open, 0 elsewhere.
Field solidVelocities(const Step& s, const Field& aperture);
/// Velocities [m/s] as passes store them, clamped to 1e4 along each axis.
Field limited(Field velocity);

/// Pass `obstacles`: open fractions of faces; w: of cells.
Field obstacles(const Step& s);
/// Fraction of a unit square where a piecewise linear function is positive. It interpolates the corner values (in order around the square)
/// and their mean at the centre.
double openShare(double a, double b, double c, double d);

/// Inverse of the distance [1/cells] from a face centre to the surface between it and another face centre. The arguments are the distances
/// of both centres to the surface [cells]. `insideOf` is not positive. The result is at most 10.
double nearness(double outsideOf, double insideOf);
/// Distance of a face centre to the nearest obstacle [cells], from the distances at the adjacent cell centres.
double faceDistance(const Step& s, const Field& distance, ivec3 face, int axis);

/// Distance output of pass `obstacles` at cell centres [cells], clamped.
Field solidDistance(const Step& s);

/// Pass `uncover`. `before`, `distance`: aperture and distance before obstacles moved.
Field fillFreshCells(const Step& s, const Field& aperture, const Field& before, const Field& distance, const Field& scalars);

/// Pass `coarse_aperture`.
Field coarseAperture(const Step& s, const Field& aperture);

}  // namespace wisp::reference
