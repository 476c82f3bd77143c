// SPDX-License-Identifier: MIT
#pragma once

#include "engine/functions.h"

#include <array>
#include <cstdint>
#include <functional>
#include <utility>

namespace wisp::engine {

/// How a sampler combines the 8 texels around a point: trilinear interpolation, or the minimum or maximum of each channel.
enum class Reduction : std::uint32_t { Mean, Least, Greatest };

/// Every sampler that pipelines use, created with the device.
class Samplers {
public:
    /// Creates the samplers that the device supports. `reductions`: samplerFilterMinmax is enabled, which Least and Greatest need.
    /// `name` is called with each sampler and its debug name.
    void create(const Functions& vk, VkDevice device, bool reductions, const std::function<void(VkSampler, const char*)>& name);
    void destroy(const Functions& vk, VkDevice device) noexcept;

    /// The sampler repeats along the axes whose bits are set in `repeatAxes`, and clamps to the edge along the others. Null if the device
    /// does not support the reduction.
    [[nodiscard]] VkSampler get(Reduction reduction, std::uint32_t repeatAxes) const;

private:
    std::array<std::array<VkSampler, 8>, 3> samplers_{};  ///< by Reduction, then by the bits of axes that repeat
};

}  // namespace wisp::engine
