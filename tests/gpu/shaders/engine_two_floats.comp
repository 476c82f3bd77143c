#version 460
// SPDX-License-Identifier: MIT
// Two floats that a caller may swap by mistake, and a struct.
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 1) in;
struct Pair { int first; vec3 second; };
layout(binding = 0, scalar) writeonly buffer B0 { float result[]; };
layout(push_constant, scalar) uniform Push { float tolerance; float omega; Pair pairs[2]; uint counts[3]; };
void main() { result[0] = tolerance + omega + float(pairs[1].first) + pairs[1].second.x + float(counts[1]); }
