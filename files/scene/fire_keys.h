// SPDX-License-Identifier: MIT
#pragma once

#include "files/scene/scene_visitor.h"

namespace wisp {

/// Visits the keys of the table `fire`.
void visitFire(SceneVisitor& visitor, FireSettings& fire);
/// Visits the keys of fuel of a source or the brush.
void visitFuel(SceneVisitor& visitor, EmitterSettings& emitter);
void visitFuel(SceneVisitor& visitor, InitialSettings& initial);
void visitFuel(SceneVisitor& visitor, StrokeSettings& stroke);
void visitFuel(SceneVisitor& visitor, BrushSettings& brush);

}  // namespace wisp
