// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

namespace wisp::app {

/// Exit status of `wisp`; stable.
enum class Exit : int {
    Done = 0,
    Failed = 1,  ///< a bug, or an error of Vulkan or the validation layers without a status of its own; a time that grew
    Usage = 2,   ///< wrong options or scene
    NoDevice = 3,
    OutOfMemory = 4,
    DeviceLost = 5,
    Output = 6,     ///< something could not be written
    NotFinite = 7,  ///< a number went bad
    Interrupted = 130,
};

/// Ends the command with a message and an exit status.
class Failure : public std::runtime_error {
public:
    Failure(Exit status, const std::string& message) : std::runtime_error(message), status_(status) {}
    [[nodiscard]] Exit status() const { return status_; }

private:
    Exit status_;
};

}  // namespace wisp::app
