// SPDX-License-Identifier: MIT
// The cells that one work group of mg_down, mg_sweep_down, mg_up and mg_sweeps owns, and those in flat grids: as many. Included by C++ and
// by GLSL.
#define WISP_TILE_X 16
#define WISP_TILE_Y 8
#define WISP_TILE_Z 4
#define WISP_FLAT_TILE_X 32
#define WISP_FLAT_TILE_Y 16
#define WISP_TILE_THREADS 256    // of all but mg_sweeps: half as many as cells
#define WISP_SWEEPS_THREADS 512  // of mg_sweeps, which has three layers of cells around them to do
