// SPDX-License-Identifier: MIT
#include "engine/samplers.h"

#include "engine/error.h"

namespace wisp::engine {
namespace {

constexpr std::array kNames{"trilinear", "minimum of 8 texels", "maximum of 8 texels"};

VkSampler createSampler(const Functions& vk, VkDevice device, Reduction reduction, std::uint32_t repeatAxes) {
    const auto mode = [&](std::uint32_t axis) {
        return (repeatAxes >> axis & 1) != 0 ? VK_SAMPLER_ADDRESS_MODE_REPEAT : VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    };
    VkSamplerReductionModeCreateInfo reduce{VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO};
    reduce.reductionMode = reduction == Reduction::Least ? VK_SAMPLER_REDUCTION_MODE_MIN : VK_SAMPLER_REDUCTION_MODE_MAX;
    VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    if (reduction != Reduction::Mean) info.pNext = &reduce;
    info.magFilter = info.minFilter = VK_FILTER_LINEAR;
    // Images have one mip level. With maxLod = 0, lavapipe would compute a level for every lane of a sample.
    info.maxLod = VK_LOD_CLAMP_NONE;
    info.addressModeU = mode(0);
    info.addressModeV = mode(1);
    info.addressModeW = mode(2);
    VkSampler sampler = VK_NULL_HANDLE;
    check(vk.CreateSampler(device, &info, nullptr, &sampler), "vkCreateSampler");
    return sampler;
}

}  // namespace

void Samplers::create(const Functions& vk, VkDevice device, bool reductions, const std::function<void(VkSampler, const char*)>& name) {
    for (std::uint32_t r = 0; r < (reductions ? samplers_.size() : 1); ++r) {
        for (std::uint32_t axes = 0; axes < samplers_[r].size(); ++axes) {
            samplers_[r][axes] = createSampler(vk, device, Reduction{r}, axes);
            name(samplers_[r][axes], kNames[r]);
        }
    }
}

void Samplers::destroy(const Functions& vk, VkDevice device) noexcept {
    for (auto& axes : samplers_) {
        for (VkSampler& sampler : axes) vk.DestroySampler(device, std::exchange(sampler, VK_NULL_HANDLE), nullptr);
    }
}

VkSampler Samplers::get(Reduction reduction, std::uint32_t repeatAxes) const {
    return samplers_.at(static_cast<std::size_t>(reduction)).at(repeatAxes);
}

}  // namespace wisp::engine
