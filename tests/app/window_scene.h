// SPDX-License-Identifier: MIT
#pragma once

namespace wisp::test {

// A scene so small that a software device draws pictures quickly.
inline constexpr const char* kWindowScene = R"(
name = "window"
[grid]
cells = [16, 16, 16]
size = [1.0, 1.0, 1.0]
[[emitter]]
centre = [0.5, 0.2, 0.5]
radius = 0.15
velocity = [0.0, 1.0, 0.0]
density = 1.0
[[obstacle]]
centre = [0.5, 0.6, 0.5]
radius = 0.15
[[light]]
intensity = 10.0
[camera]
eye = [0.5, 0.5, 2.5]
target = [0.5, 0.5, 0.5]
)";

}  // namespace wisp::test
