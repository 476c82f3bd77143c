// SPDX-License-Identifier: MIT
#pragma once

// The build may say more exactly what it is.
#ifndef WISP_VERSION
#define WISP_VERSION "0.1.0"
#endif
