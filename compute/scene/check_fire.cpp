// SPDX-License-Identifier: MIT
#include "compute/scene/checker.h"

#include <algorithm>

namespace wisp {
namespace {

void checkKeys(Checker& check, const FireSettings& f, const FlowSettings& flow) {
    check.within("fire.burn_rate", f.burnRate, 0.0f, kMaxRate);
    check.within("fire.ignition", f.ignition, 0.0f, kMaxAmount);
    check.positive("fire.heat", f.heat, kMaxAmount);
    check.within("fire.cooling", f.cooling, 0.0f, 1e6f);
    check.within("fire.soot", f.soot, 0.0f, kMaxAmount);
    check.within("fire.soot_colour", f.sootColour, 0.0f, 1.0f);
    check.within("fire.expansion", f.expansion, 0.0f, 10.0f);
    check.within("fire.glow", f.glow, 0.0f, kMaxAmount);
    check.within("fire.flame", f.flame, 0.0f, kMaxAmount);
    check.positive("flow.ambient", flow.ambient, kMaxAmount);
}

}  // namespace

void checkFire(Checker& check, const Settings& s) {
    const FireSettings& f = s.fire;
    checkKeys(check, f, s.flow);
    if (!s.usesFuel()) return;
    const std::vector<std::string> fuel{"emitter", "stroke", "initial"};
    if (f.ignition > f.heat)
        check.fail("fire.ignition",
                   fmt::format("is {} K, must be at most fire.heat, which is {} K: a flame would not ignite the fuel beside it", f.ignition,
                               f.heat),
                   {"fire.heat"});
    const auto isClosed = [&](std::size_t side) { return s.grid.side(side) != Side::Open; };
    if (f.expansion > 0.0f && isClosed(0) && isClosed(1) && isClosed(2) && isClosed(3) && isClosed(4) && isClosed(5))
        check.fail(
            "fire.expansion",
            fmt::format("is {}, but no side of the box is open: hot gas has no room. Must be 0, or a side of grid.sides must be open",
                        f.expansion),
            {"grid.sides"});
    if (s.prescribed.field != PrescribedField::None)
        check.fail("prescribed.field", "cannot be used in a scene with fuel: fire changes the velocity", fuel);
    if (s.usesLiquid()) check.fail("liquid", "cannot be used in a scene with fuel: fire burns in smoke", fuel);
}

}  // namespace wisp
