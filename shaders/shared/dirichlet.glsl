// SPDX-License-Identifier: MIT
// Whether cells inside the box may have q = 0 prescribed instead of an equation. Such a Dirichlet cell has a fourth weight of 0, as a cell
// without open
// faces has, but its neighbours' weights towards it are not 0.
#ifndef WISP_DIRICHLET_GLSL
#define WISP_DIRICHLET_GLSL
layout(constant_id = 23) const bool kDirichletCells = false;
#endif
