// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <sys/types.h>

namespace wisp::test {

/// An X server without a screen (Xvfb) for this process. DISPLAY names it as long as this object exists.
class VirtualDisplay {
public:
    VirtualDisplay();
    ~VirtualDisplay();
    VirtualDisplay(const VirtualDisplay&) = delete;
    VirtualDisplay& operator=(const VirtualDisplay&) = delete;
    /// False if Xvfb is not installed.
    explicit operator bool() const { return !name_.empty(); }

private:
    pid_t server_ = -1;
    std::string name_, before_;
    bool hadDisplay_ = false;
};

}  // namespace wisp::test
