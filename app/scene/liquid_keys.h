// SPDX-License-Identifier: MIT
#pragma once

#include "app/scene/scene_visitor.h"

namespace wisp::app {

/// The keys of the table `liquid`.
void visitLiquid(SceneVisitor& visitor, LiquidSettings& liquid);
/// The key that makes an emitter, or what a scene begins with, one of liquid.
void visitLiquidSource(SceneVisitor& visitor, EmitterSettings& emitter);
void visitLiquidSource(SceneVisitor& visitor, InitialSettings& initial);

}  // namespace wisp::app
