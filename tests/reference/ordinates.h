// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "shaders/shared/ordinates.h"
#include "tests/reference/ground_light.h"

#include <array>
#include <vector>

/// Twins of the discrete ordinates passes, for boxes that contain only smoke and obstacles.
namespace wisp::reference {

struct OrdinatesMedium {
    Field medium;  ///< rgb albedo, w extinction [1/m]
    Field reach;   ///< transmittance to each sun; light of each lamp over its power and lampAtCell()
};
/// Means over `size` cells. `light` stores fourth roots of transmittances.
OrdinatesMedium ordinatesMedium(const Step& s, const View& v, const Field& scalars, const Field& light, int lights, ivec3 size);
/// Extinction of obstacles in the cell with edge `edge` around x, in scenes with fire [1/m].
double solidAmongFlames(const Step& s, dvec3 x, double edge);
/// Means over `size` larger cells, weighted by the overlap.
OrdinatesMedium ordinatesCoarsen(const Step& s, const View& v, const OrdinatesMedium& finer, int lights, ivec3 size);

/// One field per direction. rgb: the source [W/(m^2 sr)], w: whether there is smoke.
using Sources = std::array<Field, WISP_ORDINATES>;
/// Radiance that arrives at the centre of a cell along direction k [W/(m^2 sr)].
dvec3 radianceFrom(const Step& s, const View& v, const OrdinatesMedium& m, const Sources& sources, ivec3 cell, int k,
                   const GroundLight* ground);
/// Share of scattered light that a source gets, for smoke of this albedo and extinction: half of what lines between the centres of cells
/// add to a curve that falls as diffusion says.
dvec3 shareBetweenCells(const View& v, dvec4 medium, double edge);
/// Mean of the phase function over the cone of a direction: linear interpolation in the table's 65 angles.
double phaseMeanOf(const std::vector<float>& table, double cosine);
/// Share of the light of flames that is interpolated linearly in a cell of this optical depth.
double linearShare(double depth);
/// Radiance that arrives at the centre of a cell along direction k, straight from flames [W/(m^2 sr)], without the part of their light in
/// the sources. `flames`: linearShare * edge * emission of each cell.
dvec3 flamesFrom(const Step& s, const Field& medium, const Field& flames, ivec3 cell, int k);
/// One sweep without obstacles. `table`: see phaseTable() in compute/picture/ordinates.h.
Sources ordinatesSweep(const Step& s, const View& v, const OrdinatesMedium& m, const Sources& last, const Sources& before,
                       const std::vector<float>& table, int lights, const gpu::OrdinatesPush& push, const GroundLight* ground);
/// Radiance scattered towards the camera, divided by the albedo.
Field ordinatesToEye(const Step& s, const View& v, const OrdinatesMedium& m, const Sources& sources, const std::vector<float>& table,
                     int lights, const GroundLight* ground);
/// The phase function folded over the sphere with itself until light is scattered `times` times [1/sr], by its Legendre series.
double foldedPhaseAt(const View& v, int times, double cosine);

}  // namespace wisp::reference
