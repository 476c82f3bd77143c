// SPDX-License-Identifier: MIT
#include "compute/smoke/initial_images.h"

#include <glm/gtc/packing.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace wisp {
namespace {

float brightest(glm::vec3 c) { return std::max({c.x, c.y, c.z}); }

}  // namespace

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
