// SPDX-License-Identifier: MIT
#include "objects.h"

#include "gpu.h"
#include "world.h"

#include <array>
#include <cstddef>

namespace {

Owned<VkDeviceMemory> allocate(const Gpu& gpu, const VkMemoryRequirements& needed, VkMemoryPropertyFlags properties) {
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(gpu.physical(), &memory);
    for (std::uint32_t type = 0; type < memory.memoryTypeCount; ++type) {
        if (!(needed.memoryTypeBits & (1u << type)) || (memory.memoryTypes[type].propertyFlags & properties) != properties) continue;
        const VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, needed.size, type};
        VkDeviceMemory made = VK_NULL_HANDLE;
        check(vkAllocateMemory(gpu.device(), &info, nullptr, &made), "vkAllocateMemory");
        return {made, [device = gpu.device()](VkDeviceMemory m) { vkFreeMemory(device, m, nullptr); }};
    }
    throw std::runtime_error("the device has no memory of the type that is needed");
}

Owned<VkShaderModule> makeShader(const Gpu& gpu, std::span<const std::uint32_t> words) {
    VkShaderModuleCreateInfo info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    info.codeSize = words.size_bytes();
    info.pCode = words.data();
    VkShaderModule made = VK_NULL_HANDLE;
    check(vkCreateShaderModule(gpu.device(), &info, nullptr, &made), "vkCreateShaderModule");
    return {made, [device = gpu.device()](VkShaderModule s) { vkDestroyShaderModule(device, s, nullptr); }};
}

}  // namespace

void check(VkResult result, const char* call) {
    if (result != VK_SUCCESS) throw std::runtime_error(std::string(call) + ": VkResult " + std::to_string(result));
}

Image makeImage(const Gpu& gpu, VkExtent2D size, VkFormat format, VkImageUsageFlags usage, VkSampleCountFlagBits samples) {
    VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = format;
    info.extent = {size.width, size.height, 1};
    info.mipLevels = info.arrayLayers = 1;
    info.samples = samples;
    info.usage = usage;
    VkImage image = VK_NULL_HANDLE;
    check(vkCreateImage(gpu.device(), &info, nullptr, &image), "vkCreateImage");
    Image made;
    made.image = {image, [device = gpu.device()](VkImage i) { vkDestroyImage(device, i, nullptr); }};
    VkMemoryRequirements needed;
    vkGetImageMemoryRequirements(gpu.device(), image, &needed);
    made.memory = allocate(gpu, needed, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    check(vkBindImageMemory(gpu.device(), image, made.memory, 0), "vkBindImageMemory");
    made.view = makeView(gpu, image, format);
    return made;
}

Buffer makeBuffer(const Gpu& gpu, VkDeviceSize bytes, VkBufferUsageFlags usage) {
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = bytes;
    info.usage = usage;
    VkBuffer buffer = VK_NULL_HANDLE;
    check(vkCreateBuffer(gpu.device(), &info, nullptr, &buffer), "vkCreateBuffer");
    Buffer made;
    made.buffer = {buffer, [device = gpu.device()](VkBuffer b) { vkDestroyBuffer(device, b, nullptr); }};
    VkMemoryRequirements needed;
    vkGetBufferMemoryRequirements(gpu.device(), buffer, &needed);
    made.memory = allocate(gpu, needed, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    check(vkBindBufferMemory(gpu.device(), buffer, made.memory, 0), "vkBindBufferMemory");
    check(vkMapMemory(gpu.device(), made.memory, 0, VK_WHOLE_SIZE, 0, &made.mapped), "vkMapMemory");
    return made;
}

Owned<VkImageView> makeView(const Gpu& gpu, VkImage image, VkFormat format) {
    const bool depth = format == VK_FORMAT_D32_SFLOAT;
    VkImageViewCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    info.image = image;
    info.viewType = VK_IMAGE_VIEW_TYPE_2D;
    info.format = format;
    info.subresourceRange = {static_cast<VkImageAspectFlags>(depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT), 0, 1, 0, 1};
    VkImageView made = VK_NULL_HANDLE;
    check(vkCreateImageView(gpu.device(), &info, nullptr, &made), "vkCreateImageView");
    return {made, [device = gpu.device()](VkImageView v) { vkDestroyImageView(device, v, nullptr); }};
}

Owned<VkSampler> makeSampler(const Gpu& gpu) {
    VkSamplerCreateInfo info{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    info.magFilter = info.minFilter = VK_FILTER_LINEAR;
    info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    VkSampler made = VK_NULL_HANDLE;
    check(vkCreateSampler(gpu.device(), &info, nullptr, &made), "vkCreateSampler");
    return {made, [device = gpu.device()](VkSampler s) { vkDestroySampler(device, s, nullptr); }};
}

Owned<VkSemaphore> makeSemaphore(const Gpu& gpu, VkSemaphoreType type) {
    const VkSemaphoreTypeCreateInfo kind{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, nullptr, type, 0};
    const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &kind, 0};
    VkSemaphore made = VK_NULL_HANDLE;
    check(vkCreateSemaphore(gpu.device(), &info, nullptr, &made), "vkCreateSemaphore");
    return {made, [device = gpu.device()](VkSemaphore s) { vkDestroySemaphore(device, s, nullptr); }};
}

Owned<VkPipeline> makePipeline(const Gpu& gpu, const PipelineInfo& given) {
    const Owned<VkShaderModule> vertex = makeShader(gpu, given.vertex), fragment = makeShader(gpu, given.fragment);
    const std::array stages{VkPipelineShaderStageCreateInfo{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, nullptr, 0,
                                                            VK_SHADER_STAGE_VERTEX_BIT, vertex, "main", nullptr},
                            VkPipelineShaderStageCreateInfo{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, nullptr, 0,
                                                            VK_SHADER_STAGE_FRAGMENT_BIT, fragment, "main", nullptr}};
    const VkVertexInputBindingDescription binding{0, sizeof(Vertex), VK_VERTEX_INPUT_RATE_VERTEX};
    const std::array attributes{VkVertexInputAttributeDescription{0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(Vertex, position)},
                                VkVertexInputAttributeDescription{1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(Vertex, normal)},
                                VkVertexInputAttributeDescription{2, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(Vertex, colour)}};
    VkPipelineVertexInputStateCreateInfo input{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    if (given.hasVertices) {
        input.vertexBindingDescriptionCount = 1;
        input.pVertexBindingDescriptions = &binding;
        input.vertexAttributeDescriptionCount = static_cast<std::uint32_t>(attributes.size());
        input.pVertexAttributeDescriptions = attributes.data();
    }
    VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
    assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    VkPipelineViewportStateCreateInfo viewport{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
    viewport.viewportCount = viewport.scissorCount = 1;
    VkPipelineRasterizationStateCreateInfo raster{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
    raster.lineWidth = 1.0f;
    VkPipelineMultisampleStateCreateInfo samples{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
    samples.rasterizationSamples = given.samples;
    VkPipelineDepthStencilStateCreateInfo depth{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    depth.depthTestEnable = depth.depthWriteEnable = given.hasVertices ? VK_TRUE : VK_FALSE;
    depth.depthCompareOp = VK_COMPARE_OP_GREATER;  // reversed: 1 is near, 0 is infinitely far
    VkPipelineColorBlendAttachmentState attachment{};
    attachment.colorWriteMask = 0xf;
    VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
    blend.attachmentCount = 1;
    blend.pAttachments = &attachment;
    const std::array dynamics{VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
    dynamic.dynamicStateCount = static_cast<std::uint32_t>(dynamics.size());
    dynamic.pDynamicStates = dynamics.data();
    VkPipelineRenderingCreateInfo rendering{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    rendering.colorAttachmentCount = 1;
    rendering.pColorAttachmentFormats = &given.colour;
    rendering.depthAttachmentFormat = given.depth;

    VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, &rendering};
    info.stageCount = static_cast<std::uint32_t>(stages.size());
    info.pStages = stages.data();
    info.pVertexInputState = &input;
    info.pInputAssemblyState = &assembly;
    info.pViewportState = &viewport;
    info.pRasterizationState = &raster;
    info.pMultisampleState = &samples;
    info.pDepthStencilState = &depth;
    info.pColorBlendState = &blend;
    info.pDynamicState = &dynamic;
    info.layout = given.layout;
    VkPipeline made = VK_NULL_HANDLE;
    check(vkCreateGraphicsPipelines(gpu.device(), VK_NULL_HANDLE, 1, &info, nullptr, &made), "vkCreateGraphicsPipelines");
    return {made, [device = gpu.device()](VkPipeline p) { vkDestroyPipeline(device, p, nullptr); }};
}

void transition(VkCommandBuffer commands, VkImage image, const Use& from, const Use& to, VkImageAspectFlags aspect) {
    VkImageMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
    barrier.srcStageMask = from.stages;
    barrier.srcAccessMask = from.accesses;
    barrier.dstStageMask = to.stages;
    barrier.dstAccessMask = to.accesses;
    barrier.oldLayout = from.layout;
    barrier.newLayout = to.layout;
    barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    barrier.image = image;
    barrier.subresourceRange = {aspect, 0, 1, 0, 1};
    VkDependencyInfo info{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    info.imageMemoryBarrierCount = 1;
    info.pImageMemoryBarriers = &barrier;
    vkCmdPipelineBarrier2(commands, &info);
}
