// SPDX-License-Identifier: MIT
// The cells that one work group of mg_down, mg_up and mg_sweep owns. Included by C++ and by GLSL.
#define WISP_TILE_X 16
#define WISP_TILE_Y 8
#define WISP_TILE_Z 4
#define WISP_TILE_THREADS 256  // half as many as cells
