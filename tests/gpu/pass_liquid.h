// SPDX-License-Identifier: MIT
#pragma once

#include "tests/gpu/pass_test.h"
#include "tests/reference/liquid.h"

#include <bit>

namespace wisp::test {

/// A box of walls, open in front and above and to the right, with obstacles in most cases, and particles in it.
class PassLiquid : public EveryCase {
protected:
    void SetUp() override;

    /// Floats, all in the box, of up to 1 m/s and 3 /s; where y is below `height` of the box. In no order.
    Particles randomParticles(std::size_t count, double height = 0.8);
    /// Those in the order of their cells, and where each cell's begin.
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
    /// `capacity` of each kind, those past the end NaN.
    struct OnGpu {
        engine::Buffer places, velocities, gradients;
    };
    OnGpu particlesToGpu(const Particles& particles, std::size_t capacity);
    Particles particlesFromGpu(const OnGpu& buffers, std::size_t count);
    OnGpu particleTargets(std::size_t capacity);
    /// Two floats a cell, which it rounds.
    engine::Buffer surfaceToGpu(Field& surface);
    /// Layers by component to bytes of words, and back.
    engine::Buffer knownToGpu(const Field& known);
    Field knownFromGpu(const engine::Buffer& buffer);
    /// Waves with places that are FLUID, EMPTY and SOLID, and densities about 1: what liquid_cells might leave.
    Field randomSurface(const Field& openness);
    /// How wrong a sample of the distance is [cells]: 16 roundings of up to 64 cells at a place below 32 with three.
    double distanceError() { return (3.0 * 32.0 * 3.0 * steepest(distanceField()) + 16.0 * 64.0) * kEps; }
};

/// Within `allowed` of each value, and of one unit in the last place of a half where that is the storage; but for those that are `unsure`.
void expectWithin(const Field& gpu, const Field& twin, const Field& allowed, bool half, const Field* unsure = nullptr);

/// Odd sizes, one without obstacles, and one in halves.
inline std::vector<PassCase> liquidCases() {
    return {{{12, 9, 7}, 1, 1, Precision::Float},
            {{9, 10, 11}, 1, 1, Precision::Half},
            {{1, 9, 17}, 1, 1, Precision::Float},
            {{16, 8, 8}, 1, 1, Precision::Float, false}};
}

}  // namespace wisp::test
