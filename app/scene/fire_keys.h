// SPDX-License-Identifier: MIT
#pragma once

#include "app/scene/scene_visitor.h"

namespace wisp::app {

/// Visits the keys of the table `fire`.
void visitFire(SceneVisitor& visitor, FireSettings& fire);
/// Visits the keys of fuel of an emitter or an initial field.
void visitFuel(SceneVisitor& visitor, EmitterSettings& emitter);
void visitFuel(SceneVisitor& visitor, InitialSettings& initial);

}  // namespace wisp::app
