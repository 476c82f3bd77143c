// SPDX-License-Identifier: MIT
#pragma once

#include "engine/functions.h"

#include <stdexcept>
#include <string>
#include <string_view>

namespace wisp::engine {

/// Category of an error of the environment, from which a program can choose its exit status.
enum class ErrorKind {
    NoDevice,     ///< no driver, no device, or every device was rejected; the message lists the reasons
    OutOfMemory,  ///< more than the budget, or the driver failed to allocate; the message gives needed and available memory
    HostTimeout,  ///< the host of a borrowed device has not submitted commands that were recorded for it
    DeviceLost,   ///< VK_ERROR_DEVICE_LOST; the message names the last pass
    Shader,       ///< a shader is missing, does not compile, or does not match its bindings or push constants
    Validation,   ///< the validation layers reported a message while validation is enabled
    Vulkan,       ///< any other VkResult
};

/// An error of the environment: what failed, where, and the VkResult. Wrong arguments throw std::invalid_argument instead.
class Error : public std::runtime_error {
public:
    Error(ErrorKind kind, const std::string& message, VkResult result = VK_SUCCESS)
        : std::runtime_error(message), kind_(kind), result_(result) {}
    [[nodiscard]] ErrorKind kind() const { return kind_; }
    [[nodiscard]] VkResult result() const { return result_; }

private:
    ErrorKind kind_;
    VkResult result_;
};

/// Throws an Error of the matching kind unless `result` is VK_SUCCESS. `what` names the call and its object.
void check(VkResult result, std::string_view what);

}  // namespace wisp::engine
