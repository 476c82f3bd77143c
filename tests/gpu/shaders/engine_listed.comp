#version 460
// SPDX-License-Identifier: MIT
// Counts its invocations, each as `kWeight`.
layout(local_size_x = 32) in;
layout(constant_id = 3) const int kWeight = 1;
layout(binding = 0) buffer B0 { uint invocations; };
void main() { atomicAdd(invocations, uint(kWeight)); }
