// SPDX-License-Identifier: MIT
#pragma once

#include "tests/gpu/pass_test.h"
#include "tests/reference/liquid.h"

#include <bit>

namespace wisp::test {

/// A box with particles and, in most cases, obstacles. It has walls, but is open in front, above and on the right.
class PassLiquid : public EveryCase {
protected:
    void SetUp() override;

    /// Random particles in single precision and random order, inside the box and below `height` of it. Up to 1 m/s and 3 /s.
    Particles randomParticles(std::size_t count, double height = 0.8);
    /// Particles sorted by cell, and the first particle of each cell.
    struct InCells {
        Particles particles;
        std::vector<std::uint32_t> first;
        Words counts;
    };
    InCells inCells(const Particles& particles);

    engine::Buffer wordsToGpu(const std::vector<std::uint32_t>& words);
    engine::Buffer wordsToGpu(const Words& words) { return wordsToGpu(words.values()); }
    std::vector<std::uint32_t> wordsFromGpu(const engine::Buffer& buffer);
    Words wordsFromGpu(const engine::Buffer& buffer, ivec3 size);
    /// Buffers with room for `capacity` particles. Entries past the end are NaN.
    struct OnGpu {
        engine::Buffer positions, velocities, gradients;
    };
    OnGpu particlesToGpu(const Particles& particles, std::size_t capacity);
    Particles particlesFromGpu(const OnGpu& buffers, std::size_t count);
    OnGpu particleTargets(std::size_t capacity);
    /// Two floats per cell. Rounds `surface` to floats.
    engine::Buffer surfaceToGpu(Field& surface);
    /// Converts layers per component to bytes of words, and back.
    engine::Buffer knownToGpu(const Field& known);
    Field knownFromGpu(const engine::Buffer& buffer);
    /// Waves with FLUID, EMPTY and SOLID cells and densities about 1, similar to the output of liquid_cells.
    Field randomSurface(const Field& aperture);
    /// Error of a distance sample [cells]: 16 roundings of up to 64 cells, at a position below 32 with three roundings.
    double distanceError() { return (3.0 * 32.0 * 3.0 * steepest(distanceField()) + 16.0 * 64.0) * kEps; }
};

/// Every value must be within `allowed`, plus one unit in the last place for half storage. Values marked `unsure` are skipped.
void expectWithin(const Field& gpu, const Field& twin, const Field& allowed, bool half, const Field* unsure = nullptr);

/// Odd sizes, one case without obstacles, and one in half precision.
inline std::vector<PassCase> liquidCases() {
    return {{{12, 9, 7}, 1, 1, Precision::Float},
            {{9, 10, 11}, 1, 1, Precision::Half},
            {{1, 9, 17}, 1, 1, Precision::Float},
            {{16, 8, 8}, 1, 1, Precision::Float, false}};
}

}  // namespace wisp::test
