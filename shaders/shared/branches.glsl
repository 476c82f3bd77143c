// SPDX-License-Identifier: MIT
// CPU devices run both sides of every branch, for all lanes of a vector, whether one needs them or not; only the end of a loop
// is a jump. What is rarely needed goes into a loop that is not unrolled there: it costs one trip where nobody needs it.
// Needs shared/grid.glsl.
layout(constant_id = 15) const bool kBranchless = false;

// So many trips. A compiler for a CPU device cannot know that there never are less than 0 obstacles.
int rolled(int trips) { return kBranchless ? trips + min(sim.obstacleCount, 0) : trips; }
