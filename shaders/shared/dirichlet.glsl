// SPDX-License-Identifier: MIT
// Whether there are EMPTY cells, where q = 0: they have a fourth weight of 0, as cells without open faces have, but their neighbours'
// weights towards them are not.
#ifndef WISP_LIQUID_CONSTANT_GLSL
#define WISP_LIQUID_CONSTANT_GLSL
layout(constant_id = 23) const bool kLiquid = false;
#endif
