// SPDX-License-Identifier: MIT
// What the passes that correct a semi-Lagrangian step make of its error e = (s - back(forward)) / 2. Included by C++ and by GLSL.
#ifndef WISP_SHADERS_SHARED_CORRECTION_H
#define WISP_SHADERS_SHARED_CORRECTION_H

#define WISP_UNCLAMPED 0   // MacCormack: forward + e (Selle et al. 2008)
#define WISP_CLAMPED 1     // the same within the bounds of the departure point's texels
#define WISP_COMPENSATE 2  // BFECC: s + e, which then goes forward (Dupont, Liu 2003; Kim et al. 2005)
#define WISP_LIMIT 3       // ... and that within the bounds of s around the departure point: forward alone

#endif
