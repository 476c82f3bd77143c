// SPDX-License-Identifier: MIT
#ifndef WISP_EXPORT_H
#define WISP_EXPORT_H

/// Marks what the library exports: all other symbols are hidden.
#if defined(_WIN32)
#define WISP_API
#else
#define WISP_API __attribute__((visibility("default")))
#endif

#endif
