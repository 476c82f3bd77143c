// SPDX-License-Identifier: MIT
#pragma once

#include <volk.h>

#include <array>
#include <cstdint>
#include <functional>
#include <utility>

namespace wisp::engine {

/// What a sampler makes of the eight texels around a point: their trilinear mean, or of each channel the least or greatest.
enum class Reduction : std::uint32_t { Mean, Least, Greatest };

/// Every sampler that pipelines use, made with the device.
class Samplers {
public:
    /// Those that the device can do: Least and Greatest need samplerFilterMinmax, which `reductions` says. `name` gets each for debuggers.
    void create(VkDevice device, bool reductions, const std::function<void(VkSampler, const char*)>& name);
    void destroy(VkDevice device) noexcept;

    /// Clamped to the edge; along the axes whose bits are set it repeats instead. Null if the device cannot.
    [[nodiscard]] VkSampler get(Reduction reduction, std::uint32_t repeatAxes) const;

private:
    std::array<std::array<VkSampler, 8>, 3> samplers_{};  ///< by Reduction, then by the bits of axes that repeat
};

}  // namespace wisp::engine
