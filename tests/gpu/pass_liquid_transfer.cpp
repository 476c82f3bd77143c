// SPDX-License-Identifier: MIT
// Transfer from particles to faces and cells, with one thread per texel or eight, and extrapolation to other faces.
#include "tests/gpu/pass_liquid.h"

namespace wisp::test {
namespace {

std::size_t countWith(const Field& field, double value) {
    std::size_t count = 0;
    for (const dvec4& v : field.values())
        for (int axis = 0; axis < 3; ++axis) count += v[axis] == value ? 1 : 0;
    return count;
}

class PassLiquidTransfer : public PassLiquid {
protected:
    // Results of the transfer.
    struct ToGrid {
        engine::Image velocity;
        engine::Buffer known, density;
    };
    ToGrid toGridOnGpu(const InCells& cells, bool in8Lanes) {
        const OnGpu buffers = particlesToGpu(cells.particles, cells.particles.size());
        ToGrid result{target(faces(step), vectorFormat()), target(Field(faces(step)).count()), target(cells.counts.count())};
        pass(in8Lanes ? "liquid_to_grid_8lane" : "liquid_to_grid", (in8Lanes ? 2 : 1) * faces(step),
             {{"positions", buffers.positions},
              {"velocities", buffers.velocities},
              {"gradients", buffers.gradients},
              {"cellFirst", wordsToGpu(cells.first)},
              {"velocityOut", result.velocity},
              {"knownOut", result.known},
              {"densityOut", result.density}});
        return result;
    }
};
INSTANTIATE_TEST_SUITE_P(Cases, PassLiquidTransfer, testing::ValuesIn(liquidCases()), nameOf);

TEST_P(PassLiquidTransfer, ToGrid) {
    // So few particles that some faces get their velocity from a single distant particle.
    const InCells cells = inCells(randomParticles(400, 0.7));
    for (const bool quadratic : {false, true}) {
        for (const bool affine : {false, true}) {
            useConstants({{"kExactFilter", 1}, {"kQuadratic", quadratic ? 1u : 0u}, {"kAffine", affine ? 1u : 0u}});
            const Transferred twin = toGrid(step, cells.particles, quadratic, affine);
            for (const bool in8Lanes : {false, true}) {
                const ToGrid gpu = toGridOnGpu(cells, in8Lanes);
                expectWithin(fromGpu(gpu.velocity), twin.velocity, twin.tolerance, half(), &twin.unsure);
                expectWithin(knownFromGpu(gpu.known), twin.known, Field(faces(step)), false, &twin.unsure);
            }
            EXPECT_GT(countWith(twin.known, 0.0), 0u);
            EXPECT_GT(countWith(twin.known, WISP_LIQUID_UNKNOWN), 0u);
        }
    }
}

// Particles with the gradient of a linear velocity reproduce this velocity exactly, with any kernel, as in the APIC paper.
TEST_P(PassLiquidTransfer, LinearVelocitiesAreExact) {
    InCells cells = inCells(randomParticles(400));
    const dvec3 g[3] = {{0.75, -1.5, 2.0}, {1.25, 0.5, -0.75}, {-2.0, 1.0, 0.25}};
    for (Particle& p : cells.particles) {
        for (int axis = 0; axis < 3; ++axis) {
            p.gradient[static_cast<std::size_t>(axis)] = dvec4(g[axis], 0.0);
            p.velocity[axis] = static_cast<float>(double(step.h) * (g[axis].x * p.place.x + g[axis].y * p.place.y + g[axis].z * p.place.z));
        }
    }
    for (const bool quadratic : {false, true}) {
        useConstants({{"kExactFilter", 1}, {"kQuadratic", quadratic ? 1u : 0u}, {"kAffine", 1}});
        const Transferred twin = toGrid(step, cells.particles, quadratic, true);
        Field exact(faces(step)), allowed(faces(step));
        for (int axis = 0; axis < 3; ++axis) {
            forEach(step.cells + unit(axis), [&](ivec3 c) {
                const dvec3 p = facePoint(c, axis);
                if (twin.known(c)[axis] == 0.0) exact(c)[axis] = double(step.h) * (g[axis].x * p.x + g[axis].y * p.y + g[axis].z * p.z);
                // Ten roundings of up to 4.25 * 17 * h = 4 m/s for the velocity of each particle, and as many for a mean of at most 20
                // particles.
                allowed(c)[axis] = 30.0 * 10.0 * kEps;
            });
        }
        for (const bool in8Lanes : {false, true})
            expectWithin(fromGpu(toGridOnGpu(cells, in8Lanes).velocity), exact, allowed, half(), &twin.unsure);
    }
}

// Density from the sums of the transfer, with both kernels.
TEST_P(PassLiquidTransfer, Density) {
    Field open = aperture();
    const engine::Image openImage = toGpu(open, VK_FORMAT_R8G8B8A8_UNORM);
    const InCells cells = inCells(randomParticles(1500, 0.7));
    for (const bool quadratic : {false, true}) {
        useConstants({{"kExactFilter", 1}, {"kQuadratic", quadratic ? 1u : 0u}, {"kAffine", 0}});
        const wisp::reference::Density twin = density(step, cells.particles, open, 0.125);
        for (const bool in8Lanes : {false, true}) {
            const ToGrid gpu = toGridOnGpu(cells, in8Lanes);
            pass("liquid_density", step.cells, {{"aperture", openImage}, {"density", gpu.density}}, 0.125f);
            const Numbers result = fromGpu(gpu.density, step.cells);
            forEach(step.cells,
                    [&](ivec3 c) { ASSERT_NEAR(result(c), twin.density(c), twin.tolerance(c)) << c.x << " " << c.y << " " << c.z; });
        }
    }
}

TEST_P(PassLiquidTransfer, Extrapolate) {
    Field velocity = randomVelocity(step), known(faces(step), dvec4(WISP_LIQUID_UNKNOWN));
    const engine::Image image = toGpu(velocity, vectorFormat());
    const Field chance = random(faces(step), 3, 0.0, 1.0);
    for (int axis = 0; axis < 3; ++axis) {
        forEach(step.cells + unit(axis), [&](ivec3 c) {
            if (c.x + c.y + c.z < 9 && chance(c)[axis] < 0.4) known(c)[axis] = 0.0;
        });
    }
    const engine::Buffer words = knownToGpu(known), speed = target(1);
    upload(speed, {0.7f});
    for (int layer = 1; layer <= 4; ++layer) {
        // Starts from the GPU's result for the previous layer, so that rounding errors do not add up.
        const Field before = fromGpu(image), knownBefore = knownFromGpu(words);
        pass("liquid_extrapolate", faces(step), {{"velocityIn", image}, {"velocityOut", image}, {"known", words}, {"speed", speed}},
             static_cast<std::uint32_t>(layer));
        // A speed below one cell per step needs one layer, plus two. The fourth layer is skipped.
        const Extrapolated twin = layer <= 3 ? extrapolate(step, before, knownBefore, layer) : Extrapolated{before, knownBefore};
        expectNear(fromGpu(image), twin.velocity, layer <= 3 ? 60.0 * kEps : 0.0,
                   half() && layer <= 3);  // twice 26 terms of at most 1 m/s, weights and a quotient
        expectWithin(knownFromGpu(words), twin.known, Field(faces(step)), false);
        if (layer == 1) {
            EXPECT_GT(countWith(twin.known, 1.0), 0u);
        }
    }
}

}  // namespace
}  // namespace wisp::test
