// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace wisp {

/// Edge of the blue noise tile [pixels].
inline constexpr int kBlueNoiseEdge = 64;

/// Ranks 0 to 4095 of the tile's pixels, row by row. Each rank occurs once. For every n the pixels of the first n ranks are spread as
/// evenly as possible, and the tile repeats without a seam. Void and cluster (Ulichney 1993). Every call returns the same numbers.
const std::vector<std::uint16_t>& blueNoise();

}  // namespace wisp
