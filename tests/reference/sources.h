// SPDX-License-Identifier: MIT
#pragma once

#include "shaders/shared/shape_push.h"
#include "shaders/shared/stroke.h"
#include "tests/reference/solids.h"

/// Passes that set or add something in a shape.
namespace wisp::reference {

/// What an initial field puts at a point of the world: rgb the colour of its smoke, a how much of its value there is.
/// @param picture of WISP_FIELD_IMAGE, its first row at the bottom: rgb density times colour, a density
dvec4 initialAmount(const Step& s, const gpu::ShapePush& push, const Field& picture, dvec3 x);
Field initialVelocity(const Step& s, const gpu::ShapePush& push, const Field& velocity);
Field initialScalars(const Step& s, const gpu::ShapePush& push, const Field& picture, const Field& openness, const Field& scalars);
Field emitScalars(const Step& s, const gpu::ShapePush& push, const Field& openness, const Field& scalars);
/// Density times colour in rgb; `scalars` as emitScalars gets them.
Field initialColours(const Step& s, const gpu::ShapePush& push, const Field& picture, const Field& openness, const Field& colours);
Field whiteColours(const Field& scalars);
Field emitColours(const Step& s, const gpu::ShapePush& push, const Field& openness, const Field& scalars, const Field& colours);
/// Without turbulence, which is random: its statistics have a test of their own.
Field emitVelocity(const Step& s, const gpu::JetPush& push, const Field& velocity);

/// Passes `stroke_velocity` and `stroke_scalars`.
Field strokeVelocity(const Step& s, const gpu::StrokePush& push, const Field& velocity);
Field strokeScalars(const Step& s, const gpu::StrokePush& push, const Field& openness, const Field& scalars);

}  // namespace wisp::reference
