// SPDX-License-Identifier: MIT
// Whether cells inside the box may have q = 0 prescribed instead of an equation. The fourth weight of such a Dirichlet cell is 0, as in a
// cell without open faces, but the weights of its neighbours towards it are not 0.
#ifndef WISP_DIRICHLET_GLSL
#define WISP_DIRICHLET_GLSL
layout(constant_id = 23) const bool kDirichletCells = false;
#endif
