// SPDX-License-Identifier: MIT
#pragma once

#include <volk.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace wisp::engine {

/// What went wrong in the environment, so that a program can choose its exit status.
enum class ErrorKind {
    NoDevice,     ///< no driver, no device, or every device was refused; the message lists the reasons
    OutOfMemory,  ///< the budget or the driver refused; the message says what was needed and what there is
    DeviceLost,   ///< the GPU stopped; the message names the last pass
    Shader,       ///< a shader is missing, does not compile, or does not fit what it was given
    Validation,   ///< the validation layers reported a message while validation counts as an error
    Vulkan,       ///< any other VkResult
};

/// An error of the environment: what, where and the VkResult. Wrong arguments throw std::invalid_argument instead.
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

/// Throws an Error of the fitting kind unless `result` is VK_SUCCESS. `what` names the call and its object.
void check(VkResult result, std::string_view what);

}  // namespace wisp::engine
