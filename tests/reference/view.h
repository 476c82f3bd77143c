// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/field_view.h"
#include "tests/reference/light.h"

#include <array>
#include <limits>
#include <vector>

/// Passes that visualise one field.
namespace wisp::reference {

/// Fields that a view can show.
struct ViewSources {
    Field velocity, aperture;  ///< on faces; w of aperture: of the cell
    Field scalars, centre, curl;
    Numbers pressure;  ///< of pressure cells
    Field weights;     ///< of their faces
};
Field viewField(const Step& s, const ViewSources& sources, const gpu::FieldPush& push);

/// 0 to 3: sums of |v|, v^2, |u|, u^2; 6, 7: maxima of |v| and |u|. v: of a field that is not signed, the part above `base`.
std::array<double, 8> viewRange(const Step& s, const Field& values, const Field& centre, bool isSigned, double base);

gpu::ViewLimits viewLimits(const std::array<double, 8>& record, const gpu::ViewLimits& before, bool isSigned, double base);

/// Result for a pixel: linear colour, coverage by the field in a, and the value that is shown.
struct Shown {
    dvec4 colour;
    double value;
    double depth = std::numeric_limits<double>::infinity();  ///< only for a volume
};
using Map = std::vector<dvec3>;

/// Distance from a pixel to the arrow `v` with the centre `middle` [pixels].
double arrowDistance(glm::dvec2 at, glm::dvec2 middle, glm::dvec2 v);

/// `solid`: distances of cell centres to obstacles [cells].
Shown viewSlice(const Step& s, const gpu::SlicePush& push, const Field& values, const Field& centre, const Field& solid, const Map& map,
                const gpu::ViewLimits& limits, ivec3 pixel);
/// For pixels that see no obstacle.
Shown viewVolume(const Step& s, const View& v, const gpu::VolumePush& push, const Field& values, const Map& map,
                 const gpu::ViewLimits& limits, ivec3 pixel);

}  // namespace wisp::reference
