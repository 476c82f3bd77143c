// SPDX-License-Identifier: MIT
// flow.side_fade: valid values, and invalid combinations with other keys.
#include "compute/scene/settings.h"
#include "compute/scene/validate.h"
#include "tests/support/problem_keys.h"

#include <gmock/gmock.h>

#include <cmath>

namespace wisp {
namespace {

using test::keysOf;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Side O = Side::Open, W = Side::Wall, P = Side::Periodic;

Settings box(float fade, std::array<Side, 6> sides) {
    Settings s;
    s.grid.cells = {64, 32, 16};
    s.grid.size = {2.0f, 1.0f, 0.5f};
    s.grid.sides = sides;
    s.flow.sideFade = fade;
    return s;
}

TEST(SideFadeKeys, ReachesHalfOfTheBoxAlongAxesWithAnOpenSide) {
    for (const auto& [sides, most] : {std::pair(std::array{O, O, O, O, O, O}, 0.25f),
                                      {{O, O, O, O, W, W}, 0.5f},
                                      {{W, O, W, W, W, W}, 1.0f},
                                      {{W, W, P, P, W, O}, 0.25f}}) {
        EXPECT_THAT(keysOf(box(most, sides)), IsEmpty());
        EXPECT_THAT(keysOf(box(std::nextafter(most, 9.0f), sides)), ElementsAre("flow.side_fade"));
        EXPECT_THAT(keysOf(box(0.0f, sides)), IsEmpty());
    }
    EXPECT_THAT(validate(box(0.6f, {O, O, O, O, W, W})).front().message, AllOf(HasSubstr("is 0.6"), HasSubstr("from 0 to 0.5")));
    Settings flat = box(0.4f, {O, O, O, O, O, O});  // its sides along z are walls
    flat.grid.cells.z = 1;
    flat.grid.size.z = 1.0f / 32;
    EXPECT_THAT(keysOf(flat), IsEmpty());
}

TEST(SideFadeKeys, RefusesInvalidWidths) {
    for (const float bad : {-0.01f, NAN, INFINITY, -INFINITY})
        EXPECT_THAT(keysOf(box(bad, {O, O, O, O, O, O})), ElementsAre("flow.side_fade")) << bad;
}

TEST(SideFadeKeys, NeedsAnOpenSide) {
    for (const auto& sides : {std::array{W, W, W, W, W, W}, std::array{P, P, W, Side::Inflow, W, W}}) {
        const Settings s = box(0.1f, sides);
        EXPECT_THAT(keysOf(s), ElementsAre("flow.side_fade"));
        EXPECT_THAT(validate(s).front().message, HasSubstr("a side of grid.sides must be open"));
    }
    Settings flat = box(0.1f, {W, W, W, W, O, O});
    flat.grid.cells.z = 1;
    flat.grid.size.z = 1.0f / 32;
    EXPECT_THAT(keysOf(flat), ElementsAre("flow.side_fade"));
}

TEST(SideFadeKeys, NeedsSmokeMovedByTheSolver) {
    Settings given = box(0.1f, {O, O, O, O, O, O});
    given.prescribed.field = PrescribedField::Rotation;
    EXPECT_THAT(keysOf(given), ElementsAre("flow.side_fade"));
    Settings liquid = box(0.1f, {W, W, W, O, W, W});
    liquid.grid.pressureRatio = 1;
    liquid.initial.push_back({.shape = {ShapeKind::Box, {0.5f, 0.3f, 0.25f}, 0.0f, glm::vec3(0.2f)}, .liquid = true});
    EXPECT_THAT(keysOf(liquid), ElementsAre("flow.side_fade"));
    liquid.flow.sideFade = 0.0f;
    EXPECT_THAT(keysOf(liquid), IsEmpty());
}

}  // namespace
}  // namespace wisp
