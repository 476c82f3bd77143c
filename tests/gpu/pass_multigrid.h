// SPDX-License-Identifier: MIT
#pragma once

#include "tests/gpu/pass_test.h"
#include "tests/reference/multigrid.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace wisp::test {

inline constexpr float kOmega = 1.2f;                        // relaxation factor of every sweep in a cycle
inline constexpr double kFloatOmega = double(kOmega) - 1.2;  // the twin uses 1.2 exactly

/// Level `fine` of the multigrid pyramid and the next coarser level, in a box whose half has obstacles. Each kind of data has one buffer
/// with all levels.
class PassMultigrid : public EveryCase {
protected:
    void SetUp() override {
        EveryCase::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        weights = makeWeights();
        finestWeights = weightsToGpu(weights);
        levels = pyramid(weights, periodicAxes(step), isLiquid());
        for (gpu::PressureLevel l = levelOf(step.pressureCells); places.size() < levels.size(); l = gpu::coarser(l)) places.push_back(l);
        end = gpu::coarser(places.back());
        fine = levels.size() > 2 ? 1 : 0;
        hasCoarse = fine + 1 < levels.size();
        std::vector<float> allWeights;
        std::vector<std::uint32_t> allRegular;
        for (const MultigridLevel& level : levels) {
            for (const dvec4& w : level.weights.values())
                for (int n = 0; n < 4; ++n) allWeights.push_back(static_cast<float>(w[n]));
            const std::size_t first = allRegular.size();
            const std::vector<float> words = download(regularToGpu(level.weights));
            for (const float word : words) allRegular.push_back(std::bit_cast<std::uint32_t>(word));
            const gpu::PressureLevel alone = levelOf(level.cells);
            forEach(level.cells, [&](ivec3 c) {  // an EMPTY cell has weights, but no equation
                const int slot = gpu::slotOf(alone, c.x);
                if (level.weights(c).w == 0.0)
                    allRegular[first + static_cast<std::size_t>(gpu::regularIndex(alone, slot, c.y, c.z))] &= ~(
                        1u << (slot % WISP_REGULAR_BITS));
            });
        }
        weightsBuffer = buffer("weights", allWeights.size() * sizeof(float));
        upload(weightsBuffer, allWeights);
        std::vector<float> flags;
        for (const std::uint32_t word : allRegular) flags.push_back(std::bit_cast<float>(word));
        regularBuffer = buffer("regular", flags.size() * sizeof(float));
        upload(regularBuffer, flags);
        stop = target(8);
        upload(stop, std::vector<float>(8, 1.0f));
    }
    /// Weights of the pressure grid.
    virtual Field makeWeights() { return coarseAperture(step, aperture()); }
    /// Whether cells without an equation are EMPTY.
    [[nodiscard]] virtual bool isLiquid() const { return false; }
    /// A buffer for all levels with `numbers` on level n and zeros elsewhere. Rounds `numbers` to floats as on the GPU.
    engine::Buffer onLevel(std::size_t n, Numbers& numbers) {
        std::vector<float> values(static_cast<std::size_t>(end.first));
        forEach(numbers.size(), [&](ivec3 c) {
            float& value = values[static_cast<std::size_t>(gpu::cellIndex(places[n], c))];
            value = static_cast<float>(numbers(c));
            numbers(c) = value;
        });
        engine::Buffer result = target(values.size());
        upload(result, values);
        return result;
    }
    Numbers fromLevel(std::size_t n, const engine::Buffer& source) {
        const std::vector<float> values = download(source);
        Numbers numbers(levels[n].cells);
        forEach(numbers.size(), [&](ivec3 c) { numbers(c) = values[static_cast<std::size_t>(gpu::cellIndex(places[n], c))]; });
        return numbers;
    }
    engine::Buffer everywhere() { return target(static_cast<std::size_t>(end.first)); }

    Field weights;
    std::vector<MultigridLevel> levels;
    std::vector<gpu::PressureLevel> places;
    gpu::PressureLevel end{};
    std::size_t fine = 0;
    bool hasCoarse = false;
    engine::Buffer finestWeights, weightsBuffer, regularBuffer, stop;
};

}  // namespace wisp::test
