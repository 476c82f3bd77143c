// SPDX-License-Identifier: MIT
#include "compute/scene/initial_image.h"

#include <fmt/format.h>

#include <algorithm>

namespace wisp {

bool InitialImage::isColoured() const {
    return std::ranges::any_of(texels, [](glm::vec3 c) { return c.x != c.y || c.y != c.z; });
}

std::string initialImageProblem(const InitialImage& image) {
    const glm::uvec2 size = image.size;
    const std::uint64_t count = std::uint64_t{size.x} * size.y;
    if (count == 0 || size.x > kMaxInitialImage || size.y > kMaxInitialImage)
        return fmt::format("has {}x{} pixels, must have from 1x1 to {}x{}", size.x, size.y, kMaxInitialImage, kMaxInitialImage);
    if (image.texels.size() != count) return fmt::format("has {} texels, must have {}", image.texels.size(), count);
    for (std::size_t i = 0; i < count; ++i)
        for (int n = 0; n < 3; ++n)
            if (const float v = image.texels[i][n]; !(v >= 0.0f && v <= 1.0f))
                return fmt::format("is {} in column {} of row {}, must be from 0 to 1", v, i % size.x, size.y - 1 - i / size.x);
    return {};
}

}  // namespace wisp
