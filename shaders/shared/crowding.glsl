// SPDX-License-Identifier: MIT
const float kMostCrowded = 0.5;  // a few particles too many in one place would blow up the water

// Rate [1/s] at which a cell widens whose density is by `excess` above 1. Of the room that there is: what widens has to leave through the open shares.
float crowding(float excess, float room, float rate) { return rate * clamp(excess, -kMostCrowded, kMostCrowded) * room; }
