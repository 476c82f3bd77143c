// SPDX-License-Identifier: MIT
// Strokes of a brush.
#include "tests/gpu/pass_test.h"
#include "tests/reference/sources.h"

#include <glm/geometric.hpp>

#include <limits>
#include <tuple>

namespace wisp::test {
namespace {

class PassStroke : public EveryCase {
protected:
    // A short stroke, a long stroke that leaves the box, and a stroke across a periodic side.
    std::vector<gpu::StrokePush> pushes() const {
        const glm::vec3 box = step.h * glm::vec3(step.cells);
        std::vector<gpu::StrokePush> result;
        for (const auto& [at, along, length, radius] : {std::tuple(glm::vec3(0.4f, 0.6f, 0.3f), glm::vec3(1, -2, 0.5), 0.01f, 0.07f),
                                                        {{0.2f, 0.1f, 0.5f}, {1, 3, -1}, 0.9f, 0.03f},
                                                        {{0.95f, 0.5f, 0.5f}, {2, 0.3f, 0}, 0.1f, 0.05f}}) {
            // The passes start at `first` and must skip cells outside the grid.
            result.push_back({.first = ivec3(-1),
                              .from = step.origin + at * box,
                              .along = glm::normalize(along),
                              .pathLength = length,
                              .radius = radius,
                              .amount = {7.0f, -9.0f, 4.0f, 2.0f},
                              .mostZ = std::numeric_limits<float>::infinity()});
        }
        return result;
    }
    // Positions are below 2 m with 12 roundings. The integral along the stroke changes by at most (1 + length / (2 radius)) times the error
    // of a position. A Gaussian's exponent of up to 87 has 8 roundings, and x exp(-x) < 0.4. The two error functions have errors of 1.5e-7
    // and 8 roundings.
    static double tolerance(const gpu::StrokePush& push) {
        const double r = double(push.radius), whole = 2.51 * r;
        return 9.0 * (12.0 * 2.0 * kEps * (1.0 + double(push.pathLength) / (2.0 * r)) + whole * (2.0 * 1.5e-7 + 24.0 * kEps)) + 2.0 * kEps;
    }
};
INSTANTIATE_TEST_SUITE_P(Cases, PassStroke, testing::ValuesIn(passCases()), nameOf);

TEST_P(PassStroke, Velocity) {
    for (const gpu::StrokePush& push : pushes()) {
        Field velocity = randomVelocity(step);
        const engine::Image image = toGpu(velocity, vectorFormat());
        pass("stroke_velocity", faces(step) + 2, {{"velocityIn", image}, {"velocityOut", image}}, push);
        expectNear(fromGpu(image), strokeVelocity(step, push, velocity), tolerance(push), half());
    }
}

TEST_P(PassStroke, Scalars) {
    std::vector<gpu::StrokePush> all = pushes();
    all.push_back(all.front());
    all.back().mostZ = 1.0f;
    for (const gpu::StrokePush& push : all) {
        Field open = random(faces(step), 4, -0.5, 1.0), scalars = random(step.scalarCells, 4, 0.0, 1.0);
        for (dvec4& v : open.values()) v = glm::max(v, 0.0);
        const engine::Image openImage = toGpu(open, VK_FORMAT_R8G8B8A8_UNORM), image = toGpu(scalars, vectorFormat());
        pass("stroke_scalars", step.scalarCells + 2, {{"scalarsIn", image}, {"scalarsOut", image}, {"aperture", openImage}}, push);
        expectNear(fromGpu(image), strokeScalars(step, push, open, scalars), tolerance(push), half());
    }
}

}  // namespace
}  // namespace wisp::test
