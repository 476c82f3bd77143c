// SPDX-License-Identifier: MIT
// Cells that one work group of mg_down, mg_sweep_down, mg_up and mg_sweeps owns. The number is the same in flat grids. Included by C++ and
// by GLSL.
#define WISP_TILE_X 16
#define WISP_TILE_Y 8
#define WISP_TILE_Z 4
#define WISP_FLAT_TILE_X 32
#define WISP_FLAT_TILE_Y 16
#define WISP_TILE_THREADS 256    // of all but mg_sweeps: half the number of cells
#define WISP_SWEEPS_THREADS 512  // of mg_sweeps, which also updates three layers of cells around the tile
