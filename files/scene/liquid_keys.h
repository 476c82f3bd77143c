// SPDX-License-Identifier: MIT
#pragma once

#include "files/scene/scene_visitor.h"

namespace wisp {

/// Visits the keys of the table `liquid`.
void visitLiquid(SceneVisitor& visitor, LiquidSettings& liquid);
/// Visits the key `liquid` of an emitter or an initial shape.
void visitLiquidSource(SceneVisitor& visitor, EmitterSettings& emitter);
void visitLiquidSource(SceneVisitor& visitor, InitialSettings& initial);

}  // namespace wisp
