// SPDX-License-Identifier: MIT
#pragma once

#include "wisp/error.h"

namespace wisp {

/// Throws the current exception, of whatever type, as an Error of the interface.
[[noreturn]] void throwError();

/// Runs `call`, whose exceptions of any type become an Error.
template <class Call>
auto guarded(Call&& call) {
    try {
        return call();
    } catch (...) {
        throwError();
    }
}

}  // namespace wisp
