// SPDX-License-Identifier: MIT
#pragma once

// The build defines the exact version.
#ifndef WISP_VERSION
#define WISP_VERSION "0.1.0"
#endif

namespace wisp {
inline constexpr const char* kVersionDate = "2026-11-22";  ///< shown in the manual; change it together with the version
}
