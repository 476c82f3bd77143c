// SPDX-License-Identifier: MIT
// Threads of the passes of light volumes. Needs shared/light_window.glsl.
uvec3 litGroup = gl_WorkGroupSize;  // not a constant, see shared/listed.glsl

// Cell of this thread in a volume with `cells`. In a sparse simulation work groups along x are parts of a tile, others are tiles.
ivec3 litCell(ivec3 cells) {
    if (!kSparse) return cell();
    int across = (cells.x + 7) / 8, tile = int(gl_WorkGroupID.y);
    uint i = gl_WorkGroupID.x * litGroup.x * litGroup.y * litGroup.z + gl_LocalInvocationIndex;
    return ivec3(8, 8, 4) * ivec3(tile % across, tile / across, gl_WorkGroupID.z) + ivec3(i & 7u, i >> 3 & 7u, i >> 6);
}
