// SPDX-License-Identifier: MIT
#pragma once

#include "compute/scene/settings.h"
#include "shaders/shared/ordinates.h"
#include "tests/reference/ground_light.h"

#include <array>
#include <vector>

/// Twins of the passes of the discrete ordinates. Boxes in which nothing but smoke is, or bodies.
namespace wisp::reference {

struct OrdinatesMedium {
    Field medium;  ///< rgb albedo, w extinction [1/m]
    Field reach;   ///< transmittance to each light
};
/// Means over `size` cells, of fourth roots of transmittances in `light`.
OrdinatesMedium ordinatesMedium(const Step& s, const View& v, const Field& scalars, const Field& light, ivec3 size);
/// Of parts of cells that lie in each of `size` larger ones.
OrdinatesMedium ordinatesCoarsen(const OrdinatesMedium& finer, ivec3 size);

/// One field a direction: rgb square root of the source [W/(m^2 sr)], w: whether there is smoke.
using Sources = std::array<Field, WISP_ORDINATES>;
/// Light that comes to the middle of a cell from along direction k [W/(m^2 sr)].
dvec3 radianceFrom(const Step& s, const View& v, const OrdinatesMedium& m, const Sources& sources, ivec3 cell, int k,
                   const GroundLight* ground);
/// A sweep without bodies; `table`: see phaseTable() in compute/picture/ordinates.h.
Sources ordinatesSweep(const Step& s, const View& v, const OrdinatesMedium& m, const Sources& last, const Sources& before,
                       const std::vector<float>& table, int lights, const gpu::OrdinatesPush& push, const GroundLight* ground);
/// Square root of what is scattered towards the camera, over the albedo.
Field ordinatesToEye(const Step& s, const View& v, const OrdinatesMedium& m, const Sources& sources, const std::vector<float>& table,
                     const GroundLight* ground);

}  // namespace wisp::reference
