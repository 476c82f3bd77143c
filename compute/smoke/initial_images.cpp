// SPDX-License-Identifier: MIT
#include "compute/smoke/initial_images.h"

#include <fmt/format.h>
#include <glm/gtc/packing.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace wisp {
namespace {

float brightest(glm::vec3 c) { return std::max({c.x, c.y, c.z}); }

}  // namespace

bool InitialImage::isColoured() const {
    return std::ranges::any_of(texels, [](glm::vec3 c) { return c.x != c.y || c.y != c.z; });
}

std::string initialImageProblem(const InitialImage& image) {
    const glm::uvec2 size = image.size;
    const std::uint64_t count = std::uint64_t{size.x} * size.y;
    if (count == 0 || size.x > kMaxInitialImage || size.y > kMaxInitialImage)
        return fmt::format("has {}x{} pixels, must have from 1x1 to {}x{}", size.x, size.y, kMaxInitialImage, kMaxInitialImage);
    if (image.texels.size() != count) return fmt::format("has {} texels of {}", image.texels.size(), count);
    for (std::size_t i = 0; i < count; ++i)
        for (int n = 0; n < 3; ++n)
            if (const float v = image.texels[i][n]; !(v >= 0.0f && v <= 1.0f))
                return fmt::format("is {} in column {} of row {}, must be from 0 to 1", v, i % size.x, size.y - 1 - i / size.x);
    return {};
}

InitialImages::InitialImages(engine::Device& device, const Settings& settings) {
    entries_.push_back(
        {nullptr, engine::Image(device, {.name = "no initial image", .format = VK_FORMAT_R16G16B16A16_SFLOAT, .flat = true})});
    for (const InitialSettings& i : settings.initial) {
        if (std::ranges::find(entries_, i.image, &Entry::source) != entries_.end()) continue;
        entries_.push_back(
            {i.image,
             engine::Image(device,
                           {.name = "initial image", .size = {i.image->size, 1}, .format = VK_FORMAT_R16G16B16A16_SFLOAT, .flat = true})});
    }
}

const engine::Image& InitialImages::of(engine::Recorder& rec, const InitialSettings& initial) {
    Entry& entry = *std::ranges::find(entries_, initial.image, &Entry::source);
    if (std::exchange(entry.uploaded, true)) return entry.image;
    std::vector<std::uint64_t> texels;  // as four halves each
    texels.reserve(initial.image ? initial.image->texels.size() : 1);
    if (initial.image)
        std::ranges::transform(initial.image->texels, std::back_inserter(texels), [](glm::vec3 c) {
            return glm::packHalf4x16({c, brightest(c)});
        });
    else texels.push_back(0);
    rec.upload(entry.image, std::as_bytes(std::span(texels)));
    return entry.image;
}

}  // namespace wisp
