// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/step.h"
#include "tests/reference/grid.h"

/// Faces, sides, obstacles: the geometry that every twin stands on. A step's data are the ones that the GPU gets.
namespace wisp::reference {

using Step = gpu::StepData;

inline ivec3 faces(const Step& s) { return s.cells + 1; }
inline ivec3 pressureFaces(const Step& s) { return s.pressureCells + 1; }
/// With one cell in depth: two-dimensional, without velocity along z.
inline bool isFlat(const Step& s) { return s.cells.z == 1; }
inline int axes(const Step& s) { return isFlat(s) ? 2 : 3; }
/// Scalar cells per fine cell along each axis.
inline ivec3 scalarsPerCell(const Step& s) { return {s.scalarRatio, s.scalarRatio, isFlat(s) ? 1 : s.scalarRatio}; }
/// Centre of a scalar cell, in fine cells.
inline dvec3 scalarPoint(const Step& s, ivec3 c) { return (dvec3(c) + 0.5) / dvec3(scalarsPerCell(s)); }

/// Whether texel c of a face field holds a face of `axis`: its index along the axis reaches n, the other two n - 1.
bool faceExists(const Step& s, ivec3 c, int axis);
/// The face's centre, in cells.
dvec3 facePoint(ivec3 c, int axis);
dvec3 world(const Step& s, dvec3 p);

/// Calls f(face) for every fine face of a coarse face (see docs/passes.md, Fields); in flat grids once for each of its layers' images.
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
/// The number of cells after which a field on `cells` cells repeats itself along each axis; 0: it does not.
ivec3 period(const Step& s, ivec3 cells);
/// Pass `wrap_faces`, in place.
void wrapFaces(const Step& s, Field& field);

/// WISP_OPEN, ... of the side of the box that a face lies on; -1 inside the box.
int sideOf(const Step& s, ivec3 face, int axis);
/// Whether any side of the box is of this kind.
bool anySide(const Step& s, int kind);

double signedDistance(const gpu::ShapeData& shape, dvec3 x);
/// The same to the nearest of the body's images in the periods around.
double periodicDistance(const Step& s, const gpu::ShapeData& shape, dvec3 x);
/// From a centre to x, or to the image of x that is nearest to it.
dvec3 nearestImage(const Step& s, dvec3 centre, dvec3 x);
/// To the nearest obstacle [m]; 1e30 without any.
double obstacleDistance(const Step& s, dvec3 x);
/// The obstacle that is nearest, and where it is.
struct NearestBody {
    int index;        ///< -1: there is none
    double distance;  ///< [m]
    dvec3 r;          ///< from its centre, where that was then [m]
};
NearestBody nearestBody(const Step& s, dvec3 x);
/// Of its rigid motion [m/s], so far [m] from there.
dvec3 velocityOfBody(const Step& s, const NearestBody& body, dvec3 away = dvec3(0.0));
/// Along `axis`, of what closes the face: a wall rests, an inflow side blows, an obstacle moves and spins.
double solidVelocity(const Step& s, ivec3 face, int axis);

/// Pass `obstacles`, third output: the same for every face that is not wholly open, 0 elsewhere.
Field solidVelocities(const Step& s, const Field& openness);
/// Velocities [m/s] as passes store them: of at most 1e4 along each axis.
Field limited(Field velocity);

/// Pass `obstacles`: open shares of faces, w of cells.
Field obstacles(const Step& s);
/// Share of a unit square where the piecewise linear function through its corners (in order around it) and their mean in
/// the middle is positive.
double openShare(double a, double b, double c, double d);

/// One over the way [1/cells] from a face's middle to the surface between it and another's, by the distances of both [cells], of which the
/// second is not positive; 10 at most.
double nearness(double outsideOf, double insideOf);
/// Of a face's middle to the nearest obstacle [cells], from those of the cells beside it.
double faceDistance(const Step& s, const Field& distance, ivec3 face, int axis);

/// What pass `obstacles` leaves of distances: clamped, in cells, at cell centres.
Field solidDistance(const Step& s);

/// Pass `uncover`; `before`, `distance`: openness and distance before obstacles moved.
Field uncover(const Step& s, const Field& openness, const Field& before, const Field& distance, const Field& scalars);

/// Pass `coarse_openness`.
Field coarseOpenness(const Step& s, const Field& openness);

}  // namespace wisp::reference
