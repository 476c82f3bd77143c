// SPDX-License-Identifier: MIT
#include "app/base/exit_status.h"

namespace wisp::app {

Exit exitStatusOf(ErrorCode code) {
    switch (code) {
        case ErrorCode::Argument:
        case ErrorCode::Scene:
        case ErrorCode::File:
        case ErrorCode::Unsupported: return Exit::Usage;
        case ErrorCode::NoDevice: return Exit::NoDevice;
        case ErrorCode::OutOfMemory: return Exit::OutOfMemory;
        case ErrorCode::DeviceLost: return Exit::DeviceLost;
        case ErrorCode::Output: return Exit::Output;
        case ErrorCode::NotFinite: return Exit::NotFinite;
        default: return Exit::Failed;
    }
}

}  // namespace wisp::app
