// SPDX-License-Identifier: MIT
// Values of a volume file in a scalar cell. Needs shared/grid.glsl.
#include "shared/lattice.glsl"
layout(buffer_reference, scalar, buffer_reference_align = 4) readonly buffer ValuesIn { float values[]; };
layout(binding = 1) uniform sampler3D scalarsIn;
layout(binding = 3) uniform sampler3D aperture;
layout(binding = 5, scalar) readonly buffer VolumeBlock { VolumeSource volume; };
layout(push_constant, scalar) uniform Push { ValuesIn volumeValuesAddress; VolumeAmounts push; };

const uint kBlockWords = 3u + 512u;  // its corner, and its values, as VolumeLattice::Block
float pointOf(Lattice l, ivec3 c) {
    uint number = blockOf(l, c);
    return number == 0u ? 0.0 : volumeValuesAddress.values[kBlockWords * (number - 1u) + 3u + indexInBlock(c)];
}

// Trilinear.
float latticeAt(Lattice l, vec3 x) {
    vec3 t = latticeIndex(l, x);
    ivec3 base = ivec3(floor(t));
    vec3 f = t - vec3(base);
    float sum = 0.0;
    for (int n = 0; n < 8; ++n) {
        ivec3 o = ivec3(n & 1, (n >> 1) & 1, n >> 2);
        vec3 w = mix(1.0 - f, f, vec3(o));
        float weight = w.x * w.y * w.z;
        if (weight > 0.0) sum += weight * pointOf(l, base + o);
    }
    return sum;
}

// Mean over a scalar cell. Samples are at most a spacing of the points apart, so that no point is left out and the sum over all cells is
// that over all points.
float meanOf(Lattice l, ivec3 c) {
    if (l.blocks.x == 0) return 0.0;
    float sum = 0.0;
    int count = l.parts * l.parts * l.parts;
    for (int n = 0; n < count; ++n) {
        vec3 part = (vec3(n % l.parts, n / l.parts % l.parts, n / (l.parts * l.parts)) + 0.5) / float(l.parts);
        sum += latticeAt(l, (vec3(c) + part) / scalarsPerCell() * sim.h);
    }
    return sum / float(count);
}

// Density, temperature and fuel of the file in cell c; 0 in solid cells and where no smoke is stored.
vec3 volumeIn(ivec3 c) {
    if (outside(c, sim.scalarCells) || !isSmokeStored(c)) return vec3(0.0);
    if (texelFetch(aperture, texelOf(c / ivec3(scalarsPerCell())), 0).w == 0.0) return vec3(0.0);
    return vec3(meanOf(volume.lattices[0], c), meanOf(volume.lattices[1], c), meanOf(volume.lattices[2], c));
}
float withVolume(float density, float amount) {
    return max(density, push.density * amount) + push.densityRate * sim.dt * amount;
}
