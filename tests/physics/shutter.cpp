// SPDX-License-Identifier: MIT
// Motion blur of smoke: a Gaussian puff that moves while the shutter is open.
#include "tests/physics/shutter.h"

namespace wisp::test {
namespace {

// The puff moves by 20 h, more than two bricks of 8 cells, to either side: into bricks without smoke.
TEST_F(MotionBlur, SmokeMovesIntoEmptyBricks) {
    Settings s = scene({64, 64, 64});
    expectPuff(s, 0.5f * s.grid.size, 20.0f * kH / (0.5f * kExposure));
}

// In a sparse box the puff moves beyond the listed bricks of 16 cells, those with smoke and those beside them: from bricks 3 and 4 to
// bricks 6 and 7, and to bricks 0 and 1.
TEST_F(MotionBlur, SmokeMovesIntoBricksThatAreNotListed) {
    Settings s = scene({128, 128, 128});
    s.grid.sparse = true;
    s.grid.pressureRatio = 2;
    s.pressure = {};
    expectPuff(s, 0.5f * s.grid.size, 48.0f * kH / (0.5f * kExposure));
}

// Along periodic axes smoke comes in at the other side. The last brick of 44 cells is smaller than the others.
TEST_F(MotionBlur, SmokeCrossesPeriodicSides) {
    Settings s = scene({44, 44, 44});
    s.grid.sides.fill(Side::Periodic);
    expectPuff(s, 0.5f * s.grid.size, 30.0f * kH / (0.5f * kExposure));
}

// Half of the puff is in the box, at a corner. No smoke follows it from outside. At the side itself interpolation takes the value of the
// first cell for half a cell more: the other part of the puff is not stored.
TEST_F(MotionBlur, NoSmokeComesFromOutside) {
    Settings s = scene({64, 64, 64});
    s.grid.sides.fill(Side::Open);
    expectPuff(s, glm::vec3(12.0f * kH, 12.0f * kH, 1.0f * kH), 20.0f * kH / (0.5f * kExposure));
}

// In a flow that turns, the midpoint rule is wrong by the third order of the angle: the Taylor series of the rotation ends after the second
// term. The rule of the first order would be wrong by half of the square of the angle.
TEST_F(MotionBlur, SmokeMovesOnACircle) {
    Settings s = scene({48, 48, 32});
    const double most = 0.8, spin = 2.0 * most / double{kExposure}, radius = 10.0 * double{kH};  // `most`: largest angle
    const dvec3 middle = 0.5 * dvec3(s.grid.size);
    addPuff(s, glm::vec3(middle) + glm::vec3(static_cast<float>(radius), 0.0f, 0.0f));
    // The mean of |angle|^3 is a quarter of the largest. A shift by x changes alpha by at most D exp(-D) x d / sigma^2 at the distance d,
    // which is below x / (2 sigma) for this column.
    const double shift = radius * std::pow(most, 3.0) / 6.0 / 4.0;
    const auto velocity = [&](dvec3 x) { return spin * dvec3(middle.y - x.y, x.x - middle.x, 0.0); };
    expectBlur(s, velocity, kGridError + 0.5 * shift / kSigma, [&](dvec3 eye, dvec3 ray, double time) {
        const dvec3 centre = middle + radius * dvec3(std::cos(spin * time), std::sin(spin * time), 0.0);
        return 1.0 - std::exp(-depthOf(s, centre, eye, ray, {}));
    });
}

}  // namespace
}  // namespace wisp::test
