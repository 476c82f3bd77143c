// SPDX-License-Identifier: MIT
#pragma once

#include "engine/error.h"

#include <mutex>
#include <string>
#include <vector>

namespace wisp::engine {

/// Messages of the validation layers. They arrive on the thread that made the Vulkan call.
class MessageLog {
public:
    void add(std::string message);
    void clear();
    [[nodiscard]] std::vector<std::string> all() const;

private:
    mutable std::mutex mutex_;
    std::vector<std::string> messages_;
};

/// A Vulkan 1.3 instance with debug utils where present and, on request, the validation layer.
class Instance {
public:
    /// @throws Error NoDevice without a Vulkan 1.3 loader; Validation if the layer is requested but not installed.
    explicit Instance(bool validate);
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    [[nodiscard]] VkInstance handle() const { return instance_; }
    [[nodiscard]] const InstanceFunctions& vk() const { return vk_; }
    [[nodiscard]] bool debugUtils() const { return debugUtils_; }
    [[nodiscard]] MessageLog& log() { return log_; }
    [[nodiscard]] const MessageLog& log() const { return log_; }

private:
    MessageLog log_;
    InstanceFunctions vk_;
    VkInstance instance_ = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    bool debugUtils_ = false;
};

}  // namespace wisp::engine
