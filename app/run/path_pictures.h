// SPDX-License-Identifier: MIT
#pragma once

#include "wisp/renderer.h"

#include <cstdint>
#include <string>

namespace wisp::app {

/// What a film says about its path-traced pictures.
class PathPictures {
public:
    void add(const FetchedPicture& picture);

    /// Number of samples and maximum noise of the pictures so far.
    [[nodiscard]] std::string summary() const;
    /// A warning if samples were terminated early. Otherwise empty.
    [[nodiscard]] std::string warning() const;

private:
    std::uint32_t fewest_ = ~0u, most_ = 0;
    double noise_ = 0.0, cut_ = 0.0, all_ = 0.0;
};

}  // namespace wisp::app
