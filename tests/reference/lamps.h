// SPDX-License-Identifier: MIT
#pragma once

#include "tests/reference/light.h"

/// Light of point and spot lights in smoke: means over boxes around a lamp, where 1/r^2 has no usable value.
namespace wisp::reference {

inline bool isLamp(const View& v, int n) { return v.lights[n].kind != WISP_SUN; }

/// Mean of 1/r^2 over a box around the origin, r: distance to d. Relative error below 1e-4 up to a distance of 4 edges, then 1/d^2.
double inverseSquareMean(dvec3 d, dvec3 size);

/// Transmittance at a distance from light n, from the root that a light volume stores.
double throughFromRoot(const Step& s, const View& v, int n, double root, double distance);
/// throughFromRoot() of four channels at x. A channel without a light counts as one of a sun.
dvec4 throughFromRoots(const Step& s, const View& v, int lights, dvec4 roots, dvec3 x);

/// Mean of a spot's cone over a box with this edge, at the offset d from the lamp: blurred by the angle of half a box.
double coneOver(const gpu::LightData& light, dvec3 d, double edge);
/// Mean of T/r^2 over a box of smoke, almost a cube, around x, with the light's cone [1/m^2].
double lampOverBox(const Step& s, const View& v, int n, double root, dvec3 x, dvec3 size);
/// What the light stored in a cell of the discrete ordinates is relative to [1/m^2]; 1 for a sun.
double lampAtCell(const Step& s, const View& v, int n, ivec3 c, ivec3 cells);

}  // namespace wisp::reference
