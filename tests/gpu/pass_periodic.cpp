// SPDX-License-Identifier: MIT
// Periodic axes: the texels past the seam.
#include "tests/gpu/pass_test.h"

namespace wisp::test {
namespace {

class PassPeriodic : public EveryCase {};
INSTANTIATE_TEST_SUITE_P(Cases, PassPeriodic, testing::ValuesIn(passCases()), nameOf);

TEST_P(PassPeriodic, WrapFaces) {
    Field field = random(faces(step), 4, -1.0, 1.0);
    const engine::Image image = toGpu(field, vectorFormat());
    const int longest = std::max({faces(step).x, faces(step).y, faces(step).z});
    pass("wrap_faces", {longest, longest, 3}, {{"facesIn", image}, {"facesOut", image}});
    wrapFaces(step, field);
    expectNear(fromGpu(image), field, 0.0, false);
}

}  // namespace
}  // namespace wisp::test
