// SPDX-License-Identifier: MIT
// CPU devices execute both sides of every branch for all lanes of a vector, whether a lane needs them or not. Only the end of a loop is a
// real jump. Code that is rarely needed is therefore placed in a loop that is not unrolled on CPU devices. If no lane needs the code, the
// loop costs one iteration.
#ifndef WISP_BRANCHES
#define WISP_BRANCHES
layout(constant_id = 15) const bool kBranchless = false;

// Returns `value` and hides it from the compiler of a CPU device. If a branch or loop depends only on uniforms or push constants, Lavapipe
// 22.3 compiles a new variant of the shader for their values at every dispatch, and keeps it. The number of groups is never negative, so
// the minimum is always 0.
int opaqueToCompiler(int value) { return kBranchless ? value + min(int(gl_NumWorkGroups.x), 0) : value; }

// A loop count that the compiler of a CPU device does not know, so that it does not unroll the loop: its compile time grows with the code.
// A loop marked [[unroll]] is unrolled on other devices.
int noUnroll(int trips) { return opaqueToCompiler(trips); }
// Loop count of optional code: 0 on CPU devices if the code is not wanted. On other devices a branch around the loop skips the code.
int noUnrollIf(bool wanted, int trips) { return kBranchless && !wanted ? 0 : noUnroll(trips); }
#endif
