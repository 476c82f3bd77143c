// SPDX-License-Identifier: MIT
#pragma once

// The build may say more exactly what it is.
#ifndef WISP_VERSION
#define WISP_VERSION "0.1.0"
#endif

namespace wisp::app {
inline constexpr const char* kVersionDate = "2026-11-22";  ///< for the manual; changes with the version
}
