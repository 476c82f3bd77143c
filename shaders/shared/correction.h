// SPDX-License-Identifier: MIT
// How the correction passes use the error e = (s - back(forward)) / 2 of a semi-Lagrangian step. Included by C++ and by GLSL.
#ifndef WISP_SHADERS_SHARED_CORRECTION_H
#define WISP_SHADERS_SHARED_CORRECTION_H

#define WISP_UNCLAMPED 0   // MacCormack: forward + e (Selle et al. 2008)
#define WISP_CLAMPED 1     // MacCormack, clamped to the bounds of the texels at the departure point
#define WISP_COMPENSATE 2  // BFECC: s + e, which is then advected (Dupont, Liu 2003; Kim et al. 2005)
#define WISP_LIMIT 3       // second pass of BFECC: forward, clamped to the bounds of s around the departure point

// The term that conserves momentum is at most this share of the difference of those bounds: with paths of many cells it would grow from
// step to step.
#define WISP_CONSERVED_SHARE 0.25f

#endif
