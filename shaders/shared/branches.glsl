// SPDX-License-Identifier: MIT
// CPU devices run both sides of every branch, for all lanes of a vector, whether one needs them or not; only the end of a loop
// is a jump. What is rarely needed goes into a loop that is not unrolled there: it costs one trip where nobody needs it.
#ifndef WISP_BRANCHES
#define WISP_BRANCHES
layout(constant_id = 15) const bool kBranchless = false;

// The value, of which a compiler for a CPU device knows nothing. Lavapipe 22.3 compiles a shader anew for the values of uniforms and push
// constants that its branches and loops depend on alone, at every dispatch, and keeps it. There never are less than 0 groups.
int unforeseen(int value) { return kBranchless ? value + min(int(gl_NumWorkGroups.x), 0) : value; }

// So many trips.
int rolled(int trips) { return unforeseen(trips); }
// None on CPU devices where none is wanted; elsewhere a branch around the loop sees to that.
int rolledIf(bool wanted, int trips) { return kBranchless && !wanted ? 0 : rolled(trips); }
#endif
