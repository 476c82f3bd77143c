// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

namespace wisp {

/// Exit status of `wisp`; stable.
enum class Exit : int {
    Done = 0,
    /// A bug, a Vulkan or validation error without its own status, or a time regression found by `wisp bench --compare`.
    Failed = 1,
    Usage = 2,  ///< wrong options or scene
    NoDevice = 3,
    OutOfMemory = 4,
    DeviceLost = 5,
    Output = 6,     ///< output could not be written
    NotFinite = 7,  ///< a field value became NaN or infinite
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

}  // namespace wisp
