// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/shape_push.h"
#include "shaders/shared/stroke.h"
#include "tests/reference/solids.h"

/// Passes that set or add values inside a shape.
namespace wisp::reference {

/// Value of an initial field at a world position. rgb: colour of its smoke, a: fraction of its value.
/// @param picture image of WISP_FIELD_IMAGE, first row at the bottom. rgb: density times colour, a: density
dvec4 initialAmount(const Step& s, const gpu::ShapePush& push, const Field& picture, dvec3 x);
Field initialVelocity(const Step& s, const gpu::ShapePush& push, const Field& velocity);
Field initialScalars(const Step& s, const gpu::ShapePush& push, const Field& picture, const Field& aperture, const Field& scalars);
Field emitScalars(const Step& s, const gpu::ShapePush& push, const Field& aperture, const Field& scalars);
/// rgb: density times colour. `scalars`: the input of emitScalars().
Field initialColours(const Step& s, const gpu::ShapePush& push, const Field& picture, const Field& aperture, const Field& colours);
Field whiteColours(const Field& scalars);
Field emitColours(const Step& s, const gpu::ShapePush& push, const Field& aperture, const Field& scalars, const Field& colours);
/// Without turbulence, which is random and has its own statistical test.
Field emitVelocity(const Step& s, const gpu::JetPush& push, const Field& velocity);

/// Passes `stroke_velocity` and `stroke_scalars`.
Field strokeVelocity(const Step& s, const gpu::StrokePush& push, const Field& velocity);
Field strokeScalars(const Step& s, const gpu::StrokePush& push, const Field& aperture, const Field& scalars);

}  // namespace wisp::reference
