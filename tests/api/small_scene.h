// SPDX-License-Identifier: MIT
#pragma once

#include <wisp/wisp.h>

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace wisp::test {

/// A small box with a jet of warm smoke and a ball above it.
inline constexpr const char* kSmallScene = R"(
    name = "small"
    [grid]
    cells = [16, 24, 16]
    size = [0.8, 1.2, 0.8]
    [time]
    step = 0.02
    [flow]
    buoyancy = 0.05
    [[emitter]]
    shape = "sphere"
    centre = [0.4, 0.2, 0.4]
    radius = 0.12
    density = 1.0
    temperature = 100.0
    velocity = [0.0, 1.0, 0.0]
    [[obstacle]]
    shape = "sphere"
    centre = [0.45, 0.7, 0.4]
    radius = 0.15
    [render]
    size = [64, 96]
    [camera]
    eye = [0.4, 0.6, 3.0]
    target = [0.4, 0.6, 0.4]
)";

inline Scene smallScene() { return Scene::parse(kSmallScene); }

inline std::vector<float> densityOf(Simulation& simulation) { return simulation.read("density").values; }

/// The error of a call; a test failure if there is none.
inline Error errorOf(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& e) {
        return e;
    }
    ADD_FAILURE() << "no error";
    return {ErrorCode::Internal, "no error"};
}

/// A device with validation, shared by the tests of a process (tests/api/device.cpp).
Device& device();

}  // namespace wisp::test
